#include "sheaf/memory/bit_span.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sheaf/base/bits.h"

// Words are loaded as they lie in memory, so bit i of a word is bit i of the bitmap.
static_assert(std::endian::native == std::endian::little);

namespace sheaf::inline v1 {
namespace {

/// 64 bits from any bit on. Reads the 8 or 9 bytes that hold them, no other.
uint64_t LoadWord(const uint8_t* bytes, int64_t bit_offset) noexcept {
  const uint8_t* first = bytes + (bit_offset >> 3);
  const auto shift = static_cast<int>(bit_offset & 7);
  const auto low = LoadUnaligned<uint64_t>(first);
  if (shift == 0) return low;
  return (low >> shift) | (uint64_t{first[8]} << (64 - shift));
}

/// `count` bits (1..63) from any bit on, zeros above. Reads the bytes that hold them, no other.
uint64_t LoadPart(const uint8_t* bytes, int64_t bit_offset, int64_t count) noexcept {
  const uint8_t* first = bytes + (bit_offset >> 3);
  const int64_t shift = bit_offset & 7;
  const int64_t held_bytes = (shift + count + 7) >> 3;  // 1..9
  uint64_t word = 0;
  std::memcpy(&word, first, static_cast<size_t>(std::min<int64_t>(held_bytes, 8)));
  word >>= shift;
  if (held_bytes == 9) word |= uint64_t{first[8]} << (64 - shift);
  return word & LowBits(count);
}

/// Replaces `count` bits (1..8) of one byte from bit `shift` on.
void StoreInByte(uint8_t* byte, int64_t shift, int64_t count, uint64_t bits) noexcept {
  const auto mask = static_cast<uint8_t>(LowBits(count) << shift);
  *byte = static_cast<uint8_t>((*byte & ~mask) | (static_cast<uint8_t>(bits << shift) & mask));
}

/// Set bits in each byte of the word.
uint64_t ByteCounts(uint64_t word) noexcept {
  word -= (word >> 1) & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + ((word >> 2) & 0x3333333333333333U);
  return (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FU;
}

/// Sum of the eight bytes of the word.
int64_t SumOfBytes(uint64_t word) noexcept {
  word = (word & 0x00FF00FF00FF00FFU) + ((word >> 8) & 0x00FF00FF00FF00FFU);
  return static_cast<int64_t>((word * 0x0001000100010001U) >> 48);
}

/// Set bits of whole words. The baseline of x86-64 has no popcount instruction, and one call a word
/// to the runtime's is three times slower than adding bytes of several words before they are
/// summed.
int64_t CountWords(const uint8_t* bytes, int64_t words) noexcept {
  constexpr int64_t kWordsTillFull = 31;  // 31 x 8 bits still fit a byte.
  int64_t count = 0;
  while (words > 0) {
    const int64_t now = std::min(words, kWordsTillFull);
    uint64_t byte_counts = 0;
    for (int64_t i = 0; i < now; ++i) {
      byte_counts += ByteCounts(LoadUnaligned<uint64_t>(bytes + 8 * i));
    }
    count += SumOfBytes(byte_counts);
    bytes += 8 * now;
    words -= now;
  }
  return count;
}

/// Bits up to the next byte border, at most `length`.
int64_t BitsToBorder(int64_t bit_offset, int64_t length) noexcept {
  return std::min((8 - (bit_offset & 7)) & 7, length);
}

}  // namespace

int64_t CountSet(BitSpan bits) noexcept {
  if (bits.absent() || bits.length <= 0) return std::max<int64_t>(bits.length, 0);
  int64_t position = bits.bit_offset;
  int64_t left = bits.length;
  int64_t count = 0;
  if (const int64_t head = BitsToBorder(position, left); head > 0) {
    count += std::popcount(LoadPart(bits.bytes, position, head));
    position += head;
    left -= head;
  }
  count += CountWords(bits.bytes + (position >> 3), left >> 6);
  position += left & ~int64_t{63};
  if ((left & 63) != 0) count += std::popcount(LoadPart(bits.bytes, position, left & 63));
  return count;
}

void CopyBits(BitSpan bits, uint8_t* target, int64_t target_offset) noexcept {
  if (bits.absent()) return FillBits(target, target_offset, bits.length, true);
  int64_t source = bits.bit_offset;
  int64_t left = bits.length;
  if (left <= 0) return;
  target += target_offset >> 3;
  if (const int64_t head = BitsToBorder(target_offset, left); head > 0) {
    StoreInByte(target++, target_offset & 7, head, LoadPart(bits.bytes, source, head));
    source += head;
    left -= head;
  }
  if ((source & 7) == 0) {
    const int64_t whole_bytes = left >> 3;
    if (whole_bytes > 0) {
      std::memcpy(target, bits.bytes + (source >> 3), static_cast<size_t>(whole_bytes));
    }
    target += whole_bytes;
    source += 8 * whole_bytes;
    left &= 7;
  }
  for (; left >= 64; left -= 64, source += 64, target += 8) {
    const uint64_t word = LoadWord(bits.bytes, source);
    std::memcpy(target, &word, sizeof(word));
  }
  if (left == 0) return;
  const uint64_t rest = LoadPart(bits.bytes, source, left);
  const int64_t rest_bytes = left >> 3;
  std::memcpy(target, &rest, static_cast<size_t>(rest_bytes));
  if ((left & 7) != 0) StoreInByte(target + rest_bytes, 0, left & 7, rest >> (8 * rest_bytes));
}

void FillBits(uint8_t* target, int64_t target_offset, int64_t length, bool value) noexcept {
  if (length <= 0) return;
  const uint64_t pattern = value ? 0xFF : 0;
  target += target_offset >> 3;
  if (const int64_t head = BitsToBorder(target_offset, length); head > 0) {
    StoreInByte(target++, target_offset & 7, head, pattern);
    length -= head;
  }
  const int64_t whole_bytes = length >> 3;
  if (whole_bytes > 0) std::memset(target, value ? 0xFF : 0, static_cast<size_t>(whole_bytes));
  if ((length & 7) != 0) StoreInByte(target + whole_bytes, 0, length & 7, pattern);
}

int64_t FindBit(BitSpan bits, int64_t from, bool value) noexcept {
  if (from >= bits.length) return bits.length;
  if (bits.absent()) return value ? from : bits.length;
  const uint64_t flip = value ? 0 : ~uint64_t{0};
  int64_t i = from;
  for (; bits.length - i >= 64; i += 64) {
    const uint64_t word = LoadWord(bits.bytes, bits.bit_offset + i) ^ flip;
    if (word != 0) return i + std::countr_zero(word);
  }
  const int64_t left = bits.length - i;
  if (left == 0) return bits.length;
  const uint64_t word = (LoadPart(bits.bytes, bits.bit_offset + i, left) ^ flip) & LowBits(left);
  return word == 0 ? bits.length : i + std::countr_zero(word);
}

}  // namespace sheaf::inline v1
