#include "sheaf/array/list_view_array.h"

#include <cstring>

#include "sheaf/array/list_array.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;
using ::testing::ElementsAre;

StatusOr<ListViewArray> MakeViews(const Array& elements, const std::vector<int64_t>& offsets,
                                  const std::vector<int64_t>& sizes, const std::string& valid = "",
                                  ValidationLevel level = ValidationLevel::kFull) {
  return ListViewArray::Make(elements, Integers(offsets, 32), Integers(sizes, 32),
                             static_cast<int64_t>(offsets.size()), Bits(valid), level);
}

TEST(ListViewArray, LVA_01_ReadsViewsInAnyOrder) {
  ASSERT_OK_AND_ASSIGN(
      const ListViewArray views,
      MakeViews(Ints({0, -127, 127, 50, 12, -7, 25}), {4, 7, 0, 0, 3}, {3, 0, 4, 0, 2}, "10111"));
  EXPECT_THAT(views, ReadsAs("[[12, -7, 25], null, [0, -127, 127, 50], [], [50, 12]]"));
  EXPECT_EQ(views.null_count(), 1);
  EXPECT_THAT(views.list(0), ReadsAs("[12, -7, 25]"));
}

TEST(ListViewArray, LVA_02_ReadsAnOverlapFromBothRows) {
  ASSERT_OK_AND_ASSIGN(const ListViewArray views, MakeViews(Range(0, 8), {0, 3}, {5, 5}));
  EXPECT_THAT(views, ReadsAs("[[0, 1, 2, 3, 4], [3, 4, 5, 6, 7]]"));
}

TEST(ListViewArray, LVA_03_UnreferencedElementsMayBeAnything) {
  ASSERT_OK_AND_ASSIGN(const ListViewArray views, MakeViews(Range(0, 50), {0, 5, 10}, {0, 5, 10}));
  EXPECT_THAT(views, ReadsAs("[[], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14, 15, 16, 17, 18, 19]]"));
  EXPECT_EQ(views.elements().length(), 50);
}

TEST(ListViewArray, LVA_04_EmptyListsNeedNoElements) {
  ASSERT_OK_AND_ASSIGN(const ListViewArray views, MakeViews(Ints({}), {0, 0, 0}, {0, 0, 0}));
  EXPECT_THAT(views, ReadsAs("[[], [], []]"));
}

TEST(ListViewArray, LVA_05_RefusesAViewPastTheElements) {
  EXPECT_THAT(MakeViews(Ints({1, 2, 3}), {2, 0}, {3, 1}),
              StatusIs(StatusCode::kInvalidArgument,
                       "list_view $, row 0: offset + size past the end of elements: 2 + 3 > 3"));
}

TEST(ListViewArray, LVA_06_RefusesOffsetsAndSizesOfDifferentLengths) {
  EXPECT_THAT(ListViewArray::Make(Ints({1, 2}), Ints({0, 1}), Ints({1, 1, 0})),
              StatusIs(StatusCode::kInvalidArgument, "lengths differ: 2 offsets, 3 sizes"));
}

TEST(ListViewArray, LVA_07_RefusesTwoSourcesOfNulls) {
  EXPECT_THAT(ListViewArray::Make(Ints({1, 2}), Ints({0, kNull}), Ints({1, 1}), Bits("10")),
              StatusIs(StatusCode::kInvalidArgument, "two sources of nulls"));
}

TEST(ListViewArray, LVA_08_NullsComeFromTheBitmapOrTheOffsets) {
  const Array elements = Ints({1, 2, 3, 4});
  ASSERT_OK_AND_ASSIGN(const ListViewArray without,
                       ListViewArray::Make(elements, Ints({0, 1, 1, 3}), Ints({1, 0, 2, 1})));
  EXPECT_THAT(without, ReadsAs("[[1], [], [2, 3], [4]]"));
  ASSERT_OK_AND_ASSIGN(
      const ListViewArray with,
      ListViewArray::Make(elements, Ints({0, 1, 1, 3}), Ints({1, 0, 2, 1}), Bits("1011")));
  EXPECT_THAT(with, ReadsAs("[[1], null, [2, 3], [4]]"));
  ASSERT_OK_AND_ASSIGN(
      const ListViewArray by_offsets,
      ListViewArray::Make(elements, Ints({9, 0, kNull, 1, 3}).Slice(1), Ints({1, 0, 2, 1})));
  EXPECT_THAT(by_offsets, ReadsAs("[[1], null, [2, 3], [4]]"));
}

TEST(ListViewArray, LVA_09_NoRowsNeedNoOffset) {
  ASSERT_OK_AND_ASSIGN(const ListViewArray views,
                       ListViewArray::Make(Ints({1}), Ints({0}).Slice(1), Ints({0}).Slice(1)));
  EXPECT_EQ(views.length(), 0);
  EXPECT_THAT(ListArray::Make(Ints({1}), Ints({})),
              StatusIs(StatusCode::kInvalidArgument, "at least one offset"));
}

TEST(ListViewArray, LVA_10_RefusesOtherTypes) {
  EXPECT_THAT(ListViewArray::Make(Ints({1}), Doubles({0.0}), Ints({1})),
              StatusIs(StatusCode::kInvalidArgument, "float64"));
  const DataType of_int32 = ListView(Int32());
  EXPECT_THAT(ListViewArray::Make(Ints({1}, Int64()), Ints({0}), Ints({1}), {},
                                  ValidationLevel::kFull, &of_int32),
              StatusIs(StatusCode::kInvalidArgument, "is int32, its array is int64"));
}

