#include "sheaf/array/view_stats.h"

#include <set>
#include <thread>

#include "array/array_data.h"
#include "sheaf/array/null_array.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;

/// Statistics by the definition, from the handle's raw buffers.
struct Expected {
  ViewStats stats;
  bool overlapping = false;
  ViewContent content;
};

template <typename Offset>
Expected ByDefinition(const Array& array) {
  Expected expected;
  ViewStats& stats = expected.stats;
  const auto* offsets = array.slots<Offset>(1);
  const auto* sizes = array.slots<Offset>(2);
  const int64_t n = array.length();
  const int64_t elements = array.child(0).length();
  bool any = false;
  std::vector<int> covered(static_cast<size_t>(elements), 0);
  std::set<int64_t> referenced;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t begin = offsets[i];
    const int64_t end = begin + sizes[i];
    stats.sum_of_sizes += sizes[i];
    stats.max_size = std::max<int64_t>(stats.max_size, sizes[i]);
    if (sizes[i] > 0) {
      stats.begin = any ? std::min(stats.begin, begin) : begin;
      stats.end = any ? std::max(stats.end, end) : end;
      any = true;
    }
    if (array.IsValid(i)) expected.content.sum_of_sizes += sizes[i];
    for (int64_t e = begin; e < end; ++e) {
      if (++covered[static_cast<size_t>(e)] > 1) expected.overlapping = true;
      if (array.IsValid(i)) referenced.insert(e);
    }
  }
  expected.content.referenced_elements = static_cast<int64_t>(referenced.size());
  const auto moved = [&](int64_t i) {
    const int64_t offset = offsets[i];
    return sizes[i] == 0 ? std::clamp<int64_t>(offset, stats.begin, stats.end) : offset;
  };
  stats.zero_copy_to_list =
      n > 0 ? offsets[0] == 0 && offsets[n - 1] + sizes[n - 1] == elements : elements == 0;
  for (int64_t i = 0; i < n; ++i) {
    stats.empties_outside |= moved(i) != offsets[i];
    if (i + 1 == n) break;
    stats.packed &= moved(i + 1) == moved(i) + sizes[i];
    stats.in_order &= offsets[i + 1] >= offsets[i];
    stats.ascending &= offsets[i + 1] >= offsets[i] + sizes[i];
    stats.zero_copy_to_list &= offsets[i + 1] == offsets[i] + sizes[i];
  }
  return expected;
}

void ExpectByDefinition(const Array& array) {
  const Expected expected = array.layout().offset_bits == 32 ? ByDefinition<int32_t>(array)
                                                             : ByDefinition<int64_t>(array);
  const ViewStats stats = StatsOf(array);
  ASSERT_TRUE(stats.in_bounds);
  ASSERT_EQ(stats.begin, expected.stats.begin);
  ASSERT_EQ(stats.end, expected.stats.end);
  ASSERT_EQ(stats.sum_of_sizes, expected.stats.sum_of_sizes);
  ASSERT_GE(stats.max_size, expected.stats.max_size);
  ASSERT_EQ(stats.packed, expected.stats.packed);
  ASSERT_EQ(stats.in_order, expected.stats.in_order);
  ASSERT_EQ(stats.ascending, expected.stats.ascending);
  ASSERT_EQ(stats.zero_copy_to_list, expected.stats.zero_copy_to_list);
  ASSERT_EQ(stats.empties_outside, expected.stats.empties_outside);
  ASSERT_OK_AND_ASSIGN(const bool overlapping, Overlapping(array));
  ASSERT_EQ(overlapping, expected.overlapping);
  ASSERT_OK_AND_ASSIGN(const ViewContent content, ContentOf(array));
  ASSERT_EQ(content.sum_of_sizes, expected.content.sum_of_sizes);
  ASSERT_EQ(content.referenced_elements, expected.content.referenced_elements);
}

TEST(ViewStats, AgreeWithTheDefinitionOnRandomViewsAndTheirSlices) {
  for (const uint64_t seed : Seeds(6)) {
    Random random(seed);
    for (const TypeId id : {TypeId::kListView, TypeId::kLargeListView}) {
      for (const ViewShape shape : kViewShapes) {
        for (const double null_rate : {0.0, 0.3}) {
          SCOPED_TRACE(::testing::Message() << "seed " << seed << " " << Name(shape));
          RandomOptions options;
          options.length = Draw(random, 0, 60);
          options.null_rate = null_rate;
          options.shape = shape;
          options.sliced = Chance(random, 0.5);
          const DataType type =
              id == TypeId::kListView ? ListView(Int32()) : LargeListView(Int32());
          const Array array = RandomArray(type, options, random);
          // Slices before the whole is known, and after it.
          for (int i = 0; i < 6; ++i) {
            const int64_t first = Draw(random, 0, array.length());
            ASSERT_NO_FATAL_FAILURE(
                ExpectByDefinition(array.Slice(first, Draw(random, 0, array.length()))));
            if (i == 2) {
              ASSERT_NO_FATAL_FAILURE(ExpectByDefinition(array));
            }
          }
        }
      }
    }
  }
}

