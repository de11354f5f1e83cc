#pragma once

#include <cstdint>

#include "builder/builder_core.h"
#include "builder/list_source.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/builder/list_view_builder.h"

namespace sheaf::inline v1 {

/// The elements an append brings, relative to the source's elements: from the first referenced one
/// to the last.
template <typename Offset>
struct BasicListViewBuilder<Offset>::Brought {
  const Array& elements;
  int64_t begin = 0;
  int64_t end = 0;
  bool packed = true;  ///< Each view starts where the one before ends, none left out.

  int64_t size() const noexcept { return end - begin; }
  int64_t begin_slot() const noexcept { return elements.offset() + begin; }
  int64_t end_slot() const noexcept { return elements.offset() + end; }

  static Brought Of(const Array& source, internal::RowRange range) {
    const internal::ListSource lists(source);
    Brought brought{lists.elements()};
    if (lists.is_view()) {
      const bool whole = range.length == source.length();
      const ViewStats stats = StatsOf(whole ? source : source.Slice(range.offset, range.length));
      brought.begin = stats.begin;
      brought.end = stats.end;
      brought.packed = stats.packed;
    } else if (const internal::RowRange reached = lists.Rows(range); reached.length > 0) {
      brought.begin = reached.offset;
      brought.end = reached.end();
    }
    return brought;
  }
};

}  // namespace sheaf::inline v1
