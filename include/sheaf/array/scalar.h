#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

#include "sheaf/array/array.h"
#include "sheaf/array/binary_array.h"
#include "sheaf/array/boolean_array.h"
#include "sheaf/array/fixed_width_array.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

// A scalar is an array of length 1: whatever takes an array and a row takes a scalar and row 0. A
// row of an array is `array.Row(i)`; a null of any type `MakeNullArray(type, 1)`.

inline bool IsScalar(const Array& array) noexcept { return array.length() == 1; }

/// One number, decimal or interval. \param type  of values stored as T; by default the number type
/// itself.
template <typename T>
  requires requires { typename FixedWidthArray<T>::ValueType; } && (!std::same_as<T, bool>) &&
           (!std::convertible_to<T, std::string_view>)
StatusOr<Array> MakeScalar(const T& value, const DataType* type = nullptr,
                           MemoryPool* pool = MemoryPool::Default()) {
  return FixedWidthArray<T>::FromValues(std::span<const T>(&value, 1), {}, type, pool);
}

/// One boolean.
inline StatusOr<Array> MakeScalar(bool value, MemoryPool* pool = MemoryPool::Default()) {
  return BooleanArray::FromValues(std::span<const bool>(&value, 1), {}, pool);
}

/// One string. \param type  utf8 by default, or binary.
inline StatusOr<Array> MakeScalar(std::string_view value, const DataType* type = nullptr,
                                  MemoryPool* pool = MemoryPool::Default()) {
  return BinaryArray::FromValues(std::span<const std::string_view>(&value, 1), {}, type, pool);
}

}  // namespace sheaf
