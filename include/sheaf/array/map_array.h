#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// Lists of entries, each a key that is not null and a value.
class SHEAF_EXPORT MapArray : public Array {
 public:
  MapArray() = default;
  /// \return kInvalidArgument where `array` has another type.
  static StatusOr<MapArray> From(Array array);

  /// From m keys and values and length + 1 offsets of 32 bits.
  /// \param type  the default one has fields "key" and a nullable "value", keys not said to be
  /// sorted.
  static StatusOr<MapArray> Make(const Array& keys, const Array& values, Buffer offsets,
                                 int64_t length, Buffer validity = {},
                                 ValidationLevel level = ValidationLevel::kFull,
                                 const DataType* type = nullptr);

  /// length + 1 of them.
  std::span<const int32_t> offsets() const noexcept {
    return {slots<int32_t>(1), static_cast<size_t>(length()) + 1};
  }
  /// All entries, a struct array of key and value.
  const Array& entries() const noexcept { return child(0); }
  Array keys() const noexcept { return Part(0); }
  Array values() const noexcept { return Part(1); }
  /// The entries of row i, a slice.
  Array list(int64_t i) const noexcept {
    const int32_t* at = slots<int32_t>(1) + i;
    return child(0).Slice(at[0], at[1] - at[0]);
  }

 private:
  explicit MapArray(Array array) : Array(std::move(array)) {}
  Array Part(int i) const noexcept {
    return child(0).child(i).Slice(child(0).offset(), child(0).length());
  }
};

}  // namespace sheaf
