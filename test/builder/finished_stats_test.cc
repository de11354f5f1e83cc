// What a list-view builder knows of its views goes with the array that it gives: an append of that
// array needs no pass over them.

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "array/array_data.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

/// Whether the array has its statistics without having been asked; a validation asks.
bool KnowsStats(const Array& array) { return array.data()->view_state == 2; }

/// The statistics of the same buffers, found by a pass over them.
ViewStats Scanned(const Array& array) {
  ArrayParts parts;
  parts.type = array.type();
  parts.length = array.length();
  parts.offset = array.offset();
  parts.buffers = {array.buffer(0), array.buffer(1), array.buffer(2)};
  parts.children = {array.child(0)};
  return StatsOf(*MakeArray(std::move(parts), ValidationLevel::kFull));
}

void ExpectTrueStats(const Array& array) {
  const ViewStats stats = StatsOf(array);
  const ViewStats found = Scanned(array);
  EXPECT_EQ(stats.begin, found.begin);
  EXPECT_EQ(stats.end, found.end);
  EXPECT_EQ(stats.sum_of_sizes, found.sum_of_sizes);
  EXPECT_GE(stats.max_size, found.max_size);
  EXPECT_EQ(stats.in_bounds, found.in_bounds);
  EXPECT_EQ(stats.packed, found.packed);
  EXPECT_EQ(stats.in_order, found.in_order);
  EXPECT_EQ(stats.ascending, found.ascending);
  EXPECT_EQ(stats.zero_copy_to_list, found.zero_copy_to_list);
  EXPECT_EQ(stats.empties_outside, found.empties_outside);
}

class FinishedStats : public ::testing::Test {
 protected:
  std::unique_ptr<ListViewBuilder> builder = BuilderOf<ListViewBuilder>("list_view<int32>");

  void ExpectKnown() {
    const Array array = *builder->Finish();
    EXPECT_TRUE(KnowsStats(array));
    ExpectTrueStats(array);
  }
};

TEST_F(FinishedStats, OfNothing) { ExpectKnown(); }

TEST_F(FinishedStats, OfRowsBuiltOneByOne) {
  for (int i = 0; i < 5; ++i) {
    builder->BeginList();
    for (int j = 0; j < i; ++j)
      ASSERT_OK(static_cast<Int32Builder&>(builder->elements()).Append(j));
    ASSERT_OK(builder->EndList());
  }
  ASSERT_OK(builder->AppendNulls(2));
  ASSERT_OK(builder->AppendList(Ints({1, 2})));
  ASSERT_OK(builder->AppendUniform(Range(0, 9), 3));
  EXPECT_TRUE(builder->zero_copy_to_list());
  const Array array = *builder->Finish();
  EXPECT_TRUE(KnowsStats(array));
  EXPECT_EQ(StatsOf(array).max_size, 4);
  ExpectTrueStats(array);
}

TEST_F(FinishedStats, OfAppendedArraysAsTheirOwnSay) {
  for (const Array& source : {
           ListViewsOver(Range(0, 9), {1, 3, 3}, {2, 0, 4}),  // packed
           ListViewsOver(Range(0, 9), {1, 2, 5}, {2, 3, 4}),  // in order, overlapping
           ListViewsOver(Range(0, 9), {1, 4, 8}, {2, 3, 1}),  // ascending, with gaps
           ListViewsOver(Range(0, 9), {4, 1}, {2, 3}, "01"),  // in no order, with a null
           ListViewsOver(Range(0, 9), {0, 2, 9}, {0, 3, 0}),  // empty views outside, packed
       }) {
    ASSERT_OK(builder->AppendList(Ints({1, 2, 3})));
    ASSERT_OK(builder->AppendArray(source));
    ASSERT_OK(builder->AppendNull());
    ExpectKnown();
    ASSERT_OK(builder->AppendRepeated(source, 1, 3));
    ASSERT_OK(builder->AppendRepeatedList(Ints({1, 2}), 3));
    ExpectKnown();
  }
}

TEST_F(FinishedStats, OfAnArrayHandedThrough) {
  const Array source = ListViewsOver(Range(0, 9), {4, 1, 1}, {2, 3, 3});
  builder = BuilderOf<ListViewBuilder>("list_view<int32>", kKeepAll);
  ASSERT_OK(builder->AppendArray(source));
  ExpectKnown();
}

TEST_F(FinishedStats, OfListsAndFixedSizeLists) {
  ASSERT_OK(builder->AppendArray(ListsOver(Range(0, 9), {1, 3, 3, 8}, "101")));
  ASSERT_OK(builder->AppendArray(FixedSizeListsOver(Range(0, 9), 3, 3, "101")));
  ExpectKnown();
}

