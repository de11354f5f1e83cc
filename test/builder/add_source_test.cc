// Sources of a list-view builder: `AddSource` and appends by its handles.

#include <array>
#include <limits>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/bytes.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_builder.h"
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

/// However long a source is, and whether it is kept by reference or copied.
const BuilderOptions kAllOptions[] = {{}, kKeepAll, kKeepNone};

// elements 9 1 2 3 9       used: [1, 4)
//   [2 3] null [1 2] []
Array Gapped() { return ListViews({{2, 1, 1, 3}, {2, 2, 2, 0}, {9, 1, 2, 3, 9}, "1011"}); }

TEST(AddSourceTest, ElementsAreBroughtOnceAtTheFirstRowThatRefersToThem) {
  for (const BuilderOptions& options : kAllOptions) {
    const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", options);
    const Array fill_array = ListViewsOver(Ints({7, 8}), {0}, {2});
    ASSERT_OK_AND_ASSIGN(const SourceHandle fill, builder->AddSource(fill_array));
    ASSERT_OK_AND_ASSIGN(const SourceHandle other, builder->AddSource(Gapped()));
    EXPECT_EQ(builder->bytes_used(), 0) << "a source alone stores nothing";
    ASSERT_OK(builder->AppendViews(other, 2, 0));
    ASSERT_OK(builder->AppendRepeated(other, 2, 0));
    EXPECT_EQ(builder->elements().length(), 0) << "no row refers to it yet";

    ASSERT_OK(builder->AppendRepeated(fill, 0, 2));
    ASSERT_OK(builder->AppendViews(other, 2, 1));
    EXPECT_EQ(builder->elements().length(), 2 + 3);
    ASSERT_OK(builder->AppendRepeated(fill, 0, 1));
    ASSERT_OK(builder->AppendViews(other, 0, 4));
    EXPECT_EQ(builder->elements().length(), 2 + 3);

    const auto views = FinishedAs<ListViewArray>(*builder);
    EXPECT_THAT(views, ReadsAs("[[7, 8], [7, 8], [1, 2], [7, 8], [2, 3], null, [1, 2], []]"));
    EXPECT_THAT(views.offsets(), ElementsAre(0, 0, 2, 0, 3, 2, 2, 4));
    EXPECT_THAT(views.sizes(), ElementsAre(2, 2, 2, 2, 2, 2, 2, 0)) << "a null row keeps its view";
  }
}

TEST(AddSourceTest, RPT_10_PatchesAndFillRowsPointToOneStoredCopyEach) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>");
  const Array patch_array = ListViewsOver(Ints({1, 2, 3, 4}), {0, 1, 2, 3}, {1, 1, 1, 1});
  ASSERT_OK_AND_ASSIGN(const SourceHandle patches, builder->AddSource(patch_array));
  ASSERT_OK_AND_ASSIGN(const SourceHandle fill,
                       builder->AddSource(ListViewsOver(Ints({5, 6, 7, 8}), {0}, {4})));
  ASSERT_OK(builder->AppendViews(patches, 0, 1));
  ASSERT_OK(builder->AppendRepeated(fill, 0, 2));
  ASSERT_OK(builder->AppendViews(patches, 1, 3));
  const auto views = FinishedAs<ListViewArray>(*builder);
  EXPECT_THAT(views.sizes(), ElementsAre(1, 4, 4, 1, 1, 1));
  EXPECT_EQ(views.offsets()[1], views.offsets()[2]);
  EXPECT_EQ(views.elements().length(), 4 + 4);
}

