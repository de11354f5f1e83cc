#include "sheaf/memory/bit_span.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/bitmap_bits.h"
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

/// Replaces `count` bits (1..63) from a byte's first on.
void StoreFromByte(uint8_t* target, int64_t count, uint64_t bits) noexcept {
  const int64_t whole_bytes = count >> 3;
  std::memcpy(target, &bits, static_cast<size_t>(whole_bytes));
  if ((count & 7) != 0) StoreInByte(target + whole_bytes, 0, count & 7, bits >> (8 * whole_bytes));
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
  count += kernels::CountWords(bits.bytes + (position >> 3), left >> 6);
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
  const int64_t words = left >> 6;
  kernels::CopyWords(bits.bytes + (source >> 3), static_cast<int>(source & 7), words, target);
  source += 64 * words;
  left -= 64 * words;
  if (left > 0) StoreFromByte(target + 8 * words, left, LoadPart(bits.bytes, source, left));
}

void AndBits(BitSpan a, BitSpan b, uint8_t* target, int64_t target_offset) noexcept {
  if (a.absent()) return CopyBits(b, target, target_offset);
  if (b.absent()) return CopyBits(a, target, target_offset);
  int64_t a_bit = a.bit_offset;
  int64_t b_bit = b.bit_offset;
  int64_t left = a.length;
  if (left <= 0) return;
  const auto load = [&](int64_t count) {
    return LoadPart(a.bytes, a_bit, count) & LoadPart(b.bytes, b_bit, count);
  };
  target += target_offset >> 3;
  if (const int64_t head = BitsToBorder(target_offset, left); head > 0) {
    StoreInByte(target++, target_offset & 7, head, load(head));
    a_bit += head;
    b_bit += head;
    left -= head;
  }
  const int64_t words = left >> 6;
  kernels::AndWords(a.bytes + (a_bit >> 3), static_cast<int>(a_bit & 7), b.bytes + (b_bit >> 3),
                    static_cast<int>(b_bit & 7), words, target);
  a_bit += 64 * words;
  b_bit += 64 * words;
  left -= 64 * words;
  if (left > 0) StoreFromByte(target + 8 * words, left, load(left));
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