TEST_F(FinishedStats, AreFoundWhenAskedWhereRowsPointBackwards) {
  ASSERT_OK_AND_ASSIGN(const SourceHandle source,
                       builder->AddSource(ListViewsOver(Range(0, 9), {0, 5}, {2, 3})));
  ASSERT_OK(builder->AppendViews(source, 0, 2));
  ASSERT_OK(builder->AppendViews(source, 0, 1));
  const Array sources = *builder->Finish();
  EXPECT_FALSE(KnowsStats(sources));
  ExpectTrueStats(sources);

  ASSERT_OK(builder->AppendList(Ints({1, 2})));
  ASSERT_OK(builder->AppendViewsOfStored(std::vector<int32_t>{1}, std::vector<int32_t>{1}));
  ExpectTrueStats(Finished(*builder));
}

TEST_F(FinishedStats, ZCL_10_ASecondAppendOfAFinishedArrayMakesNoPass) {
  ASSERT_OK(builder->AppendArray(ListViewsOver(Range(0, 9), {4, 1}, {2, 3})));
  const Array array = Finished(*builder);
  array.data()->view_stats.max_size = 77;  // Only who makes no pass finds that.
  ASSERT_OK(builder->AppendArray(array));
  ASSERT_OK(builder->AppendArray(array));
  EXPECT_EQ(StatsOf(Finished(*builder)).max_size, 77);
}

TEST_F(FinishedStats, ADiscardedAppendIsNotKnown) {
  FailingPool pool;
  const Array source = ListViewsOver(Range(0, 300), {200, 0}, {100, 100});
  for (int64_t k = 0;; ++k) {
    builder = BuilderOf<ListViewBuilder>("list_view<int32>", {.pool = &pool});
    ASSERT_OK(builder->AppendList(Ints({1, 2})));
    pool.FailAt(k);
    const Status status = builder->AppendArray(source);
    const bool failed = pool.failed();
    pool.SwitchOff();
    const Array array = *builder->Finish();
    EXPECT_TRUE(KnowsStats(array));
    EXPECT_EQ(StatsOf(array).max_size, failed ? 2 : 100);
    ExpectTrueStats(array);
    if (!failed) break;
  }
}

TEST_F(FinishedStats, ARollBackTakesWhatIsKnownBack) {
  ASSERT_OK(builder->AppendList(Ints({1, 2})));
  ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
  ASSERT_OK(builder->AppendArray(ListViewsOver(Range(0, 9), {4, 1}, {5, 3})));
  ASSERT_OK(builder->AppendViewsOfStored(std::vector<int32_t>{1}, std::vector<int32_t>{1}));
  ASSERT_OK(builder->RollBack(mark));
  const Array array = *builder->Finish();
  EXPECT_TRUE(KnowsStats(array));
  EXPECT_EQ(StatsOf(array).max_size, 2);
  ExpectTrueStats(array);
}

TEST_F(FinishedStats, AreTrueAfterRandomAppends) {
  const DataType inner = TypeFrom("list_view<list_view<int32>>");
  int known = 0;
  for (const uint64_t seed : Seeds(300)) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const BuilderOptions options = {.min_chunk_bytes = Draw(random, 0, 1) * 100};
    const auto nested = BuilderOf<ListViewBuilder>(inner, options);
    const Array shared = RandomArray(inner, {.length = 20}, random);
    for (int step = 0; step < 8; ++step) {
      const Array source =
          Chance(random, 0.5) ? shared : RandomArray(inner, {.length = 6, .sliced = true}, random);
      const int64_t row = Draw(random, 0, source.length() - 1);
      switch (Draw(random, 0, 4)) {
        case 0:
          ASSERT_OK(nested->AppendArray(source, row, Draw(random, 0, source.length() - row)));
          break;
        case 1:
          ASSERT_OK(nested->AppendRepeated(source, row, Draw(random, 0, 3)));
          break;
        case 2:
          ASSERT_OK(nested->AppendNulls(Draw(random, 0, 2)));
          break;
        case 3:
          ASSERT_OK(nested->AppendRepeatedList(source.child(0), Draw(random, 0, 2)));
          break;
        default:
          nested->BeginList();
          ASSERT_OK(nested->elements().AppendArray(source.child(0)));
          ASSERT_OK(nested->EndList());
      }
    }
    const Array array = *nested->Finish();
    known += KnowsStats(array) ? 1 : 0;
    ExpectTrueStats(array);
    ExpectTrueStats(array.child(0));
    if (HasFailure()) return;
  }
  EXPECT_GT(known, 0);
}

}  // namespace
}  // namespace sheaf