TEST(AddSourceTest, EveryListLikeLayoutIsASourceForEitherWidth) {
  const char* rows = "[[1, 2], null, [3, 4], [5, 6]]";
  for (const char* from : {"list<int32>", "large_list<int32>", "list_view<int32>",
                           "large_list_view<int32>", "fixed_size_list<int32>[2]"}) {
    const Array array = FromJson(TypeFrom(from), rows).Slice(1, 3);
    const auto fill = [&](auto& builder) {
      ASSERT_OK_AND_ASSIGN(const SourceHandle source, builder.AddSource(array));
      ASSERT_OK(builder.AppendViews(source, 1, 2));
      ASSERT_OK(builder.AppendRepeated(source, 1, 2));
      ASSERT_OK(builder.AppendViews(source, 0, 2));
      const int64_t stored = builder.elements().length();
      EXPECT_LE(stored, 6) << from;
      EXPECT_THAT(Finished(builder), ReadsAs("[[3, 4], [5, 6], [3, 4], [3, 4], null, [3, 4]]"));
    };
    for (const BuilderOptions& options : kAllOptions) {
      fill(*BuilderOf<ListViewBuilder>("list_view<int32>", options));
      fill(*BuilderOf<LargeListViewBuilder>("large_list_view<int32>", options));
    }
  }
}

TEST(AddSourceTest, AHandleIsGoodUntilFinishOrResetAndForItsBuilderOnly) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>");
  const auto other = BuilderOf<ListViewBuilder>("list_view<int32>");
  const auto expect_refused = [](ListViewBuilder& by, SourceHandle handle) {
    EXPECT_THAT(by.AppendViews(handle, 0, 1), StatusIs(StatusCode::kFailedPrecondition, "source"));
    EXPECT_THAT(by.AppendRepeated(handle, 0, 0), StatusIs(StatusCode::kFailedPrecondition));
    EXPECT_EQ(by.length(), 0);
  };
  expect_refused(*builder, SourceHandle());
  ASSERT_OK_AND_ASSIGN(const SourceHandle first, builder->AddSource(Gapped()));
  ASSERT_OK_AND_ASSIGN(const SourceHandle others, other->AddSource(Gapped()));
  expect_refused(*builder, others);
  expect_refused(*other, first);
  ASSERT_OK(builder->AppendViews(first, 0, 4));
  Finished(*builder);
  expect_refused(*builder, first);
  ASSERT_OK_AND_ASSIGN(const SourceHandle second, builder->AddSource(Gapped()));
  expect_refused(*builder, first);
  ASSERT_OK(builder->AppendViews(second, 0, 1));
  builder->Reset();
  expect_refused(*builder, second);
}

TEST(AddSourceTest, AFinishThatFailsLeavesHandlesGood) {
  FailingPool pool;
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", {.pool = &pool});
  ASSERT_OK_AND_ASSIGN(const SourceHandle source, builder->AddSource(Gapped()));
  ASSERT_OK(builder->AppendRepeated(source, 0, 2));
  pool.FailAt(0);
  EXPECT_FALSE(builder->Finish().ok());
  pool.SwitchOff();
  ASSERT_OK(builder->AppendRepeated(source, 2, 2));
  EXPECT_THAT(Finished(*builder), ReadsAs("[[2, 3], [2, 3], [1, 2], [1, 2]]"));
}

TEST(AddSourceTest, TheFlagFollowsTheRuleOfWholeAppends) {
  const Array packed = ListViewsOver(Range(0, 6), {0, 2, 2, 5}, {2, 0, 3, 1});
  for (const BuilderOptions& options : kAllOptions) {
    const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", options);
    const auto add = [&] { return *builder->AddSource(packed); };
    ASSERT_OK(builder->AppendViews(add(), 0, 4));
    EXPECT_TRUE(builder->zero_copy_to_list());
    const SourceHandle source = add();
    ASSERT_OK(builder->AppendViews(source, 0, 4));
    EXPECT_TRUE(builder->zero_copy_to_list());
    ASSERT_OK(builder->AppendViews(source, 1, 1));
    EXPECT_FALSE(builder->zero_copy_to_list()) << "its elements lie before the end";
    EXPECT_FALSE(StatsOf(Finished(*builder)).zero_copy_to_list);

    ASSERT_OK(builder->AppendViews(add(), 0, 3));
    EXPECT_FALSE(builder->zero_copy_to_list()) << "not all that was brought is used";
    EXPECT_FALSE(StatsOf(Finished(*builder)).zero_copy_to_list);

    ASSERT_OK(builder->AppendRepeated(add(), 0, 1));
    EXPECT_FALSE(builder->zero_copy_to_list());
    builder->Reset();

    ASSERT_OK_AND_ASSIGN(const SourceHandle one,
                         builder->AddSource(ListViewsOver(Range(0, 9), {3}, {2})));
    ASSERT_OK(builder->AppendRepeated(one, 0, 1));
    EXPECT_TRUE(builder->zero_copy_to_list());
    EXPECT_TRUE(StatsOf(Finished(*builder)).zero_copy_to_list);
  }
}

