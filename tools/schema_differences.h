#pragma once

#include <string>
#include <vector>

#include "sheaf/type/schema.h"

namespace sheaf::tools {

/// How two schemas differ, a line for each place: names, order, types (down to the child that
/// differs), nullability. Empty where rows of both can be compared: child names of lists and maps
/// and metadata make no difference.
std::vector<std::string> SchemaDifferences(const Schema& a, const Schema& b);

}  // namespace sheaf::tools
