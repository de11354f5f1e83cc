#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sheaf::inline v1 {

/// Custom metadata of a field or schema, in order; keys may repeat, values may be empty.
using Metadata = std::vector<std::pair<std::string, std::string>>;

/// The first value of `key`, or null.
inline const std::string* FindMetadata(const Metadata& metadata, const char* key) {
  for (const auto& [name, value] : metadata) {
    if (name == key) return &value;
  }
  return nullptr;
}

}  // namespace sheaf
