#include "sheaf/base/status.h"

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "base/error.h"

namespace sheaf {
namespace {

StatusOr<std::unique_ptr<int>> Box(int value) {
  if (value < 0) {
    return internal::InvalidArgument("negative: ", value);
  }
  return std::make_unique<int>(value);
}

StatusOr<int> SumOfBoxes(std::pair<int, int> values) {
  SHEAF_ASSIGN_OR_RETURN(const std::unique_ptr<int> first, Box(values.first));
  int second = 0;
  SHEAF_ASSIGN_OR_RETURN(
      second, *Box(values.second) != nullptr ? StatusOr<int>(values.second) : StatusOr<int>(0));
  return *first + second;
}

Status CheckSum(std::pair<int, int> values) {
  SHEAF_RETURN_IF_ERROR(SumOfBoxes(std::pair<int, int>(values)).status());
  return OkStatus();
}

TEST(StatusTest, AssignOrReturnMovesTheValueOut) { EXPECT_EQ(SumOfBoxes({1, 2}).value(), 3); }

TEST(StatusTest, AnErrorLeavesTheFunctionAtOnce) {
  EXPECT_EQ(CheckSum({-1, 2}).ToString(), "INVALID_ARGUMENT: negative: -1");
  EXPECT_TRUE(CheckSum({1, 2}).ok());
}

TEST(StatusTest, DcheckHoldsItsPeace) {
  SHEAF_DCHECK(std::is_same_v<int, int>);
#ifndef NDEBUG
  EXPECT_DEATH(SHEAF_DCHECK(1 + 1 == 3), "does not hold: 1 \\+ 1 == 3");
#endif
}

}  // namespace
}  // namespace sheaf
