#include "sheaf/memory/validity_builder.h"

#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/base/bits.h"
#include "testing/failing_pool.h"

namespace sheaf {
namespace {

using Bools = std::vector<bool>;

/// Bits in their own bytes from bit `offset` on.
struct Bitmap {
  Bitmap(const Bools& bits, int64_t offset)
      : bytes(static_cast<size_t>(BytesForBits(offset + std::ssize(bits)) + 1), 0xA5),
        span{bytes.data(), offset, std::ssize(bits)} {
    for (size_t i = 0; i < bits.size(); ++i) {
      SetBitTo(bytes.data(), offset + static_cast<int64_t>(i), bits[i]);
    }
    nulls = span.length - CountSet(span);
  }
  std::vector<uint8_t> bytes;
  BitSpan span;
  int64_t nulls;
};

void ExpectHolds(ValidityBuilder* builder, const Bools& expected) {
  const auto nulls = static_cast<int64_t>(std::count(expected.begin(), expected.end(), false));
  ASSERT_EQ(builder->length(), std::ssize(expected));
  ASSERT_EQ(builder->null_count(), nulls);
  const BitSpan bits = builder->bits();
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(bits[static_cast<int64_t>(i)], expected[i]) << i;
  }
  const Buffer shared = builder->Share().value();
  ASSERT_EQ(shared.absent(), nulls == 0);
  if (nulls == 0) return;
  ASSERT_EQ(shared.size_bytes(), BytesForBits(std::ssize(expected)));
  for (int64_t i = 0; i < 8 * shared.size_bytes(); ++i) {
    const bool inside = i < std::ssize(expected);
    ASSERT_EQ(BitAt(shared.data(), i), inside && expected[static_cast<size_t>(i)]) << i;
  }
}

TEST(ValidityBuilder, OnlyACountUntilTheFirstNull) {
  testing::FailingPool pool;
  ValidityBuilder builder(&pool);
  ASSERT_TRUE(builder.StageValid(1'000'000).ok());
  ASSERT_TRUE(builder.StageNull(0).ok());
  builder.Commit();
  EXPECT_EQ(builder.length(), 1'000'000);
  EXPECT_EQ(builder.null_count(), 0);
  EXPECT_TRUE(builder.Share().value().absent());
  EXPECT_EQ(pool.calls(), 0);
}

TEST(ValidityBuilder, DiscardedFirstNullLeavesNoBitmap) {
  ValidityBuilder builder(MemoryPool::Default());
  ASSERT_TRUE(builder.StageValid(5).ok());
  builder.Commit();
  ASSERT_TRUE(builder.StageNull(3).ok());
  builder.Discard();
  EXPECT_FALSE(builder.has_bitmap());
  ASSERT_TRUE(builder.StageValid(2).ok());
  builder.Commit();
  ExpectHolds(&builder, Bools(7, true));
  // The bits of the discarded append are gone too once there is a bitmap.
  ASSERT_TRUE(builder.StageNull(1).ok());
  builder.Commit();
  ExpectHolds(&builder, {true, true, true, true, true, true, true, false});
}

TEST(ValidityBuilder, C09_BitsCopiedFromBit3BehindFive) {
  const Bitmap five({true, false, true, false, true}, 0);
  const uint8_t source[] = {0xB2, 0x6D};
  ValidityBuilder builder(MemoryPool::Default());
  ASSERT_TRUE(builder.StageBits(five.span, five.nulls).ok());
  builder.Commit();
  const BitSpan slice{source, 3, 11};
  ASSERT_TRUE(builder.StageBits(slice, slice.length - CountSet(slice)).ok());
  builder.Commit();
  EXPECT_EQ(builder.null_count(), 6);
  const Buffer shared = builder.Share().value();
  EXPECT_EQ(shared.data()[0], 0xD5);
  EXPECT_EQ(shared.data()[1], 0xB6);
}

TEST(ValidityBuilder, RefusedBitmapChangesNothing) {
  testing::FailingPool pool;
  ValidityBuilder builder(&pool);
  ASSERT_TRUE(builder.StageValid(10).ok());
  builder.Commit();
  pool.FailAt(0);
  EXPECT_EQ(builder.StageNull(1).code(), StatusCode::kResourceExhausted);
  builder.Discard();
  ExpectHolds(&builder, Bools(10, true));
  ASSERT_TRUE(builder.StageNull(1).ok());
  builder.Commit();
  EXPECT_EQ(builder.null_count(), 1);
}

TEST(ValidityBuilder, ARollBackPastTheFirstNullLeavesNoBitmap) {
  ValidityBuilder builder(MemoryPool::Default());
  ASSERT_TRUE(builder.StageValid(5).ok());
  builder.Commit();
  const ValidityBuilder::Counts mark = builder.counts();
  ASSERT_TRUE(builder.StageNull(3).ok());
  builder.Commit();
  builder.RollBack(mark);
  EXPECT_FALSE(builder.has_bitmap());
  ExpectHolds(&builder, Bools(5, true));
  ASSERT_TRUE(builder.StageNull(1).ok());
  builder.Commit();
  ExpectHolds(&builder, {true, true, true, true, true, false});
}

TEST(ValidityBuilder, SharedBitsOfTheLastByteStayWhenTheBuilderGoesOn) {
  ValidityBuilder builder(MemoryPool::Default());
  ASSERT_TRUE(builder.StageNull(3).ok());
  builder.Commit();
  const Buffer shared = builder.Share().value();
  ASSERT_TRUE(builder.StageValid(3).ok());
  builder.Commit();
  EXPECT_EQ(shared.data()[0], 0);
  EXPECT_EQ(builder.Share().value().data()[0], 0b111'000);
}

TEST(ValidityBuilder, BitsSharedTwiceAreNotCopied) {
  testing::FailingPool pool;
  ValidityBuilder builder(&pool);
  ASSERT_TRUE(builder.StageNull(3).ok());
  builder.Commit();
  const Buffer first = builder.Share().value();
  pool.FailAt(0);
  const StatusOr<Buffer> second = builder.Share();
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second->data(), first.data());
}

TEST(ValidityBuilder, BitsBehindARollBackIntoSharedOnesAreZeroInFreshMemory) {
  testing::FailingPool pool;
  ValidityBuilder builder(&pool);
  ASSERT_TRUE(builder.StageNull(1).ok());
  builder.Commit();
  const ValidityBuilder::Counts mark = builder.counts();
  ASSERT_TRUE(builder.StageValid(4).ok());
  builder.Commit();
  const Buffer first = builder.Share().value();
  builder.RollBack(mark);
  pool.FailAt(0);
  EXPECT_EQ(builder.Share().status().code(), StatusCode::kResourceExhausted);
  const Buffer second = builder.Share().value();
  EXPECT_EQ(first.data()[0], 0b11110);
  EXPECT_EQ(second.data()[0], 0);
}

/// A buffer that was shared, and the bytes it had then.
struct Held {
  Buffer buffer;
  std::vector<uint8_t> bytes;
};

TEST(ValidityBuilder, RandomAppendsDiscardsAndRollBacksMatchTheModel) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    ValidityBuilder builder(MemoryPool::Default());
    Bools model;
    std::vector<ValidityBuilder::Counts> marks;
    std::vector<Held> held;
    for (int step = 0; step < 40; ++step) {
      Bools staged;
      for (unsigned parts = 1 + random() % 3; parts > 0; --parts) {
        const size_t n = random() % 70;
        Bools bits(n);
        for (auto&& bit : bits) bit = random() % 4 != 0;
        const Bitmap bitmap(bits, static_cast<int64_t>(random() % 13));
        switch (random() % 4) {
          case 0:
            ASSERT_TRUE(builder.StageValid(static_cast<int64_t>(n)).ok());
            staged.insert(staged.end(), n, true);
            break;
          case 1:
            if (seed % 3 == 0) break;  // Some builders never see a plain null.
            ASSERT_TRUE(builder.StageNull(static_cast<int64_t>(n)).ok());
            staged.insert(staged.end(), n, false);
            break;
          case 2:
            ASSERT_TRUE(builder.StageBits(bitmap.span, bitmap.nulls).ok());
            staged.insert(staged.end(), bits.begin(), bits.end());
            break;
          default:
            const auto times = static_cast<int64_t>(random() % 6);
            ASSERT_TRUE(builder.StageRepeated(bitmap.span, bitmap.nulls, times).ok());
            for (int64_t t = 0; t < times; ++t) {
              staged.insert(staged.end(), bits.begin(), bits.end());
            }
        }
      }
      if (random() % 3 == 0) {
        builder.Discard();
      } else {
        builder.Commit();
        model.insert(model.end(), staged.begin(), staged.end());
      }
      if (step % 8 == 7) {
        ASSERT_NO_FATAL_FAILURE(ExpectHolds(&builder, model)) << seed;
      }
      if (random() % 4 == 0) marks.push_back(builder.counts());
      if (random() % 6 == 0) {
        const Buffer buffer = builder.Share().value();
        held.push_back({buffer, {buffer.data(), buffer.data() + buffer.size_bytes()}});
      }
      if (random() % 6 == 0 && !marks.empty()) {
        marks.resize(1 + random() % marks.size());
        builder.RollBack(marks.back());
        model.resize(static_cast<size_t>(builder.length()));
      }
    }
    for (const Held& one : held) {
      ASSERT_TRUE(std::equal(one.bytes.begin(), one.bytes.end(), one.buffer.data())) << seed;
    }
    ASSERT_NO_FATAL_FAILURE(ExpectHolds(&builder, model)) << seed;
  }
}

}  // namespace
}  // namespace sheaf
