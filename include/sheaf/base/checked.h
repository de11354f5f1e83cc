#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// Whether a + b (a * b) leaves int64; `result` is then not to be used.
[[nodiscard]] inline bool AddOverflows(int64_t a, int64_t b, int64_t* result) noexcept {
  return __builtin_add_overflow(a, b, result);
}
[[nodiscard]] inline bool MultiplyOverflows(int64_t a, int64_t b, int64_t* result) noexcept {
  return __builtin_mul_overflow(a, b, result);
}

/// a + b, or kOutOfRange naming the quantity.
SHEAF_EXPORT StatusOr<int64_t> CheckedAdd(int64_t a, int64_t b, string_view what);
/// a * b, or kOutOfRange naming the quantity.
SHEAF_EXPORT StatusOr<int64_t> CheckedMultiply(int64_t a, int64_t b, string_view what);

namespace internal {
SHEAF_EXPORT Status NarrowError(int64_t value, int64_t least, int64_t most, string_view what);
}

/// `value` as the narrower T, or kOutOfRange naming the quantity and T's limits.
template <typename T>
  requires std::is_integral_v<T> && (sizeof(T) < 8)
StatusOr<T> Narrow(int64_t value, string_view what) {
  constexpr int64_t kLeast = std::numeric_limits<T>::min();
  constexpr int64_t kMost = std::numeric_limits<T>::max();
  if (value < kLeast || value > kMost) return internal::NarrowError(value, kLeast, kMost, what);
  return static_cast<T>(value);
}

}  // namespace sheaf
