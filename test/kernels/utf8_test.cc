#include "kernels/utf8.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sheaf {
namespace {

/// The definition, a code point at a time: decode, encode, compare (Unicode 15, section 3.9).
bool NaiveUtf8(const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const auto first = static_cast<uint8_t>(text[at]);
    const size_t size = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first >= 0x80 && first < 0xC0) return false;
    if (first >= 0xF8 || at + size > text.size()) return false;
    uint32_t point = size == 1 ? first : first & (0x7FU >> size);
    for (size_t i = 1; i < size; ++i) {
      const auto byte = static_cast<uint8_t>(text[at + i]);
      if (byte >> 6 != 2) return false;
      point = (point << 6) | (byte & 0x3F);
    }
    constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    if (point < kLeast[size] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
      return false;
    at += size;
  }
  return true;
}

/// In a block that ends where the text ends.
bool IsUtf8(const std::string& text) {
  const std::vector<char> block(text.begin(), text.end());
  return kernels::IsUtf8({block.data(), block.size()});
}

const std::vector<std::string>& Pieces() {
  static const std::vector<std::string> pieces = {
      // Well formed, the least and largest of each size, and around the surrogates.
      "a", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
      "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF",
      // Cut, overlong, surrogates, past U+10FFFF, never a byte, alone.
      "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF",
      "\xF0\x8F\xBF\xBF", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
      "\xFF", "\xFE", "\x80", "\xBF"};
  return pieces;
}

TEST(Utf8, EveryPieceIsJudgedTheSameAtEveryPlaceOfAText) {
  for (const std::string& piece : Pieces()) {
    for (const size_t size : {0, 1, 15, 16, 40, 47, 48, 49, 63, 64, 65, 130}) {
      for (const size_t at : {size_t{0}, size / 2, size}) {
        std::string text(size, 'x');
        text.insert(at, piece);
        ASSERT_EQ(IsUtf8(text), NaiveUtf8(text)) << ::testing::PrintToString(text);
      }
    }
  }
}

TEST(Utf8, AgreesWithTheDefinitionOnRandomTexts) {
  std::mt19937_64 random(9);
  int well_formed = 0;
  for (int round = 0; round < 20000; ++round) {
    const size_t pieces = random() % (round % 2 == 0 ? 8 : 60);
    std::string text;
    for (size_t i = 0; i < pieces; ++i) {
      const size_t kinds = random() % 40 == 0 ? Pieces().size() : 10;
      text += Pieces()[random() % kinds];
    }
    ASSERT_EQ(IsUtf8(text), NaiveUtf8(text)) << ::testing::PrintToString(text);
    well_formed += NaiveUtf8(text) ? 1 : 0;
  }
  EXPECT_GT(well_formed, 5000);
  EXPECT_LT(well_formed, 19000);
}

TEST(Utf8, AsciiIsWhatHasNoHighBitAnywhere) {
  for (const size_t size : {0, 1, 7, 8, 9, 16, 17, 100, 1023, 1024, 1025, 3000}) {
    std::string text(size, '\x7F');
    EXPECT_TRUE(kernels::IsAscii(text)) << size;
    for (const size_t at : {size_t{0}, size / 2, size - 1}) {
      if (size == 0) continue;
      text[at] = '\x80';
      EXPECT_FALSE(kernels::IsAscii(text)) << size << ", " << at;
      text[at] = '\x7F';
    }
  }
}

}  // namespace
}  // namespace sheaf
