#pragma once

#include <string>

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"

namespace sheaf::tools {

/// One value of any type, as an array of length 1, from the form in which `sheaf cat --json` prints
/// it. Structs and maps may be plain objects too, where a nullable field that is left out is null;
/// a union takes the first child that the value fits.
/// \return kInvalidArgument naming the byte where the text is no JSON, a key that comes twice in
/// one object, or the column path of a value that does not fit its type; for numbers beyond float64
/// and more than 256 levels.
StatusOr<Array> ArrayFromJson(const DataType& type, const std::string& text);

}  // namespace sheaf::tools
