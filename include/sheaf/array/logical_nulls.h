#pragma once

#include <cstdint>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// Rows that read as null: where the bitmap says so, and, for dictionaries, unions and run-ends,
/// where the value that the row leads to is null (by the same rule).
/// \return the structural error of an array that must not be followed.
SHEAF_EXPORT StatusOr<int64_t> LogicalNullCount(const Array& array);

/// Whether row i reads as null. The array must be verified.
SHEAF_EXPORT bool IsLogicallyNull(const Array& array, int64_t i) noexcept;

}  // namespace sheaf