TEST(AddSourceTest, SourcesWithoutElementsLeaveTheFlagAndSitAtTheRunningEnd) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>");
  ASSERT_OK_AND_ASSIGN(const SourceHandle empties,
                       builder->AddSource(ListViewsOver(Range(0, 9), {7, 3}, {0, 0}, "10")));
  ASSERT_OK(builder->AppendList(Ints({1, 2})));
  ASSERT_OK(builder->AppendRepeated(empties, 0, 3));
  ASSERT_OK(builder->AppendViews(empties, 0, 2));
  EXPECT_TRUE(builder->zero_copy_to_list());
  const auto views = FinishedAs<ListViewArray>(*builder);
  EXPECT_THAT(views, ReadsAs("[[1, 2], [], [], [], [], null]"));
  EXPECT_THAT(views.offsets(), ElementsAre(0, 2, 2, 2, 2, 2));
  EXPECT_TRUE(views.zero_copy_to_list());
}

TEST(AddSourceTest, ANullRowRepeatedIsANullAndBringsNothing) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>");
  ASSERT_OK_AND_ASSIGN(const SourceHandle source, builder->AddSource(Gapped()));
  ASSERT_OK(builder->AppendRepeated(source, 1, 2));
  ASSERT_OK(builder->AppendRepeated(source, 1, 1));
  EXPECT_EQ(builder->elements().length(), 0);
  EXPECT_EQ(builder->null_count(), 3);
  EXPECT_TRUE(builder->zero_copy_to_list());
  ASSERT_OK(builder->AppendRepeated(source, 0, 2));  // Behind a bitmap by now.
  ASSERT_OK(builder->AppendRepeated(source, 1, 1));
  ASSERT_OK(builder->AppendViews(source, 0, 3));
  ASSERT_OK(builder->Reserve(70));
  builder->UnsafeAppendViews(source, 0, 4);
  builder->UnsafeAppendRepeated(source, 2, 60);
  EXPECT_EQ(builder->null_count(), 6);
  Values expected = Read(FromJson(builder->type(), "[null, null, null, [2, 3], [2, 3], null]"));
  AppendSlice(&expected, Read(Gapped()), 0, 3);
  Append(&expected, Read(Gapped()));
  AppendRepeated(&expected, Read(Gapped())[2], 60);
  EXPECT_THAT(Finished(*builder), ReadsLike(expected));
}

TEST(AddSourceTest, RowsThatTheSourceDoesNotHaveAreRefused) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>");
  ASSERT_OK_AND_ASSIGN(const SourceHandle source, builder->AddSource(Gapped()));
  for (int round = 0; round < 2; ++round) {  // Before and after it was brought.
    const int64_t length = builder->length();
    for (const auto& [row, n] : {std::pair<int64_t, int64_t>{-1, 1},
                                 {0, 5},
                                 {4, 1},
                                 {0, -1},
                                 {5, 0},
                                 {1, int64_t{1} << 62},
                                 {0, std::numeric_limits<int64_t>::min()},
                                 {std::numeric_limits<int64_t>::min(), 1}}) {
      EXPECT_THAT(builder->AppendViews(source, row, n), StatusIs(StatusCode::kInvalidArgument));
    }
    EXPECT_THAT(builder->AppendRepeated(source, 4, 1),
                StatusIs(StatusCode::kInvalidArgument, "source of 4 rows"));
    EXPECT_THAT(builder->AppendRepeated(source, -1, 1), StatusIs(StatusCode::kInvalidArgument));
    EXPECT_THAT(builder->AppendRepeated(source, 0, -1), StatusIs(StatusCode::kInvalidArgument));
    EXPECT_FALSE(builder->AppendRepeated(source, 0, int64_t{1} << 62).ok());
    EXPECT_EQ(builder->length(), length);
    ASSERT_OK(builder->AppendRepeated(source, 0, 2));
  }
}

