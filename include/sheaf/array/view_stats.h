#pragma once

#include <cstdint>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

class Array;

/// What one pass over the offsets and sizes of a list-view tells (docs/list_views.md). Every row's
/// view counts, null rows' too.
struct ViewStats {
  int64_t begin = 0;         ///< Least offset over non-empty views; 0 where there is none.
  int64_t end = 0;           ///< Greatest end over non-empty views; 0 where there is none.
  int64_t sum_of_sizes = 0;  ///< Over all rows, null ones too; saturates at the largest int64.
  int64_t max_size = 0;      ///< The longest view; an upper bound of a slice of a packed array, and
                             ///< of what a builder finished that lists came into.
  bool in_bounds = true;     ///< Every view lies within [0, elements), as the format demands. If
                          ///< not, the rest says the least it can: all flags false, all numbers 0.
  bool packed = true;     ///< Each view starts where the one before ends, once empty views outside
                          ///< [begin, end] are moved to the nearer bound.
  bool in_order = true;   ///< Offsets never fall.
  bool ascending = true;  ///< Each view starts at or after the end of the one before: no overlap.
  bool zero_copy_to_list =
      true;  ///< offset[0] = 0, packed on the buffers as they are, last end = elements.
  bool empties_outside = false;  ///< Some empty view lies outside [begin, end].
};

/// Statistics of a list-view array's window: kept for a whole array, found in one pass otherwise.
/// Slices of packed arrays need no pass. Does not trust the views: `in_bounds` says whether they
/// may be followed. The array must be a (large) list-view.
SHEAF_EXPORT ViewStats StatsOf(const Array& list_view) noexcept;

/// True where two rows' views share an element. From the statistics where they tell, else from an
/// interval bitmap of (end - begin) bits. \return kResourceExhausted; the structural error of bad
/// views.
SHEAF_EXPORT StatusOr<bool> Overlapping(const Array& list_view);

/// Content of the views of valid rows (null rows excluded).
struct ViewContent {
  int64_t sum_of_sizes = 0;
  int64_t referenced_elements = 0;  ///< Elements that some valid row's view covers.
};
/// \return kResourceExhausted; the structural error of bad views.
SHEAF_EXPORT StatusOr<ViewContent> ContentOf(const Array& list_view);

/// Referenced fraction (density): referenced elements over all elements; 1 where there are no
/// elements.
/// \return kResourceExhausted; the structural error of bad views.
SHEAF_EXPORT StatusOr<double> ReferencedFraction(const Array& list_view);

}  // namespace sheaf
