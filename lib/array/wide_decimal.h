#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1::internal {

/// The absolute value of a decimal of any width and its sign: what comparing and printing need.
struct WideDecimal {
  std::array<uint64_t, 4> words{};  ///< Lowest first.
  bool negative = false;

  /// \param bytes  two's complement, little-endian. \param size_bytes 4, 8, 16 or 32.
  static WideDecimal Load(const void* bytes, int size_bytes) noexcept {
    WideDecimal value;
    const auto* from = static_cast<const uint8_t*>(bytes);
    value.negative = (from[size_bytes - 1] & 0x80) != 0;
    if (value.negative) value.words.fill(~uint64_t{0});
    std::memcpy(value.words.data(), bytes, static_cast<size_t>(size_bytes));
    if (value.negative) {
      uint64_t carry = 1;
      for (uint64_t& word : value.words) {
        word = ~word + carry;
        carry = carry != 0 && word == 0 ? 1 : 0;
      }
    }
    return value;
  }

  /// Divides by ten. \return the remainder.
  int DivideByTen() noexcept {
    uint64_t remainder = 0;
    for (int i = 7; i >= 0; --i) {  // Halves of words, so that every step fits 64 bits.
      uint64_t& word = words[static_cast<size_t>(i / 2)];
      const int shift = i % 2 * 32;
      const uint64_t part = (remainder << 32) | ((word >> shift) & 0xFFFFFFFFU);
      word = (word & ~(uint64_t{0xFFFFFFFFU} << shift)) | ((part / 10) << shift);
      remainder = part % 10;
    }
    return static_cast<int>(remainder);
  }

  bool IsZero() const noexcept { return (words[0] | words[1] | words[2] | words[3]) == 0; }

  bool IsBelow(const WideDecimal& other) const noexcept {
    for (int i = 3; i >= 0; --i) {
      const auto at = static_cast<size_t>(i);
      if (words[at] != other.words[at]) return words[at] < other.words[at];
    }
    return false;
  }

  /// 10^digits, digits at most 76.
  static WideDecimal PowerOfTen(int digits) noexcept {
    WideDecimal power;
    power.words[0] = 1;
    for (int i = 0; i < digits; ++i) {
      uint64_t carry = 0;
      for (uint64_t& word : power.words) {
        const uint64_t low = (word & 0xFFFFFFFFU) * 10 + carry;
        const uint64_t high = (word >> 32) * 10 + (low >> 32);
        word = (high << 32) | (low & 0xFFFFFFFFU);
        carry = high >> 32;
      }
    }
    return power;
  }
};

}  // namespace sheaf::inline v1::internal
