#include <vector>

#include <benchmark/benchmark.h>

#include "sheaf/array/fixed_width_array.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/compute/fill.h"
#include "workloads/list_views.h"
#include "workloads/timed.h"

// Pages of sparse columns: a patch each so many rows, one value everywhere else.
namespace sheaf {
namespace {

/// Rows 0, every, 2 x every, … below `rows`.
Array PatchRows(int64_t rows, int64_t every) {
  std::vector<int32_t> indices;
  for (int64_t row = 0; row < rows; row += every) indices.push_back(static_cast<int32_t>(row));
  return *Int32Array::Adopt(std::move(indices));
}

/// `FillSparse` into a new builder, compared once with appending row by row.
void Fill(benchmark::State& state, const Array& fill, const Array& patches) {
  const int64_t rows = state.range(0);
  const int64_t every = state.range(1);
  const Array indices = PatchRows(rows, every);
  auto naive = *MakeBuilder(fill.type());
  for (int64_t row = 0; row < rows; ++row) {
    const bool patched = row % every == 0;
    const Status status =
        patched ? naive->AppendArray(patches, row / every, 1) : naive->AppendRepeated(fill, 0, 1);
    if (!status.ok()) return state.SkipWithError(status.ToString().c_str());
  }
  workloads::TimeArray(state, *naive->Finish(), [&]() -> StatusOr<Array> {
    SHEAF_ASSIGN_OR_RETURN(const auto builder, MakeBuilder(fill.type()));
    SHEAF_RETURN_IF_ERROR(
        FillSparse(*builder, fill, indices, patches, {.base = 0, .length = rows}));
    return builder->Finish();
  });
}

void SparseFill(benchmark::State& state, bool null_fill) {
  const int64_t list_size = state.range(2);
  const int64_t num_patches = (state.range(0) - 1) / state.range(1) + 1;
  const Array patches = workloads::ListViews(num_patches, list_size, list_size, false);
  const Array fill = null_fill ? *MakeNullArray(patches.type(), 1)
                               : workloads::ListViews(1, list_size, list_size, false, 1);
  Fill(state, fill, patches);
}

void SparseFillIntegers(benchmark::State& state) {
  const int64_t num_patches = (state.range(0) - 1) / state.range(1) + 1;
  Fill(state, workloads::Iota(1, -7), workloads::Iota(num_patches));
}

BENCHMARK_CAPTURE(SparseFill, lists, false)
    ->Name("sparse_fill")
    ->Args({1'000'000, 17, 8})
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(SparseFill, nulls, true)
    ->Name("sparse_fill_nulls")
    ->Args({1'000'000, 17, 8})
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(SparseFillIntegers)
    ->Name("sparse_fill_int32")
    ->Args({1'000'000, 17})
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sheaf