TEST(AddSourceTest, WhatCannotBeAppendedIsNoSource) {
  const Field item = Field("item", Int32(), /*nullable=*/false);
  const auto builder = BuilderOf<ListViewBuilder>(ListView(item));
  EXPECT_THAT(builder->AddSource(Ints({1})).status(), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(builder->AddSource(ListViewsOver(Range(0, 1, Int64()), {0}, {1})).status(),
              StatusIs(StatusCode::kInvalidArgument, "int64"));
  EXPECT_THAT(builder->AddSource(ListViewsOver(Ints({1, kNull}), {0}, {2})).status(),
              StatusIs(StatusCode::kInvalidArgument, "item"));
  EXPECT_THAT(builder->AddSource(ListViews({{0}, {9}, {1, 2}, ""})).status(),
              StatusIs(StatusCode::kInvalidArgument, "past the end"));
}

TEST(AddSourceTest, ElementsThatOutgrowTheWidthAreOutOfRange) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<null>");
  const int64_t most = std::numeric_limits<int32_t>::max();
  const Array nulls = *MakeNullArray(Null(), 2 * most);
  EXPECT_THAT(builder->AddSource(LargeListViewsOver(nulls, {0, most}, {most, most})).status(),
              StatusIs(StatusCode::kOutOfRange, "large_list_view"));
  ASSERT_OK_AND_ASSIGN(const SourceHandle half,
                       builder->AddSource(LargeListViewsOver(nulls, {5}, {most})));
  ASSERT_OK_AND_ASSIGN(const SourceHandle one,
                       builder->AddSource(LargeListViewsOver(nulls, {9}, {1})));
  ASSERT_OK(builder->AppendRepeated(half, 0, 2));
  EXPECT_THAT(builder->AppendRepeated(one, 0, 1), StatusIs(StatusCode::kOutOfRange));
  EXPECT_EQ(builder->length(), 2);
  ASSERT_OK(builder->AppendRepeated(half, 0, 1));
}

TEST(AddSourceTest, WhileAListIsOpenOnAnyLevelSourcesMustWait) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<list<int32>>");
  auto& inner = static_cast<ListBuilder&>(builder->elements());
  const Array array = FromJson(builder->type(), "[[[1], [2]], [[3]]]");
  ASSERT_OK_AND_ASSIGN(const SourceHandle source, builder->AddSource(array));
  ASSERT_OK(builder->AppendRepeated(source, 1, 2));
  ASSERT_OK(builder->AppendRepeated(source, 1, 2));  // The second takes the short way.
  builder->BeginList();
  EXPECT_THAT(builder->AppendRepeated(source, 0, 1), StatusIs(StatusCode::kFailedPrecondition));
  inner.BeginList();
  ASSERT_OK(inner.EndList());
  ASSERT_OK(builder->EndList());
  ASSERT_OK(builder->AppendRepeated(source, 0, 1));
  inner.BeginList();
  EXPECT_THAT(builder->AppendRepeated(source, 0, 1), StatusIs(StatusCode::kFailedPrecondition));
  ASSERT_OK(inner.EndList());
  EXPECT_THAT(builder->AppendViews(source, 0, 1), StatusIs(StatusCode::kFailedPrecondition));
}

TEST(AddSourceTest, TheByteLimitHoldsForTheShortWayToo) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>");
  ASSERT_OK_AND_ASSIGN(const SourceHandle source, builder->AddSource(Gapped()));
  ASSERT_OK(builder->AppendRepeated(source, 0, 2));
  builder->set_byte_limit(builder->bytes_used() + 8);
  ASSERT_OK(builder->AppendRepeated(source, 0, 1));
  EXPECT_THAT(builder->AppendRepeated(source, 0, 1), StatusIs(StatusCode::kResourceExhausted));
  EXPECT_EQ(builder->length(), 3);
}

