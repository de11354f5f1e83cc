#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "testing/from_json.h"
#include "testing/model.h"

/// Matchers and macros of the tests. Tests live in `namespace sheaf` and say `using namespace
/// testing;`, and
/// `::testing::ElementsAre` for Google Test's names (plain `testing::` finds ours there).

namespace sheaf::testing {

inline Status StatusOf(const Status& status) { return status; }
template <typename T>
Status StatusOf(const StatusOr<T>& result) {
  return result.status();
}

/// A Status or StatusOr that is OK.
MATCHER(IsOk, negation ? "is an error" : "is OK") {
  const Status status = StatusOf(arg);
  if (!status.ok()) *result_listener << "which is " << status.ToString();
  return status.ok();
}

/// A Status or StatusOr of this code whose message contains `substring`.
MATCHER_P2(StatusIsMatcher, code, substring, "") {
  const Status status = StatusOf(arg);
  *result_listener << "which is " << status.ToString();
  return status.code() == code &&
         std::string(status.message().data(), status.message().size()).find(substring) !=
             std::string::npos;
}
inline auto StatusIs(StatusCode code, std::string substring = "") {
  return StatusIsMatcher(code, std::move(substring));
}

/// An array with the same values, logically, as another (or as plain values), by the naive model;
/// where the library keeps them does not matter.
MATCHER_P(ReadsLikeMatcher, expected, "reads like " + ToText(expected)) {
  const std::string difference = FirstDifference(Read(arg), expected);
  *result_listener << difference;
  return difference.empty();
}
inline auto ReadsLike(const Array& expected) { return ReadsLikeMatcher(Read(expected)); }
inline auto ReadsLike(const Values& expected) { return ReadsLikeMatcher(expected); }

/// An array with the values of a JSON text (see from_json.h) read for the array's own type.
MATCHER_P(ReadsAs, json, "reads as " + std::string(json)) {
  const std::string difference = FirstDifference(Read(arg), Read(FromJson(arg.type(), json)));
  *result_listener << difference;
  return difference.empty();
}

/// An array that passes full validation.
MATCHER(IsValidArray, "passes full validation") {
  const Status status = Validate(arg, ValidationLevel::kFull);
  if (!status.ok()) *result_listener << "which fails: " << status.ToString();
  return status.ok();
}

/// Whether buffer i of both arrays is the same memory (or absent in both).
inline bool SharesBuffer(const Array& a, const Array& b, int i) {
  return i < a.num_buffers() && i < b.num_buffers() && a.buffer(i).data() == b.buffer(i).data();
}

/// The first buffer that two arrays do not share, as a path, or "".
inline std::string UnsharedBuffer(const Array& a, const Array& b, const std::string& path = "$") {
  if (a.num_buffers() != b.num_buffers() || a.num_children() != b.num_children()) return path;
  for (int i = 0; i < a.num_buffers(); ++i) {
    if (!SharesBuffer(a, b, i)) return path + " buffer " + std::to_string(i);
  }
  for (int i = 0; i < a.num_children(); ++i) {
    std::string unshared = UnsharedBuffer(a.child(i), b.child(i), path + "." + std::to_string(i));
    if (!unshared.empty()) return unshared;
  }
  return "";
}

/// An array all of whose buffers are those of `other`, at every level.
MATCHER_P(SharesAllBuffersWith, other, "shares all buffers") {
  const std::string unshared = UnsharedBuffer(arg, other);
  if (!unshared.empty()) *result_listener << "which has its own " << unshared;
  return unshared.empty();
}

}  // namespace sheaf::testing

#define ASSERT_OK(expression) ASSERT_THAT((expression), ::sheaf::testing::IsOk())
#define EXPECT_OK(expression) EXPECT_THAT((expression), ::sheaf::testing::IsOk())

/// Declares or assigns `lhs` from a StatusOr; an error ends the test.
#define ASSERT_OK_AND_ASSIGN(lhs, expression) \
  SHEAF_TEST_ASSIGN_(SHEAF_CONCAT_(sheaf_test_result_, __LINE__), lhs, expression)
#define SHEAF_TEST_ASSIGN_(result, lhs, expression)                              \
  auto result = (expression);                                                    \
  ASSERT_TRUE(result.ok()) << #expression << ": " << result.status().ToString(); \
  lhs = *std::move(result)
