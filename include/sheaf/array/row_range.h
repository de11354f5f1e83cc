#pragma once

#include <cstdint>

namespace sheaf::inline v1::internal {

/// Rows [offset, offset + length) of an array.
struct RowRange {
  int64_t offset = 0;
  int64_t length = 0;
  int64_t end() const noexcept { return offset + length; }
};

}  // namespace sheaf::inline v1::internal