TEST(AddSourceTest, UnsafeTwinsStoreTheSameIntoReservedRoom) {
  for (const BuilderOptions& options : kAllOptions) {
    const auto builder = BuilderOf<LargeListViewBuilder>("large_list_view<int32>", options);
    const Array array = LargeListViewsOver(Range(0, 100), {40, 2, 7}, {3, 5, 0});
    std::vector<int64_t> many_offsets(100), many_sizes(100, 1);
    for (size_t i = 0; i < 100; ++i) many_offsets[i] = static_cast<int64_t>(i);
    const Array many = LargeListViewsOver(Range(200, 300), many_offsets, many_sizes);
    ASSERT_OK_AND_ASSIGN(const SourceHandle a, builder->AddSource(array));
    ASSERT_OK(builder->AppendRepeated(a, 0, 2));
    // Kept where all is kept: what comes behind it counts from another place.
    ASSERT_OK(builder->AppendArray(LargeListViewsOver(Range(500, 504), {2, 0}, {2, 2})));
    ASSERT_OK_AND_ASSIGN(const SourceHandle b, builder->AddSource(many));
    ASSERT_OK(builder->AppendViews(b, 99, 1));
    ASSERT_OK(builder->Reserve(400));
    Values expected = Read(array.Slice(0, 1));
    AppendRepeated(&expected, expected[0], 1);
    Append(&expected, Read(LargeListViewsOver(Range(500, 504), {2, 0}, {2, 2})));
    Append(&expected, Read(many.Slice(99, 1)));
    for (const int64_t n : {0, 1, 7, 8, 9, 31, 40}) {
      builder->UnsafeAppendRepeated(a, 1, n);
      AppendRepeated(&expected, Read(array)[1], n);
      builder->UnsafeAppendViews(b, 3, n);
      Append(&expected, Read(many.Slice(3, n)));
    }
    builder->UnsafeAppendViews(a, 0, 3);
    Append(&expected, Read(array));
    EXPECT_EQ(builder->elements().length(), 43 - 2 + 4 + 100);
    EXPECT_THAT(Finished(*builder), ReadsLike(expected));
  }
}

TEST(AddSourceTest, RowsOfASourceStayRightWhileOtherWindowsWiden) {
  const Array elements = Range(0, 40);
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", kKeepAll);
  ASSERT_OK_AND_ASSIGN(const SourceHandle source,
                       builder->AddSource(ListViewsOver(Range(100, 110), {4, 2}, {3, 2})));
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {12, 10}, {2, 2})));  // [10, 14)
  ASSERT_OK(builder->AppendRepeated(source, 0, 2));
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {0}, {10})));  // widens to the left
  ASSERT_OK(builder->AppendViews(source, 1, 1));
  ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {14}, {6})));  // and to the right
  ASSERT_OK(builder->AppendViews(source, 0, 2));
  EXPECT_EQ(builder->elements().length(), 20 + 5);
  EXPECT_THAT(Finished(*builder),
              ReadsAs("[[12, 13], [10, 11], [104, 105, 106], [104, 105, 106],"
                      " [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [102, 103], [14, 15, 16, 17, 18, 19],"
                      " [104, 105, 106], [102, 103]]"));
}

TEST(AddSourceTest, AppendsOfTheSameArrayShareWhatASourceBrought) {
  const Array array = ListViewsOver(Range(0, 40), {30, 2}, {10, 8});
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", kKeepAll);
  ASSERT_OK_AND_ASSIGN(const SourceHandle source, builder->AddSource(array));
  ASSERT_OK(builder->AppendViews(source, 1, 1));
  ASSERT_OK(builder->AppendArray(array));
  EXPECT_EQ(builder->elements().length(), 38);
  // And a source finds what an append brought.
  builder->Reset();
  ASSERT_OK(builder->AppendArray(array));
  ASSERT_OK_AND_ASSIGN(const SourceHandle again, builder->AddSource(array));
  ASSERT_OK(builder->AppendViews(again, 0, 2));
  EXPECT_EQ(builder->elements().length(), 38);
  Values expected = Read(array);
  Append(&expected, Read(array));
  EXPECT_THAT(Finished(*builder), ReadsLike(expected));
}

