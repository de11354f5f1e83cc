#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "builder/builder_core.h"
#include "builder/list_source.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/builder/list_view_builder.h"

namespace sheaf::inline v1 {

/// What an append brings: its rows' views, and the elements from the first referenced one to the
/// last, relative to the source's elements.
template <typename Offset>
struct BasicListViewBuilder<Offset>::Brought : ViewStats {
  const Array& elements;

  Brought(const Array& of, const ViewStats& stats) : ViewStats(stats), elements(of) {}

  int64_t size() const noexcept { return end - begin; }
  int64_t begin_slot() const noexcept { return elements.offset() + begin; }
  int64_t end_slot() const noexcept { return elements.offset() + end; }

  /// Elements that lists reach one after the other, at most `max_size` of them each.
  static Brought Lists(const Array& elements, internal::RowRange reached, int64_t max_size) {
    ViewStats stats;
    if (reached.length > 0) {
      stats.begin = reached.offset;
      stats.end = reached.end();
      stats.sum_of_sizes = reached.length;
      stats.max_size = max_size;
    }
    return {elements, stats};
  }

  static Brought Of(const Array& source, internal::RowRange range) {
    const internal::ListSource lists(source);
    if (lists.is_view()) {
      const bool whole = range.length == source.length();
      return {lists.elements(), StatsOf(whole ? source : source.Slice(range.offset, range.length))};
    }
    const internal::RowRange reached = lists.Rows(range);
    const bool fixed = lists.layout() == LayoutId::kFixedSizeList;
    return Lists(lists.elements(), reached, fixed ? lists.list_size() : reached.length);
  }
};

/// What the rows of some ranges reach together.
template <typename Offset>
struct BasicListViewBuilder<Offset>::Reached {
  internal::RowRange hull;  ///< Of the source's elements.
  bool at_once = true;  ///< Whether the hull is not more than what each range reaches by itself.
  bool in_order = true;
  bool without_gaps = true;  ///< Every element of the hull is some row's, null rows counted.

  static Reached Of(const Array& source, std::span<const internal::RowRange> ranges) {
    Reached reached;
    int64_t sum = 0;
    for (const internal::RowRange& range : ranges) {
      const Brought one = Brought::Of(source, range);
      reached.in_order = ranges.size() == 1 && one.in_order;
      reached.without_gaps =
          ranges.size() == 1 && (one.packed || (one.ascending && one.sum_of_sizes == one.size()));
      if (one.size() == 0) continue;
      const int64_t begin = sum == 0 ? one.begin : std::min(reached.hull.offset, one.begin);
      const int64_t end = sum == 0 ? one.end : std::max(reached.hull.end(), one.end);
      reached.hull = {begin, end - begin};
      if (AddOverflows(sum, one.size(), &sum)) sum = std::numeric_limits<int64_t>::max();
    }
    reached.at_once = reached.hull.length <= sum;
    return reached;
  }
};

}  // namespace sheaf::inline v1
