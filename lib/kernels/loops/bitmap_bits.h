#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/loops/target.h"

// Words of 64 bits from any bit on, loaded as they lie in memory, so that bit i of a word is bit i
// of the bitmap.
namespace sheaf::inline v1::kernels::loops {

inline constexpr int64_t kWord = 8;

template <typename Target>
uint64_t LoadWord(const uint8_t* bytes) noexcept {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

/// A word that begins at bit `shift` lies in nine bytes: two loads of eight that are one byte apart
/// hold it, and no other byte is read.
///
///   bytes          0 1 2 3 4 5 6 7 8
///   low   >> shift [-------------]
///   high  << 8 - shift  [-------------]
template <typename Target>
struct ShiftedWords {
  const uint8_t* low;
  const uint8_t* high;
  int down;
  int up;

  ShiftedWords(const uint8_t* bytes, int shift) noexcept
      : low(bytes),
        high(shift == 0 ? bytes : bytes + 1),
        down(shift),
        up(shift == 0 ? 0 : 8 - shift) {}

  uint64_t Load(int64_t i) const noexcept {
    return (LoadWord<Target>(low + kWord * i) >> down) | (LoadWord<Target>(high + kWord * i) << up);
  }
};

template <typename Target>
void CopyWords(const uint8_t* __restrict bytes, int shift, int64_t words,
               uint8_t* __restrict out) noexcept {
  const ShiftedWords<Target> from(bytes, shift);
  for (int64_t i = 0; i < words; ++i) {
    const uint64_t word = from.Load(i);
    std::memcpy(out + kWord * i, &word, sizeof(word));
  }
}

template <typename Target>
void AndWords(const uint8_t* __restrict a, int a_shift, const uint8_t* __restrict b, int b_shift,
              int64_t words, uint8_t* __restrict out) noexcept {
  const ShiftedWords<Target> from_a(a, a_shift);
  const ShiftedWords<Target> from_b(b, b_shift);
  for (int64_t i = 0; i < words; ++i) {
    const uint64_t word = from_a.Load(i) & from_b.Load(i);
    std::memcpy(out + kWord * i, &word, sizeof(word));
  }
}

/// Set bits in each byte of the word.
template <typename Target>
uint64_t ByteCounts(uint64_t word) noexcept {
  word -= (word >> 1) & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + ((word >> 2) & 0x3333333333333333U);
  return (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FU;
}

/// Sum of the eight bytes of the word.
template <typename Target>
int64_t SumOfBytes(uint64_t word) noexcept {
  word = (word & 0x00FF00FF00FF00FFU) + ((word >> 8) & 0x00FF00FF00FF00FFU);
  return static_cast<int64_t>((word * 0x0001000100010001U) >> 48);
}

/// The baseline of x86-64 has no instruction that counts bits, and one call a word to the runtime's
/// is three times slower than adding bytes of several words before they are summed.
template <typename Target>
int64_t CountByBytes(const uint8_t* bytes, int64_t words) noexcept {
  constexpr int64_t kWordsTillFull = 31;  // 31 x 8 bits still fit a byte.
  int64_t count = 0;
  while (words > 0) {
    const int64_t now = words < kWordsTillFull ? words : kWordsTillFull;
    uint64_t byte_counts = 0;
    for (int64_t i = 0; i < now; ++i) {
      byte_counts += ByteCounts<Target>(LoadWord<Target>(bytes + kWord * i));
    }
    count += SumOfBytes<Target>(byte_counts);
    bytes += kWord * now;
    words -= now;
  }
  return count;
}

/// Whole vectors, by a table of the 16 halves of a byte (Muła, Kurz, Lemire, "Faster population
/// counts using AVX2 instructions", 2016). \param[out] words_done  how many words that was.
template <typename Target>
int64_t CountByTable(const uint8_t* bytes, int64_t words, int64_t* words_done) noexcept {
  using Bytes = typename Target::template Vector<uint8_t>;
  using Words = typename Target::template Vector<uint64_t>;
  constexpr int64_t kVector = sizeof(Bytes);
  constexpr int64_t kVectorsTillFull = 31;
  alignas(64) static constexpr uint8_t kBitsOfHalf[64] = {
      0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2,
      2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3,
      2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  const Bytes table = Bytes::load_unaligned(kBitsOfHalf);
  const Bytes half(uint8_t{0x0F});
  Words sums(uint64_t{0});
  int64_t vectors = kWord * words / kVector;
  *words_done = vectors * kVector / kWord;
  while (vectors > 0) {
    const int64_t now = vectors < kVectorsTillFull ? vectors : kVectorsTillFull;
    Bytes counts(uint8_t{0});
    for (int64_t i = 0; i < now; ++i) {
      const Bytes x = Bytes::load_unaligned(bytes + kVector * i);
      counts += Target::LookUp(table, x & half) + Target::LookUp(table, Target::Upper(x) & half);
    }
    sums += Target::SumsOfEight(counts);
    bytes += kVector * now;
    vectors -= now;
  }
  alignas(64) uint64_t lanes[kVector / kWord];
  sums.store_aligned(lanes);
  int64_t count = 0;
  for (const uint64_t lane : lanes) count += static_cast<int64_t>(lane);
  return count;
}

template <typename Target>
int64_t CountWords(const uint8_t* bytes, int64_t words) noexcept {
  int64_t count = 0;
  if constexpr (kByHand<Target>) {
    int64_t done = 0;
    count = CountByTable<Target>(bytes, words, &done);
    bytes += kWord * done;
    words -= done;
    for (int64_t i = 0; i < words; ++i) {  // An instruction of these targets.
      count += __builtin_popcountll(LoadWord<Target>(bytes + kWord * i));
    }
    return count;
  }
  return CountByBytes<Target>(bytes, words);
}

}  // namespace sheaf::inline v1::kernels::loops
