#include "tools/decimal_text.h"

#include <algorithm>
#include <vector>

namespace sheaf::tools {
namespace {

bool IsZero(const std::vector<uint8_t>& magnitude) {
  return std::all_of(magnitude.begin(), magnitude.end(), [](uint8_t byte) { return byte == 0; });
}

/// The absolute value, also of the least integer of the width, whose bytes are then read without a
/// sign.
std::vector<uint8_t> Magnitude(std::span<const uint8_t> bytes, bool negative) {
  std::vector<uint8_t> magnitude(bytes.begin(), bytes.end());
  unsigned carry = negative ? 1 : 0;
  for (uint8_t& byte : magnitude) {
    const unsigned sum = (negative ? static_cast<uint8_t>(~byte) : byte) + carry;
    byte = static_cast<uint8_t>(sum);
    carry = sum >> 8;
  }
  return magnitude;
}

/// Digits, the last first: long division by ten, byte by byte.
std::string DigitsReversed(std::vector<uint8_t> magnitude) {
  std::string digits;
  while (!IsZero(magnitude)) {
    unsigned remainder = 0;
    for (auto byte = magnitude.rbegin(); byte != magnitude.rend(); ++byte) {
      const unsigned dividend = remainder << 8 | *byte;
      *byte = static_cast<uint8_t>(dividend / 10);
      remainder = dividend % 10;
    }
    digits += static_cast<char>('0' + remainder);
  }
  return digits;
}

}  // namespace

std::string DecimalText(std::span<const uint8_t> bytes, int32_t scale) {
  const bool negative = (bytes.back() & 0x80) != 0;
  std::string text = DigitsReversed(Magnitude(bytes, negative));
  if (scale < 0 && !text.empty()) text.insert(0, static_cast<size_t>(-scale), '0');
  const auto fraction = static_cast<size_t>(std::max(scale, 0));
  if (text.size() <= fraction) text.append(fraction + 1 - text.size(), '0');  // 0.05
  if (fraction > 0) text.insert(fraction, 1, '.');
  if (negative) text += '-';
  std::reverse(text.begin(), text.end());
  return text;
}

}  // namespace sheaf::tools
