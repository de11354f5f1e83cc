#pragma once

#include <span>
#include <string>
#include <vector>

#include "sheaf/type/field.h"

namespace sheaf::tools {

/// Paths of the children called `fields` of the column at `parent`, such as `$.a.item`, written as
/// in the library's messages: where a name is empty or there is another one like it, the position
/// among the siblings follows in brackets. Fields a, a and "" of `$` are `$.a[0]`, `$.a[1]` and
/// `$[2]`.
std::vector<std::string> ChildPaths(const std::string& parent, std::span<const Field> fields);

}  // namespace sheaf::tools
