// Cases C01, C03, C04, C05, C09 and C34: whole arrays and slices appended to builders.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;

constexpr char kType[] = "list_view<int32>";

TEST(HandedBuilderCases, C01_TwoOverlappingListViewsOneAfterTheOther) {
  const ListViewArray x =
      ListViews({.offsets = {3, 0, 1}, .sizes = {2, 3, 2}, .elements = {10, 11, 12, 13, 14}});
  const ListViewArray y = ListViews({.offsets = {1, 1}, .sizes = {2, 0}, .elements = {20, 21, 22}});
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<ListViewBuilder>(kType, options);
    ASSERT_OK(builder->AppendArray(x));
    ASSERT_OK(builder->AppendArray(y));

    const auto array = FinishedAs<ListViewArray>(*builder);

    EXPECT_THAT(array, ReadsAs("[[13, 14], [10, 11, 12], [11, 12], [21, 22], []]"));
    EXPECT_EQ(array.null_count(), 0);
    EXPECT_LE(array.elements().length(), 8);
    EXPECT_THAT(array.sizes(), ElementsAre(2, 3, 2, 2, 0));
    EXPECT_EQ(array.offsets()[3], 5);
    EXPECT_FALSE(array.zero_copy_to_list());
  }
}

TEST(HandedBuilderCases, C03_ValidationWalksTheRowsAndNotTheElements) {
  EXPECT_OK(Validate(ListViews({.offsets = {0, 4}, .sizes = {4, 1}, .elements = {1, 2, 3, 4, 5}})));
  EXPECT_THAT(
      Validate(ListViews({.offsets = {0, 0, 0, 1}, .sizes = {1, 0, 1, 1}, .elements = {1}})),
      StatusIs(StatusCode::kInvalidArgument, "row 3"));
  EXPECT_OK(Validate(ListViews({.offsets = {0, 3}, .sizes = {2, 0}, .elements = {1, 2, 3}})));
  EXPECT_THAT(Validate(ListViews({.offsets = {0, 9}, .sizes = {2, 0}, .elements = {1, 2, 3}})),
              StatusIs(StatusCode::kInvalidArgument, "row 1"));
  EXPECT_THAT(
      Validate(ListViews({.offsets = {0, 3}, .sizes = {2, 2147483647}, .elements = {1, 2, 3}})),
      StatusIs(StatusCode::kInvalidArgument, "row 1"));
}

TEST(HandedBuilderCases, C03_BadViewsAreRefusedByABuilder) {
  const auto builder = BuilderOf(kType);
  EXPECT_THAT(
      builder->AppendArray(ListViews({.offsets = {0, 9}, .sizes = {2, 0}, .elements = {1, 2, 3}})),
      StatusIs(StatusCode::kInvalidArgument, "row 1"));
  EXPECT_EQ(builder->length(), 0);
}

TEST(HandedBuilderCases, C04_ASliceOfAListViewAppendedToABuilderWithRows) {
  const ListViewArray whole = ListViews(
      {.offsets = {8, 0, 4, 2}, .sizes = {2, 4, 2, 1}, .elements = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}});
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<ListViewBuilder>(kType, options);
    ASSERT_OK(builder->AppendList(Ints({100})));
    ASSERT_OK(builder->AppendArray(whole.Slice(1, 3)));
    EXPECT_EQ(builder->elements().length(), 7);
    ASSERT_OK(builder->AppendArray(whole, 1, 3));
    EXPECT_LE(builder->elements().length(), 13);

    EXPECT_THAT(Finished(*builder),
                ReadsAs("[[100], [0, 1, 2, 3], [4, 5], [2], [0, 1, 2, 3], [4, 5], [2]]"));
  }
}

TEST(HandedBuilderCases, C05_TheLimitOfOffsetsMetWithoutMemory) {
  constexpr int64_t kLimit = 2147483647;
  const auto nulls = [](int64_t n) { return *MakeNullArray(Null(), n); };
  const auto builder = BuilderOf<ListBuilder>("list<null>");
  ASSERT_OK(builder->AppendList(nulls(kLimit)));
  EXPECT_THAT(builder->AppendList(nulls(1)), StatusIs(StatusCode::kOutOfRange, "large_list"));
  ASSERT_OK(builder->AppendEmptyValue());
  EXPECT_THAT(OffsetsOf(Finished(*builder)), ElementsAre(0, kLimit, kLimit));

  const auto large = BuilderOf<LargeListBuilder>("large_list<null>");
  ASSERT_OK(large->AppendList(nulls(kLimit)));
  ASSERT_OK(large->AppendList(nulls(1)));
  EXPECT_THAT(OffsetsOf(Finished(*large)), ElementsAre(0, kLimit, kLimit + 1));
}

