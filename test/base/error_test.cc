#include "base/error.h"

#include <cstdint>
#include <string_view>

#include <gtest/gtest.h>

namespace sheaf {
namespace {

TEST(ErrorTest, MessageIsMadeOfTextAndNumbers) {
  const Status status = internal::InvalidArgument("row ", int64_t{7}, ": ", std::string_view("no"));

  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "row 7: no");
}

TEST(ErrorTest, AtPathNamesThePlace) {
  const Status status = internal::AtPath("$.points", internal::OutOfRange("offsets fall"));

  EXPECT_EQ(status.code(), StatusCode::kOutOfRange);
  EXPECT_EQ(status.message(), "$.points: offsets fall");
}

TEST(ErrorTest, AtPathLeavesOkAlone) { EXPECT_TRUE(internal::AtPath("$", OkStatus()).ok()); }

}  // namespace
}  // namespace sheaf
