#pragma once

#include <cstdint>
#include <string>

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"

namespace sheaf::tools {

/// What list-views store, summed over arrays.
struct ViewBytes {
  int64_t elements = 0;  ///< All of them, whether a list reads them or not.
  int64_t bytes = 0;     ///< Offsets, sizes, a bitmap where there are nulls, and all elements.

  /// \return the structural error of an array that must not be followed.
  Status Add(const Array& list_view);
};

/// `part` of `whole` with two digits, such as `0.25`; `1.00` where both are nothing.
std::string RatioText(int64_t part, int64_t whole);

}  // namespace sheaf::tools
