#include "sheaf/base/bits.h"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace sheaf {
namespace {

TEST(BitsTest, RoundsUpToTheNextMultiple) {
  EXPECT_EQ(RoundUp8(0), 0);
  EXPECT_EQ(RoundUp8(1), 8);
  EXPECT_EQ(RoundUp8(8), 8);
  EXPECT_EQ(RoundUp64(65), 128);
  EXPECT_EQ(RoundUp64(std::numeric_limits<int64_t>::max() - 63),
            std::numeric_limits<int64_t>::max() - 63);
}

TEST(BitsTest, BytesForBitsDoesNotWrapAtTheLargestCount) {
  EXPECT_EQ(BytesForBits(0), 0);
  EXPECT_EQ(BytesForBits(1), 1);
  EXPECT_EQ(BytesForBits(8), 1);
  EXPECT_EQ(BytesForBits(9), 2);
  EXPECT_EQ(BytesForBits(std::numeric_limits<int64_t>::max()), int64_t{1} << 60);
}

TEST(BitsTest, LowBitsReachFromNoneToAll) {
  EXPECT_EQ(LowBits(0), 0U);
  EXPECT_EQ(LowBits(3), 7U);
  EXPECT_EQ(LowBits(64), ~uint64_t{0});
  EXPECT_EQ(PopCount(LowBits(17)), 17);
}

TEST(BitsTest, ValuesAreReadFromAnyAddress) {
  const uint8_t bytes[] = {0xFF, 0x01, 0x02, 0x00, 0x00};
  EXPECT_EQ(LoadUnaligned<int32_t>(bytes + 1), 0x0201);
}

TEST(BitsTest, AChangedBitLeavesItsNeighboursAlone) {
  uint8_t bits[2] = {0b10100101, 0xFF};

  ClearBit(bits, 9);
  SetBit(bits, 1);
  SetBitTo(bits, 0, false);
  SetBitTo(bits, 3, true);

  EXPECT_EQ(bits[0], 0b10101110);
  EXPECT_EQ(bits[1], 0b11111101);
  EXPECT_TRUE(BitAt(bits, 8));
  EXPECT_FALSE(BitAt(bits, 9));
}

}  // namespace
}  // namespace sheaf
