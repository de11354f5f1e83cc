// A million lists of eight int32 as other layouts: what is shared costs nothing, what must be
// written a pass.

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "sheaf/array/list_view_array.h"
#include "sheaf/compute/concatenate.h"
#include "sheaf/compute/list_view/convert.h"
#include "workloads/list_views.h"
#include "workloads/timed.h"

namespace sheaf {
namespace {

constexpr int64_t kLists = 1 << 20;
constexpr int64_t kListSize = 8;

/// Packed where `shuffled` is not set; in any order where it is.
Array Views(bool shuffled) {
  std::vector<int32_t> offsets(kLists);
  for (int64_t i = 0; i < kLists; ++i) {
    offsets[static_cast<size_t>(i)] = static_cast<int32_t>(i * kListSize);
  }
  if (shuffled) std::shuffle(offsets.begin(), offsets.end(), std::mt19937(1));
  std::vector<int32_t> sizes(kLists, static_cast<int32_t>(kListSize));
  return *ListViewArray::Make(workloads::Iota(kLists * kListSize),
                              *Buffer::Adopt(std::move(offsets)), *Buffer::Adopt(std::move(sizes)),
                              kLists);
}
Array Packed() { return Views(false); }
Array Shuffled() { return Views(true); }
Array Lists() { return *ConvertLists(Packed(), TypeId::kList); }
/// As a list makes it: with its end behind its offsets.
Array PackedWithSpare() { return *ConvertLists(Lists(), TypeId::kListView); }
Array Fixed() { return *ConvertToFixedSizeLists(Packed(), kListSize); }

void ConvertAs(benchmark::State& state, Array (*make)(), TypeId target) {
  const Array array = make();
  workloads::TimeArray(state, *ConvertLists(array, target),
                       [&] { return ConvertLists(array, target); });
  state.SetItemsProcessed(state.iterations() * array.length());
}
BENCHMARK_CAPTURE(ConvertAs, list / list_view, &Lists, TypeId::kListView)->UseManualTime();
BENCHMARK_CAPTURE(ConvertAs, list / large_list_view, &Lists, TypeId::kLargeListView)
    ->UseManualTime();
BENCHMARK_CAPTURE(ConvertAs, packed_with_spare / list, &PackedWithSpare, TypeId::kList)
    ->UseManualTime();
BENCHMARK_CAPTURE(ConvertAs, packed / list, &Packed, TypeId::kList)->UseManualTime();
BENCHMARK_CAPTURE(ConvertAs, shuffled / list, &Shuffled, TypeId::kList)->UseManualTime();
BENCHMARK_CAPTURE(ConvertAs, shuffled / large_list_view, &Shuffled, TypeId::kLargeListView)
    ->UseManualTime();
BENCHMARK_CAPTURE(ConvertAs, fixed_size / list_view, &Fixed, TypeId::kListView)->UseManualTime();

/// Sixteen slices of one array: a shuffled list-view keeps one copy of its elements.
void ConcatenateSlices(benchmark::State& state, Array (*make)()) {
  const Array whole = make();
  std::vector<Array> slices;
  for (int64_t i = 0; i < 16; ++i) slices.push_back(whole.Slice(i * kLists / 16, kLists / 16));
  workloads::TimeArray(state, whole, [&] { return Concatenate(slices); });
  state.SetItemsProcessed(state.iterations() * whole.length());
}
BENCHMARK_CAPTURE(ConcatenateSlices, shuffled_list_view, &Shuffled)->UseManualTime();
BENCHMARK_CAPTURE(ConcatenateSlices, list, &Lists)->UseManualTime();
BENCHMARK_CAPTURE(ConcatenateSlices, fixed_size_list, &Fixed)->UseManualTime();

}  // namespace
}  // namespace sheaf
