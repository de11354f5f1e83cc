#pragma once

#include <cstdint>

#include "sheaf/base/bits.h"
#include "sheaf/base/export.h"

namespace sheaf::inline v1 {

/// Bits borrowed from a bitmap, least significant bit of each byte first (Arrow columnar format,
/// "Validity bitmaps"). `bytes == nullptr` stands for `length` set bits: an absent validity bitmap.
struct BitSpan {
  const uint8_t* bytes = nullptr;
  int64_t bit_offset = 0;
  int64_t length = 0;

  bool absent() const noexcept { return bytes == nullptr; }
  bool operator[](int64_t i) const noexcept {
    const int64_t bit = bit_offset + i;
    return bytes == nullptr || ((bytes[bit >> 3] >> (bit & 7)) & 1) != 0;
  }
  BitSpan Slice(int64_t offset, int64_t slice_length) const noexcept {
    return {bytes, bit_offset + offset, slice_length};
  }
};

/// Bits to be written, in memory that is somebody else's up to `bit_offset`.
struct MutableBitSpan {
  uint8_t* bytes = nullptr;
  int64_t bit_offset = 0;
  int64_t length = 0;

  void Set(int64_t i, bool value) const noexcept { SetBitTo(bytes, bit_offset + i, value); }
  operator BitSpan() const noexcept { return {bytes, bit_offset, length}; }
};

/// Set bits of the span.
SHEAF_EXPORT int64_t CountSet(BitSpan bits) noexcept;

/// Writes the span's bits to `target` from bit `target_offset` on; the bits around them stay as
/// they are. Both may lie in one bitmap, as long as their bits are apart.
SHEAF_EXPORT void CopyBits(BitSpan bits, uint8_t* target, int64_t target_offset) noexcept;

/// Writes the bits that are set in both spans, of one length, to `target` from bit `target_offset`
/// on; the bits around them stay as they are, and none of them is read.
SHEAF_EXPORT void AndBits(BitSpan a, BitSpan b, uint8_t* target, int64_t target_offset) noexcept;

/// Writes `length` bits of one value to `target` from bit `target_offset` on; the bits around stay.
SHEAF_EXPORT void FillBits(uint8_t* target, int64_t target_offset, int64_t length,
                           bool value) noexcept;

/// First position at or after `from` whose bit is `value`, or `length` where there is none.
SHEAF_EXPORT int64_t FindBit(BitSpan bits, int64_t from, bool value) noexcept;

/// Calls `run(begin, end)` for every maximal run of set bits.
template <typename Function>
void VisitSetRuns(BitSpan bits, Function&& run) {
  int64_t begin = bits.absent() ? 0 : FindBit(bits, 0, true);
  while (begin < bits.length) {
    const int64_t end = bits.absent() ? bits.length : FindBit(bits, begin, false);
    run(begin, end);
    begin = end < bits.length ? FindBit(bits, end, true) : end;
  }
}

}  // namespace sheaf::inline v1
