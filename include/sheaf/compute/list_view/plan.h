#pragma once

#include <cstdint>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/compute/list_view/rebuild.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1 {

/// Elements behind a list-view.
struct RebuildSize {
  /// The largest int64 where there would be more.
  int64_t elements = 0;
  /// Of their values and what lies below them; a bitmap counts for the runs of elements that have
  /// nulls. Where elements are list-views or string views themselves, which may share, at most so
  /// many. Saturates as well.
  int64_t element_bytes = 0;
  /// Whether a rebuild may leave fewer: only for kOverlap, whose bound is kDeduplicate's size.
  bool at_most = false;
};

/// What each mode of `Rebuild` would leave.
struct RebuildPlan {
  RebuildSize now;
  RebuildSize trim;
  RebuildSize compact;
  RebuildSize exact;
  RebuildSize zero_copy_to_list;
  RebuildSize deduplicate;
  RebuildSize overlap;

  const RebuildSize& of(RebuildMode mode) const noexcept;
};

/// What each mode of `Rebuild` would leave of a (large) list-view, without building any. Costs the
/// passes over the views that the rebuilds would make, and hashing and comparing the lists for
/// kDeduplicate; no element is copied. `exact` and `zero_copy_to_list` are told also where the
/// rebuild would be kOutOfRange.
/// \return kInvalidArgument for another type, and the structural error of bad views;
/// kResourceExhausted.
SHEAF_EXPORT StatusOr<RebuildPlan> Plan(const Array& array,
                                        MemoryPool* pool = MemoryPool::Default());

}  // namespace sheaf
