#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sheaf::tools {

/// A number not below `least`. (CLI11's own says up to which 309-digit number.)
inline CLI::Validator AtLeast(int64_t least) {
  return {[least](const std::string& text) {
            const int64_t value = std::strtoll(text.c_str(), nullptr, 10);
            if (value >= least) return std::string();
            return text + (value < 0 ? " is negative" : " is below " + std::to_string(least));
          },
          ""};
}

/// What the parser cannot see by looking at one argument at a time.
inline void CheckStandardInputOnce(const std::vector<std::string>& files, const std::string& name) {
  if (std::count(files.begin(), files.end(), "-") > 1) {
    throw CLI::ValidationError(name, "standard input (-) can be read once only");
  }
}

}  // namespace sheaf::tools