TEST(HandedBuilderCases, C05_TheLimitOfOffsetsMetByWholeArrays) {
  const Array row = ListsOver(*MakeNullArray(Null(), 1'500'000'000), {0, 1'500'000'000});
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<ListBuilder>("list<null>", options);
    ASSERT_OK(builder->AppendArray(row));
    EXPECT_THAT(builder->AppendArray(row), StatusIs(StatusCode::kOutOfRange, "large_list"));
    EXPECT_EQ(builder->length(), 1);

    EXPECT_THAT(OffsetsOf(Finished(*builder)), ElementsAre(0, 1'500'000'000));
  }
}

/// int32 0..15 with the validity bytes of the case.
Array SixteenRows() {
  const std::vector<uint8_t> bits = {0xB2, 0x6D};
  return MakeRaw(
      {.type = Int32(), .length = 16, .buffers = {ValuesBuffer(bits), Range(0, 16).buffer(1)}});
}

TEST(HandedBuilderCases, C09_ValidityCopiedFromBitThreeToBitFive) {
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf("int32", options);
    ASSERT_OK(builder->AppendArray(Ints({100, kNull, 102, kNull, 104})));
    ASSERT_OK(builder->AppendArray(SixteenRows().Slice(3, 11)));

    const Array array = Finished(*builder);

    EXPECT_THAT(
        array,
        ReadsAs("[100, null, 102, null, 104, null, 4, 5, null, 7, 8, null, 10, 11, null, 13]"));
    EXPECT_EQ(array.null_count(), 6);
    EXPECT_EQ(array.buffer(0).data()[0], 0xD5);
    EXPECT_EQ(array.buffer(0).data()[1], 0xB6);
  }
}

TEST(HandedBuilderCases, C09_TheSameAsListViewAndStructRows) {
  std::vector<int64_t> offsets;
  for (int64_t i = 0; i < 16; ++i) offsets.push_back(i);
  const Array rows = SixteenRows();
  const auto with_validity = [&](Array array) {
    return MakeRaw(
        {.type = array.type(),
         .length = 16,
         .buffers = array.num_buffers() == 1
                        ? std::vector<Buffer>{rows.buffer(0)}
                        : std::vector<Buffer>{rows.buffer(0), array.buffer(1), array.buffer(2)},
         .children = {array.child(0)}});
  };
  const Array views =
      with_validity(ListViewsOver(Range(0, 16), offsets, std::vector<int64_t>(16, 1)));
  const Array structs = with_validity(StructOver({Field("a", Int32())}, {Range(0, 16)}, 16));
  for (const Array& source : {views, structs}) {
    for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
      const auto builder = BuilderOf(source.type(), options);
      for (const char valid : {'1', '0', '1', '0', '1'}) {
        ASSERT_OK(valid == '1' ? builder->AppendEmptyValue() : builder->AppendNull());
      }
      ASSERT_OK(builder->AppendArray(source.Slice(3, 11)));

      const Array array = Finished(*builder);

      EXPECT_THAT(array.Slice(5, 11), ReadsLike(source.Slice(3, 11)));
      EXPECT_EQ(array.buffer(0).data()[0], 0xD5);
      EXPECT_EQ(array.buffer(0).data()[1], 0xB6);
    }
  }
}

TEST(HandedBuilderCases, C34_RowByRowAppendsGrowTheirBuffersRarely) {
  constexpr int kRows = 1 << 18;  // Growth is logarithmic: what 2^20 rows may need is far above.
  const Array one = Ints({7});
  for (const bool reserve : {false, true}) {
    FailingPool pool;
    const auto views = BuilderOf<ListViewBuilder>(kType, {.pool = &pool});
    const auto lists = BuilderOf<ListBuilder>("list<int32>", {.pool = &pool});
    const auto texts = BuilderOf<BinaryBuilder>("utf8", {.pool = &pool});
    pool.SwitchOff();
    for (int i = 0; i < kRows; ++i) {
      if (reserve) {
        ASSERT_OK(views->Reserve(1));
      }
      ASSERT_OK(views->AppendList(one));
    }
    EXPECT_LT(pool.calls(), 3 * 24) << "three buffers";
    pool.SwitchOff();
    for (int i = 0; i < kRows; ++i) {
      if (reserve) {
        ASSERT_OK(lists->Reserve(1));
      }
      ASSERT_OK(lists->AppendList(one));
    }
    EXPECT_LT(pool.calls(), 2 * 24) << "two buffers";
    pool.SwitchOff();
    for (int i = 0; i < kRows; ++i) {
      if (reserve) {
        ASSERT_OK(texts->Reserve(1));
      }
      ASSERT_OK(texts->Append("seven"));
    }
    EXPECT_LT(pool.calls(), 2 * 24) << "two buffers";
  }
}

}  // namespace
}  // namespace sheaf
