#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace sheaf::inline v1 {

/// Bitmaps are as in the Arrow format: bit i is bit i % 8, least significant first, of byte i / 8.
/// Kernels include this file and no other of `base`.

/// The least multiple of 8 (64) not below n; 0 <= n <= INT64_MAX - 63.
constexpr int64_t RoundUp8(int64_t n) noexcept { return (n + 7) & ~int64_t{7}; }
constexpr int64_t RoundUp64(int64_t n) noexcept { return (n + 63) & ~int64_t{63}; }

/// Bytes that hold `bits` bits. Written so that the largest count does not wrap.
constexpr int64_t BytesForBits(int64_t bits) noexcept { return bits / 8 + (bits % 8 != 0 ? 1 : 0); }

constexpr int PopCount(uint64_t word) noexcept { return std::popcount(word); }

/// The lowest n bits set; 0 <= n <= 64.
constexpr uint64_t LowBits(int64_t n) noexcept {
  return n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
}

constexpr bool BitAt(const uint8_t* bytes, int64_t i) noexcept {
  return ((bytes[i >> 3] >> (i & 7)) & 1) != 0;
}

constexpr void SetBit(uint8_t* bytes, int64_t i) noexcept {
  bytes[i >> 3] = static_cast<uint8_t>(bytes[i >> 3] | (1U << (i & 7)));
}

constexpr void ClearBit(uint8_t* bytes, int64_t i) noexcept {
  bytes[i >> 3] = static_cast<uint8_t>(bytes[i >> 3] & ~(1U << (i & 7)));
}

/// Sets bit i to `value`, without a branch.
constexpr void SetBitTo(uint8_t* bytes, int64_t i, bool value) noexcept {
  const unsigned others = bytes[i >> 3] & ~(1U << (i & 7));
  bytes[i >> 3] = static_cast<uint8_t>(others | (static_cast<unsigned>(value) << (i & 7)));
}

/// A value at any address.
template <typename T>
T LoadUnaligned(const void* address) noexcept {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

}  // namespace sheaf
