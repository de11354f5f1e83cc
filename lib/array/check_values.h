#pragma once

#include "array/path.h"
#include "sheaf/array/array.h"

namespace sheaf::inline v1::internal {

/// What `kFull` looks at once the structure is right: UTF-8, decimal digits, prefixes of string
/// views, and that the number of nulls is the one told. Slots under a null are not looked at.
Status CheckValues(const Array& array, const Path& path, int64_t first_row = 0);

/// That no field declared not nullable, nor a map's entries and keys, holds a null that is seen:
/// one that lies under a null parent, however far up, is not.
Status CheckNullability(const Array& array, const Path& path);

}  // namespace sheaf::inline v1::internal
