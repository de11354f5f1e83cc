// Rebuilds of list-views, mode by mode: rows RBD-01 to RBD-09 and EQF-03 to EQF-05, case C02, what
// is shared, what is a no-op, and what is refused.

#include "sheaf/compute/list_view/rebuild.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;

constexpr RebuildMode kAllModes[] = {RebuildMode::kTrim,        RebuildMode::kCompact,
                                     RebuildMode::kExact,       RebuildMode::kZeroCopyToList,
                                     RebuildMode::kDeduplicate, RebuildMode::kOverlap};

// elements 0 .. 9
//   [6 7] null [1 2 3] [2 3] []        the null row's view is [8]
Array Sparse() { return ListViewsOver(Range(0, 10), {6, 8, 1, 2, 9}, {2, 1, 3, 2, 0}, "10111"); }

template <typename ListViewType = ListViewArray>
ListViewType Rebuilt(const Array& array, RebuildMode mode) {
  const StatusOr<Array> rebuilt = Rebuild(array, mode);
  EXPECT_OK(rebuilt);
  EXPECT_THAT(*rebuilt, IsValidArray());
  EXPECT_THAT(*rebuilt, ReadsLike(array));
  EXPECT_EQ(rebuilt->type(), array.type());
  return *ListViewType::From(*rebuilt);
}

bool IsSameArray(const Array& a, const Array& b) {
  return a.data() == b.data() && a.offset() == b.offset() && a.length() == b.length();
}

TEST(RebuildConformance, RBD_01_AnExactRebuildWritesSharedElementsOut) {
  const auto exact = Rebuilt(ListViews({.offsets = {0, 1}, .sizes = {3, 2}, .elements = {1, 2, 3}}),
                             RebuildMode::kExact);
  EXPECT_THAT(exact.elements(), ReadsAs("[1, 2, 3, 2, 3]"));
  EXPECT_THAT(exact.offsets(), ElementsAre(0, 3));
  EXPECT_THAT(exact.sizes(), ElementsAre(3, 2));
  EXPECT_TRUE(exact.zero_copy_to_list());
}

TEST(RebuildConformance, RBD_02_AnExactRebuildDropsTheElementsOfANullRow) {
  const auto exact = Rebuilt(
      ListViews(
          {.offsets = {0, 1, 2}, .sizes = {1, 2, 2}, .elements = {1, 2, 3, 4}, .valid = "101"}),
      RebuildMode::kExact);
  EXPECT_THAT(exact.offsets(), ElementsAre(0, 1, 1));
  EXPECT_THAT(exact.sizes(), ElementsAre(1, 0, 2));
  EXPECT_THAT(exact.elements(), ReadsAs("[1, 3, 4]"));
}

TEST(RebuildConformance, RBD_03_LeftoverElementsWithoutListsGoInEveryMode) {
  const Array leftover = ListViews({.offsets = {}, .sizes = {}, .elements = {1, 2, 3}});
  for (const RebuildMode mode : kAllModes) {
    for (const Array& array : {leftover, Sparse().Slice(2, 0)}) {
      const auto rebuilt = Rebuilt(array, mode);
      EXPECT_EQ(rebuilt.elements().length(), 0);
      EXPECT_TRUE(rebuilt.zero_copy_to_list());
    }
  }
}

TEST(RebuildConformance, RBD_04_CompactingDropsWhatLiesBetween) {
  const auto compact = Rebuilt(
      ListViews({.offsets = {2, 5}, .sizes = {2, 2}, .elements = {99, 98, 1, 2, 97, 3, 4, 96, 95}}),
      RebuildMode::kCompact);
  EXPECT_THAT(compact.elements(), ReadsAs("[1, 2, 3, 4]"));
  EXPECT_THAT(compact.offsets(), ElementsAre(0, 2));
}

TEST(RebuildConformance, RBD_05_LongAndShortListsTakeTheSameResult) {
  const auto exact =
      Rebuilt(ListViewsOver(Range(0, 300), {10, 0}, {150, 130}), RebuildMode::kExact);
  EXPECT_EQ(exact.elements().length(), 280);
  EXPECT_THAT(exact.offsets(), ElementsAre(0, 150));
  std::vector<int64_t> offsets, sizes;  // The same elements by lists of ten.
  for (const auto& [begin, end] : {std::pair{10, 160}, std::pair{0, 130}}) {
    for (int64_t at = begin; at < end; at += 10) {
      offsets.push_back(at);
      sizes.push_back(10);
    }
  }
  const auto shorts = Rebuilt(ListViewsOver(Range(0, 300), offsets, sizes), RebuildMode::kExact);
  EXPECT_THAT(shorts.elements(), ReadsLike(exact.elements()));
}

