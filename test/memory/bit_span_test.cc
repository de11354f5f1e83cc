#include "sheaf/memory/bit_span.h"

#include <memory>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/base/bits.h"

namespace sheaf {
namespace {

using Bools = std::vector<bool>;

/// A bitmap in a heap block of exactly the bytes it needs, so that a sanitizer sees every byte read
/// or written beyond.
class ExactBitmap {
 public:
  ExactBitmap(int64_t bit_offset, const Bools& bits, bool around)
      : size_bytes_(BytesForBits(bit_offset + static_cast<int64_t>(bits.size()))),
        bytes_(new uint8_t[static_cast<size_t>(size_bytes_)]),
        span_{bytes_.get(), bit_offset, static_cast<int64_t>(bits.size())} {
    std::fill_n(bytes_.get(), size_bytes_, around ? 0xFF : 0);
    for (size_t i = 0; i < bits.size(); ++i) {
      SetBitTo(bytes_.get(), bit_offset + static_cast<int64_t>(i), bits[i]);
    }
  }
  BitSpan span() const { return span_; }
  uint8_t* bytes() { return bytes_.get(); }
  int64_t bits() const { return 8 * size_bytes_; }

 private:
  int64_t size_bytes_;
  std::unique_ptr<uint8_t[]> bytes_;
  BitSpan span_;
};

Bools RandomBools(int64_t length, double density, std::mt19937* random) {
  std::bernoulli_distribution set(density);
  Bools bits(static_cast<size_t>(length));
  for (auto&& bit : bits) bit = set(*random);
  return bits;
}

int64_t NaiveCount(const Bools& bits) {
  return static_cast<int64_t>(std::count(bits.begin(), bits.end(), true));
}

int64_t NaiveFind(const Bools& bits, int64_t from, bool value) {
  const auto length = static_cast<int64_t>(bits.size());
  for (int64_t i = from; i < length; ++i) {
    if (bits[static_cast<size_t>(i)] == value) return i;
  }
  return length;
}

// Lengths around the borders of bytes and words.
constexpr int64_t kLengths[] = {0,  1,  2,  6,  7,  8,   9,   31,  56,  57,  63,  64,  65,
                                66, 71, 72, 73, 91, 120, 127, 128, 129, 130, 191, 192, 193};

TEST(BitSpan, AbsentSpanIsAllSet) {
  const BitSpan absent{nullptr, 5, 100};
  EXPECT_TRUE(absent.absent());
  EXPECT_TRUE(absent[99]);
  EXPECT_EQ(CountSet(absent), 100);
  EXPECT_EQ(FindBit(absent, 3, true), 3);
  EXPECT_EQ(FindBit(absent, 3, false), 100);
  EXPECT_EQ(FindBit(absent, 100, true), 100);
  uint8_t target[2] = {0, 0};
  CopyBits({nullptr, 0, 9}, target, 3);
  EXPECT_EQ(target[0], 0xF8);
  EXPECT_EQ(target[1], 0x0F);
}

TEST(BitSpan, CountAndFindAtEveryShiftMatchTheModel) {
  std::mt19937 random(1);
  for (int64_t shift = 0; shift <= 130; ++shift) {
    for (const int64_t length : kLengths) {
      for (const double density : {0.02, 0.5, 0.98}) {
        const Bools bits = RandomBools(length, density, &random);
        for (const bool around : {false, true}) {
          const ExactBitmap bitmap(shift, bits, around);
          ASSERT_EQ(CountSet(bitmap.span()), NaiveCount(bits)) << shift << " " << length;
          for (int64_t from = 0; from <= length; from += 1 + from / 2) {
            for (const bool value : {false, true}) {
              ASSERT_EQ(FindBit(bitmap.span(), from, value), NaiveFind(bits, from, value))
                  << shift << " " << length << " from " << from;
            }
          }
        }
      }
    }
  }
}

TEST(BitSpan, CopyAtEveryPairOfShiftsKeepsTheBitsAround) {
  std::mt19937 random(2);
  for (int64_t source_shift = 0; source_shift <= 130; ++source_shift) {
    for (int64_t target_shift = 0; target_shift <= 130; target_shift += 1 + source_shift % 3) {
      const int64_t length = kLengths[random() % std::size(kLengths)];
      const Bools bits = RandomBools(length, 0.5, &random);
      const bool around = (random() & 1) != 0;
      const ExactBitmap source(source_shift, bits, !around);
      ExactBitmap target(target_shift, Bools(bits.size(), (random() & 1) != 0), around);
      CopyBits(source.span(), target.bytes(), target_shift);
      for (int64_t i = 0; i < target.bits(); ++i) {
        const bool inside = i >= target_shift && i < target_shift + length;
        const bool expected = inside ? bits[static_cast<size_t>(i - target_shift)] : around;
        ASSERT_EQ(BitAt(target.bytes(), i), expected)
            << "bit " << i << ", " << source_shift << " -> " << target_shift << " x " << length;
      }
    }
  }
}

TEST(BitSpan, AndAtEveryShiftKeepsTheBitsAround) {
  std::mt19937 random(4);
  for (int64_t a_shift = 0; a_shift <= 70; ++a_shift) {
    for (int64_t target_shift = 0; target_shift <= 70; target_shift += 1 + a_shift % 3) {
      const int64_t b_shift = random() % 70;
      const int64_t length = random() % 8 == 0 ? 1000 : kLengths[random() % std::size(kLengths)];
      const Bools a_bits = RandomBools(length, 0.7, &random);
      const Bools b_bits = RandomBools(length, 0.7, &random);
      const bool around = (random() & 1) != 0;
      const ExactBitmap a(a_shift, a_bits, !around);
      const ExactBitmap b(b_shift, b_bits, around);
      // Absent spans are all set.
      const int absent = static_cast<int>(random() % 8);
      const BitSpan a_span = absent == 0 || absent == 2 ? BitSpan{nullptr, 3, length} : a.span();
      const BitSpan b_span = absent <= 1 ? BitSpan{nullptr, 3, length} : b.span();
      ExactBitmap target(target_shift, Bools(a_bits.size(), (random() & 1) != 0), around);
      AndBits(a_span, b_span, target.bytes(), target_shift);
      for (int64_t i = 0; i < target.bits(); ++i) {
        const int64_t row = i - target_shift;
        const bool inside = row >= 0 && row < length;
        ASSERT_EQ(BitAt(target.bytes(), i), inside ? a_span[row] && b_span[row] : around)
            << "bit " << i << ", " << a_shift << " & " << b_shift << " -> " << target_shift << " x "
            << length;
      }
    }
  }
}

TEST(BitSpan, FillAtEveryShiftKeepsTheBitsAround) {
  for (int64_t shift = 0; shift <= 130; ++shift) {
    for (const int64_t length : kLengths) {
      for (const bool value : {false, true}) {
        ExactBitmap target(shift, Bools(static_cast<size_t>(length), !value), !value);
        FillBits(target.bytes(), shift, length, value);
        for (int64_t i = 0; i < target.bits(); ++i) {
          const bool inside = i >= shift && i < shift + length;
          ASSERT_EQ(BitAt(target.bytes(), i), inside ? value : !value) << shift << " " << length;
        }
      }
    }
  }
}

TEST(BitSpan, CountOfLongSpansMatchesTheModel) {
  std::mt19937 random(3);
  for (const double density : {0.001, 0.5, 1.0}) {
    const Bools bits = RandomBools(20'011, density, &random);
    const ExactBitmap bitmap(5, bits, true);
    EXPECT_EQ(CountSet(bitmap.span()), NaiveCount(bits));
    const Bools tail(bits.begin() + 777, bits.end());
    EXPECT_EQ(CountSet(bitmap.span().Slice(777, 20'011 - 777)), NaiveCount(tail));
  }
}

TEST(BitSpan, SetRunsAreMaximal) {
  std::mt19937 random(4);
  for (int round = 0; round < 200; ++round) {
    const Bools bits = RandomBools(static_cast<int64_t>(random() % 300), 0.8, &random);
    const ExactBitmap bitmap(static_cast<int64_t>(random() % 70), bits, true);
    Bools seen(bits.size());
    int64_t last_end = -1;
    VisitSetRuns(bitmap.span(), [&](int64_t begin, int64_t end) {
      EXPECT_GT(begin, last_end) << "runs are apart";
      EXPECT_LT(begin, end);
      for (int64_t i = begin; i < end; ++i) seen[static_cast<size_t>(i)] = true;
      last_end = end;
    });
    EXPECT_EQ(seen, bits);
  }
  std::vector<std::pair<int64_t, int64_t>> runs;
  VisitSetRuns({nullptr, 0, 7}, [&](int64_t begin, int64_t end) { runs.emplace_back(begin, end); });
  VisitSetRuns({nullptr, 0, 0}, [&](int64_t begin, int64_t end) { runs.emplace_back(begin, end); });
  EXPECT_THAT(runs, ::testing::ElementsAre(std::pair<int64_t, int64_t>(0, 7)));
}

TEST(BitSpan, C09_ValidityCopiedFromBit3ToBit5) {
  const uint8_t source[] = {0xB2, 0x6D};
  uint8_t target[] = {0x15, 0x00};  // 1 0 1 0 1
  CopyBits({source, 3, 11}, target, 5);
  EXPECT_EQ(target[0], 0xD5);
  EXPECT_EQ(target[1], 0xB6);
  EXPECT_EQ(CountSet({target, 0, 16}), 10);
}

TEST(BitSpan, SliceMovesTheOffset) {
  const uint8_t bytes[] = {0b10110010};
  const BitSpan span{bytes, 1, 6};
  EXPECT_TRUE(span[0]);
  EXPECT_FALSE(span[1]);
  const BitSpan slice = span.Slice(3, 2);
  EXPECT_EQ(slice.bit_offset, 4);
  EXPECT_TRUE(slice[0]);
  EXPECT_EQ(CountSet(slice), 2);
}

}  // namespace
}  // namespace sheaf
