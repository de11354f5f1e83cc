#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// Byte strings of one width; the width may be 0.
class SHEAF_EXPORT FixedSizeBinaryArray : public Array {
 public:
  FixedSizeBinaryArray() = default;
  /// \return kInvalidArgument where `array` has another type.
  static StatusOr<FixedSizeBinaryArray> From(Array array);
  /// `length` values in a buffer of length * byte_width bytes.
  static StatusOr<FixedSizeBinaryArray> Make(int32_t byte_width, Buffer values, int64_t length,
                                             Buffer validity = {},
                                             ValidationLevel level = ValidationLevel::kFull);

  int32_t byte_width() const noexcept { return type().byte_width(); }
  std::string_view view(int64_t i) const noexcept {
    const int64_t width = byte_width();
    return {buffer(1).as<char>() + (offset() + i) * width, static_cast<size_t>(width)};
  }

 private:
  explicit FixedSizeBinaryArray(Array array) : Array(std::move(array)) {}
};

}  // namespace sheaf
