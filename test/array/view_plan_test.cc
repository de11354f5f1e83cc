// Plans of views: which elements a rewrite brings, and where the views then lie.

#include "array/view_plan.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/view_stats.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using internal::CompactPlan;
using internal::ExactPlan;
using internal::ListSource;
using internal::RowRange;

using Pairs = std::vector<std::pair<int64_t, int64_t>>;

/// Ranges as pairs of begin and end.
Pairs PairsOf(std::span<const RowRange> ranges) {
  Pairs pairs;
  for (const RowRange& range : ranges) pairs.emplace_back(range.offset, range.end());
  return pairs;
}

/// The views that a plan writes, as pairs of offset and size.
template <typename Plan>
Pairs Written(const Plan& plan, const Array& array, std::span<const RowRange> rows, int64_t base) {
  int64_t n = 0;
  for (const RowRange& range : rows) n += range.length;
  std::vector<int64_t> offsets(static_cast<size_t>(n)), sizes(static_cast<size_t>(n));
  plan.Write(ListSource(array), rows, base, offsets.data(), sizes.data());
  Pairs pairs;
  for (size_t i = 0; i < offsets.size(); ++i) pairs.emplace_back(offsets[i], sizes[i]);
  return pairs;
}

Status MakeCompact(const Array& array, std::span<const RowRange> rows, CompactPlan* plan) {
  const ViewStats stats = StatsOf(array);
  return plan->Make(ListSource(array), rows, stats.begin, stats.end, stats.in_order);
}

// elements 0 .. 9
//   [6 7] null [1 2 3] [2 3] []        the null row's view is [8]
Array Sparse() { return ListViewsOver(Range(0, 10), {6, 8, 1, 2, 9}, {2, 1, 3, 2, 0}, "10111"); }

TEST(ViewPlanTest, ExactBringsTheElementsOfValidRowsInOrder) {
  const Array array = Sparse();
  const std::vector<RowRange> rows = {{0, 5}};
  ExactPlan plan(MemoryPool::Default());
  ASSERT_OK(plan.Make(ListSource(array), rows));
  EXPECT_EQ(PairsOf(plan.ranges()), (Pairs{{6, 8}, {1, 4}, {2, 4}}));
  EXPECT_EQ(plan.num_elements(), 7);
  EXPECT_EQ(Written(plan, array, rows, 100),
            (Pairs{{100, 2}, {102, 0}, {102, 3}, {105, 2}, {107, 0}}));
}

TEST(ViewPlanTest, CompactBringsEachReferencedElementOnceAndKeepsSharing) {
  const Array array = Sparse();
  const std::vector<RowRange> rows = {{0, 5}};
  CompactPlan plan(MemoryPool::Default());
  ASSERT_OK(MakeCompact(array, rows, &plan));
  EXPECT_EQ(PairsOf(plan.ranges()), (Pairs{{1, 4}, {6, 8}}));
  EXPECT_EQ(Written(plan, array, rows, 10), (Pairs{{13, 2}, {15, 0}, {10, 3}, {11, 2}, {15, 0}}));
}

TEST(ViewPlanTest, SeveralRangesOfRowsMakeOnePlan) {
  const Array array = Sparse();
  const std::vector<RowRange> rows = {{3, 2}, {0, 1}};
  ExactPlan exact(MemoryPool::Default());
  ASSERT_OK(exact.Make(ListSource(array), rows));
  EXPECT_EQ(PairsOf(exact.ranges()), (Pairs{{2, 4}, {6, 8}}));
  CompactPlan compact(MemoryPool::Default());
  ASSERT_OK(MakeCompact(array, rows, &compact));
  EXPECT_EQ(PairsOf(compact.ranges()), (Pairs{{2, 4}, {6, 8}}));
  EXPECT_EQ(Written(compact, array, rows, 0), (Pairs{{0, 2}, {4, 0}, {2, 2}}));
}

TEST(ViewPlanTest, ListsAndFixedSizeListsLoseWhatNullRowsHold) {
  const std::vector<RowRange> rows = {{0, 3}};
  for (const Array& array : {ListsOver(Range(0, 9), {1, 3, 6, 8}, "101"),
                             FixedSizeListsOver(Range(0, 9), 2, 3, "101")}) {
    ExactPlan plan(MemoryPool::Default());
    ASSERT_OK(plan.Make(ListSource(array), rows));
    EXPECT_EQ(plan.num_elements(), 4);
    EXPECT_EQ(Written(plan, array, rows, 0), (Pairs{{0, 2}, {2, 0}, {2, 2}}));
  }
}

