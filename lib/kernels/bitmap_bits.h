#pragma once

#include <cstdint>

#include "kernels/kernel_table.h"
#include "kernels/loops/bitmap_bits.h"

// Whole words of 64 bits that begin at bit `shift`, 0 to 7, of a byte. The bytes that hold these
// bits are read, no other; what is written begins at a byte, outside of what is read.
namespace sheaf::inline v1::kernels {

/// Up to here a loop over words in place costs less than a call.
inline constexpr int64_t kFewWords = 4;

/// Set bits of words that begin at a byte.
inline int64_t CountWords(const uint8_t* bytes, int64_t words) noexcept {
  if (words <= kFewWords) return loops::CountWords<loops::InPlace>(bytes, words);
  return Best().Of<BitLoops>().count_words(bytes, words);
}

inline void CopyWords(const uint8_t* bytes, int shift, int64_t words, uint8_t* out) noexcept {
  if (words <= kFewWords) return loops::CopyWords<loops::InPlace>(bytes, shift, words, out);
  Best().Of<BitLoops>().copy_words(bytes, shift, words, out);
}

inline void AndWords(const uint8_t* a, int a_shift, const uint8_t* b, int b_shift, int64_t words,
                     uint8_t* out) noexcept {
  if (words <= kFewWords) {
    return loops::AndWords<loops::InPlace>(a, a_shift, b, b_shift, words, out);
  }
  Best().Of<BitLoops>().and_words(a, a_shift, b, b_shift, words, out);
}

}  // namespace sheaf::inline v1::kernels
