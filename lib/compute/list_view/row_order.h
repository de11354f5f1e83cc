#pragma once

#include <cstdint>

#include "sheaf/array/array.h"

namespace sheaf::inline v1::internal {

/// A total order of the rows of a verified array under which exactly the same rows by element
/// identity (array/element_identity.h) are equal: less than 0, 0, or more. Means nothing to users:
/// numbers are ordered by their bytes.
int OrderOfRows(const Array& array, int64_t a, int64_t b);

}  // namespace sheaf::inline v1::internal
