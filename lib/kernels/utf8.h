#pragma once

#include <cstdint>
#include <string_view>

namespace sheaf::inline v1::kernels {

/// Whether all bytes are below 0x80.
bool IsAscii(std::string_view text) noexcept;

/// Whether all bytes are UTF-8, by simdjson in a build that has it.
bool IsUtf8(std::string_view text) noexcept;

/// Bytes of the code point that starts at `at`; 0 where none does (Unicode 15, table 3-7: no
/// overlong form, no surrogate, nothing past U+10FFFF).
inline size_t CodePointSize(std::string_view text, size_t at) noexcept {
  const auto byte = [&](size_t i) -> uint8_t {
    return at + i < text.size() ? static_cast<uint8_t>(text[at + i])
                                : uint8_t{0};  // 0 continues nothing.
  };
  const auto continues = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const uint8_t first = byte(0);
  const uint8_t second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const uint8_t least = first == 0xE0 ? 0xA0 : 0x80;
    const uint8_t most = first == 0xED ? 0x9F : 0xBF;
    return second >= least && second <= most && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const uint8_t least = first == 0xF0 ? 0x90 : 0x80;
    const uint8_t most = first == 0xF4 ? 0x8F : 0xBF;
    return second >= least && second <= most && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

/// Whether a code point may begin with this byte, of text that is UTF-8.
constexpr bool BeginsCodePoint(char byte) noexcept {
  return (static_cast<uint8_t>(byte) & 0xC0) != 0x80;
}

}  // namespace sheaf::inline v1::kernels
