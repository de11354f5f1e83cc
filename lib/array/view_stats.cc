#include "sheaf/array/view_stats.h"

#include <algorithm>
#include <limits>

#include "array/array_data.h"
#include "array/interval_bitmap.h"
#include "kernels/kernel_table.h"

namespace sheaf::inline v1 {
namespace {

using internal::ArrayData;
using internal::IntervalBitmap;

/// Calls `function(offsets, sizes)` with the window's pointers of the right width.
template <typename Function>
auto WithViews(const Array& array, Function&& function) {
  if (array.layout().offset_bits == 32) {
    return function(array.slots<int32_t>(1), array.slots<int32_t>(2));
  }
  return function(array.slots<int64_t>(1), array.slots<int64_t>(2));
}

template <typename Offset>
ViewStats Scan(const Offset* offsets, const Offset* sizes, int64_t length,
               int64_t elements) noexcept {
  kernels::ViewScan scan;
  kernels::Best().ScanViews(offsets, sizes, length, elements, &scan);
  ViewStats stats;
  stats.begin = scan.begin;
  stats.end = scan.end;
  stats.sum_of_sizes = scan.sum_of_sizes;
  stats.max_size = scan.max_size;
  stats.in_bounds = scan.in_bounds;
  stats.packed = scan.packed;
  stats.in_order = scan.in_order;
  stats.ascending = scan.ascending;
  stats.empties_outside = scan.empties_outside;
  if (length == 0) {
    stats.zero_copy_to_list = elements == 0;
  } else {
    stats.zero_copy_to_list = scan.chained && offsets[0] == 0 &&
                              int64_t{offsets[length - 1]} + sizes[length - 1] == elements;
  }
  return stats;
}

ViewStats ScanWindow(const Array& array) noexcept {
  const int64_t elements = array.child(0).length();
  return WithViews(array, [&](const auto* offsets, const auto* sizes) {
    return Scan(offsets, sizes, array.length(), elements);
  });
}

/// Statistics of a slice, not empty, of an array whose views chain on the buffers as they are.
template <typename Offset>
ViewStats SliceOfPacked(const ViewStats& whole, const Offset* offsets, const Offset* sizes,
                        int64_t length, int64_t elements) noexcept {
  ViewStats stats;  // Packed, in order and ascending, as the whole is.
  const int64_t begin = offsets[0];
  const int64_t end = int64_t{offsets[length - 1]} + sizes[length - 1];
  stats.sum_of_sizes = end - begin;
  stats.max_size = std::min(whole.max_size, end - begin);
  stats.zero_copy_to_list = begin == 0 && end == elements;
  if (begin < end) {
    stats.begin = begin;
    stats.end = end;
  } else {
    stats.empties_outside = begin != 0;
  }
  return stats;
}

bool ReadKept(const ArrayData& data, ViewStats* stats) noexcept {
  if (data.view_state.load(std::memory_order_acquire) != 2) return false;
  *stats = data.view_stats;
  return true;
}

void Keep(const ArrayData& data, const ViewStats& stats) noexcept {
  uint8_t unknown = 0;
  // Whoever comes second keeps its own copy for this once; nobody waits.
  if (data.view_state.compare_exchange_strong(unknown, 1, std::memory_order_relaxed)) {
    data.view_stats = stats;
    data.view_state.store(2, std::memory_order_release);
  }
}

/// Whether a non-empty view starts before an earlier one ends; the views' offsets must not fall.
template <typename Offset>
bool OverlapInOrder(const Offset* offsets, const Offset* sizes, int64_t length) noexcept {
  int64_t reached = 0;
  for (int64_t i = 0; i < length; ++i) {
    if (sizes[i] == 0) continue;
    if (offsets[i] < reached) return true;
    reached = int64_t{offsets[i]} + sizes[i];
  }
  return false;
}

template <typename Offset>
bool OverlapByBitmap(const Offset* offsets, const Offset* sizes, int64_t length,
                     IntervalBitmap& bitmap) {
  for (int64_t i = 0; i < length; ++i) {
    if (sizes[i] == 0) continue;
    if (bitmap.Touches(offsets[i], sizes[i])) return true;
    bitmap.Add(offsets[i], sizes[i]);
  }
  return false;
}

int64_t SaturatingAdd(int64_t a, int64_t b) noexcept {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  return a > kMost - b ? kMost : a + b;
}

/// Calls `view(offset, size)` for every valid, non-empty view.
template <typename Offset, typename Function>
void VisitValidViews(const Array& array, const Offset* offsets, const Offset* sizes,
                     Function&& view) {
  VisitSetRuns(array.validity(), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (sizes[i] != 0) view(int64_t{offsets[i]}, int64_t{sizes[i]});
    }
  });
}

}  // namespace