TEST(AddSourceTest, AFailedFirstUseBringsNothing) {
  const Array array = ListViewsOver(Range(0, 300), {100, 0}, {100, 50});
  for (BuilderOptions options : kAllOptions) {
    FailingPool pool;
    options.pool = &pool;
    for (int64_t k = 0;; ++k) {
      const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", options);
      ASSERT_OK(builder->AppendList(Ints({1})));
      ASSERT_OK_AND_ASSIGN(const SourceHandle source, builder->AddSource(array));
      const int64_t bytes_used = builder->bytes_used();
      pool.FailAt(k);
      const Status status = builder->AppendRepeated(source, 1, 100);
      const bool failed = pool.failed();
      pool.SwitchOff();
      EXPECT_EQ(status.ok(), !failed);
      if (failed) {
        EXPECT_EQ(builder->bytes_used(), bytes_used);
        EXPECT_TRUE(builder->zero_copy_to_list());
        ASSERT_OK(builder->AppendList(Ints({2, 3})));
        ASSERT_OK(builder->AppendRepeated(source, 1, 100));
      }
      EXPECT_EQ(builder->elements().length(), 200 + (failed ? 3 : 1));
      Values expected =
          Read(ListViewsOver(Ints({1, 2, 3}), {0, 1}, {1, 2}).Slice(0, failed ? 2 : 1));
      AppendRepeated(&expected, Read(array)[1], 100);
      EXPECT_THAT(Finished(*builder), ReadsLike(expected));
      if (!failed) break;
    }
  }
}

TEST(AddSourceTest, ARollBackPastTheFirstUseUnbringsASource) {
  for (const BuilderOptions& options : kAllOptions) {
    const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", options);
    ASSERT_OK_AND_ASSIGN(const SourceHandle early, builder->AddSource(Gapped()));
    ASSERT_OK_AND_ASSIGN(const SourceHandle late,
                         builder->AddSource(ListViewsOver(Ints({7, 8, 9}), {0, 1}, {2, 2})));
    ASSERT_OK(builder->AppendRepeated(early, 0, 2));
    ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
    for (int round = 0; round < 2; ++round) {
      ASSERT_OK(builder->AppendRepeated(late, 1, 3));
      ASSERT_OK(builder->AppendRepeated(early, 2, 1));
      EXPECT_EQ(builder->elements().length(), 3 + round + 3);
      ASSERT_OK(builder->RollBack(mark));
      EXPECT_EQ(builder->elements().length(), 3);
      ASSERT_OK(builder->AppendList(Ints({5})));
    }
    ASSERT_OK(builder->RollBack(mark));
    ASSERT_OK(builder->AppendList(Ints({5})));
    ASSERT_OK(builder->AppendViews(late, 0, 1));
    ASSERT_OK(builder->AppendViews(early, 0, 1));
    EXPECT_EQ(builder->elements().length(), 3 + 1 + 3);
    EXPECT_THAT(Finished(*builder), ReadsAs("[[2, 3], [2, 3], [5], [7, 8], [2, 3]]"));
  }
}

/// Rows of sources, whole arrays, own rows and failures in any order, against the naive model.
template <typename Offset>
class Program {
 public:
  Program(const DataType& type, BuilderOptions options, uint64_t seed)
      : type_(type), random_(seed) {
    options.pool = &pool_;
    builder_ = BuilderOf<BasicListViewBuilder<Offset>>(type, options);
    for (Array& array : arrays_) {
      array = RandomArray(type,
                          {.length = Draw(random_, 1, 40),
                           .null_rate = Chance(random_, 0.5) ? 0.2 : 0,
                           .sliced = Chance(random_, 0.5)},
                          random_);
    }
  }

  void Run(int steps) {
    for (int i = 0; i < steps && !::testing::Test::HasFailure(); ++i) {
      if (Chance(random_, 0.2)) pool_.FailAt(Draw(random_, 0, 3));
      const Values before = model_;
      const Status status = Step();
      pool_.SwitchOff();
      if (!status.ok()) {
        EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
        model_ = before;
      }
      if (Chance(random_, 0.15)) MarkOrRollBack();
      EXPECT_EQ(builder_->length(), static_cast<int64_t>(model_.size()));
      EXPECT_EQ(builder_->null_count(), CountNulls(model_));
    }
    Finish();
  }

