#include "base/error.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <absl/strings/cord.h>
#include <gtest/gtest.h>

namespace sheaf::internal {
namespace {

TEST(ErrorTest, PartsOfEveryKindAreJoined) {
  const std::string name = "points";
  EXPECT_EQ(Concat("list_view ", name, std::string_view(", row "), int64_t{7}, string_view(": "),
                   uint8_t{12}, '+', -5, ' ', true, ' ', 0.5),
            "list_view points, row 7: 12+-5 true 0.5");
  EXPECT_EQ(Concat(std::numeric_limits<uint64_t>::max(), " ", std::numeric_limits<int64_t>::min()),
            "18446744073709551615 -9223372036854775808");
}

TEST(ErrorTest, EveryMakerHasItsCode) {
  EXPECT_EQ(InvalidArgument("a").code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(OutOfRange("a").code(), StatusCode::kOutOfRange);
  EXPECT_EQ(ResourceExhausted("a").code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(FailedPrecondition("a").code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(Unimplemented("a").code(), StatusCode::kUnimplemented);
  EXPECT_EQ(AlreadyExists("a").code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(NotFound("a").code(), StatusCode::kNotFound);
  EXPECT_EQ(DataLoss("a").code(), StatusCode::kDataLoss);
  EXPECT_EQ(Internal("a ", 1).ToString(), "INTERNAL: a 1");
}

TEST(ErrorTest, EveryLevelOfANestedArrayAddsItsStep) {
  Status status = OutOfRange("offset 5 below offset 7");

  status = AtPath("$.elements", status);
  EXPECT_EQ(status.ToString(), "OUT_OF_RANGE: $.elements: offset 5 below offset 7");

  status = AtPath("$.points", status);
  EXPECT_EQ(status.ToString(), "OUT_OF_RANGE: $.points.elements: offset 5 below offset 7");
}

TEST(ErrorTest, APathKeepsOkStatusesAndPayloads) {
  EXPECT_TRUE(AtPath("$.a", OkStatus()).ok());

  Status status = DataLoss("$5 too much");
  status.SetPayload("sheaf/row", absl::Cord("7"));
  const Status placed = AtPath("$.a", status);

  EXPECT_EQ(std::string(placed.message()), "$.a: $5 too much");
  const auto payload = placed.GetPayload("sheaf/row");
  ASSERT_TRUE(payload.has_value());
  EXPECT_EQ(std::string(*payload), "7");
}

}  // namespace
}  // namespace sheaf::internal