TEST(ViewPlanTest, FewViewsOverManyElementsNeedNoBitmap) {
  const int64_t many = int64_t{1} << 60;
  const Array array = LargeListViewsOver(*MakeNullArray(Null(), many), {many - 5, 3, 4}, {5, 2, 9});
  const std::vector<RowRange> rows = {{0, 3}};
  CompactPlan plan(MemoryPool::Default());
  ASSERT_OK(MakeCompact(array, rows, &plan));
  EXPECT_EQ(PairsOf(plan.ranges()), (Pairs{{3, 13}, {many - 5, many}}));
  EXPECT_EQ(Written(plan, array, rows, 0), (Pairs{{10, 5}, {0, 2}, {1, 9}}));
}

TEST(ViewPlanTest, ElementsThatExceed64BitsAreOutOfRange) {
  const int64_t many = int64_t{1} << 62;
  const Array array = LargeListViewsOver(*MakeNullArray(Null(), many), {0, 0}, {many, many});
  const std::vector<RowRange> rows = {{0, 2}};
  ExactPlan plan(MemoryPool::Default());
  EXPECT_THAT(plan.Make(ListSource(array), rows), StatusIs(StatusCode::kOutOfRange));
}

TEST(ViewPlanTest, RefusedMemoryIsAStatus) {
  Random random(5);
  const Array array =
      RandomArray(TypeFrom("list_view<int32>"), {.length = 200, .shape = ViewShape::kGaps}, random);
  const std::vector<RowRange> rows = {{100, 100}, {0, 100}};
  for (int64_t k = 0;; ++k) {
    FailingPool pool;
    pool.FailAt(k);
    CompactPlan plan(&pool);
    const ViewStats stats = StatsOf(array);
    const Status status =
        plan.Make(ListSource(array), rows, stats.begin, stats.end, /*in_order=*/false);
    if (!pool.failed()) {
      ASSERT_OK(status);
      EXPECT_GT(k, 2);
      break;
    }
    EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
  }
}

TEST(ViewPlanTest, PlansOfRandomViewsReadTheSameElements) {
  for (const uint64_t seed : Seeds(60)) {
    for (const ViewShape shape : kViewShapes) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + Name(shape));
      Random random(seed);
      const Array array =
          RandomArray(TypeFrom("large_list_view<int32>"),
                      {.length = Draw(random, 0, 80), .shape = shape, .sliced = true}, random);
      const std::vector<RowRange> rows = {{0, array.length()}};
      const ListSource lists(array);
      CompactPlan compact(MemoryPool::Default());
      ASSERT_OK(MakeCompact(array, rows, &compact));
      ExactPlan exact(MemoryPool::Default());
      ASSERT_OK(exact.Make(lists, rows));
      // The old place of each brought element.
      const auto places = [](std::span<const RowRange> ranges) {
        std::vector<int64_t> old;
        for (const RowRange& range : ranges) {
          for (int64_t i = range.offset; i < range.end(); ++i) old.push_back(i);
        }
        return old;
      };
      const auto check = [&](const Pairs& views, const std::vector<int64_t>& old) {
        for (int64_t row = 0; row < array.length(); ++row) {
          const auto [offset, size] = views[static_cast<size_t>(row)];
          ASSERT_GE(offset, 0);
          ASSERT_LE(offset + size, static_cast<int64_t>(old.size()));
          ASSERT_EQ(size, array.IsNull(row) ? 0 : lists.Row(row).length);
          for (int64_t i = 0; i < size; ++i) {
            ASSERT_EQ(old[static_cast<size_t>(offset + i)], lists.Row(row).offset + i);
          }
        }
      };
      check(Written(compact, array, rows, 0), places(compact.ranges()));
      check(Written(exact, array, rows, 0), places(exact.ranges()));
      EXPECT_EQ(compact.num_elements(), ContentOf(array)->referenced_elements);
      EXPECT_EQ(exact.num_elements(), ContentOf(array)->sum_of_sizes);
    }
  }
}

}  // namespace
}  // namespace sheaf
