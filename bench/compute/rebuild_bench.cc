// Rebuilds of a million lists of eight int32 each, a shape of views and a mode at a time. The table
// in docs/list_views.md is made of these.

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "sheaf/array/list_view_array.h"
#include "sheaf/compute/list_view/plan.h"
#include "sheaf/compute/list_view/rebuild.h"
#include "workloads/list_views.h"
#include "workloads/timed.h"

namespace sheaf {
namespace {

constexpr int64_t kLists = 1 << 20;
constexpr int64_t kListSize = 8;

using Offsets = std::vector<int32_t>;

Array Views(Offsets offsets, int64_t num_elements, std::vector<int32_t> values = {}) {
  std::vector<int32_t> sizes(offsets.size(), static_cast<int32_t>(kListSize));
  const auto length = static_cast<int64_t>(offsets.size());
  Array elements = workloads::Iota(num_elements);
  if (!values.empty()) {
    elements = *MakeArray({.type = Int32(),
                           .length = num_elements,
                           .buffers = {Buffer(), *Buffer::Adopt(std::move(values))}});
  }
  return *ListViewArray::Make(elements, *Buffer::Adopt(std::move(offsets)),
                              *Buffer::Adopt(std::move(sizes)), length);
}

Offsets Steps(int64_t step) {
  Offsets offsets(kLists);
  for (int64_t i = 0; i < kLists; ++i) {
    offsets[static_cast<size_t>(i)] = static_cast<int32_t>(i * step);
  }
  return offsets;
}

/// Packed behind 1,000 elements that nobody reads: what a slice leaves.
Array Slice() {
  Offsets offsets = Steps(kListSize);
  for (int32_t& offset : offsets) offset += 1000;
  return Views(std::move(offsets), kLists * kListSize + 2000);
}
/// Every 16th list of a longer array: what a selective filter leaves.
Array Filtered() { return Views(Steps(16 * kListSize), kLists * 16 * kListSize); }
/// Packed lists in any order: what a join or a sort leaves.
Array Shuffled() {
  Offsets offsets = Steps(kListSize);
  std::shuffle(offsets.begin(), offsets.end(), std::mt19937(1));
  return Views(std::move(offsets), kLists * kListSize);
}
/// A tenth of the lists, each ten times on average, in any order: the build side of a join.
Array Repeated() {
  std::mt19937 random(2);
  std::uniform_int_distribution<int32_t> pick(0, kLists / 10 - 1);
  Offsets offsets(kLists);
  for (int32_t& offset : offsets) offset = pick(random) * static_cast<int32_t>(kListSize);
  return Views(std::move(offsets), kLists * kListSize);
}
/// Windows of a series, each a step of two further, as views over the series.
Array Windows() { return Views(Steps(2), kLists * 2 + kListSize); }
/// The same windows, each written out: a plain list's elements.
Array WindowsWrittenOut() {
  std::vector<int32_t> values;
  values.reserve(kLists * kListSize);
  for (int64_t i = 0; i < kLists; ++i) {
    for (int64_t k = 0; k < kListSize; ++k) values.push_back(static_cast<int32_t>(2 * i + k));
  }
  return Views(Steps(kListSize), kLists * kListSize, std::move(values));
}
/// A thousand different lists, written out again and again.
Array EqualLists() {
  std::vector<int32_t> values;
  values.reserve(kLists * kListSize);
  std::mt19937 random(3);
  std::uniform_int_distribution<int32_t> pick(0, 999);
  for (int64_t i = 0; i < kLists; ++i) {
    const int32_t which = pick(random);
    for (int64_t k = 0; k < kListSize; ++k) values.push_back(which * 8 + static_cast<int32_t>(k));
  }
  return Views(Steps(kListSize), kLists * kListSize, std::move(values));
}
/// No two lists alike, and any two symbols may follow each other: the worst for kOverlap.
Array RandomBits() {
  std::vector<int32_t> values;
  values.reserve(kLists * kListSize);
  std::mt19937 random(4);
  for (int64_t i = 0; i < kLists * kListSize; ++i) values.push_back(random() & 15);
  return Views(Steps(kListSize), kLists * kListSize, std::move(values));
}

void RebuildLists(benchmark::State& state, Array (*make)(), RebuildMode mode) {
  const Array views = make();
  const StatusOr<Array> once = Rebuild(views, mode);
  if (!once.ok() || !(*once == views)) return state.SkipWithError("the rebuild is wrong");
  for (auto _ : state) {
    const Array unknown = workloads::WithUnknownStatistics(views);
    const auto start = std::chrono::steady_clock::now();
    const StatusOr<Array> rebuilt =
        Rebuild(unknown, mode, {.overlap_budget_bytes = int64_t{2} << 30});
    benchmark::DoNotOptimize(rebuilt);
    const auto end = std::chrono::steady_clock::now();
    state.SetIterationTime(std::chrono::duration<double>(end - start).count());
  }
  state.SetItemsProcessed(state.iterations() * views.length());
  state.counters["before"] = static_cast<double>(views.child(0).length());
  state.counters["elements"] = static_cast<double>(once->child(0).length());
}

#define SHEAF_BENCH_SHAPE(shape, make)                                                            \
  BENCHMARK_CAPTURE(RebuildLists, shape / trim, make, RebuildMode::kTrim)->UseManualTime();       \
  BENCHMARK_CAPTURE(RebuildLists, shape / compact, make, RebuildMode::kCompact)->UseManualTime(); \
  BENCHMARK_CAPTURE(RebuildLists, shape / exact, make, RebuildMode::kExact)->UseManualTime();     \
  BENCHMARK_CAPTURE(RebuildLists, shape / deduplicate, make, RebuildMode::kDeduplicate)           \
      ->UseManualTime();                                                                          \
  BENCHMARK_CAPTURE(RebuildLists, shape / overlap, make, RebuildMode::kOverlap)                   \
      ->UseManualTime()                                                                           \
      ->Iterations(1)

SHEAF_BENCH_SHAPE(slice, &Slice);
SHEAF_BENCH_SHAPE(filtered, &Filtered);
SHEAF_BENCH_SHAPE(shuffled, &Shuffled);
SHEAF_BENCH_SHAPE(repeated, &Repeated);
SHEAF_BENCH_SHAPE(windows, &Windows);
SHEAF_BENCH_SHAPE(windows_written_out, &WindowsWrittenOut);
SHEAF_BENCH_SHAPE(equal_lists, &EqualLists);
SHEAF_BENCH_SHAPE(random, &RandomBits);

}  // namespace
}  // namespace sheaf
