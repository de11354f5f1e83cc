#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// Booleans, a bit each.
class SHEAF_EXPORT BooleanArray : public Array {
 public:
  BooleanArray() = default;
  /// \return kInvalidArgument where `array` has another type.
  static StatusOr<BooleanArray> From(Array array);
  /// From bitmaps of `length` bits, least significant first.
  static StatusOr<BooleanArray> Make(Buffer bits, int64_t length, Buffer validity = {},
                                     ValidationLevel level = ValidationLevel::kFull);
  /// Packs `values`; `valid`, if not empty, says which are no nulls.
  static StatusOr<BooleanArray> FromValues(std::span<const bool> values,
                                           std::span<const bool> valid = {},
                                           MemoryPool* pool = MemoryPool::Default());

  BitSpan bits() const noexcept { return {buffer(1).data(), offset(), length()}; }
  bool value(int64_t i) const noexcept { return bits()[i]; }
  /// Values that are true and not null.
  int64_t true_count() const noexcept;

 private:
  explicit BooleanArray(Array array) : Array(std::move(array)) {}
};

}  // namespace sheaf
