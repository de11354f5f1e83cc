#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/loops/target.h"

namespace sheaf::inline v1::kernels::loops {

template <typename Target, typename Out>
void FillSteps(int64_t first, int64_t step, int64_t n, Out* __restrict out) noexcept {
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(first + i * step);
}

/// Copies are made by doubling until they fill a block that stays in the first cache, which is then
/// copied on. (By doubling alone a long fill reads all that it writes.)
template <typename Target>
void FillBlocks(const uint8_t* __restrict pattern, int64_t width, int64_t n,
                uint8_t* __restrict out) noexcept {
  constexpr int64_t kBlock = 8192;
  const int64_t total = width * n;
  std::memcpy(out, pattern, static_cast<size_t>(width));
  int64_t block = width;
  for (int64_t done = width; done < total;) {
    const int64_t count = block < total - done ? block : total - done;
    std::memcpy(out + done, out, static_cast<size_t>(count));
    done += count;
    if (block < kBlock) block = done;
  }
}

/// `total` bytes, at least 8, of a word over and over.
template <typename Target>
void FillWords(uint64_t word, int64_t total, uint8_t* __restrict out) noexcept {
  auto words = static_cast<uint64_t>(total) / 8;
  const int over = static_cast<int>(total % 8) * 8;
  uint8_t* const last = out + total - 8;
#ifdef SHEAF_KERNELS_X86
  // The instruction writes whole cache lines without reading them, as memset does.
  constexpr int64_t kLong = 4096;
  if (total >= kLong) {
    asm volatile("rep stosq" : "+D"(out), "+c"(words) : "a"(word) : "memory");
  }
#endif
  for (uint64_t i = 0; i < words; ++i) std::memcpy(out + 8 * i, &word, 8);
  if (over != 0) word = (word >> over) | (word << (64 - over));
  std::memcpy(last, &word, 8);  // Over some that are there already.
}

/// The pattern over and over in 8 bytes; its width is 1, 2, 4 or 8.
template <typename Target>
uint64_t WordOf(const uint8_t* pattern, int64_t width) noexcept {
  uint64_t word = 0;
  if (width == 8) {
    std::memcpy(&word, pattern, 8);
  } else if (width == 4) {
    std::memcpy(&word, pattern, 4);
    word |= word << 32;
  } else if (width == 2) {
    std::memcpy(&word, pattern, 2);
    word *= 0x0001000100010001U;
  } else {
    word = pattern[0] * 0x0101010101010101U;
  }
  return word;
}

template <typename Target>
void FillPattern(const uint8_t* pattern, int64_t width, int64_t n, uint8_t* out) noexcept {
  const int64_t total = width * n;
  if (total == 0) return;
  if (total < 8 || width > 8 || (width & (width - 1)) != 0) {
    FillBlocks<Target>(pattern, width, n, out);
    return;
  }
  const uint64_t word = WordOf<Target>(pattern, width);
  if (word == (word & 0xFF) * 0x0101010101010101U) {
    std::memset(out, pattern[0], static_cast<size_t>(total));
  } else {
    FillWords<Target>(word, total, out);
  }
}

}  // namespace sheaf::inline v1::kernels::loops
