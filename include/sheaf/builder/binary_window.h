#pragma once

#include <cstdint>
#include <span>

namespace sheaf::inline v1 {

/// Memory for rows of strings, written in place: the size of each value, and all values back to
/// back. What it holds at first is undefined.
template <typename Offset>
struct BinaryWindow {
  std::span<Offset> sizes;
  std::span<uint8_t> data;
};

}  // namespace sheaf
