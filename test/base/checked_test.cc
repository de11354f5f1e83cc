#include "sheaf/base/checked.h"

#include <cstdint>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sheaf {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(CheckedTest, SumsThatFitAreReturned) {
  EXPECT_EQ(CheckedAdd(40, 2, "rows").value(), 42);
  EXPECT_EQ(CheckedAdd(kMax - 1, 1, "rows").value(), kMax);
  EXPECT_EQ(CheckedMultiply(-6, 7, "rows").value(), -42);
}

TEST(CheckedTest, ASumThatWrapsNamesTheQuantityAndBothNumbers) {
  const Status status = CheckedAdd(kMax, 1, "bytes of offsets").status();

  EXPECT_EQ(status.code(), StatusCode::kOutOfRange);
  EXPECT_EQ(std::string(status.message()),
            "bytes of offsets: 9223372036854775807 + 1 exceeds 64 bits");
}

TEST(CheckedTest, AProductThatWrapsIsOutOfRange) {
  const Status status = CheckedMultiply(kMax / 2, 3, "elements").status();

  EXPECT_EQ(status.code(), StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(status.message()), HasSubstr("elements: 4611686018427387903 x 3"));
}

TEST(CheckedTest, NarrowKeepsTheWidthsEdges) {
  EXPECT_EQ(Narrow<int32_t>(2147483647, "offset").value(), 2147483647);
  EXPECT_EQ(Narrow<uint8_t>(255, "index").value(), 255);

  EXPECT_EQ(std::string(Narrow<int32_t>(2147483648, "offset").status().message()),
            "offset: 2147483648 is outside [-2147483648, 2147483647]");
  EXPECT_EQ(Narrow<uint8_t>(256, "index").status().code(), StatusCode::kOutOfRange);
  EXPECT_EQ(Narrow<uint64_t>(-1, "index").status().code(), StatusCode::kOutOfRange);
}

TEST(CheckedTest, OverflowFormsAnswerWithoutAStatus) {
  int64_t result = 0;
  EXPECT_FALSE(AddOverflows(1, 2, &result));
  EXPECT_EQ(result, 3);
  EXPECT_TRUE(AddOverflows(-kMax, -2, &result));
  EXPECT_TRUE(MultiplyOverflows(kMax, 2, &result));
  int16_t narrow = 0;
  EXPECT_FALSE(NarrowOverflows(-32768, &narrow));
  EXPECT_TRUE(NarrowOverflows(32768, &narrow));
}

}  // namespace
}  // namespace sheaf
