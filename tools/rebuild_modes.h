#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sheaf/compute/list_view/rebuild.h"

namespace sheaf::tools {

/// The modes as the command line calls them, from what changes least to what saves most.
inline const std::vector<std::pair<std::string, RebuildMode>>& RebuildModes() {
  static const std::vector<std::pair<std::string, RebuildMode>> modes = {
      {"trim", RebuildMode::kTrim},
      {"zero-copy-to-list", RebuildMode::kZeroCopyToList},
      {"exact", RebuildMode::kExact},
      {"compact", RebuildMode::kCompact},
      {"deduplicate", RebuildMode::kDeduplicate},
      {"overlap", RebuildMode::kOverlap},
  };
  return modes;
}

}  // namespace sheaf::tools
