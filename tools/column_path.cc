#include "tools/column_path.h"

#include <map>
#include <string_view>

namespace sheaf::tools {

std::vector<std::string> ChildPaths(const std::string& parent, std::span<const Field> fields) {
  std::map<std::string_view, int> uses;
  for (const Field& field : fields) ++uses[field.name()];
  std::vector<std::string> paths;
  for (size_t i = 0; i < fields.size(); ++i) {
    const std::string& name = fields[i].name();
    std::string path = parent;
    if (!name.empty()) path.append(".").append(name);
    if (name.empty() || uses[name] > 1) path.append("[").append(std::to_string(i)).append("]");
    paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace sheaf::tools
