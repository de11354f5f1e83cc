#include <string>
#include <vector>

#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

// docs/list_views.md, "Appending": shared windows. Builders keep every array here, whatever its
// size.
namespace sheaf {
namespace {

using namespace testing;

const BuilderOptions kKeep{.min_chunk_bytes = BuilderOptions::kAlwaysKeep};

// elements 10 11 12 13 14 15 16 17
//   packed [10 11] [12 13] [14 15] [16 17]
Array Packed() { return ListViewsOver(Range(10, 18), {0, 2, 4, 6}, {2, 2, 2, 2}); }
//   shuffled [14 15 16] [12 13] [11]: reaches 11..16
Array Shuffled(const Array& elements) { return ListViewsOver(elements, {4, 2, 1}, {3, 2, 1}); }

class SharedWindows : public ::testing::Test {
 protected:
  std::unique_ptr<ListViewBuilder> builder =
      *MakeBuilderAs<ListViewBuilder>(ListView(Int32()), kKeep);

  int64_t stored() const { return builder->elements().length(); }
};

TEST_F(SharedWindows, NeighbouringSlicesOfAPackedArrayBecomeOneWindowAndAreHandedThrough) {
  const Array source = Packed();
  ASSERT_OK(builder->AppendArray(source, 0, 2));
  ASSERT_OK(builder->AppendArray(source, 2, 1));
  ASSERT_OK(builder->AppendArray(source, 3, 1));

  EXPECT_TRUE(builder->zero_copy_to_list());
  EXPECT_EQ(stored(), 8);
  ASSERT_OK_AND_ASSIGN(const Array result, builder->Finish());
  EXPECT_THAT(result, ReadsLike(source));
  EXPECT_EQ(result.child(0).buffer(1).data(), source.child(0).buffer(1).data())
      << "no element is copied";
  EXPECT_TRUE(StatsOf(result).zero_copy_to_list);
}

TEST_F(SharedWindows, ATrueFlagIsNotClearedBySharing) {
  const Array source = Packed();
  ASSERT_OK(builder->AppendArray(source));
  ASSERT_OK(
      builder->AppendArray(source));  // Could share all eight, but the result would not be packed.

  EXPECT_TRUE(builder->zero_copy_to_list());
  EXPECT_EQ(stored(), 16);
  ASSERT_OK_AND_ASSIGN(const Array result, builder->Finish());
  EXPECT_TRUE(StatsOf(result).zero_copy_to_list);
}

TEST_F(SharedWindows, OnceTheFlagIsFalseWindowsThatOverlapOrTouchAreBroughtOnce) {
  const Array elements = Range(10, 18);
  ASSERT_OK(builder->AppendArray(Shuffled(elements)));  // [1, 7)
  EXPECT_FALSE(builder->zero_copy_to_list());
  EXPECT_EQ(stored(), 6);
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {2, 3}, {2, 1})));  // within
  EXPECT_EQ(stored(), 6);
  ASSERT_OK(builder->AppendNull());
  ASSERT_OK(
      builder->AppendArray(ListViewsOver(elements, {0}, {1})));  // touches: widens to the left
  EXPECT_EQ(stored(), 7);
  ASSERT_OK(
      builder->AppendArray(ListViewsOver(elements, {5}, {3})));  // overlaps: widens to the right
  EXPECT_EQ(stored(), 8);

  ASSERT_OK_AND_ASSIGN(const Array result, builder->Finish());
  EXPECT_THAT(result,
              ReadsAs("[[14, 15, 16], [12, 13], [11], [12, 13], [13], null, [10], [15, 16, 17]]"));
  EXPECT_EQ(result.child(0).length(), 8);
  EXPECT_OK(Validate(result));
}

TEST_F(SharedWindows, AnAppendThatClearsTheFlagAnywayJoins) {
  const Array elements = Range(10, 18);
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {0, 4}, {4, 4})));
  EXPECT_TRUE(builder->zero_copy_to_list());
  ASSERT_OK(builder->AppendArray(Shuffled(elements)));
  EXPECT_EQ(stored(), 8);
  EXPECT_FALSE(builder->zero_copy_to_list());
}

TEST_F(SharedWindows, WindowsWithAGapStaySeparate) {
  const Array elements = Range(0, 100);
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {10, 8}, {2, 2})));
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {50}, {10})));
  EXPECT_EQ(stored(), 4 + 10);
  EXPECT_EQ(builder->elements().chunk_count(), 2);
}

