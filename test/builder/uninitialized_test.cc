// AppendUninitialized and Commit: rows that a decoder writes in place.

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/boolean_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_builder.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

/// Writes sizes and values back to back, as a decoder would.
template <typename Offset>
void Write(const BinaryWindow<Offset>& window, const std::vector<std::string>& values) {
  int64_t at = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    window.sizes[i] = static_cast<Offset>(values[i].size());
    std::copy(values[i].begin(), values[i].end(), window.data.begin() + at);
    at += std::ssize(values[i]);
  }
}

TEST(UninitializedTest, NumbersAreCommittedUpToWhatWasWritten) {
  const auto builder = BuilderOf<Int64Builder>(Int64());
  ASSERT_OK(builder->Append(1));
  ASSERT_OK_AND_ASSIGN(const std::span<int64_t> window, builder->AppendUninitialized(100));
  ASSERT_EQ(window.size(), 100U);
  window[0] = 2;
  window[1] = 3;
  EXPECT_EQ(builder->length(), 1);

  ASSERT_OK(builder->Commit(2));

  ASSERT_OK(builder->Append(4));
  EXPECT_THAT(Finished(*builder), ReadsAs("[1, 2, 3, 4]"));
}

TEST(UninitializedTest, ValidityComesWithTheCommit) {
  const auto builder = BuilderOf<Int32Builder>(Int32());
  ASSERT_OK_AND_ASSIGN(const std::span<int32_t> window, builder->AppendUninitialized(4));
  std::fill(window.begin(), window.end(), 5);
  const uint8_t bits = 0b0101'0000;

  ASSERT_OK(builder->Commit(3, {&bits, 4, 3}));

  EXPECT_EQ(builder->null_count(), 1);
  EXPECT_THAT(Finished(*builder), ReadsAs("[5, null, 5]"));
}

TEST(UninitializedTest, FixedSizeBinaryGivesBytes) {
  const auto builder = BuilderOf<FixedSizeBinaryBuilder>("fixed_size_binary[3]");
  ASSERT_OK_AND_ASSIGN(const std::span<uint8_t> window, builder->AppendUninitialized(2));
  ASSERT_EQ(window.size(), 6U);
  std::memcpy(window.data(), "abcdef", 6);

  ASSERT_OK(builder->Commit(2));

  const Array array = Finished(*builder);
  EXPECT_EQ(std::memcmp(array.buffer(1).data(), "abcdef", 6), 0);
}

TEST(UninitializedTest, BitsBehindAnOddNumberOfRows) {
  const auto builder = BuilderOf<BooleanBuilder>(Boolean());
  for (int i = 0; i < 5; ++i) ASSERT_OK(builder->Append(true));
  ASSERT_OK_AND_ASSIGN(const MutableBitSpan window, builder->AppendUninitialized(20));
  for (int64_t i = 0; i < 20; ++i) window.Set(i, i % 2 == 0);

  ASSERT_OK(builder->Commit(4));

  EXPECT_THAT(Finished(*builder),
              ReadsAs("[true, true, true, true, true, true, false, true, false]"));
}

template <typename Offset>
void StringsOf(const char* type) {
  const auto builder = BuilderOf<BasicBinaryBuilder<Offset>>(type);
  ASSERT_OK(builder->Append("one"));
  ASSERT_OK_AND_ASSIGN(const BinaryWindow<Offset> window, builder->AppendUninitialized(5, 100));
  Write(window, {"two", "", "three", "lost"});
  EXPECT_EQ(builder->data_bytes(), 3);
  const uint8_t bits = 0b101;

  ASSERT_OK(builder->Commit(3, {&bits, 0, 3}));

  EXPECT_EQ(builder->data_bytes(), 11);
  ASSERT_OK(builder->Append("four"));
  EXPECT_THAT(Finished(*builder), ReadsAs(R"(["one", "two", null, "three", "four"])"));
}

TEST(UninitializedTest, StringsAreSizesAndBytes) {
  StringsOf<int32_t>("utf8");
  StringsOf<int64_t>("large_utf8");
}

