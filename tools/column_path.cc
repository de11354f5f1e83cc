#include "tools/column_path.h"

#include "array/path.h"

namespace sheaf::tools {

std::vector<std::string> ChildPaths(const std::string& parent, std::span<const Field> fields) {
  std::vector<std::string> paths;
  for (size_t i = 0; i < fields.size(); ++i) {
    paths.push_back(parent + internal::PathStep(fields, static_cast<int>(i)));
  }
  return paths;
}

}  // namespace sheaf::tools