TEST_F(SharedWindows, RowsBehindAWindowThatWidensLaterStillReadTheirOwnElements) {
  const Array elements = Range(10, 18);
  auto& values = static_cast<Int32Builder&>(builder->elements());
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {4, 3}, {2, 2})));  // [3, 6)
  builder->BeginList();
  ASSERT_OK(values.Append(1));
  ASSERT_OK(values.AppendArray(
      Ints({2, 3})));  // Kept by the elements themselves: no window of the views.
  ASSERT_OK(values.Append(4));
  ASSERT_OK(builder->EndList());
  ASSERT_OK(builder->AppendArray(ListViewsOver(Range(90, 95), {1}, {2})));
  ASSERT_OK(builder->AppendEmptyValue());
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {0, 6}, {4, 2})));  // both sides

  ASSERT_OK_AND_ASSIGN(const Array result, builder->Finish());
  EXPECT_THAT(
      result,
      ReadsAs("[[14, 15], [13, 14], [1, 2, 3, 4], [91, 92], [], [10, 11, 12, 13], [16, 17]]"));
  EXPECT_EQ(result.child(0).length(), 8 + 4 + 2);
  EXPECT_OK(Validate(result));
}

TEST_F(SharedWindows, AFailedAppendTakesAWideningBack) {
  const Array elements = Range(10, 18);
  FailingPool pool;
  const BuilderOptions options{.pool = &pool, .min_chunk_bytes = BuilderOptions::kAlwaysKeep};
  for (int64_t k = 0;; ++k) {
    auto made = *MakeBuilderAs<ListViewBuilder>(ListView(Int32()), options);
    ASSERT_OK(made->AppendArray(Shuffled(elements)));
    const int64_t bytes_before = made->bytes_used();
    pool.FailAt(k);
    // Widens the window, then fails in the second chunk's bookkeeping for some k.
    const Status status = made->AppendArray(ListViewsOver(elements, {0, 7}, {8, 1}, "10"));
    const bool failed = pool.failed();
    pool.SwitchOff();
    if (failed) {
      EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
      EXPECT_EQ(made->elements().length(), 6);
      EXPECT_EQ(made->bytes_used(), bytes_before);
    }
    ASSERT_OK_AND_ASSIGN(const Array result, made->Finish());
    EXPECT_THAT(result.Slice(0, 3), ReadsAs("[[14, 15, 16], [12, 13], [11]]"));
    EXPECT_EQ(result.length(), failed ? 3 : 5);
    EXPECT_OK(Validate(result));
    if (!failed) break;
  }
}

TEST_F(SharedWindows, SharingGoesThroughNestedListsAndStructs) {
  const Array inner = FromJson(List(Utf8()), R"([["a"], ["b", "c"], null, ["d"], ["e", "f"], []])");
  const Array structs = StructOver({Field("x", Int32()), Field("y", List(Utf8()))},
                                   {Range(0, 6), inner}, 6, "110111");
  const DataType type = ListView(structs.type());
  auto made = *MakeBuilderAs<ListViewBuilder>(type, kKeep);
  ASSERT_OK(made->AppendArray(ListViewsOver(structs, {3, 2}, {1, 2})));  // [2, 4)
  ASSERT_OK(made->AppendArray(ListViewsOver(structs, {0, 5}, {3, 1})));  // widens to [0, 6)
  EXPECT_EQ(made->elements().length(), 6);

  ASSERT_OK_AND_ASSIGN(const Array result, made->Finish());
  EXPECT_OK(Validate(result));
  EXPECT_EQ(result.child(0).length(), 6);
  EXPECT_EQ(result.child(0).null_count(), 1);
  EXPECT_THAT(result.child(0), ReadsLike(structs));
  EXPECT_EQ(result.child(0).child(1).child(0).buffer(2).data(), inner.child(0).buffer(2).data());
}

TEST_F(SharedWindows, ANestedListViewWidensItsOwnWindow) {
  const Array leaves = Range(0, 20);
  const Array inner = ListViewsOver(leaves, {0, 10, 4, 6}, {2, 3, 2, 1});
  const DataType type = ListView(ListView(Int32()));
  auto made = *MakeBuilderAs<ListViewBuilder>(type, kKeep);
  ASSERT_OK(
      made->AppendArray(ListViewsOver(inner, {3, 2}, {1, 2})));  // inner rows [2, 4): leaves [4, 7)
  ASSERT_OK(made->AppendArray(
      ListViewsOver(inner, {1, 0}, {2, 1})));  // inner rows [0, 4): leaves [0, 13)
  ASSERT_OK_AND_ASSIGN(const Array result, made->Finish());

  EXPECT_THAT(result, ReadsAs("[[[6]], [[4, 5], [6]], [[10, 11, 12], [4, 5]], [[0, 1]]]"));
  EXPECT_EQ(result.child(0).length(), 4);
  EXPECT_EQ(result.child(0).child(0).length(), 13);
  EXPECT_OK(Validate(result));
}

