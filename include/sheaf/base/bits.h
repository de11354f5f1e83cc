#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace sheaf::inline v1 {

constexpr int64_t RoundUp8(int64_t n) noexcept { return (n + 7) & ~int64_t{7}; }
constexpr int64_t RoundUp64(int64_t n) noexcept { return (n + 63) & ~int64_t{63}; }

/// Bytes that hold `bits` bits. Written so that the largest count does not wrap.
constexpr int64_t BytesForBits(int64_t bits) noexcept { return bits / 8 + (bits % 8 != 0 ? 1 : 0); }

inline bool BitAt(const uint8_t* bytes, int64_t i) noexcept {
  return ((bytes[i >> 3] >> (i & 7)) & 1) != 0;
}

inline void SetBitTo(uint8_t* bytes, int64_t i, bool value) noexcept {
  const auto mask = static_cast<uint8_t>(1U << (i & 7));
  bytes[i >> 3] = static_cast<uint8_t>(value ? bytes[i >> 3] | mask : bytes[i >> 3] & ~mask);
}

/// A value at any address.
template <typename T>
T LoadUnaligned(const void* address) noexcept {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

}  // namespace sheaf
