#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "sheaf/array/array.h"

namespace sheaf::inline v1::internal {

/// The error of a downcast.
inline Status WrongType(const Array& array, std::string_view wanted) {
  return InvalidArgument("not ", wanted, ": the array is ", array.type().ToString());
}

/// `valid` as a bitmap; absent where it is empty or all true.
/// \return kInvalidArgument unless `valid` is empty or has `length` entries; kResourceExhausted.
StatusOr<Buffer> PackValidity(std::span<const bool> valid, int64_t length, MemoryPool* pool);

/// The window's validity as a bitmap that starts at bit 0: shared if it starts with a byte, else
/// copied.
StatusOr<Buffer> WindowValidity(const Array& array, MemoryPool* pool = MemoryPool::Default());

/// The window of a fixed-width array's values, shared.
Buffer WindowValues(const Array& array);

/// Validity of rows given by an integer array (offsets, sizes) and perhaps by a bitmap too.
/// \return kInvalidArgument where both have nulls to give.
StatusOr<Buffer> OneSourceOfNulls(const Array& integers, Buffer validity, std::string_view what);

/// A node that shares all of `array` under another type with the same layout; its window becomes
/// the primary.
StatusOr<Array> WithType(const Array& array, DataType type, MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