// What the builder says of the inner list-views, and what they are.
void ExpectFlagOfInnerViews(ListViewBuilder& made, bool flag) {
  EXPECT_EQ(static_cast<const ListViewBuilder&>(made.elements()).zero_copy_to_list(), flag);
  ASSERT_OK_AND_ASSIGN(const Array result, made.Finish());
  EXPECT_EQ(StatsOf(result.child(0)).zero_copy_to_list, flag);
}

TEST_F(SharedWindows, AnInnerWindowThatWidensInFrontOfOtherRowsClearsTheFlag) {
  const Array inner = ListViewsOver(Range(0, 4), {0, 0}, {0, 2});
  const Array other = ListViewsOver(Range(0, 3), {0}, {3});
  auto made = *MakeBuilderAs<ListViewBuilder>(ListView(ListView(Int32())), kKeep);
  ASSERT_OK(made->AppendArray(ListViewsOver(inner, {0, 0}, {1, 1})));  // inner row 0, which is []
  ASSERT_OK(made->AppendArray(ListViewsOver(other, {0}, {1})));
  ASSERT_OK(made->AppendArray(ListViewsOver(inner, {1}, {1})));  // inner rows [0, 2)
  ExpectFlagOfInnerViews(*made, false);
}

TEST_F(SharedWindows, AnInnerWindowThatWidensInFrontOfAnEmptyRowClearsTheFlag) {
  const Array inner = ListViewsOver(Range(0, 4), {0, 2}, {2, 2});
  const Array other = ListViewsOver(Range(0, 3), {1}, {0});
  auto made = *MakeBuilderAs<ListViewBuilder>(ListView(ListView(Int32())), kKeep);
  ASSERT_OK(made->AppendArray(ListViewsOver(inner, {0, 0}, {1, 1})));
  ASSERT_OK(made->AppendArray(ListViewsOver(other, {0}, {1})));  // [] behind leaf 2
  ASSERT_OK(made->AppendArray(ListViewsOver(inner, {1}, {1})));  // leaves 2 and 3 come before it
  ExpectFlagOfInnerViews(*made, false);
}

TEST_F(SharedWindows, AnInnerWindowThatWidensAtTheEndKeepsTheFlag) {
  const Array inner = ListViewsOver(Range(0, 4), {0, 2}, {2, 2});
  auto made = *MakeBuilderAs<ListViewBuilder>(ListView(ListView(Int32())), kKeep);
  ASSERT_OK(made->AppendArray(ListViewsOver(inner, {0, 0}, {1, 1})));
  ASSERT_OK(made->AppendArray(ListViewsOver(inner, {1}, {1})));
  ExpectFlagOfInnerViews(*made, true);
}

TEST_F(SharedWindows, EmptyViewsOutsideTheWindowMoveToItsNearerBound) {
  // Views of size 0 at 0 and at 8 lie outside [2, 5).
  const Array source = ListViewsOver(Range(10, 18), {0, 2, 8, 3}, {0, 2, 0, 2});
  ASSERT_OK(builder->AppendArray(source));
  ASSERT_OK_AND_ASSIGN(const Array result, builder->Finish());
  const auto views = *ListViewArray::From(result);
  EXPECT_THAT(views.offsets(), ::testing::ElementsAre(0, 0, 3, 1));
  EXPECT_EQ(views.elements().length(), 3);
}

TEST_F(SharedWindows, RepeatsOfOneSourceAreBroughtOnceEach) {
  const Array elements = Range(10, 18);
  const Array source = ListViewsOver(elements, {0, 4}, {4, 4});
  for (int round = 0; round < 5; ++round) {
    ASSERT_OK(builder->AppendRepeated(source, 0, 3));
    ASSERT_OK(builder->AppendRepeated(source, 1, 2));
  }
  EXPECT_EQ(builder->length(), 25);
  EXPECT_EQ(stored(), 8);
}

}  // namespace
}  // namespace sheaf
