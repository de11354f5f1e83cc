#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// Counts, positions and byte sizes are int64; none of them wraps. The `…Overflows` forms are for
/// hot paths, whose caller words the error; the others return kOutOfRange and name the quantity.

/// Whether a + b (a * b) leaves int64; `result` is then not to be used.
[[nodiscard]] constexpr bool AddOverflows(int64_t a, int64_t b, int64_t* result) noexcept {
  return __builtin_add_overflow(a, b, result);
}
[[nodiscard]] constexpr bool MultiplyOverflows(int64_t a, int64_t b, int64_t* result) noexcept {
  return __builtin_mul_overflow(a, b, result);
}

/// Whether `value` leaves T; `result` is then not to be used.
template <std::integral T>
[[nodiscard]] constexpr bool NarrowOverflows(int64_t value, T* result) noexcept {
  *result = static_cast<T>(value);
  return !std::in_range<T>(value);
}

/// a + b, or kOutOfRange: `"bytes of offsets: 9223372036854775807 + 1 exceeds 64 bits"`.
SHEAF_EXPORT StatusOr<int64_t> CheckedAdd(int64_t a, int64_t b, string_view what);
/// a * b, or kOutOfRange naming the quantity.
SHEAF_EXPORT StatusOr<int64_t> CheckedMultiply(int64_t a, int64_t b, string_view what);

namespace internal {
SHEAF_EXPORT Status NarrowError(int64_t value, int64_t least, uint64_t most, string_view what);
}

/// `value` as a T, or kOutOfRange: `"offset: 2147483648 is outside [-2147483648, 2147483647]"`.
template <std::integral T>
StatusOr<T> Narrow(int64_t value, string_view what) {
  T narrow = 0;
  if (NarrowOverflows(value, &narrow)) [[unlikely]] {
    return internal::NarrowError(value, int64_t{std::numeric_limits<T>::min()},
                                 uint64_t{std::numeric_limits<T>::max()}, what);
  }
  return narrow;
}

}  // namespace sheaf
