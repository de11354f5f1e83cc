#pragma once

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/type/data_type.h"

namespace sheaf::inline v1 {

/// Whether arrays of type `from` can be appended to a builder of type `to`, and why not.
///
/// Names and metadata of the children of lists and maps are ignored; list-like builders take every
/// list-like array of matching elements; nullability is not compared (it is checked on the values).
/// Dictionaries and run-ends match by their values, in both directions. Unions match child by
/// child, found by type code; the source may lack some. All other types must be equal, structs
/// field by field with equal names.
/// \return kInvalidArgument naming both types and the path of the first difference.
SHEAF_EXPORT Status CanAppend(const DataType& to, const DataType& from);

}  // namespace sheaf
