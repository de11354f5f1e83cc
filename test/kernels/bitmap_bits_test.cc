#include "kernels/bitmap_bits.h"

#include "kernels/on_every_target.h"
#include "sheaf/base/bits.h"

namespace sheaf {
namespace {

using namespace testing;
using kernels::BitLoops;

/// `words` words that begin at bit `shift`, in exactly the bytes that hold them.
std::vector<uint8_t> RandomBytes(int64_t words, int shift, std::mt19937_64& random) {
  const uint64_t density = random() % 4;
  return Drawn<uint8_t>(BytesForBits(64 * words + shift), [&]() -> uint64_t {
    if (density == 0) return 0xFF;
    return density == 1 ? random() & random() & random() : random();
  });
}

std::vector<uint8_t> NaiveShifted(const std::vector<uint8_t>& bytes, int shift, int64_t words) {
  std::vector<uint8_t> shifted(static_cast<size_t>(8 * words));
  for (int64_t i = 0; i < 64 * words; ++i) {
    SetBitTo(shifted.data(), i, BitAt(bytes.data(), i + shift));
  }
  return shifted;
}

TEST(BitmapBits, CountsTheSetBitsOfWords) {
  ForLengths([](int64_t words, std::mt19937_64& random) {
    const std::vector<uint8_t> bytes = RandomBytes(words, 0, random);
    int64_t expected = 0;
    for (const uint8_t byte : bytes) expected += PopCount(byte);
    const Input<uint8_t> in(bytes, random);
    EXPECT_EQ(kernels::CountWords(in.data(), words), expected);
    OnEveryTarget([&](const kernels::Kernels& table) {
      EXPECT_EQ(table.Of<BitLoops>().count_words(in.data(), words), expected);
    });
  });
}

TEST(BitmapBits, CopiesWordsFromEveryBitOn) {
  ForLengths([](int64_t words, std::mt19937_64& random) {
    for (int shift = 0; shift < 8; ++shift) {
      SCOPED_TRACE(shift);
      const std::vector<uint8_t> bytes = RandomBytes(words, shift, random);
      const std::vector<uint8_t> expected = NaiveShifted(bytes, shift, words);
      const Input<uint8_t> in(bytes, random);
      EXPECT_EQ(
          Written<uint8_t>(8 * words, random,
                           [&](uint8_t* out) { kernels::CopyWords(in.data(), shift, words, out); }),
          expected);
      OnEveryTarget([&](const kernels::Kernels& table) {
        EXPECT_EQ(Written<uint8_t>(8 * words, random,
                                   [&](uint8_t* out) {
                                     table.Of<BitLoops>().copy_words(in.data(), shift, words, out);
                                   }),
                  expected);
      });
    }
  });
}

TEST(BitmapBits, IntersectsWordsFromAnyTwoBitsOn) {
  ForLengths([](int64_t words, std::mt19937_64& random) {
    for (int shifts = 0; shifts < 64; shifts += words > 70 ? 5 : 1) {
      const int a_shift = shifts & 7;
      const int b_shift = shifts >> 3;
      const std::vector<uint8_t> a_bytes = RandomBytes(words, a_shift, random);
      const std::vector<uint8_t> b_bytes = RandomBytes(words, b_shift, random);
      std::vector<uint8_t> expected = NaiveShifted(a_bytes, a_shift, words);
      const std::vector<uint8_t> other = NaiveShifted(b_bytes, b_shift, words);
      for (size_t i = 0; i < expected.size(); ++i) expected[i] &= other[i];
      const Input<uint8_t> a(a_bytes, random);
      const Input<uint8_t> b(b_bytes, random);
      ASSERT_EQ(Written<uint8_t>(8 * words, random,
                                 [&](uint8_t* out) {
                                   kernels::AndWords(a.data(), a_shift, b.data(), b_shift, words,
                                                     out);
                                 }),
                expected);
      OnEveryTarget([&](const kernels::Kernels& table) {
        ASSERT_EQ(Written<uint8_t>(8 * words, random,
                                   [&](uint8_t* out) {
                                     table.Of<BitLoops>().and_words(a.data(), a_shift, b.data(),
                                                                    b_shift, words, out);
                                   }),
                  expected);
      });
    }
  });
}

}  // namespace
}  // namespace sheaf
