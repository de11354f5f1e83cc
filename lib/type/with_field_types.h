#pragma once

#include <span>

#include "sheaf/base/export.h"
#include "sheaf/type/data_type.h"

namespace sheaf::inline v1::internal {

/// A type with children, with these types for them: names, nullability and parameters stay. The
/// type itself where all are equal to what it has.
SHEAF_EXPORT DataType WithFieldTypes(const DataType& type, std::span<const DataType> types);

}  // namespace sheaf::inline v1::internal
