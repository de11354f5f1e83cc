// AppendUninitialized and Commit: rows that a decoder writes in place.

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/binary_view_array.h"
#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/binary_view_builder.h"
#include "sheaf/builder/boolean_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_builder.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/model.h"
#include "testing/random_arrays.h"
#include "testing/raw_buffers.h"

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

Array BinaryViewRows(const std::vector<std::string>& values) {
  const std::vector<std::string_view> views(values.begin(), values.end());
  StatusOr<BinaryViewArray> rows = BinaryViewArray::FromValues(views);
  EXPECT_OK(rows.status());
  return *rows;
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
void ExpectStrings(const char* type) {
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
  ExpectStrings<int32_t>("utf8");
  ExpectStrings<int64_t>("large_utf8");
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

// Binary and utf8 views: sizes and bytes as above, which become views.

const std::string kLong = "thirteen bytes";  // 14 of them: not in a view.

TEST(UninitializedTest, StringsBecomeViews) {
  for (const char* type : {"utf8_view", "binary_view"}) {
    SCOPED_TRACE(type);
    const auto builder = BuilderOf<BinaryViewBuilder>(type);
    ASSERT_OK(builder->Append(kLong + " before"));
    const int64_t bytes_before = builder->data_bytes();
    ASSERT_OK_AND_ASSIGN(const BinaryWindow<int32_t> window, builder->AppendUninitialized(9, 200));
    EXPECT_EQ(window.sizes.size(), 9U);
    EXPECT_EQ(window.data.size(), 200U);
    Write(window, {kLong + "1", "twelve bytes", kLong + "null", "", kLong + "22", "null", "short",
                   kLong + "333", "lost"});
    EXPECT_EQ(builder->length(), 1);
    EXPECT_EQ(builder->data_bytes(), bytes_before);
    const uint8_t bits[] = {0b0101'1011, 0b0000'0001};

    ASSERT_OK(builder->Commit(8, {bits, 0, 8}));

    EXPECT_EQ(builder->null_count(), 3);
    // What is short or null takes no byte of the data buffer.
    EXPECT_EQ(builder->data_bytes(), bytes_before + 15 + 16);
    ASSERT_OK(builder->Append(kLong + " behind"));
    const Array array = Finished(*builder);
    const Array expected = FromJson(
        "utf8_view", R"(["thirteen bytes before", "thirteen bytes1", "twelve bytes", null, "",
                         "thirteen bytes22", null, "short", null, "thirteen bytes behind"])");
    EXPECT_EQ(Read(array), Read(expected));
    EXPECT_EQ(array.num_buffers(), 3);
    const std::vector<uint8_t> zeros(16, 0);
    EXPECT_EQ(std::memcmp(array.buffer(1).data() + 3 * 16, zeros.data(), 16), 0);
    EXPECT_EQ(std::memcmp(array.buffer(1).data() + 6 * 16, zeros.data(), 16), 0);
  }
}

TEST(UninitializedTest, LongStringsOfViewsStayWhereTheyWereWritten) {
  const auto builder = BuilderOf<BinaryViewBuilder>("utf8_view");
  const std::vector<std::string> values(100, kLong);
  ASSERT_OK_AND_ASSIGN(const BinaryWindow<int32_t> window, builder->AppendUninitialized(100, 1400));
  Write(window, values);
  ASSERT_OK(builder->Commit(100));
  const Array array = Finished(*builder);
  EXPECT_EQ(array.buffer(2).data(), window.data.data());
  EXPECT_EQ(array.buffer(2).size_bytes(), 1400);
  EXPECT_EQ(Read(array), Read(BinaryViewRows(values)));
}

TEST(UninitializedTest, SizesOfViewsAreCheckedAndMayBeRepaired) {
  const auto builder = BuilderOf<BinaryViewBuilder>("utf8_view");
  ASSERT_OK_AND_ASSIGN(const BinaryWindow<int32_t> window, builder->AppendUninitialized(3, 30));
  Write(window, {"a", kLong, kLong});
  for (const int32_t size :
       {16, -1, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()}) {
    window.sizes[2] = size;
    EXPECT_THAT(builder->Commit(3), StatusIs(StatusCode::kInvalidArgument, "row 2"));
    const uint8_t bits = 0b011;  // The size of a null row counts too.
    EXPECT_THAT(builder->Commit(3, {&bits, 0, 3}), StatusIs(StatusCode::kInvalidArgument, "row 2"));
  }
  EXPECT_THAT(builder->Commit(4),
              StatusIs(StatusCode::kInvalidArgument, "4 rows of a window of 3"));
  EXPECT_THAT(builder->Commit(-1), StatusIs(StatusCode::kInvalidArgument));
  const uint8_t bits = 0;
  EXPECT_THAT(builder->Commit(3, {&bits, 0, 2}),
              StatusIs(StatusCode::kInvalidArgument, "2 validity"));
  EXPECT_EQ(builder->length(), 0);
  EXPECT_EQ(builder->bytes_used(), 0);

  window.sizes[2] = 15;
  window.data[29] = '!';
  ASSERT_OK(builder->Commit(3));

  EXPECT_THAT(Finished(*builder), ReadsAs(R"(["a", "thirteen bytes", "thirteen bytes!"])"));
  EXPECT_THAT(builder->AppendUninitialized(1, int64_t{1} << 31),
              StatusIs(StatusCode::kOutOfRange, "2147483647"));
  EXPECT_THAT(builder->AppendUninitialized(1, -1), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(builder->AppendUninitialized(-1, 1), StatusIs(StatusCode::kInvalidArgument));
}

TEST(UninitializedTest, ASecondWindowOfViewsReplacesTheFirst) {
  const auto builder = BuilderOf<BinaryViewBuilder>("utf8_view");
  ASSERT_OK_AND_ASSIGN(const BinaryWindow<int32_t> first, builder->AppendUninitialized(1, 50));
  Write(first, {kLong});
  ASSERT_OK_AND_ASSIGN(const BinaryWindow<int32_t> second,
                       builder->AppendUninitialized(70'000, 3'000'000));
  Write(second, {kLong + "2", "b"});
  ASSERT_OK(builder->Commit(2));
  ExpectClosed(*builder);
  EXPECT_THAT(Finished(*builder), ReadsAs(R"(["thirteen bytes2", "b"])"));
}

TEST(UninitializedTest, OtherChangesCloseTheWindowOfViews) {
  const auto builder = BuilderOf<BinaryViewBuilder>("utf8_view");
  ExpectClosed(*builder);
  ASSERT_OK(builder->Append(kLong));
  ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
  const auto open = [&] { EXPECT_OK(builder->AppendUninitialized(5, 100)); };
  open();
  ASSERT_OK(builder->Append("a"));
  ExpectClosed(*builder);
  open();
  ASSERT_OK(builder->AppendNull());
  ExpectClosed(*builder);
  open();
  ASSERT_OK(builder->AppendArray(FromJson("utf8_view", R"(["b"])")));
  ExpectClosed(*builder);
  open();
  EXPECT_FALSE(builder->AppendArray(Ints({1}), 1, 1).ok());
  ASSERT_OK(builder->Commit(0));  // What is refused at once has changed nothing.
  open();
  ASSERT_OK(builder->Reserve(10'000));
  ExpectClosed(*builder);
  open();
  ASSERT_OK(builder->ReserveData(100'000));
  ExpectClosed(*builder);
  open();
  builder->UnsafeAppend("c");
  ExpectClosed(*builder);
  open();
  ASSERT_OK(builder->Snapshot());
  ExpectClosed(*builder);
  open();
  ASSERT_OK(builder->RollBack(mark));
  ExpectClosed(*builder);
  open();
  EXPECT_THAT(Finished(*builder), ReadsAs(R"(["thirteen bytes"])"));
  ExpectClosed(*builder);
  open();
  builder->Reset();
  ExpectClosed(*builder);
}

TEST(UninitializedTest, CommittedViewsAreRolledBack) {
  const auto builder = BuilderOf<BinaryViewBuilder>("utf8_view");
  ASSERT_OK(builder->Append(kLong));
  const int64_t bytes_used = builder->bytes_used();
  ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
  for (const int64_t data_bytes : {100, 5'000'000}) {
    ASSERT_OK_AND_ASSIGN(const BinaryWindow<int32_t> window,
                         builder->AppendUninitialized(2, data_bytes));
    Write(window, {kLong + "given up", "so is this"});
    ASSERT_OK(builder->Commit(2));
    EXPECT_EQ(builder->length(), 3);
    ASSERT_OK(builder->RollBack(mark));
    EXPECT_EQ(builder->bytes_used(), bytes_used);
  }
  ASSERT_OK(builder->Append(kLong + "!"));
  EXPECT_THAT(Finished(*builder), ReadsAs(R"(["thirteen bytes", "thirteen bytes!"])"));
}

TEST(UninitializedTest, ASnapshotKeepsTheViewsOfItsMoment) {
  const auto builder = BuilderOf<BinaryViewBuilder>("utf8_view");
  std::vector<Array> snapshots;
  std::vector<std::string> values;
  for (int i = 0; i < 20; ++i) {
    const std::vector<std::string> added = {kLong + std::to_string(i), "short", kLong};
    ASSERT_OK_AND_ASSIGN(const BinaryWindow<int32_t> window, builder->AppendUninitialized(9, 500));
    Write(window, added);
    ASSERT_OK(builder->Commit(3));
    ASSERT_OK_AND_ASSIGN(snapshots.emplace_back(), builder->Snapshot());
    values.insert(values.end(), added.begin(), added.end());
  }
  for (size_t i = 0; i < snapshots.size(); ++i) {
    EXPECT_THAT(snapshots[i], IsValidArray());
    EXPECT_EQ(Read(snapshots[i]), Slice(Read(BinaryViewRows(values)), 0, snapshots[i].length()));
  }
}

TEST(UninitializedTest, AWindowOfViewsWithoutBytes) {
  const auto builder = BuilderOf<BinaryViewBuilder>("utf8_view");
  ASSERT_OK_AND_ASSIGN(const BinaryWindow<int32_t> window, builder->AppendUninitialized(3, 0));
  std::fill(window.sizes.begin(), window.sizes.end(), 0);
  ASSERT_OK(builder->Commit(3));
  ASSERT_OK(builder->AppendUninitialized(0, 0));
  ASSERT_OK(builder->Commit(0));
  const Array array = Finished(*builder);
  EXPECT_THAT(array, ReadsAs(R"(["", "", ""])"));
  EXPECT_EQ(array.num_buffers(), 2);
}

TEST(UninitializedTest, TheByteLimitIsCheckedBeforeAndAtTheCommitOfViews) {
  const auto builder = BuilderOf<BinaryViewBuilder>("utf8_view");
  builder->set_byte_limit(50);
  EXPECT_THAT(builder->AppendUninitialized(4, 0), StatusIs(StatusCode::kResourceExhausted));
  ASSERT_OK_AND_ASSIGN(const BinaryWindow<int32_t> window, builder->AppendUninitialized(3, 60));
  Write(window, {"12345678", kLong, kLong + "2"});
  EXPECT_THAT(builder->Commit(3), StatusIs(StatusCode::kResourceExhausted, "limit"));
  EXPECT_EQ(builder->length(), 0);
  EXPECT_EQ(builder->bytes_used(), 0);

  ASSERT_OK(builder->Commit(2));  // The window is still open, sizes and bytes are as they were.

  EXPECT_EQ(builder->bytes_used(), 2 * 16 + 14);
  EXPECT_THAT(Finished(*builder), ReadsAs(R"(["12345678", "thirteen bytes"])"));
}

TEST(UninitializedTest, ACommitOfViewsThatRunsOutOfMemoryMayBeTriedAgain) {
  FailingPool pool;
  BuilderOptions options;
  options.pool = &pool;
  const auto builder = BuilderOf<BinaryViewBuilder>("utf8_view", options);
  ASSERT_OK_AND_ASSIGN(const BinaryWindow<int32_t> window, builder->AppendUninitialized(3, 50));
  Write(window, {"abc", kLong, kLong + "2"});
  const uint8_t bits = 0b101;
  pool.FailAt(0);
  EXPECT_THAT(builder->Commit(3, {&bits, 0, 3}), StatusIs(StatusCode::kResourceExhausted));
  EXPECT_EQ(builder->length(), 0);
  EXPECT_EQ(builder->data_bytes(), 0);

  ASSERT_OK(builder->Commit(3, {&bits, 0, 3}));

  EXPECT_THAT(Finished(*builder), ReadsAs(R"(["abc", null, "thirteen bytes2"])"));
}

TEST(UninitializedTest, RandomWindowsOfViewsBetweenOtherAppends) {
  for (const uint64_t seed : Seeds(60)) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const BuilderOptions options = Chance(random, 0.5) ? kKeepAll : BuilderOptions{};
    const auto builder = BuilderOf<BinaryViewBuilder>("binary_view", options);
    Values model;
    for (int i = 0; i < 12; ++i) {
      if (Chance(random, 0.3)) {
        const Array rows = RandomArray(builder->type(), {.length = 10, .sliced = true}, random);
        ASSERT_OK(builder->AppendArray(rows));
        Append(&model, Read(rows));
      }
      std::vector<std::string> values(static_cast<size_t>(Draw(random, 0, 30)));
      std::vector<bool> valid;
      for (std::string& value : values) {
        value.assign(static_cast<size_t>(Draw(random, 0, 30)), static_cast<char>('a' + i));
        valid.push_back(Chance(random, 0.8));
      }
      const auto n = std::ssize(values);
      ASSERT_OK_AND_ASSIGN(
          const BinaryWindow<int32_t> window,
          builder->AppendUninitialized(n + Draw(random, 0, 9), 30 * n + Draw(random, 0, 9000)));
      Write(window, values);
      const bool nulls = Chance(random, 0.7);
      const Buffer bits = Bits(valid);
      ASSERT_OK(builder->Commit(n, nulls ? BitSpan{bits.data(), 0, n} : BitSpan{}));
      const Values written = Read(BinaryViewRows(values));
      for (size_t row = 0; row < values.size(); ++row) {
        model.push_back(nulls && !valid[row] ? Value{NullValue{}} : written[row]);
      }
    }
    EXPECT_THAT(Finished(*builder), ReadsLike(model));
  }
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
