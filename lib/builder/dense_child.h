#pragma once

#include <cstdint>

#include "array/range_list.h"

namespace sheaf::inline v1::internal {

/// What an append brings a child of a dense union.
struct DenseChild {
  explicit DenseChild(MemoryPool* pool) noexcept : ranges(pool) {}

  RangeList ranges;  ///< Slots of the source's child, in the order in which they come.
  int64_t next = 0;  ///< Slots that there are so far, with those.
  // Of the range of rows looked at now:
  int64_t first = -1;  ///< Slot of its first row; -1: it has no row of the child.
  int64_t last = -1;
  int64_t rows = 0;
  bool rises = true;  ///< Each row's slot lies behind that of the row before.

  void Begin() noexcept {
    first = last = -1;
    rows = 0;
    rises = true;
  }
  void See(int64_t slot) noexcept {
    if (rows == 0) first = slot;
    rises = rises && slot > last;
    last = slot;
    ++rows;
  }
  /// Slots that the rows bring.
  int64_t slots() const noexcept { return rises ? last - first + 1 : rows; }
};

}  // namespace sheaf::inline v1::internal
