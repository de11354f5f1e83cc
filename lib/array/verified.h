#pragma once

#include "array/path.h"
#include "sheaf/array/array.h"

namespace sheaf::inline v1::internal {

/// The structural check: shapes of all nodes, and bounds of offsets, views, indices, run ends and
/// type ids.
///
/// The result for a node's primary window is kept with the node, whose children are then checked
/// whole. Any other window is checked by itself, with the part of the children that it reaches.
/// \param first_row  number of the window's first row in messages.
SHEAF_EXPORT Status VerifyStructure(const Array& array, const Path& path, int64_t first_row = 0);

/// `Validate` of an array that is found at `path` (a column of a batch).
SHEAF_EXPORT Status ValidateAt(const Array& array, ValidationLevel level, const Path& path);

/// Whether an earlier check covers the window.
bool IsVerified(const Array& array) noexcept;

}  // namespace sheaf::inline v1::internal
