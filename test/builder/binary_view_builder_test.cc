// Binary and utf8 views: what is shared, what is copied, and that each byte is stored once.

#include "sheaf/builder/binary_view_builder.h"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/binary_view_array.h"
#include "sheaf/array/bytes.h"
#include "sheaf/array/chunked_array.h"
#include "sheaf/builder/list_view_builder.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;

constexpr int64_t kMaxInt32 = std::numeric_limits<int32_t>::max();

std::unique_ptr<BinaryViewBuilder> Texts(const BuilderOptions& options = {}) {
  return BuilderOf<BinaryViewBuilder>("utf8_view", options);
}

/// n texts of `size` letters, each of its own.
BinaryViewArray ManyTexts(int64_t n, int64_t size) {
  std::vector<std::string> values;
  for (int64_t i = 0; i < n; ++i) {
    std::string text = std::to_string(i);
    text.resize(static_cast<size_t>(size), 'x');
    values.push_back(text);
  }
  const std::vector<std::string_view> views(values.begin(), values.end());
  return *BinaryViewArray::FromValues(views);
}

std::vector<int64_t> DataSizes(const Array& array) {
  std::vector<int64_t> sizes;
  for (int i = 2; i < array.num_buffers(); ++i) sizes.push_back(array.buffer(i).size_bytes());
  return sizes;
}

/// Slot i as four numbers: size, prefix, buffer, offset.
std::vector<int32_t> Slot(const Array& array, int64_t i) {
  const int32_t* slot = array.buffer(1).as<int32_t>() + 4 * (array.offset() + i);
  return {slot[0], slot[1], slot[2], slot[3]};
}

TEST(BinaryViewBuilderTest, TwelveBytesLieInTheViewAndThirteenInABlock) {
  const auto builder = Texts();
  ASSERT_OK(builder->Append(""));
  ASSERT_OK(builder->Append("twelve bytes"));
  EXPECT_EQ(builder->data_bytes(), 0);
  ASSERT_OK(builder->Append("thirteen byte"));
  ASSERT_OK(builder->AppendNull());
  ASSERT_OK(builder->Append("one more that is long"));
  EXPECT_EQ(builder->data_bytes(), 13 + 21);
  EXPECT_EQ(builder->bytes_used(), 5 * 16 + 1 + 34);

  const Array array = Finished(*builder);

  EXPECT_THAT(array, ReadsAs(R"(["", "twelve bytes", "thirteen byte", null,
                                 "one more that is long"])"));
  EXPECT_THAT(DataSizes(array), ElementsAre(34));
  EXPECT_THAT(Slot(array, 3), ElementsAre(0, 0, 0, 0));
}

TEST(BinaryViewBuilderTest, ValuesUnderNullsAreNotStored) {
  const auto builder = BuilderOf<BinaryViewBuilder>("binary_view");
  const std::vector<std::string_view> values = {"a value that is long", "short",
                                                "another value that is long"};
  const Buffer validity = Bits("100");
  ASSERT_OK(builder->AppendValues(values, {validity.data(), 0, 3}));

  const Array array = Finished(*builder);

  EXPECT_THAT(array, ReadsAs(R"(["a value that is long", null, null])"));
  EXPECT_THAT(DataSizes(array), ElementsAre(20));
  EXPECT_THAT(Slot(array, 2), ElementsAre(0, 0, 0, 0));
}

TEST(BinaryViewBuilderTest, ValidityOfAnotherLengthIsRefused) {
  const std::vector<std::string_view> values = {"a", "b"};
  EXPECT_THAT(Texts()->AppendValues(values, {Bits("1").data(), 0, 1}),
              StatusIs(StatusCode::kInvalidArgument, "1 validity bits for 2 values"));
}

TEST(BinaryViewBuilderTest, BlocksDoubleFrom32KiBTo2MiB) {
  const auto builder = Texts();
  const std::string text(1000, 'x');
  for (int i = 0; i < 8000; ++i) ASSERT_OK(builder->Append(text));

  const Array array = Finished(*builder);

  std::vector<int64_t> texts;
  for (const int64_t size : DataSizes(array)) texts.push_back(size / 1000);
  EXPECT_THAT(texts, ElementsAre(32, 65, 131, 262, 524, 1048, 2097, 2097, 8000 - 6256));
  EXPECT_THAT(array.Row(7999), ReadsLike(Utf8s({text}, Utf8View())));
}

TEST(BinaryViewBuilderTest, AValueLargerThanABlockHasItsOwn) {
  const auto builder = Texts();
  const std::string large(5'000'000, 'x');
  ASSERT_OK(builder->Append("a small one at first"));
  ASSERT_OK(builder->Append(large));
  ASSERT_OK(builder->Append("and a small one after"));

  EXPECT_THAT(DataSizes(Finished(*builder)), ElementsAre(20, 5'000'000, 21));
}