TEST(ListViewArray, LVA_11_RefusesANullThatIsSeenInARequiredField) {
  const DataType required = ListView(Field("item", Int32(), false));
  const auto make = [&](const std::string& valid) {
    return ListViewArray::Make(Ints({1, kNull, 3}), Integers({0, 1}, 32), Integers({1, 2}, 32), 2,
                               Bits(valid), ValidationLevel::kFull, &required);
  };
  EXPECT_THAT(make(""), StatusIs(StatusCode::kInvalidArgument, "$.item, row 1"));
  EXPECT_OK(make("10"));
}

TEST(ListViewArray, LVA_12_SumDoesNotWrap) {
  EXPECT_THAT(MakeViews(Ints({1, 2, 3}), {(int64_t{1} << 31) - 2}, {3}),
              StatusIs(StatusCode::kInvalidArgument, "row 0"));
  constexpr int64_t kMost = INT64_MAX;
  EXPECT_THAT(
      LargeListViewArray::Make(Ints({1, 2, 3}), Integers({kMost - 10}, 64), Integers({20}, 64), 1),
      StatusIs(StatusCode::kInvalidArgument, "row 0"));
}

TEST(ListViewArray, LVA_13_ANullRowStillHasItsView) {
  const ListViewArray views = ListViews(
      {.offsets = {0, 2, 4}, .sizes = {2, 2, 2}, .elements = {1, 2, 3, 4, 5, 6}, .valid = "101"});
  EXPECT_TRUE(views.IsNull(1));
  EXPECT_THAT(views.Row(1), ReadsAs("[null]"));
  EXPECT_THAT(views.list(1), ReadsAs("[3, 4]"));
}

TEST(ListViewArray, LVA_14_NullsOfElementsAndOfListsAreIndependent) {
  const ListViewArray views = ListViews({.offsets = {0, 2, 4},
                                         .sizes = {2, 2, 2},
                                         .elements = {1, kNull, 3, kNull, 5, 6},
                                         .valid = "101"});
  EXPECT_THAT(views, ReadsAs("[[1, null], null, [5, 6]]"));
  EXPECT_EQ(views.null_count(), 1);
  EXPECT_EQ(views.elements().null_count(), 2);
}

TEST(ListViewArray, LVA_15_ASliceOfNestedViewsCopiesNothing) {
  const ListViewArray inner = ListViewsOver(Range(0, 6), {0, 1, 3}, {3, 3, 3});
  const ListViewArray outer = ListViewsOver(inner, {0, 1, 0}, {2, 2, 3});
  const Array slice = outer.Slice(1, 1);
  EXPECT_THAT(slice, ReadsAs("[[[1, 2, 3], [3, 4, 5]]]"));
  EXPECT_THAT(slice, SharesAllBuffersWith(Array(outer)));
  EXPECT_EQ(slice.data(), outer.data());
}

TEST(ListViewArray, LVA_16_EmptyRowsReadAsEmptyAtAnyOffset) {
  const ListViewArray inner = ListViewsOver(Range(0, 6), {6, 0, 2, 0, 3}, {0, 6, 3, 0, 3});
  const ListViewArray outer = ListViewsOver(inner, {5, 0, 2, 3}, {0, 3, 3, 1});
  EXPECT_THAT(outer, IsValidArray());
  EXPECT_THAT(outer, ReadsAs("[[], [[], [0,1,2,3,4,5], [2,3,4]], [[2,3,4], [], [3,4,5]], [[]]]"));
}

TEST(ListViewArray, LVA_17_RealignsBuffersThatTypedReadsCannotUse) {
  alignas(8) uint8_t bytes[32] = {};
  const int32_t offsets[] = {0, 1};
  const int32_t sizes[] = {1, 2};
  std::memcpy(bytes + 1, offsets, sizeof(offsets));
  std::memcpy(bytes + 17, sizes, sizeof(sizes));
  ASSERT_OK_AND_ASSIGN(
      const ListViewArray views,
      ListViewArray::Make(Ints({1, 2, 3}), Buffer::Borrow(bytes + 1, sizeof(offsets)),
                          Buffer::Borrow(bytes + 17, sizeof(sizes)), 2));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(views.offsets().data()) % alignof(int32_t), 0U);
  EXPECT_THAT(views, ReadsAs("[[1], [2, 3]]"));
}

TEST(ListViewArray, LVA_18_SaysHowManyBuffersAreMissing) {
  for (const size_t buffers : {1U, 2U}) {
    ArrayParts parts;
    parts.type = ListView(Int32());
    parts.buffers.resize(buffers);
    parts.children = {Ints({})};
    EXPECT_THAT(MakeArray(parts, ValidationLevel::kNone),
                StatusIs(StatusCode::kInvalidArgument,
                         "has " + std::to_string(buffers) + " buffers, the layout 3"));
  }
}

TEST(ListViewArray, FromRefusesAnotherType) {
  EXPECT_THAT(ListViewArray::From(Ints({1})), StatusIs(StatusCode::kInvalidArgument, "int32"));
  EXPECT_THAT(LargeListViewArray::From(ListViewsOver(Ints({}), {}, {})),
              StatusIs(StatusCode::kInvalidArgument));
}

TEST(ListViewArray, DefaultMadeIsEmpty) {
  const ListViewArray views;
  EXPECT_EQ(views.length(), 0);
  EXPECT_TRUE(views.offsets().empty());
  EXPECT_EQ(views.elements().length(), 0);
}

}  // namespace
}  // namespace sheaf
