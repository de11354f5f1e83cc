#pragma once

#include <bit>
#include <cstdint>

namespace sheaf::inline v1::internal {

/// The value of IEEE binary16 bits; every half is a float.
inline float HalfToFloat(uint16_t bits) noexcept {
  const uint32_t sign = (bits & 0x8000U) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1FU;
  const uint32_t mantissa = bits & 0x3FFU;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000U | (mantissa << 13));
  if (exponent != 0)
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  // Subnormal: a multiple of 2^-24.
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
}

inline bool IsHalfNan(uint16_t bits) noexcept {
  return (bits & 0x7C00U) == 0x7C00U && (bits & 0x3FFU) != 0;
}

}  // namespace sheaf::inline v1::internal
