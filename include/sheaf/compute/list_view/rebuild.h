#pragma once

#include <cstdint>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1 {

/// How tightly `Rebuild` packs the elements behind a list-view. n rows, m elements, s the sizes of
/// valid rows together; docs/list_views.md draws each mode and says what it measures.
enum class RebuildMode : uint8_t {
  /// Drops the elements before the first view and after the last, null rows' views counted; copies
  /// none. O(n). Returns the array itself where there are none, and moves no offset where there are
  /// none in front.
  kTrim,
  /// Drops every element that no valid row reads, and keeps all sharing. O(n + m / 64 + elements
  /// kept), or O(n log n) where few views lie over very many elements. Returns the array itself
  /// where all elements are read and null rows are empty.
  kCompact,
  /// Flattened: in order, packed, each row its own elements, null rows empty. O(n + s). Returns the
  /// array itself where it is that already, and copies no element where only both ends go.
  kExact,
  /// Offsets and sizes become those of a plain list: kTrim where that is enough, else kExact.
  /// Returns the array itself where it is zero-copy-to-list.
  kZeroCopyToList,
  /// Equal lists read one copy, that of the first of them; then kCompact, so that no result is
  /// larger than kCompact's. Lists are equal by the bits of their elements (0.0 is not -0.0, null
  /// is
  /// null), strings and nested ones by value. Expected O(n + s): lists are hashed, and compared
  /// where hashes are equal. Returns the array itself where there is nothing to gain.
  kDeduplicate,
  /// kDeduplicate; then runs of elements that lie within another run, or begin as another ends,
  /// share those elements too. A run is what views that share elements hang together by. A greedy
  /// shortest common superstring (docs/list_views.md), in time and memory linear in the elements;
  /// deterministic; never larger than kDeduplicate's result, which it returns where nothing is
  /// gained.
  kOverlap,
};

struct RebuildOptions {
  MemoryPool* pool = MemoryPool::Default();
  /// What kOverlap may use, at 128 bytes an element. Runs of elements, those of the first rows
  /// first, take part until it is used up; the rest is laid end to end.
  int64_t overlap_budget_bytes = int64_t{1} << 30;
};

/// Repacks the elements of a (large) list-view, or of an extension of one. Every row reads the same
/// values; type, length and nulls stay. Buffers that need no change are shared with `array`.
///
/// Null rows become empty in all modes but kTrim (and kZeroCopyToList where trimming is enough).
///
///   elements 9 1 2 3 9 8, offsets 1 2, sizes 2 2     reads [[1 2] [2 3]]
///   kTrim and kCompact: elements 1 2 3, offsets 0 1; kExact: elements 1 2 2 3, offsets 0 2
///
/// \return kInvalidArgument for another type, and the structural error of bad views; kOutOfRange
/// where flattened elements outgrow the offsets, naming the larger type; kResourceExhausted.
SHEAF_EXPORT StatusOr<Array> Rebuild(const Array& array, RebuildMode mode,
                                     const RebuildOptions& options = {});

}  // namespace sheaf
