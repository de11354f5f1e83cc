#include <vector>

#include <benchmark/benchmark.h>

#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/make_builder.h"
#include "workloads/list_views.h"
#include "workloads/timed.h"

// Workloads of the peers' programs (`median_ns` of the same name and arguments): appending whole
// list-view arrays, filling with one list, building row by row.
namespace sheaf {
namespace {

using workloads::TimeArray;

StatusOr<Array> Appended(const DataType& type, std::span<const Array> parts) {
  SHEAF_ASSIGN_OR_RETURN(auto builder, MakeBuilder(type));
  for (const Array& part : parts) SHEAF_RETURN_IF_ERROR(builder->AppendArray(part));
  return builder->Finish();
}

/// One array appended to a fresh builder whose statistics nobody asked for yet.
void Extend(benchmark::State& state, bool large, bool overlap) {
  const int64_t lists = state.range(0);
  const int64_t list_size = state.range(1);
  const int64_t step = overlap ? 1 : list_size;
  const Array source = large ? workloads::LargeListViews(lists, list_size, step, overlap)
                             : workloads::ListViews(lists, list_size, step, overlap);
  TimeArray(state, source, [&] {
    const Array part = workloads::WithUnknownStatistics(source);
    return Appended(source.type(), {&part, 1});
  });
}

/// The same where the array was appended, or asked, before.
void ExtendKnown(benchmark::State& state) {
  const Array source = workloads::ListViews(state.range(0), state.range(1), state.range(1), false);
  TimeArray(state, source, [&] { return Appended(source.type(), {&source, 1}); });
}

void ConstantFill(benchmark::State& state) {
  const int64_t rows = state.range(0);
  const Array list = workloads::Iota(state.range(1), 1);
  const Array one = workloads::ListViews(1, state.range(1), state.range(1), false, 1);
  const auto fill = [&]() -> StatusOr<Array> {
    SHEAF_ASSIGN_OR_RETURN(auto builder, MakeBuilderAs<ListViewBuilder>(ListView(Int32())));
    SHEAF_RETURN_IF_ERROR(builder->AppendRepeatedList(list, rows));
    return builder->Finish();
  };
  // Built another way, value by value.
  auto builder = *MakeBuilder(ListView(Int32()));
  for (int64_t i = 0; i < rows; ++i) {
    if (!builder->AppendArray(one).ok()) return state.SkipWithError("append");
  }
  TimeArray(state, *builder->Finish(), fill);
}

/// 100,000 arrays of a few lists of four into one builder.
void AppendSmall(benchmark::State& state, bool nulls) {
  std::vector<Array> parts;
  for (int64_t i = 0; i < state.range(0); ++i) {
    parts.push_back(workloads::ListViews(state.range(1), 4, 4, nulls, static_cast<int32_t>(i)));
  }
  auto expected = *MakeBuilder(ListView(Int32()), {.min_chunk_bytes = BuilderOptions::kAlwaysKeep});
  for (const Array& part : parts) {
    if (!expected->AppendArray(part).ok()) return state.SkipWithError("append");
  }
  TimeArray(state, *expected->Finish(), [&] { return Appended(ListView(Int32()), parts); });
}

void PerRow(benchmark::State& state, bool reserve) {
  const int64_t rows = state.range(0);
  const int64_t list_size = state.range(1);
  const Array source = workloads::ListViews(rows, list_size, list_size, false);
  const auto* values = source.child(0).slots<int32_t>(1);
  TimeArray(state, source, [&]() -> StatusOr<Array> {
    SHEAF_ASSIGN_OR_RETURN(auto builder, MakeBuilderAs<ListViewBuilder>(ListView(Int32())));
    auto& elements = static_cast<Int32Builder&>(builder->elements());
    if (reserve) {
      SHEAF_RETURN_IF_ERROR(builder->Reserve(rows));
      SHEAF_RETURN_IF_ERROR(elements.Reserve(rows * list_size));
    }
    for (int64_t i = 0; i < rows; ++i) {
      builder->BeginList();
      SHEAF_RETURN_IF_ERROR(
          elements.AppendValues({values + i * list_size, static_cast<size_t>(list_size)}));
      SHEAF_RETURN_IF_ERROR(builder->EndList());
    }
    return builder->Finish();
  });
}

/// 16 arrays into one.
void Concatenated(benchmark::State& state, bool overlap) {
  std::vector<Array> parts;
  for (int64_t i = 0; i < state.range(0); ++i) {
    parts.push_back(workloads::ListViews(state.range(1), state.range(2),
                                         overlap ? 1 : state.range(2), overlap,
                                         static_cast<int32_t>(i * 1000)));
  }
  auto expected = *MakeBuilder(ListView(Int32()), {.min_chunk_bytes = BuilderOptions::kNeverKeep});
  for (const Array& part : parts) {
    if (!expected->AppendArray(part).ok()) return state.SkipWithError("append");
  }
  TimeArray(state, *expected->Finish(), [&] { return Appended(ListView(Int32()), parts); });
}

#define SHEAF_BENCH(function, name, ...)           \
  BENCHMARK_CAPTURE(function, name, ##__VA_ARGS__) \
      ->Name(#name)                                \
      ->UseManualTime()                            \
      ->Unit(benchmark::kMicrosecond)

SHEAF_BENCH(Extend, extend_zctl, false, false)
    ->Args({1000, 8})
    ->Args({1000, 64})
    ->Args({10000, 8})
    ->Args({1000000, 8});
SHEAF_BENCH(Extend, extend_zctl_large, true, false)->Args({1000000, 8});
SHEAF_BENCH(Extend, extend_overlap, false, true)
    ->Args({1000, 8})
    ->Args({1000, 32})
    ->Args({10000, 8})
    ->Args({1000000, 8});
SHEAF_BENCH(Extend, extend_overlap_large, true, true)->Args({1000000, 8});
BENCHMARK(ExtendKnown)
    ->Name("extend_known")
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond)
    ->Args({10000, 8})
    ->Args({1000000, 8});
BENCHMARK(ConstantFill)
    ->Name("constant_fill")
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond)
    ->Args({10000, 3})
    ->Args({1000000, 3});
SHEAF_BENCH(AppendSmall, append_small, false)->Args({100000, 10});
SHEAF_BENCH(AppendSmall, append_small_nulls, true)->Args({100000, 10});
SHEAF_BENCH(PerRow, per_row, false)->Args({1000000, 8});
SHEAF_BENCH(PerRow, per_row_reserved, true)->Args({1000000, 8});
SHEAF_BENCH(Concatenated, concat_zctl, false)->Args({16, 100000, 8});
SHEAF_BENCH(Concatenated, concat_overlap, true)->Args({16, 100000, 8});

}  // namespace
}  // namespace sheaf
