#include <algorithm>
#include <span>

#include <benchmark/benchmark.h>

#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/make_builder.h"
#include "workloads/list_views.h"
#include "workloads/timed.h"

// Rows of a page of a sparse column, by handles of two sources, and many lists of one size.
namespace sheaf {
namespace {

using workloads::TimeArray;

/// A patch each `every` rows, one fill list between them: elements of a patch once, the fill once.
void SparseFillSource(benchmark::State& state, bool nulls) {
  const int64_t rows = state.range(0);
  const int64_t every = state.range(1);
  const int64_t list_size = state.range(2);
  const int64_t num_patches = (rows + every - 1) / every;
  const Array patch_array = workloads::ListViews(num_patches, list_size, list_size, nulls, 1);
  const Array fill_array = workloads::ListViews(1, list_size, list_size, false);
  const auto fill = [&]() -> StatusOr<Array> {
    SHEAF_ASSIGN_OR_RETURN(auto builder, MakeBuilderAs<ListViewBuilder>(ListView(Int32())));
    SHEAF_ASSIGN_OR_RETURN(const SourceHandle patches, builder->AddSource(patch_array));
    SHEAF_ASSIGN_OR_RETURN(const SourceHandle constant, builder->AddSource(fill_array));
    SHEAF_RETURN_IF_ERROR(builder->Reserve(rows));
    for (int64_t i = 0; i < num_patches; ++i) {
      SHEAF_RETURN_IF_ERROR(builder->AppendViews(patches, i, 1));
      const int64_t gap = std::min(every - 1, rows - i * every - 1);
      SHEAF_RETURN_IF_ERROR(builder->AppendRepeated(constant, 0, gap));
    }
    return builder->Finish();
  };
  auto expected = *MakeBuilder(ListView(Int32()));
  for (int64_t i = 0; i < num_patches; ++i) {
    const int64_t gap = std::min(every - 1, rows - i * every - 1);
    if (!expected->AppendArray(patch_array, i, 1).ok() ||
        !expected->AppendRepeated(fill_array, 0, gap).ok())
      return state.SkipWithError("append");
  }
  TimeArray(state, *expected->Finish(), fill);
}

void AppendUniform(benchmark::State& state) {
  const int64_t list_size = state.range(1);
  const Array source = workloads::ListViews(state.range(0), list_size, list_size, false);
  const std::span<const int32_t> values = {source.child(0).slots<int32_t>(1),
                                           static_cast<size_t>(source.child(0).length())};
  TimeArray(state, source, [&]() -> StatusOr<Array> {
    SHEAF_ASSIGN_OR_RETURN(auto builder, MakeBuilderAs<ListViewBuilder>(ListView(Int32())));
    SHEAF_RETURN_IF_ERROR(builder->AppendUniform(values, list_size));
    return builder->Finish();
  });
}

BENCHMARK_CAPTURE(SparseFillSource, sparse_fill_source, false)
    ->Name("sparse_fill_source")
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond)
    ->Args({1000000, 17, 8});
BENCHMARK_CAPTURE(SparseFillSource, sparse_fill_source_nulls, true)
    ->Name("sparse_fill_source_nulls")
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond)
    ->Args({1000000, 17, 8});
BENCHMARK(AppendUniform)
    ->Name("append_uniform")
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond)
    ->Args({1000000, 8});

}  // namespace
}  // namespace sheaf
