#include "array/path.h"

#include <algorithm>

namespace sheaf::inline v1::internal {

std::string PathStep(std::span<const Field> fields, int i) {
  const std::string& name = fields[static_cast<size_t>(i)].name();
  const auto same = std::count_if(fields.begin(), fields.end(),
                                  [&](const Field& field) { return field.name() == name; });
  if (name.empty()) return Concat("[", i, "]");
  return same > 1 ? Concat(".", name, "[", i, "]") : Concat(".", name);
}

std::string Path::ToString() const {
  if (parent == nullptr) return word;
  const std::string before = parent->ToString();
  return siblings.empty() ? Concat(before, ".", word) : Concat(before, PathStep(siblings, index));
}

}  // namespace sheaf::inline v1::internal