TEST(ViewStats, ZCL_01_TrueForPackedViewsOverAllElements) {
  const ListViewArray views =
      ListViews({.offsets = {0, 2, 4}, .sizes = {2, 2, 1}, .elements = {1, 2, 3, 4, 5}});
  EXPECT_TRUE(views.zero_copy_to_list());
}

TEST(ViewStats, ZCL_02_FalseForSortedViewsThatOverlap) {
  const ListViewArray views =
      ListViews({.offsets = {0, 1, 2}, .sizes = {2, 3, 2}, .elements = {1, 2, 3, 4, 5}});
  EXPECT_FALSE(views.zero_copy_to_list());
  ASSERT_OK_AND_ASSIGN(const bool overlapping, Overlapping(views));
  EXPECT_TRUE(overlapping);
}

TEST(ViewStats, ZCL_03_TrueWhereTheLastRowIsAnEmptyNull) {
  const ListViewArray views = ListViews(
      {.offsets = {0, 2, 4}, .sizes = {2, 2, 0}, .elements = {1, 2, 3, 4}, .valid = "110"});
  EXPECT_TRUE(views.zero_copy_to_list());
}

TEST(ViewStats, ZCL_04_NullRowsObeyTheSameRule) {
  const ListViewArray views = ListViews(
      {.offsets = {0, 2, 4}, .sizes = {2, 2, 1}, .elements = {1, 2, 3, 4, 5}, .valid = "101"});
  EXPECT_TRUE(views.zero_copy_to_list());
  ASSERT_OK_AND_ASSIGN(const ViewContent content, ContentOf(views));
  EXPECT_EQ(content.sum_of_sizes, 3);
  EXPECT_EQ(content.referenced_elements, 3);
}

TEST(ViewStats, ZCL_05_BoundsOfViewsInAnyOrder) {
  const ListViewArray views = ListViewsOver(Range(0, 10), {5, 2}, {2, 2});
  EXPECT_EQ(views.stats().begin, 2);
  EXPECT_EQ(views.stats().end, 7);
}

TEST(ViewStats, ZCL_06_EndIsSummedIn64Bits) {
  ASSERT_OK_AND_ASSIGN(const NullArray nulls, NullArray::Make((int64_t{1} << 32) - 2));
  const ListViewArray views = ListViewsOver(nulls, {0x7FFFFFFF}, {0x7FFFFFFF});
  EXPECT_TRUE(views.stats().in_bounds);
  EXPECT_EQ(views.stats().end, (int64_t{1} << 32) - 2);
}

TEST(ViewStats, ZCL_07_ReferencedFractionIsNeverAboveOne) {
  const ListViewArray views = ListViewsOver(Range(0, 4), {0, 0, 2}, {4, 4, 2});
  ASSERT_OK_AND_ASSIGN(const double fraction, ReferencedFraction(views));
  EXPECT_EQ(fraction, 1.0);
}

TEST(ViewStats, ZCL_08_ReferencedFractionWithoutElementsOrLists) {
  ASSERT_OK_AND_ASSIGN(const double no_elements,
                       ReferencedFraction(ListViewsOver(Ints({}), {0}, {0})));
  EXPECT_EQ(no_elements, 1.0);
  ASSERT_OK_AND_ASSIGN(const double no_lists,
                       ReferencedFraction(ListViewsOver(Ints({1, 2}), {}, {})));
  EXPECT_EQ(no_lists, 0.0);
  ASSERT_OK_AND_ASSIGN(const double empty_lists,
                       ReferencedFraction(ListViewsOver(Ints({1, 2}), {1, 2}, {0, 0})));
  EXPECT_EQ(empty_lists, 0.0);
}

TEST(ViewStats, ZCL_09_RangeUsedAndSumOfSizes) {
  const ListViewArray views = ListViews({.offsets = {0, 2, 3, 0, 6, 0, 0},
                                         .sizes = {0, 6, 2, 0, 1, 0, 0},
                                         .elements = {9, 9, 0, 1, 2, 3, 4, 5, 9},
                                         .valid = "0110100"});
  EXPECT_EQ(views.stats().begin, 2);
  EXPECT_EQ(views.stats().end - views.stats().begin, 6);
  EXPECT_EQ(views.stats().sum_of_sizes, 9);
}