 private:
  Status Step() {
    const auto which = static_cast<size_t>(Draw(random_, 0, 2));
    const Array& array = arrays_[which];
    const int64_t row = Draw(random_, 0, array.length() - 1);
    switch (Draw(random_, 0, 9)) {
      case 0:
      case 1:
      case 2: {
        const int64_t n = Draw(random_, 0, array.length() - row);
        AppendSlice(&model_, Read(array), row, n);
        SHEAF_ASSIGN_OR_RETURN(const SourceHandle source, Handle(which));
        return builder_->AppendViews(source, row, n);
      }
      case 3:
      case 4:
      case 5: {
        const int64_t n = Draw(random_, 0, 40);
        AppendRepeated(&model_, Read(array)[static_cast<size_t>(row)], n);
        SHEAF_ASSIGN_OR_RETURN(const SourceHandle source, Handle(which));
        return builder_->AppendRepeated(source, row, n);
      }
      case 6: {
        const int64_t n = Draw(random_, 0, array.length() - row);
        AppendSlice(&model_, Read(array), row, n);
        return builder_->AppendArray(array, row, n);
      }
      case 7: {
        AppendRepeated(&model_, {NullValue{}}, 1);
        return builder_->AppendNull();
      }
      case 8: {
        const Array elements =
            array.child(0).Slice(0, std::min<int64_t>(3, array.child(0).length()));
        model_.push_back({ListValue{Read(elements)}});
        return builder_->AppendList(elements);
      }
      default:
        if (Chance(random_, 0.2)) {
          pool_.SwitchOff();
          Finish();
        }
        return OkStatus();
    }
  }

  void MarkOrRollBack() {
    if (mark_.alive() && Chance(random_, 0.7)) {
      ASSERT_OK(builder_->RollBack(mark_));
      model_ = marked_;
      return;
    }
    ASSERT_OK_AND_ASSIGN(mark_, builder_->Mark());
    marked_ = model_;
  }

  StatusOr<SourceHandle> Handle(size_t which) {
    if (auto found = handles_.find(which); found != handles_.end()) return found->second;
    SHEAF_ASSIGN_OR_RETURN(handles_[which], builder_->AddSource(arrays_[which]));
    return handles_[which];
  }

  void Finish() {
    const int64_t bytes_used = builder_->bytes_used();
    const bool flag = builder_->zero_copy_to_list();
    const Array array = Finished(*builder_);
    EXPECT_THAT(array, ReadsLike(model_));
    if (flag) {
      EXPECT_TRUE(StatsOf(array).zero_copy_to_list);
    }
    // Elements that only unused rows of a source reach are stored all the same.
    ASSERT_OK_AND_ASSIGN(const int64_t used_bytes, UsedBytes(array));
    EXPECT_GE(bytes_used, used_bytes);
    model_.clear();
    handles_.clear();
  }

  FailingPool pool_;
  DataType type_;
  Random random_;
  std::unique_ptr<BasicListViewBuilder<Offset>> builder_;
  std::array<Array, 3> arrays_;
  std::map<size_t, SourceHandle> handles_;
  Values model_;
  BuilderMark mark_;
  Values marked_;
};

TEST(AddSourceTest, RandomProgramsReadLikeTheModel) {
  for (const uint64_t seed : Seeds(120)) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (const BuilderOptions& options :
         {BuilderOptions{}, kKeepAll, kKeepNone, BuilderOptions{.min_chunk_bytes = 100}}) {
      for (const char* elements : {"int32", "utf8", "list_view<int32>", "struct<a: int32>"}) {
        const std::string type = "list_view<" + std::string(elements) + ">";
        Program<int32_t>(TypeFrom(type), options, seed).Run(30);
        Program<int64_t>(TypeFrom("large_" + type), options, seed).Run(30);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace sheaf