TEST(UninitializedTest, SizesAreCheckedAndMayBeRepaired) {
  const auto builder = BuilderOf<BinaryBuilder>("binary");
  ASSERT_OK_AND_ASSIGN(const BinaryWindow<int32_t> window, builder->AppendUninitialized(2, 10));
  Write(window, {"abcdefgh", "ij"});
  window.sizes[1] = 3;
  EXPECT_THAT(builder->Commit(2), StatusIs(StatusCode::kInvalidArgument, "row 1"));
  window.sizes[1] = -1;
  EXPECT_THAT(builder->Commit(2), StatusIs(StatusCode::kInvalidArgument, "row 1"));
  EXPECT_EQ(builder->length(), 0);

  window.sizes[1] = 2;
  ASSERT_OK(builder->Commit(2));

  EXPECT_EQ(builder->data_bytes(), 10);
  EXPECT_THAT(builder->AppendUninitialized(1, int64_t{1} << 31),
              StatusIs(StatusCode::kOutOfRange, "large_binary"));
  EXPECT_THAT(builder->AppendUninitialized(1, -1), StatusIs(StatusCode::kInvalidArgument));
}

TEST(UninitializedTest, AbandonedWindowsLeaveNoTrace) {
  const auto builder = BuilderOf<BinaryBuilder>("utf8");
  ASSERT_OK(builder->Append("one"));
  const int64_t bytes_used = builder->bytes_used();
  ASSERT_OK_AND_ASSIGN(const BinaryWindow<int32_t> window, builder->AppendUninitialized(2, 50));
  Write(window, {"never", "seen"});
  EXPECT_EQ(builder->bytes_used(), bytes_used);

  const Array array = Finished(*builder);

  EXPECT_THAT(array, ReadsAs(R"(["one"])"));
  for (int64_t i = 3; i < 64; ++i) EXPECT_EQ(array.buffer(2).data()[i], 0) << i;
}

TEST(UninitializedTest, CommitOfNothingIsFine) {
  const auto builder = BuilderOf<Int32Builder>(Int32());
  ASSERT_OK_AND_ASSIGN(const std::span<int32_t> window, builder->AppendUninitialized(0));
  EXPECT_TRUE(window.empty());
  ASSERT_OK(builder->Commit(0));
  EXPECT_EQ(builder->length(), 0);
}