ViewStats StatsOf(const Array& list_view) noexcept {
  const ArrayData& data = *list_view.data();
  const bool primary = data.IsPrimary(list_view.offset(), list_view.length());
  ViewStats kept;
  if (ReadKept(data, &kept)) {
    if (primary) return kept;
    // Placed by the kept statistics alone where empty views need no moving: raw ends are then true
    // ends.
    if (kept.packed && !kept.empties_outside && list_view.length() > 0 &&
        data.Covers(list_view.offset(), list_view.length())) {
      return WithViews(list_view, [&](const auto* offsets, const auto* sizes) {
        return SliceOfPacked(kept, offsets, sizes, list_view.length(), list_view.child(0).length());
      });
    }
  }
  const ViewStats stats = ScanWindow(list_view);
  if (primary) Keep(data, stats);
  return stats;
}

StatusOr<bool> Overlapping(const Array& list_view) {
  SHEAF_RETURN_IF_ERROR(list_view.Verify());
  const ViewStats stats = StatsOf(list_view);
  if (stats.ascending) return false;
  if (stats.sum_of_sizes > stats.end - stats.begin) return true;
  if (stats.in_order) {
    return WithViews(list_view, [&](const auto* offsets, const auto* sizes) {
      return OverlapInOrder(offsets, sizes, list_view.length());
    });
  }
  SHEAF_ASSIGN_OR_RETURN(IntervalBitmap bitmap, IntervalBitmap::Make(stats.begin, stats.end));
  return WithViews(list_view, [&](const auto* offsets, const auto* sizes) {
    return OverlapByBitmap(offsets, sizes, list_view.length(), bitmap);
  });
}

StatusOr<ViewContent> ContentOf(const Array& list_view) {
  SHEAF_RETURN_IF_ERROR(list_view.Verify());
  const ViewStats stats = StatsOf(list_view);
  ViewContent content;
  if (stats.ascending && list_view.null_count() == 0) {
    content.sum_of_sizes = content.referenced_elements = stats.sum_of_sizes;
    return content;
  }
  if (stats.in_order) {  // What is covered grows to the right only.
    int64_t reached = 0;
    WithViews(list_view, [&](const auto* offsets, const auto* sizes) {
      VisitValidViews(list_view, offsets, sizes, [&](int64_t offset, int64_t size) {
        content.sum_of_sizes = SaturatingAdd(content.sum_of_sizes, size);
        content.referenced_elements +=
            std::max<int64_t>(0, offset + size - std::max(offset, reached));
        reached = std::max(reached, offset + size);
      });
    });
    return content;
  }
  SHEAF_ASSIGN_OR_RETURN(IntervalBitmap bitmap, IntervalBitmap::Make(stats.begin, stats.end));
  WithViews(list_view, [&](const auto* offsets, const auto* sizes) {
    VisitValidViews(list_view, offsets, sizes, [&](int64_t offset, int64_t size) {
      content.sum_of_sizes = SaturatingAdd(content.sum_of_sizes, size);
      bitmap.Add(offset, size);
    });
  });
  content.referenced_elements = bitmap.Count();
  return content;
}

StatusOr<double> ReferencedFraction(const Array& list_view) {
  SHEAF_ASSIGN_OR_RETURN(const ViewContent content, ContentOf(list_view));
  const int64_t elements = list_view.child(0).length();
  if (elements == 0) return 1.0;
  return static_cast<double>(content.referenced_elements) / static_cast<double>(elements);
}

namespace internal {

void SetViewStats(const Array& array, const ViewStats& stats) noexcept {
  SHEAF_DCHECK(array.data()->IsPrimary(array.offset(), array.length()));
  Keep(*array.data(), stats);
}

}  // namespace internal
}  // namespace sheaf
