// `AppendViewsOfStored`: views over elements that a list-view builder has stored already.

#include <functional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
using ::testing::ElementsAre;

using Offsets = std::vector<int32_t>;

TEST(ViewsOfStoredTest, ViewsMayOverlapWhatOtherRowsHave) {
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", options);
    ASSERT_OK(builder->AppendList(Ints({1, 2, 3})));
    ASSERT_OK(builder->AppendArray(ListViewsOver(Ints({9, 4, 5, 6}), {1, 3}, {2, 1})));
    const Buffer bits = Bits(std::vector<bool>{true, false, true, true});
    ASSERT_OK(builder->AppendViewsOfStored(Offsets{2, 0, 5, 6}, Offsets{3, 1, 1, 0},
                                           {bits.data(), 0, 4}));
    EXPECT_EQ(builder->elements().length(), 6);
    EXPECT_FALSE(builder->zero_copy_to_list());
    const auto views = FinishedAs<ListViewArray>(*builder);
    EXPECT_THAT(views, ReadsAs("[[1, 2, 3], [4, 5], [6], [3, 4, 5], null, [6], []]"));
    EXPECT_THAT(views.offsets(), ElementsAre(0, 3, 5, 2, 0, 5, 6));
    EXPECT_THAT(views.sizes(), ElementsAre(3, 2, 1, 3, 1, 1, 0));
  }
}

TEST(ViewsOfStoredTest, EmptyViewsAloneSitAtTheRunningEndAndLeaveTheFlag) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>");
  ASSERT_OK(builder->AppendList(Ints({1, 2, 3})));
  ASSERT_OK(builder->AppendViewsOfStored(Offsets{1, 3}, Offsets{0, 0}));
  ASSERT_OK(builder->AppendViewsOfStored(Offsets{}, Offsets{}));
  EXPECT_TRUE(builder->zero_copy_to_list());
  const auto views = FinishedAs<ListViewArray>(*builder);
  EXPECT_THAT(views.offsets(), ElementsAre(0, 3, 3));
  EXPECT_TRUE(views.zero_copy_to_list());
}

TEST(ViewsOfStoredTest, ViewsThatReachBeyondWhatIsStoredAreRefused) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>");
  ASSERT_OK(builder->AppendList(Ints({1, 2, 3})));
  const auto refused = [&](Offsets offsets, Offsets sizes, const char* text) {
    EXPECT_THAT(builder->AppendViewsOfStored(offsets, sizes),
                StatusIs(StatusCode::kInvalidArgument, text));
    EXPECT_EQ(builder->length(), 1);
    EXPECT_TRUE(builder->zero_copy_to_list());
  };
  refused({0, 1}, {3, 3}, "row 1: a view of what is stored: offset 1, size 3 of 3 elements");
  refused({-1}, {1}, "row 0");
  refused({1}, {-1}, "row 0");
  refused({4}, {0}, "row 0");
  refused({2147483647}, {2147483647}, "row 0");
  refused({0, 1}, {1}, "2 offsets, 1 sizes");
  const Buffer bits = Bits(std::vector<bool>{true});
  EXPECT_THAT(builder->AppendViewsOfStored(Offsets{0, 1}, Offsets{1, 1}, {bits.data(), 0, 1}),
              StatusIs(StatusCode::kInvalidArgument, "1 validity bits"));
  builder->BeginList();
  EXPECT_THAT(builder->AppendViewsOfStored(Offsets{0}, Offsets{1}),
              StatusIs(StatusCode::kFailedPrecondition));
}

TEST(ViewsOfStoredTest, PlacesStayWhatTheyWereWhenTheSameSourceComesAgain) {
  const Array elements = Range(0, 40);
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", kKeepAll);
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {12, 10}, {2, 2})));  // 10..13
  ASSERT_OK(builder->AppendArray(ListViewsOver(Range(100, 103), {0}, {3})));
  ASSERT_OK(builder->AppendViewsOfStored(Offsets{2, 4, 3}, Offsets{4, 3, 1}));
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {0}, {12})));  // Would widen to the left.
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {11}, {2})));  // Lies within.
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {5}, {20})));  // A new window widens.
  ASSERT_OK(builder->AppendViewsOfStored(Offsets{0, 6}, Offsets{1, 2}));
  EXPECT_THAT(
      Finished(*builder),
      ReadsAs("[[12, 13], [10, 11], [100, 101, 102], [12, 13, 100, 101], [100, 101, 102],"
              " [13], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [11, 12],"
              " [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24],"
              " [10], [102, 0]]"));
}

TEST(ViewsOfStoredTest, AnInnerWindowThatIsFixedIsBroughtAnewWhenItsParentWidens) {
  const Array leaves = Range(0, 20);
  const Array inner = ListViewsOver(leaves, {4, 10, 6, 0}, {2, 3, 1, 4});
  const auto builder = BuilderOf<ListViewBuilder>(ListView(ListView(Int32())), kKeepAll);
  auto& rows = static_cast<ListViewBuilder&>(builder->elements());
  ASSERT_OK(builder->AppendArray(ListViewsOver(inner, {1, 0}, {1, 2})));  // leaves 4..12
  builder->BeginList();
  ASSERT_OK(rows.AppendViewsOfStored(Offsets{1, 0}, Offsets{2, 1}));  // [5, 6], [4]
  ASSERT_OK(builder->EndList());
  ASSERT_OK(builder->AppendArray(ListViewsOver(inner, {2, 3}, {2, 1})));  // leaves 0..12
  EXPECT_THAT(Finished(*builder), ReadsAs("[[[10, 11, 12]], [[4, 5], [10, 11, 12]], [[5, 6], [4]],"
                                          " [[6], [0, 1, 2, 3]], [[0, 1, 2, 3]]]"));
}

