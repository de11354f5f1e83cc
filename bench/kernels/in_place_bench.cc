#include <benchmark/benchmark.h>

#include "kernels/over_targets.h"
#include "kernels/shift_views.h"
#include "kernels/view_stats.h"

// Where kShortRun comes from: few rows in place, beside the best table's loop.
namespace sheaf {
namespace {

using workloads::Lines;

void ShiftFew(benchmark::State& state, bool in_place) {
  const int64_t n = state.range(0);
  const Lines<int32_t> in(n, [](int64_t i) { return 3 * i; });
  Lines<int32_t> out(n);
  for (auto _ : state) {
    if (in_place) {
      kernels::loops::ShiftOffsets<kernels::loops::InPlace>(in.data(), n, 7, out.data());
    } else {
      kernels::Best().Of<kernels::OffsetLoops<int32_t, int32_t>>().shift(in.data(), n, 7,
                                                                         out.data());
    }
    benchmark::ClobberMemory();
  }
}

void ScanFew(benchmark::State& state, bool in_place) {
  const int64_t n = state.range(0);
  const Lines<int32_t> offsets(n, [](int64_t i) { return 3 * i; });
  const Lines<int32_t> sizes(n, [](int64_t) { return 3; });
  kernels::ViewScan scan;
  for (auto _ : state) {
    if (in_place) {
      benchmark::DoNotOptimize(
          kernels::ScanFewChained(offsets.data(), sizes.data(), n, 3 * n, &scan));
    } else {
      kernels::Best().Of<kernels::ViewLoops<int32_t>>().scan_views(offsets.data(), sizes.data(), n,
                                                                   3 * n, &scan);
    }
    benchmark::ClobberMemory();
  }
}

void Few(benchmark::internal::Benchmark* bench) {
  for (const int64_t n : {1, 4, 10, 16, 24, 32, 48}) bench->Arg(n);
  bench->MinTime(0.02);
}
BENCHMARK_CAPTURE(ShiftFew, in_place, true)->Name("kernel/few/shift/in_place")->Apply(Few);
BENCHMARK_CAPTURE(ShiftFew, table, false)->Name("kernel/few/shift/table")->Apply(Few);
BENCHMARK_CAPTURE(ScanFew, in_place, true)->Name("kernel/few/scan_views/in_place")->Apply(Few);
BENCHMARK_CAPTURE(ScanFew, table, false)->Name("kernel/few/scan_views/table")->Apply(Few);

}  // namespace
}  // namespace sheaf
