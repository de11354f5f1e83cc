#include "sheaf/array/view_stats.h"

#include <algorithm>
#include <limits>

#include "array/array_data.h"
#include "array/interval_bitmap.h"
#include "kernels/view_stats.h"

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
  kernels::ScanViews(offsets, sizes, length, elements, &scan);
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

int64_t SaturatingAdd(int64_t a, int64_t b) noexcept {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  return a > kMost - b ? kMost : a + b;
}

/// Calls `view(offset, size)` for the views of the set rows that are not empty.
template <typename Offset, typename Function>
void VisitViews(BitSpan rows, const Offset* offsets, const Offset* sizes, Function&& view) {
  VisitSetRuns(rows, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (sizes[i] != 0) view(int64_t{offsets[i]}, int64_t{sizes[i]});
    }
  });
}

struct View {
  int64_t offset;
  int64_t size;
};

/// What views cover that come in the order of their offsets: it grows to the right only.
struct Coverage {
  int64_t reached = 0;
  int64_t elements = 0;
  bool overlaps = false;

  void Add(View view) noexcept {
    const int64_t end = view.offset + view.size;
    overlaps = overlaps || view.offset < reached;
    elements += std::max<int64_t>(0, end - std::max(view.offset, reached));
    reached = std::max(reached, end);
  }
};

Coverage CoverageInOrder(const Array& list_view, BitSpan rows) noexcept {
  Coverage coverage;
  WithViews(list_view, [&](const auto* offsets, const auto* sizes) {
    VisitViews(rows, offsets, sizes,
               [&](int64_t offset, int64_t size) { coverage.Add({offset, size}); });
  });
  return coverage;
}

/// The same of views in any order, by sorting them.
StatusOr<Coverage> CoverageBySorting(const Array& list_view, BitSpan rows) {
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer buffer,
                         MutableBuffer::Allocate(list_view.length() * int64_t{sizeof(View)}));
  View* const views = buffer.as<View>();
  View* end = views;
  WithViews(list_view, [&](const auto* offsets, const auto* sizes) {
    VisitViews(rows, offsets, sizes,
               [&](int64_t offset, int64_t size) { *end++ = {offset, size}; });
  });
  std::sort(views, end, [](View a, View b) { return a.offset < b.offset; });
  Coverage coverage;
  std::for_each(views, end, [&](View view) { coverage.Add(view); });
  return coverage;
}

bool ShouldSort(const ViewStats& stats, int64_t length) noexcept {
  return internal::BitmapIsTooLong(stats.end - stats.begin, length);
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
  const BitSpan all_rows{nullptr, 0, list_view.length()};
  if (stats.in_order) return CoverageInOrder(list_view, all_rows).overlaps;
  if (ShouldSort(stats, list_view.length())) {
    SHEAF_ASSIGN_OR_RETURN(const Coverage coverage, CoverageBySorting(list_view, all_rows));
    return coverage.overlaps;
  }
  SHEAF_ASSIGN_OR_RETURN(IntervalBitmap bitmap, IntervalBitmap::Make(stats.begin, stats.end));
  bool overlaps = false;
  WithViews(list_view, [&](const auto* offsets, const auto* sizes) {
    VisitViews(all_rows, offsets, sizes, [&](int64_t offset, int64_t size) {
      overlaps = overlaps || bitmap.Touches(offset, size);
      if (!overlaps) bitmap.Add(offset, size);
    });
  });
  return overlaps;
}

StatusOr<ViewContent> ContentOf(const Array& list_view) {
  SHEAF_RETURN_IF_ERROR(list_view.Verify());
  const ViewStats stats = StatsOf(list_view);
  ViewContent content;
  if (stats.ascending && list_view.null_count() == 0) {
    content.sum_of_sizes = content.referenced_elements = stats.sum_of_sizes;
    return content;
  }
  const BitSpan rows = list_view.validity();
  WithViews(list_view, [&](const auto* offsets, const auto* sizes) {
    VisitViews(rows, offsets, sizes, [&](int64_t, int64_t size) {
      content.sum_of_sizes = SaturatingAdd(content.sum_of_sizes, size);
    });
  });
  if (stats.in_order) {
    content.referenced_elements = CoverageInOrder(list_view, rows).elements;
    return content;
  }
  if (ShouldSort(stats, list_view.length())) {
    SHEAF_ASSIGN_OR_RETURN(const Coverage coverage, CoverageBySorting(list_view, rows));
    content.referenced_elements = coverage.elements;
    return content;
  }
  SHEAF_ASSIGN_OR_RETURN(IntervalBitmap bitmap, IntervalBitmap::Make(stats.begin, stats.end));
  WithViews(list_view, [&](const auto* offsets, const auto* sizes) {
    VisitViews(rows, offsets, sizes,
               [&](int64_t offset, int64_t size) { bitmap.Add(offset, size); });
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

}  // namespace sheaf