TEST(ViewsOfStoredTest, NullsUnderNullRowsAreNotReadByOthersWhereElementsAreNotNullable) {
  const Field item = Field("item", Int32(), /*nullable=*/false);
  const auto builder = BuilderOf<ListViewBuilder>(ListView(item));
  ASSERT_OK(builder->AppendArray(ListViewsOver(Ints({1, 2, kNull}), {0, 2}, {2, 1}, "10")));
  EXPECT_THAT(builder->AppendViewsOfStored(Offsets{1, 1}, Offsets{1, 2}),
              StatusIs(StatusCode::kInvalidArgument, "item"));
  const Buffer bits = Bits(std::vector<bool>{true, false});
  ASSERT_OK(builder->AppendViewsOfStored(Offsets{1, 1}, Offsets{1, 2}, {bits.data(), 0, 2}));
  EXPECT_THAT(Finished(*builder), ReadsAs("[[1, 2], null, [2], null]"));
}

TEST(ViewsOfStoredTest, AfterARollBackWindowsWidenAgain) {
  const Array elements = Range(0, 40);
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", kKeepAll);
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {12, 10}, {2, 2})));
  ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
  ASSERT_OK(builder->AppendViewsOfStored(Offsets{1}, Offsets{2}));
  ASSERT_OK(builder->RollBack(mark));
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {5}, {6})));
  EXPECT_EQ(builder->elements().length(), 9);
  EXPECT_THAT(Finished(*builder), ReadsAs("[[12, 13], [10, 11], [5, 6, 7, 8, 9, 10]]"));
}

TEST(ViewsOfStoredTest, AFailedCallChangesNothing) {
  for (BuilderOptions options : {kKeepAll, kKeepNone}) {
    FailingPool pool;
    options.pool = &pool;
    const Offsets offsets(300, 1), sizes(300, 2);
    const Buffer bits = Bits(std::vector<bool>(300, false));
    int refused = 0;
    for (int64_t k = 0;; ++k, ++refused) {
      const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", options);
      const Array elements = Range(0, 20);
      ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {7, 5}, {2, 2})));
      pool.FailAt(k);
      const Status status = builder->AppendViewsOfStored(offsets, sizes, {bits.data(), 0, 300});
      const bool failed = pool.failed();
      pool.SwitchOff();
      if (!failed) break;
      EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
      EXPECT_EQ(builder->length(), 2);
      EXPECT_EQ(builder->null_count(), 0);
      ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {0}, {6})));
      if (options.min_chunk_bytes == 0) {
        EXPECT_EQ(builder->elements().length(), 9) << "widened";
      }
      EXPECT_THAT(Finished(*builder), ReadsAs("[[7, 8], [5, 6], [0, 1, 2, 3, 4, 5]]"));
    }
    EXPECT_GT(refused, 1);
  }
}

/// A twin builder that is given the same calls and never goes on tells what is stored at a moment.
TEST(ViewsOfStoredTest, RandomViewsReadWhatAFinishAtThatMomentWouldShow) {
  using Call = std::function<Status(LargeListViewBuilder&)>;
  for (const uint64_t seed : Seeds(100)) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const BuilderOptions options = Chance(random, 0.5) ? kKeepAll : kKeepNone;
    const auto make = [&] {
      return BuilderOf<LargeListViewBuilder>("large_list_view<utf8>", options);
    };
    const Array source = RandomArray(TypeFrom("large_list_view<utf8>"), {.length = 30}, random);
    const auto builder = make();
    std::vector<Call> calls;
    Values model;
    for (int step = 0; step < 10; ++step) {
      if (Chance(random, 0.5)) {
        const int64_t row = Draw(random, 0, source.length());
        const int64_t n = Draw(random, 0, source.length() - row);
        calls.push_back([=](auto& to) { return to.AppendArray(source, row, n); });
        AppendSlice(&model, Read(source), row, n);
      } else {
        const auto twin = make();
        for (const Call& call : calls) ASSERT_OK(call(*twin));
        const int64_t stored = twin->elements().length();
        const Array twins = Finished(*twin);
        const Values elements = Read(twins.child(0));
        std::vector<int64_t> offsets, sizes;
        for (int64_t i = Draw(random, 0, 5); i > 0; --i) {
          offsets.push_back(Draw(random, 0, stored));
          sizes.push_back(Draw(random, 0, std::min<int64_t>(4, stored - offsets.back())));
          const Value list = {ListValue{Slice(elements, offsets.back(), sizes.back())}};
          AppendRepeated(&model, list, 1);
        }
        calls.push_back([=](auto& to) { return to.AppendViewsOfStored(offsets, sizes); });
      }
      ASSERT_OK(calls.back()(*builder));
    }
    ASSERT_THAT(Finished(*builder), ReadsLike(model));
  }
}

}  // namespace
}  // namespace sheaf