TEST(ViewStats, ZCL_10_AreKeptWithTheArray) {
  const ListViewArray views = ListViewsOver(Range(0, 10), {5, 2}, {2, 2});
  EXPECT_EQ(views.data()->view_state.load(), 0);
  views.stats();
  EXPECT_EQ(views.data()->view_state.load(), 2);
  // What is kept is what is told: a second question makes no pass.
  views.data()->view_stats.max_size = 77;
  EXPECT_EQ(views.stats().max_size, 77);
}

TEST(ViewStats, OfASliceOfPackedViewsNeedNoPass) {
  const ListViewArray views = ListViewsOver(Range(0, 10), {0, 2, 4, 7}, {2, 2, 3, 3});
  EXPECT_TRUE(views.stats().packed);
  const ViewStats slice = StatsOf(views.Slice(1, 2));
  EXPECT_EQ(slice.begin, 2);
  EXPECT_EQ(slice.end, 7);
  EXPECT_EQ(slice.sum_of_sizes, 5);
  EXPECT_TRUE(slice.packed);
  EXPECT_FALSE(slice.zero_copy_to_list);
}

TEST(ViewStats, EmptyViewsOutsideAreMovedBeforePackedIsJudged) {
  const ListViewArray views = ListViewsOver(Range(0, 10), {9, 2, 4, 0}, {0, 2, 1, 0});
  EXPECT_TRUE(views.stats().empties_outside);
  EXPECT_FALSE(views.stats().packed);  // 9 goes to the end, 5, and the next starts at 2.
  EXPECT_TRUE(ListViewsOver(Range(0, 10), {0, 2, 4, 9}, {0, 2, 1, 0}).stats().packed);
}

TEST(ViewStats, OfViewsOutOfBoundsSayNothingElse) {
  const ListViewArray views = ListViewsOver(Range(0, 3), {2, -1}, {3, 1});
  EXPECT_FALSE(views.stats().in_bounds);
  EXPECT_FALSE(views.stats().packed);
  EXPECT_FALSE(views.zero_copy_to_list());
  EXPECT_THAT(Overlapping(views), StatusIs(StatusCode::kInvalidArgument, "row 0"));
  EXPECT_THAT(ContentOf(views), StatusIs(StatusCode::kInvalidArgument, "row 0"));
}

TEST(ViewStats, C31_ManyThreadsAskAtOnce) {
  Random random(3);
  RandomOptions options;
  options.length = 20000;
  options.shape = ViewShape::kShuffled;
  const Array array = RandomArray(ListView(Int32()), options, random);
  const Array slice = array.Slice(1);
  const ViewStats alone = StatsOf(slice);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      EXPECT_TRUE(array.Verify().ok());
      EXPECT_EQ(StatsOf(array).end, StatsOf(array).end);
      EXPECT_EQ(StatsOf(slice).sum_of_sizes, alone.sum_of_sizes);
      EXPECT_EQ(array.null_count(), array.null_count());
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ViewStats, FewViewsOverManyNullsTakeNoBitForEachOfThem) {
  constexpr int64_t kMany = int64_t{1} << 50;
  ASSERT_OK_AND_ASSIGN(const Array nulls, MakeNullArray(Null(), 4 * kMany));
  const Array apart = LargeListViewsOver(nulls, {2 * kMany, 0, kMany}, {kMany, kMany, kMany / 2});
  EXPECT_EQ(Overlapping(apart).value(), false);
  ASSERT_OK_AND_ASSIGN(ViewContent content, ContentOf(apart));
  EXPECT_EQ(content.referenced_elements, 2 * kMany + kMany / 2);
  EXPECT_EQ(content.sum_of_sizes, 2 * kMany + kMany / 2);

  const Array shared =
      LargeListViewsOver(nulls, {kMany, 0, kMany / 2}, {3 * kMany, kMany, kMany}, "111");
  EXPECT_EQ(Overlapping(shared).value(), true);
  ASSERT_OK_AND_ASSIGN(content, ContentOf(shared));
  EXPECT_EQ(content.referenced_elements, 4 * kMany);
  EXPECT_EQ(content.sum_of_sizes, 5 * kMany);

  // Apart, so that the sum does not tell; the null row's view counts for overlap alone.
  const Array under_null =
      LargeListViewsOver(nulls, {3 * kMany, 0, kMany / 2}, {kMany / 2, kMany, kMany}, "110");
  EXPECT_EQ(Overlapping(under_null).value(), true);
  ASSERT_OK_AND_ASSIGN(content, ContentOf(under_null));
  EXPECT_EQ(content.referenced_elements, kMany + kMany / 2);
}

}  // namespace
}  // namespace sheaf