TEST(RebuildConformance, RBD_06_ASecondRebuildChangesNothing) {
  const auto list = Rebuilt(ListViews({.offsets = {0, 2, 0, 0},
                                       .sizes = {2, 2, 0, 0},
                                       .elements = {1, 2, 3, 4},
                                       .valid = "1100"}),
                            RebuildMode::kZeroCopyToList);
  EXPECT_THAT(list.offsets(), ElementsAre(0, 2, 4, 4));
  EXPECT_THAT(list.sizes(), ElementsAre(2, 2, 0, 0));
  EXPECT_TRUE(list.zero_copy_to_list());
  EXPECT_TRUE(IsSameArray(Rebuilt(list, RebuildMode::kExact), list));
}

TEST(RebuildConformance, RBD_07_TrimmingDoesNotNarrowOffsets) {
  const Array far = ListViewsOver(Range(0, 70'010), {70'003, 70'001}, {2, 1});
  EXPECT_THAT(Rebuilt(far, RebuildMode::kTrim).offsets(), ElementsAre(2, 0));
  const Array longs = ListViewsOver(Range(0, 70'010), {1, 3}, {70'000, 70'000});
  EXPECT_THAT(Rebuilt(longs, RebuildMode::kTrim).sizes(), ElementsAre(70'000, 70'000));
}

TEST(RebuildConformance, RBD_08_WhatIsZeroCopyComesBackAsItIs) {
  const Array list = ListViewsOver(Range(0, 5), {0, 2, 2}, {2, 0, 3});
  for (const RebuildMode mode : kAllModes) EXPECT_TRUE(IsSameArray(Rebuilt(list, mode), list));
  // A null row's elements make no difference to the layout.
  const Array under_null = ListViewsOver(Range(0, 5), {0, 2, 2}, {2, 0, 3}, "110");
  EXPECT_TRUE(IsSameArray(Rebuilt(under_null, RebuildMode::kZeroCopyToList), under_null));
  EXPECT_THAT(Rebuilt(under_null, RebuildMode::kExact).sizes(), ElementsAre(2, 0, 0));
}

TEST(RebuildConformance, RBD_09_EqualListsShareOneCopy) {
  const auto unique = Rebuilt(ListViewsOver(Ints({1, 2, 5, 5, 5, 5, 5, 1, 2}), {0, 7}, {2, 2}),
                              RebuildMode::kDeduplicate);
  EXPECT_THAT(unique.offsets(), ElementsAre(0, 0));
  EXPECT_THAT(unique.elements(), ReadsAs("[1, 2]"));
}

TEST(RebuildConformance, EQF_03_FlatteningSkipsNullsAndEmptyLists) {
  const Array rows =
      FromJson("list_view<int32>", "[[], null, [1, 2], [3], [4], null, [5], [], [6]]");
  EXPECT_THAT(Rebuilt(rows, RebuildMode::kExact).elements(), ReadsAs("[1, 2, 3, 4, 5, 6]"));
}

TEST(RebuildConformance, EQF_04_FlatteningLeavesOutWhatLiesUnderNulls) {
  const Array rows = ListViewsOver(Range(0, 6), {0, 1, 5}, {0, 4, 0}, "101");
  EXPECT_EQ(Rebuilt(rows, RebuildMode::kExact).elements().length(), 0);
}

TEST(RebuildConformance, EQF_05_FlatteningASlice) {
  const Array rows =
      FromJson("list_view<int32>", "[[1, 2], [3], [4], null, [5], [], [6]]").Slice(3, 4);
  EXPECT_EQ(rows.child(0).length(), 6);
  EXPECT_THAT(Rebuilt(rows, RebuildMode::kExact).elements(), ReadsAs("[5, 6]"));
}

TEST(RebuildConformance, C02_WhereTheLastRowIsNull) {
  // What lies under the last row goes, whatever its view says.
  const Array rows = ListViewsOver(Range(0, 8), {0, 2, 7}, {2, 3, 1}, "110");
  EXPECT_EQ(Rebuilt(rows, RebuildMode::kTrim).elements().length(), 8) << "null rows' views count";
  EXPECT_EQ(Rebuilt(rows, RebuildMode::kCompact).elements().length(), 5);
  const auto exact = Rebuilt(rows, RebuildMode::kExact);
  EXPECT_EQ(exact.elements().length(), 5);
  EXPECT_THAT(exact.offsets(), ElementsAre(0, 2, 5));
  const Array empty_last = ListViewsOver(Range(0, 8), {0, 2, 0}, {2, 3, 0}, "110");
  EXPECT_EQ(Rebuilt(empty_last, RebuildMode::kTrim).elements().length(), 5);
  EXPECT_EQ(Rebuilt(empty_last, RebuildMode::kZeroCopyToList).elements().length(), 5);
}

TEST(RebuildTest, TheExampleOfTheDocumentsIsRight) {
  // docs/list_views.md, "Rebuilding".
  const Array views = ListViewsOver(Ints({9, 1, 2, 3, 8, 3, 4, 9, 1, 2, 3}), {1, 2, 5, 8, 4},
                                    {3, 2, 2, 3, 1}, "11110");
  const std::pair<RebuildMode, const char*> expected[] = {
      {RebuildMode::kTrim, "[1, 2, 3, 8, 3, 4, 9, 1, 2, 3]"},
      {RebuildMode::kCompact, "[1, 2, 3, 3, 4, 1, 2, 3]"},
      {RebuildMode::kExact, "[1, 2, 3, 2, 3, 3, 4, 1, 2, 3]"},
      {RebuildMode::kDeduplicate, "[1, 2, 3, 3, 4]"},
      {RebuildMode::kOverlap, "[1, 2, 3, 4]"},
  };
  for (const auto& [mode, elements] : expected) {
    EXPECT_THAT(Rebuilt(views, mode).elements(), ReadsAs(elements));
  }
}

TEST(RebuildTest, TrimKeepsOverlapAndDropsBothEnds) {
  // elements:  9 9 1 2 3 9      reached: [2, 5)
  // view 0:        [1 2]
  // view 1:          [2 3]
  const ListViewArray views =
      ListViews({.offsets = {2, 3}, .sizes = {2, 2}, .elements = {9, 9, 1, 2, 3, 9}});
  const auto trimmed = Rebuilt(views, RebuildMode::kTrim);
  EXPECT_THAT(trimmed.offsets(), ElementsAre(0, 1));
  EXPECT_EQ(trimmed.elements().length(), 3);
  EXPECT_EQ(trimmed.elements().slots<int32_t>(1), views.elements().slots<int32_t>(1) + 2);
  EXPECT_TRUE(SharesBuffer(trimmed, views, 2));
}

TEST(RebuildTest, TrimmingTheEndMovesNoOffset) {
  for (const char* valid : {"", "10111"}) {
    const Array views = ListViewsOver(Range(0, 10), {0, 2, 3, 3, 4}, {2, 2, 1, 0, 1}, valid);
    const auto trimmed = Rebuilt(views, RebuildMode::kTrim);
    EXPECT_EQ(trimmed.elements().length(), 5);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(SharesBuffer(trimmed, views, i));
  }
}

TEST(RebuildTest, AnEmptyViewOutsideGoesToTheNearerBound) {
  const Array views = ListViewsOver(Range(0, 10), {0, 3, 9}, {0, 2, 0});
  for (const RebuildMode mode : kAllModes) {
    EXPECT_THAT(Rebuilt(views, mode).offsets(), ElementsAre(0, 0, 2));
    EXPECT_TRUE(Rebuilt(views, mode).zero_copy_to_list());
  }
}

TEST(RebuildTest, SlicesShareTheirBitmapWhereverItBegins) {
  Random random(1);
  const Array whole =
      RandomArray(TypeFrom("list_view<int32>"),
                  {.length = 100, .null_rate = 0.4, .shape = ViewShape::kGaps}, random);
  for (const int64_t offset : {0, 1, 7, 8, 13, 99, 100}) {
    const Array slice = whole.Slice(offset, 50);
    for (const RebuildMode mode : kAllModes) {
      const auto rebuilt = Rebuilt(slice, mode);
      if (!slice.has_nulls() || rebuilt.length() == 0) continue;
      EXPECT_EQ(rebuilt.validity().bytes + rebuilt.validity().bit_offset / 8,
                slice.validity().bytes + slice.validity().bit_offset / 8);
    }
  }
}

TEST(RebuildTest, OneRunOfElementsIsSharedAndNotCopied) {
  // Rows in order, but the views of null rows lie elsewhere.
  const Array views = ListViewsOver(Range(0, 10), {2, 0, 4}, {2, 1, 3}, "101");
  for (const RebuildMode mode : {RebuildMode::kCompact, RebuildMode::kExact}) {
    const auto rebuilt = Rebuilt(views, mode);
    EXPECT_EQ(rebuilt.elements().slots<int32_t>(1), views.child(0).slots<int32_t>(1) + 2);
    EXPECT_EQ(rebuilt.elements().length(), 5);
  }
}

TEST(RebuildTest, NullRowsOfACompactedArrayKeepTheirPlace) {
  // The null row's view [4, 6) is nobody's; its offset drops by the elements dropped before it.
  const Array views = ListViewsOver(Range(0, 10), {7, 4, 1}, {2, 2, 2}, "101");
  const auto compact = Rebuilt(views, RebuildMode::kCompact);
  EXPECT_THAT(compact.elements(), ReadsAs("[1, 2, 7, 8]"));
  EXPECT_THAT(compact.offsets(), ElementsAre(2, 2, 0));
  EXPECT_THAT(compact.sizes(), ElementsAre(2, 0, 2));
}

TEST(RebuildTest, DeduplicatingKeepsSharingThatWasThere) {
  // [2 3] lies within the first list and is stored once more at the end.
  const Array views = ListViewsOver(Ints({1, 2, 3, 4, 9, 2, 3}), {0, 5, 1, 0}, {4, 2, 2, 4});
  const auto unique = Rebuilt(views, RebuildMode::kDeduplicate);
  EXPECT_THAT(unique.elements(), ReadsAs("[1, 2, 3, 4, 2, 3]")) << "the first one's view is taken";
  EXPECT_THAT(unique.offsets(), ElementsAre(0, 4, 4, 0));
  const auto joined = Rebuilt(views, RebuildMode::kOverlap);
  EXPECT_THAT(joined.elements(), ReadsAs("[1, 2, 3, 4]"));
  EXPECT_THAT(joined.offsets(), ElementsAre(0, 1, 1, 0));
}

TEST(RebuildTest, ListsAreEqualByTheBitsOfTheirElements) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Array zeros = ListViewsOver(Doubles({0.0, -0.0, nan, nan, kNull, kNull}),
                                    {0, 1, 2, 3, 4, 5}, {1, 1, 1, 1, 1, 1});
  const auto unique = Rebuilt(zeros, RebuildMode::kDeduplicate);
  EXPECT_THAT(unique.offsets(), ElementsAre(0, 1, 2, 2, 3, 3));
  const Array texts = ListViewsOver(Utf8s({"a", "bc", "ab", "c", "a", "bc"}), {0, 2, 4}, {2, 2, 2});
  EXPECT_THAT(Rebuilt(texts, RebuildMode::kDeduplicate).offsets(), ElementsAre(0, 2, 0));
}

TEST(RebuildTest, SlidingWindowsBecomeTheirSeries) {
  // Windows of a series, written out one after the other.
  std::vector<int64_t> offsets, sizes;
  MaybeInts written;
  for (int64_t window = 0; window < 50; ++window) {
    offsets.push_back(window * 8);
    sizes.push_back(8);
    for (int64_t i = 0; i < 8; ++i) written.push_back(1000 + 7 * (window + i));
  }
  const Array windows = ListViewsOver(Ints(written), offsets, sizes);
  EXPECT_EQ(Rebuilt(windows, RebuildMode::kDeduplicate).elements().length(), 400);
  EXPECT_EQ(Rebuilt(windows, RebuildMode::kOverlap).elements().length(), 57);
}

TEST(RebuildTest, BeyondItsBudgetOverlapLaysRunsEndToEnd) {
  const Array views = ListViewsOver(Ints({1, 2, 3, 2, 3, 4, 3, 4, 5}), {0, 3, 6}, {3, 3, 3});
  const auto length = [&](int64_t budget_bytes) {
    const StatusOr<Array> joined =
        Rebuild(views, RebuildMode::kOverlap, {.overlap_budget_bytes = budget_bytes});
    EXPECT_THAT(*joined, ReadsLike(views));
    return joined->child(0).length();
  };
  EXPECT_EQ(length(128 * 9), 5);
  EXPECT_EQ(length(128 * 6), 7);
  EXPECT_EQ(length(128 * 3), 9);
  EXPECT_EQ(length(0), 9);
}

TEST(RebuildTest, LargeListViewsAndExtensionsKeepTheirType) {
  const Array large =
      LargeListViews({.offsets = {3, 1}, .sizes = {2, 1}, .elements = {0, 1, 2, 3, 4}});
  EXPECT_THAT(Rebuilt<LargeListViewArray>(large, RebuildMode::kCompact).offsets(),
              ElementsAre(1, 0));
  ArrayParts parts;
  parts.type = Extension("example.ranges", "v1", large.type());
  parts.length = large.length();
  for (int i = 0; i < 3; ++i) parts.buffers.push_back(large.buffer(i));
  parts.children = {large.child(0)};
  ASSERT_OK_AND_ASSIGN(const Array extension, MakeArray(std::move(parts)));
  for (const RebuildMode mode : kAllModes) {
    EXPECT_EQ(Rebuilt<LargeListViewArray>(extension, mode).type(), extension.type());
  }
}

TEST(RebuildTest, WhatIsNoListViewIsRefused) {
  for (const char* type :
       {"int32", "list<int32>", "fixed_size_list<int32>[2]", "map<utf8, int32>"}) {
    for (const RebuildMode mode : kAllModes) {
      EXPECT_THAT(Rebuild(*MakeNullArray(TypeFrom(type), 3), mode),
                  StatusIs(StatusCode::kInvalidArgument, "is no list-view"));
    }
  }
}

TEST(RebuildTest, BadViewsAreAnErrorInEveryMode) {
  for (const RebuildMode mode : kAllModes) {
    for (const std::vector<int64_t>& offset :
         {std::vector<int64_t>{0, 4}, {-1, 0}, {0, 2147483647}}) {
      const Array bad = ListViewsOver(Range(0, 5), offset, {2, 2});
      EXPECT_THAT(Rebuild(bad, mode), StatusIs(StatusCode::kInvalidArgument, "row")) << offset[0];
    }
  }
}

TEST(RebuildTest, FlattenedElementsThatOutgrowTheOffsetsAreRefused) {
  // Null elements take no memory, so that rows that share them flatten to more than 2^31.
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  ASSERT_OK_AND_ASSIGN(const Array nulls, MakeNullArray(Null(), kMost));
  const Array full = ListViewsOver(nulls, {1, 0}, {kMost - 1, 1});
  ASSERT_OK_AND_ASSIGN(const Array exact, Rebuild(full, RebuildMode::kExact));
  EXPECT_EQ(exact.child(0).length(), kMost);
  const Array more = ListViewsOver(nulls, {1, 0}, {kMost - 1, 2});
  for (const RebuildMode mode : {RebuildMode::kExact, RebuildMode::kZeroCopyToList}) {
    EXPECT_THAT(Rebuild(more, mode), StatusIs(StatusCode::kOutOfRange, "large_list_view"));
  }
  ASSERT_OK_AND_ASSIGN(const Array compact, Rebuild(more, RebuildMode::kCompact));
  EXPECT_EQ(compact.child(0).length(), kMost);
}

TEST(RebuildTest, ARefusedAllocationIsAStatus) {
  Random random(2);
  const Array views = RandomArray(TypeFrom("list_view<utf8>"),
                                  {.length = 60, .shape = ViewShape::kShuffled}, random);
  for (const RebuildMode mode : kAllModes) {
    FailingPool pool;
    for (int64_t k = 0;; ++k) {
      pool.FailAt(k);
      const StatusOr<Array> rebuilt = Rebuild(views, mode, {.pool = &pool});
      if (!pool.failed()) {
        EXPECT_THAT(*rebuilt, ReadsLike(views));
        break;
      }
      EXPECT_THAT(rebuilt, StatusIs(StatusCode::kResourceExhausted));
    }
  }
}

}  // namespace
}  // namespace sheaf