TEST(UninitializedTest, MoreThanTheWindowIsRefused) {
  const auto builder = BuilderOf<Int32Builder>(Int32());
  ASSERT_OK(builder->AppendUninitialized(3));
  const uint8_t bits = 0xFF;
  EXPECT_THAT(builder->Commit(4),
              StatusIs(StatusCode::kInvalidArgument, "4 rows of a window of 3"));
  EXPECT_THAT(builder->Commit(-1), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(builder->Commit(2, {&bits, 0, 3}),
              StatusIs(StatusCode::kInvalidArgument, "3 validity"));
  EXPECT_THAT(builder->AppendUninitialized(-1), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_EQ(builder->length(), 0);
}

/// Every change of a builder closes its window.
template <typename Builder>
void ExpectClosed(Builder& builder) {
  EXPECT_THAT(builder.Commit(1), StatusIs(StatusCode::kFailedPrecondition, "Commit without"));
}

TEST(UninitializedTest, OtherChangesCloseTheWindow) {
  const auto builder = BuilderOf<Int32Builder>(Int32());
  ExpectClosed(*builder);
  ASSERT_OK(builder->Append(1));
  ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
  const auto open = [&] { EXPECT_OK(builder->AppendUninitialized(5)); };
  open();
  ASSERT_OK(builder->Append(2));
  ExpectClosed(*builder);
  open();
  ASSERT_OK(builder->AppendArray(Ints({3})));
  ExpectClosed(*builder);
  open();
  ASSERT_OK(builder->Reserve(10'000));
  ExpectClosed(*builder);
  open();
  builder->UnsafeAppend(4);
  ExpectClosed(*builder);
  open();
  ASSERT_OK(builder->RollBack(mark));
  ExpectClosed(*builder);
  open();
  ASSERT_OK(builder->Commit(0));
  ExpectClosed(*builder);
  open();
  ASSERT_OK(builder->Finish());
  ExpectClosed(*builder);
  open();
  builder->Reset();
  ExpectClosed(*builder);
}

TEST(UninitializedTest, AWindowIntoTheElementsOfAList) {
  const auto builder = BuilderOf<ListBuilder>("list<int32>");
  auto& elements = static_cast<Int32Builder&>(builder->elements());
  builder->BeginList();
  ASSERT_OK_AND_ASSIGN(const std::span<int32_t> window, elements.AppendUninitialized(2));
  window[0] = 1;
  window[1] = 2;
  ASSERT_OK(elements.Commit(2));
  ASSERT_OK(builder->EndList());
  EXPECT_THAT(Finished(*builder), ReadsAs("[[1, 2]]"));
}

TEST(UninitializedTest, TheByteLimitIsCheckedBeforeAndAtTheCommit) {
  const auto builder = BuilderOf<BinaryBuilder>("utf8");
  builder->set_byte_limit(20);
  EXPECT_THAT(builder->AppendUninitialized(100, 0), StatusIs(StatusCode::kResourceExhausted));
  ASSERT_OK_AND_ASSIGN(const BinaryWindow<int32_t> window, builder->AppendUninitialized(2, 20));
  Write(window, {"123456789", "abc"});
  EXPECT_THAT(builder->Commit(2), StatusIs(StatusCode::kResourceExhausted, "limit"));
  EXPECT_EQ(builder->length(), 0);

  ASSERT_OK(builder->Commit(1));  // The window is still open, and the sizes are as they were.

  EXPECT_THAT(Finished(*builder), ReadsAs(R"(["123456789"])"));
}

TEST(UninitializedTest, ACommitThatRunsOutOfMemoryMayBeTriedAgain) {
  FailingPool pool;
  BuilderOptions options;
  options.pool = &pool;
  const auto builder = BuilderOf<BinaryBuilder>("utf8", options);
  ASSERT_OK_AND_ASSIGN(const BinaryWindow<int32_t> window, builder->AppendUninitialized(2, 8));
  Write(window, {"abc", "defgh"});
  const uint8_t bits = 0b01;
  pool.FailAt(0);
  EXPECT_THAT(builder->Commit(2, {&bits, 0, 2}), StatusIs(StatusCode::kResourceExhausted));
  EXPECT_EQ(builder->length(), 0);

  ASSERT_OK(builder->Commit(2, {&bits, 0, 2}));

  EXPECT_THAT(Finished(*builder), ReadsAs(R"(["abc", null])"));
}

// The twins for reserved room.

TEST(UninitializedTest, UnsafeAppendsWriteIntoReservedRoom) {
  FailingPool pool;
  BuilderOptions options;
  options.pool = &pool;
  const auto bools = BuilderOf<BooleanBuilder>(Boolean(), options);
  const auto bytes = BuilderOf<FixedSizeBinaryBuilder>("fixed_size_binary[2]", options);
  const auto texts = BuilderOf<BinaryBuilder>("utf8", options);
  ASSERT_OK(bools->Reserve(9));
  ASSERT_OK(bytes->Reserve(2));
  ASSERT_OK(texts->Reserve(3));
  ASSERT_OK(texts->ReserveData(6));
  pool.FailAt(0);
  const uint8_t bits = 0b0110'0100;
  bools->UnsafeAppend(true);
  bools->UnsafeAppendValues({&bits, 2, 6});
  bytes->UnsafeAppend("ab");
  bytes->UnsafeAppend("cd");
  const std::string_view values[] = {"one", "", "two"};
  texts->UnsafeAppendValues(values);
  EXPECT_EQ(pool.calls(), 0);
  pool.SwitchOff();

  EXPECT_THAT(Finished(*bools), ReadsAs("[true, true, false, false, true, true, false]"));
  EXPECT_EQ(std::memcmp(Finished(*bytes).buffer(1).data(), "abcd", 4), 0);
  EXPECT_THAT(Finished(*texts), ReadsAs(R"(["one", "", "two"])"));
}

}  // namespace
}  // namespace sheaf
