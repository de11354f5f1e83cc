#pragma once

#include <cstdint>
#include <string>

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"

namespace sheaf::tools {

/// Bytes of offsets and sizes, and of a bitmap where there are nulls.
int64_t BytesOfViews(const Array& list_view);

/// Or the largest int64.
int64_t SaturatingAdd(int64_t a, int64_t b);

/// What list-views store, summed over arrays.
struct ViewBytes {
  int64_t elements = 0;  ///< All of them, whether a list reads them or not.
  int64_t bytes = 0;     ///< Of the views and all elements.

  /// \return the structural error of an array that must not be followed.
  Status Add(const Array& list_view);
};

/// `part` of `whole` with two digits, such as `0.25`; `1.00` where both are nothing.
std::string RatioText(int64_t part, int64_t whole);

}  // namespace sheaf::tools