TEST(BinaryViewBuilderTest, ValuesPastWhat32BitsReachAreOutOfRange) {
  const auto builder = Texts();
  // Never read: the size alone is too much.
  const std::string_view huge("x", static_cast<size_t>(kMaxInt32) + 1);
  EXPECT_THAT(builder->Append(huge), StatusIs(StatusCode::kOutOfRange, "2147483648 bytes"));
  const std::vector<std::string_view> values = {"fine, and of some length", huge};
  EXPECT_THAT(builder->AppendValues(values), StatusIs(StatusCode::kOutOfRange, "value 1"));
  EXPECT_THAT(builder->ReserveData(kMaxInt32 + 1), StatusIs(StatusCode::kOutOfRange));
  EXPECT_EQ(builder->length(), 0);
  EXPECT_EQ(builder->bytes_used(), 0);
}

TEST(BinaryViewBuilderTest, ReservedRoomTakesUncheckedValues) {
  const auto builder = Texts();
  ASSERT_OK(builder->Reserve(3));
  ASSERT_OK(builder->ReserveData(40'000));
  const std::string text(40'000, 'x');
  builder->UnsafeAppend("short");
  builder->UnsafeAppend(text);
  builder->UnsafeAppend("");

  EXPECT_EQ(builder->data_bytes(), 40'000);
  const Array array = Finished(*builder);
  EXPECT_THAT(array, ReadsLike(Utf8s({"short", text, ""}, Utf8View())));
  EXPECT_THAT(DataSizes(array), ElementsAre(40'000));
}

TEST(BinaryViewBuilderTest, RoomThatNoValueTakesLeavesNoBuffer) {
  const auto builder = Texts();
  ASSERT_OK(builder->ReserveData(1000));
  ASSERT_OK(builder->Append("short"));

  EXPECT_THAT(DataSizes(Finished(*builder)), ElementsAre());
}

TEST(BinaryViewBuilderTest, RPT_07_NoRepeatLeavesNoByteAndNoBuffer) {
  const Array value = Utf8s({"thirteen byte"}, Utf8View());
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = Texts(options);
    ASSERT_OK(builder->AppendRepeated(value, 0, 0));

    EXPECT_EQ(builder->bytes_used(), 0);
    const Array array = Finished(*builder);
    EXPECT_EQ(array.length(), 0);
    EXPECT_THAT(DataSizes(array), ElementsAre());
  }
}

TEST(BinaryViewBuilderTest, ARepeatedValueIsStoredOnce) {
  const Array values = Utf8s({"a", "fourteen bytes", kNull}, Utf8View());
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = Texts(options);
    ASSERT_OK(builder->AppendRepeated(values, 1, 1000));
    ASSERT_OK(builder->AppendRepeated(values, 0, 2));
    ASSERT_OK(builder->AppendRepeated(values, 2, 2));

    EXPECT_EQ(builder->data_bytes(), 14);
    const Array array = Finished(*builder);
    EXPECT_THAT(array.Slice(998),
                ReadsAs(R"(["fourteen bytes", "fourteen bytes", "a", "a", null, null])"));
    EXPECT_EQ(UsedBytes(array).value(), 1004 * 16 + 126 + 14);
  }
}

TEST(BinaryViewBuilderTest, RepeatedListsOfTextsStoreTheTextsOnce) {
  const Array texts = Utf8s({"a text of some length", kNull, "short"}, Utf8View());
  const auto lists = BuilderOf("list<utf8_view>");
  ASSERT_OK(lists->AppendRepeated(ListsOver(texts, {0, 3}), 0, 100));

  const Array array = Finished(*lists);

  EXPECT_EQ(array.child(0).length(), 300);
  EXPECT_THAT(DataSizes(array.child(0)), ElementsAre(21));
  EXPECT_THAT(array.Row(99), ReadsAs(R"([["a text of some length", null, "short"]])"));
}

TEST(BinaryViewBuilderTest, DataBuffersOfLongArraysAreSharedOnceHoweverOftenTheyCome) {
  const BinaryViewArray first = ManyTexts(2000, 20);
  const BinaryViewArray second = ManyTexts(3000, 30);
  const auto builder = Texts();
  for (int round = 0; round < 10; ++round) {
    ASSERT_OK(builder->AppendArray(first));
    ASSERT_OK(builder->AppendArray(second, 500, 2000));
  }
  EXPECT_EQ(builder->data_bytes(), 2000 * 20 + 2000 * 30);

  const Array array = Finished(*builder);

  ASSERT_EQ(array.num_buffers(), 4);
  EXPECT_EQ(array.buffer(2).data(), first.data_buffer(0).data());
  EXPECT_EQ(array.buffer(3).data(), second.data_buffer(0).data());
  EXPECT_THAT(array.Slice(9 * 4000, 2000), ReadsLike(first));
  EXPECT_THAT(array.Slice(9 * 4000 + 2000), ReadsLike(second.Slice(500, 2000)));
}

TEST(BinaryViewBuilderTest, ManyDataBuffersAreFoundAgain) {
  // 50 buffers an array, each used by every 50th row.
  std::vector<Buffer> data;
  std::vector<int32_t> views;
  for (int32_t i = 0; i < 50; ++i) {
    data.push_back(*Buffer::Copy({reinterpret_cast<const uint8_t*>("a text of 18 bytes"), 18}));
  }
  for (int32_t i = 0; i < 500; ++i) {
    views.insert(views.end(), {18, 0x65742061, i * 7 % 50, 0});  // "a te"
  }
  ASSERT_OK_AND_ASSIGN(const BinaryViewArray source,
                       BinaryViewArray::Make(Buffer::Borrow(views.data(), 8000), data, 500));
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = Texts(options);
    for (int i = 0; i < 3; ++i) ASSERT_OK(builder->AppendArray(source));
    const Array array = Finished(*builder);
    EXPECT_THAT(array, ReadsLike(Utf8s(MaybeTexts(1500, "a text of 18 bytes"), Utf8View())));
    if (options.min_chunk_bytes == 0) {
      EXPECT_EQ(array.num_buffers(), 52);
    }
  }
}

TEST(BinaryViewBuilderTest, ShortArraysAreCopiedAndKeepNothingAlive) {
  const BinaryViewArray large = ManyTexts(100'000, 20);
  const auto builder = Texts();
  ASSERT_OK(builder->AppendArray(large, 50'000, 10));

  const Array array = Finished(*builder);

  EXPECT_THAT(array, ReadsLike(large.Slice(50'000, 10)));
  EXPECT_THAT(DataSizes(array), ElementsAre(200));
  EXPECT_LT(RetainedBytes(array), 4096);
}

TEST(BinaryViewBuilderTest, ASmallSelectionDoesNotPinALargeBufferAboveTheRatio) {
  const BinaryViewArray large = ManyTexts(100'000, 20);
  for (const double ratio : {4.0, BuilderOptions::kNoRatio}) {
    const auto builder = Texts({.max_retained_ratio = ratio});
    ASSERT_OK(builder->AppendArray(large, 10'000, 2000));  // 72 kB of 3.6 MB.

    const Array array = Finished(*builder);

    EXPECT_THAT(array, ReadsLike(large.Slice(10'000, 2000)));
    EXPECT_EQ(array.buffer(2).data() == large.data_buffer(0).data(), ratio != 4.0);
    if (ratio == 4.0) {
      EXPECT_LT(RetainedBytes(array), 100'000);
    }
  }
}

TEST(BinaryViewBuilderTest, TheRatioIsAskedOfEveryBufferOfRowsThatAreCopied) {
  // Rows 0..1999 lie in one buffer; the last row in another, of which it uses little.
  const BinaryViewArray texts = ManyTexts(2000, 20);
  ASSERT_OK_AND_ASSIGN(const Buffer large, Buffer::Adopt(std::vector<char>(1'000'000, 'y')));
  std::vector<int32_t> views(4 * 2001);
  std::memcpy(views.data(), texts.buffer(1).data(), 32'000);
  const int32_t last[] = {13, 0x79797979, 1, 500'000};
  std::copy_n(last, 4, views.begin() + 8000);
  ASSERT_OK_AND_ASSIGN(const BinaryViewArray source,
                       BinaryViewArray::Make(Buffer::Borrow(views.data(), 32'016),
                                             {texts.data_buffer(0), large}, 2001));
  const auto builder = Texts({.max_retained_ratio = 2});
  ASSERT_OK(builder->AppendArray(source));

  const Array array = Finished(*builder);

  EXPECT_THAT(array, ReadsLike(source));
  EXPECT_EQ(array.buffer(2).data(), texts.data_buffer(0).data());
  EXPECT_THAT(DataSizes(array), ElementsAre(40'000, 13));
}

TEST(BinaryViewBuilderTest, CopiedValuesThatShareBytesGoOnSharingThem) {
  const auto repeats = Texts();
  const std::string text(1000, 'x');
  ASSERT_OK(repeats->AppendRepeated(Utf8s({text}, Utf8View()), 0, 5000));
  const Array source = Finished(*repeats);

  const auto builder = Texts(kKeepNone);
  ASSERT_OK(builder->AppendArray(source));

  const Array array = Finished(*builder);
  EXPECT_THAT(DataSizes(array), ElementsAre(1000));
  EXPECT_THAT(array, ReadsLike(source));
}

TEST(BinaryViewBuilderTest, AnArrayAloneIsHandedThroughUnlessItHasViewsUnderNulls) {
  const BinaryViewArray texts = ManyTexts(1000, 20);
  const Buffer bits = Bits(std::vector<bool>(1000, false));
  ASSERT_OK_AND_ASSIGN(const BinaryViewArray nulls,
                       BinaryViewArray::Make(texts.buffer(1), {texts.data_buffer(0)}, 1000, bits));
  const auto builder = Texts();
  ASSERT_OK(builder->AppendArray(texts));
  EXPECT_THAT(Finished(*builder), SharesAllBuffersWith(texts));

  ASSERT_OK(builder->AppendArray(nulls));
  const Array array = Finished(*builder);
  EXPECT_EQ(array.null_count(), 1000);
  EXPECT_THAT(Slot(array, 999), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(DataSizes(array), ElementsAre());
}

TEST(BinaryViewBuilderTest, ArraysOfOtherLayoutsAreRefused) {
  EXPECT_THAT(Texts()->AppendArray(Utf8s({"a"})),
              StatusIs(StatusCode::kInvalidArgument, "utf8 is not utf8_view"));
  EXPECT_THAT(Texts()->AppendArray(Utf8s({}, BinaryView())),
              StatusIs(StatusCode::kInvalidArgument, "binary_view is not utf8_view"));
  EXPECT_THAT(BinaryViewBuilder::CheckBuilds(Utf8()), StatusIs(StatusCode::kInvalidArgument));
}

TEST(BinaryViewBuilderTest, ChunksOfOneSourceShareItsBuffers) {
  const BinaryViewArray texts = ManyTexts(1000, 20);
  ASSERT_OK_AND_ASSIGN(
      const ChunkedArray chunks,
      ChunkedArray::Make(Utf8View(), {texts.Slice(0, 600), texts.Slice(300, 0), texts.Slice(300)}));
  const auto builder = Texts(kKeepAll);
  ASSERT_OK(builder->AppendChunked(chunks));

  const Array array = Finished(*builder);

  EXPECT_EQ(array.length(), 1300);
  ASSERT_EQ(array.num_buffers(), 3);
  EXPECT_EQ(array.buffer(2).data(), texts.data_buffer(0).data());
}

TEST(BinaryViewBuilderTest, AWindowOfListViewsWidensOverItsTexts) {
  const BinaryViewArray texts = ManyTexts(1000, 20);
  const ListViewArray lists = ListViewsOver(texts, {400, 100, 900}, {100, 350, 50});
  const auto builder = BuilderOf<ListViewBuilder>("list_view<utf8_view>", kKeepAll);
  ASSERT_OK(builder->AppendArray(lists, 0, 1));
  EXPECT_EQ(builder->elements().bytes_used(), 100 * 36);
  ASSERT_OK(builder->AppendArray(ListViewsOver(texts, {100, 100}, {350, 350})));
  EXPECT_EQ(builder->elements().bytes_used(), 400 * 36);

  const Array array = Finished(*builder);

  EXPECT_THAT(array.Row(0), ReadsLike(lists.Row(0)));
  EXPECT_THAT(array.Row(1), ReadsLike(lists.Row(1)));
  EXPECT_EQ(array.child(0).buffer(2).data(), texts.data_buffer(0).data());
}

TEST(BinaryViewBuilderTest, ARefusedAppendLeavesNoBufferNorBytes) {
  const BinaryViewArray texts = ManyTexts(2000, 20);
  const auto builder = Texts();
  ASSERT_OK(builder->Append("a text of some length"));
  ASSERT_OK(builder->AppendArray(texts, 0, 1000));
  const int64_t bytes_used = builder->bytes_used();
  builder->set_byte_limit(bytes_used + 18'000);

  // The same buffer wider, another buffer, and copies: each over the limit.
  EXPECT_THAT(builder->AppendArray(texts), StatusIs(StatusCode::kResourceExhausted));
  EXPECT_THAT(builder->AppendArray(ManyTexts(2000, 20)), StatusIs(StatusCode::kResourceExhausted));
  EXPECT_THAT(builder->Append(std::string(20'000, 'x')), StatusIs(StatusCode::kResourceExhausted));
  EXPECT_EQ(builder->bytes_used(), bytes_used);
  EXPECT_EQ(builder->data_bytes(), 21 + 20'000);

  ASSERT_OK(builder->Append("and one more that is long"));
  const Array array = Finished(*builder);
  EXPECT_THAT(DataSizes(array), ElementsAre(46, 40'000));
  EXPECT_THAT(array.Slice(1, 1000), ReadsLike(texts.Slice(0, 1000)));
  EXPECT_THAT(array.Row(1001), ReadsAs(R"(["and one more that is long"])"));
}

}  // namespace
}  // namespace sheaf
