// Rows LSB-01 to LSB-10: the list builder, and appends across list-like layouts.

#include "sheaf/builder/list_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/builder/fixed_width_builder.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;

constexpr char kType[] = "list<int32>";

TEST(ListBuilderConformance, LSB_01_OneEmptyList) {
  const auto builder = BuilderOf<ListBuilder>(kType);
  ASSERT_OK(builder->AppendEmptyValue());

  const Array array = Finished(*builder);

  EXPECT_THAT(OffsetsOf(array), ElementsAre(0, 0));
  EXPECT_EQ(array.child(0).length(), 0);
}

TEST(ListBuilderConformance, LSB_02_WholeArraysAndSlices) {
  for (const char* type : {"list<int32>", "large_list<int32>"}) {
    for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
      const Array source = FromJson(type, "[[0, 1, 2], null, [4, 5]]");
      const auto builder = BuilderOf(type, options);
      ASSERT_OK(builder->AppendArray(source));
      ASSERT_OK(builder->AppendArray(source));
      ASSERT_OK(builder->AppendArray(source, 0, 0));
      ASSERT_OK(builder->AppendArray(source, 1, 2));

      const Array array = Finished(*builder);

      EXPECT_THAT(OffsetsOf(array), ElementsAre(0, 3, 3, 5, 8, 8, 10, 10, 12));
      EXPECT_EQ(ValidOf(array), "10110101");
      EXPECT_THAT(array.child(0), ReadsAs("[0, 1, 2, 4, 5, 0, 1, 2, 4, 5, 4, 5]"));
    }
  }
}

TEST(ListBuilderConformance, LSB_03_ListsFromArraysBetweenListsFromValues) {
  const auto builder = BuilderOf<ListBuilder>(kType);
  ASSERT_OK(builder->AppendList(Ints({1, 2, 3})));
  builder->BeginList();
  ASSERT_OK(
      static_cast<Int32Builder&>(builder->elements()).AppendValues(std::vector<int32_t>{10, 11}));
  ASSERT_OK(builder->EndList());
  ASSERT_OK(builder->AppendList(Ints({4, 5})));
  builder->BeginList();
  ASSERT_OK(builder->EndList());
  ASSERT_OK(builder->AppendList(Ints({})));

  const Array array = Finished(*builder);

  EXPECT_THAT(OffsetsOf(array), ElementsAre(0, 3, 5, 7, 7, 7));
  EXPECT_THAT(array.child(0), ReadsAs("[1, 2, 3, 10, 11, 4, 5]"));
}

TEST(ListBuilderConformance, LSB_04_OffsetsFollowTheTotalOverAllChunks) {
  const auto builder = BuilderOf<ListBuilder>(kType, kKeepAll);
  for (const int32_t value : {1, 2, 3}) {
    const auto constant = BuilderOf("int32");
    ASSERT_OK(constant->AppendRepeated(Ints({value}), 0, 64));
    ASSERT_OK(builder->AppendList(Finished(*constant)));
  }

  const Array array = Finished(*builder);

  EXPECT_THAT(OffsetsOf(array), ElementsAre(0, 64, 128, 192));
  EXPECT_THAT(array.child(0).Slice(63, 2), ReadsAs("[1, 2]"));
  EXPECT_THAT(array.child(0).Slice(127, 2), ReadsAs("[2, 3]"));
}

TEST(ListBuilderConformance, LSB_05_AListCannotShareSoRepeatsAreWrittenOut) {
  const auto builder = BuilderOf<ListBuilder>(kType);
  ASSERT_OK(builder->AppendRepeated(FromJson(kType, "[[9], [1, 2]]"), 1, 4));

  const Array array = Finished(*builder);

  EXPECT_THAT(array.child(0), ReadsAs("[1, 2, 1, 2, 1, 2, 1, 2]"));
  EXPECT_THAT(OffsetsOf(array), ElementsAre(0, 2, 4, 6, 8));
}

TEST(ListBuilderConformance, LSB_06_OffsetsOfSeveralArraysAreJoined) {
  const Array a = FromJson(kType, "[[1, 2, 3], [4, 5], [6, 7, 8, 9, 10, 11]]");
  const Array b = FromJson(kType, "[[12, 13], [], [14, 15]]");
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<ListBuilder>(kType, options);
    ASSERT_OK(builder->AppendArray(a));
    ASSERT_OK(builder->AppendArray(b));
    ASSERT_OK(builder->AppendArray(b.Slice(1, 2)));

    const Array array = Finished(*builder);

    EXPECT_THAT(OffsetsOf(array), ElementsAre(0, 3, 5, 11, 13, 13, 15, 15, 17));
    EXPECT_EQ(array.child(0).length(), 17);
    EXPECT_TRUE(array.buffer(0).absent());
  }
}

TEST(ListBuilderConformance, LSB_07_OnlyTheRowsAskedFor) {
  const auto builder = BuilderOf<ListBuilder>(kType);
  ASSERT_OK(builder->AppendArray(FromJson(kType, "[[1, 2], [3], [4, 5]]"), 0, 1));

  const Array array = Finished(*builder);

  EXPECT_THAT(array, ReadsAs("[[1, 2]]"));
  EXPECT_EQ(array.child(0).length(), 2);
}

TEST(ListBuilderConformance, LSB_09_ASliceBringsItsOwnElements) {
  const Array lists = ListsOver(Range(1, 16), {0, 3, 6, 9, 12, 15});
  const Array slice = lists.Slice(2, 2);
  EXPECT_EQ(OffsetsOf(slice).size(), 3U);
  EXPECT_THAT(slice, ReadsAs("[[7, 8, 9], [10, 11, 12]]"));
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<ListBuilder>(kType, options);
    ASSERT_OK(builder->AppendArray(slice));

    const Array array = Finished(*builder);

    EXPECT_THAT(array, ReadsLike(slice));
    const std::vector<int64_t> offsets = OffsetsOf(array);
    EXPECT_EQ(offsets.back() - offsets.front(), 6);
    EXPECT_EQ(array.child(0).length(), 6);
  }
}

TEST(ListBuilderConformance, LSB_10_TheNextArrayCountsFromTheElementsUsed) {
  const Array lists = ListsOver(Range(0, 8), {0, 2, 4, 6, 8});
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<ListBuilder>(kType, options);
    ASSERT_OK(builder->AppendArray(lists.Slice(0, 3)));
    ASSERT_OK(builder->AppendArray(FromJson(kType, "[[100], [101, 102]]")));

    const Array array = Finished(*builder);

    EXPECT_THAT(OffsetsOf(array), ElementsAre(0, 2, 4, 6, 7, 9));
    EXPECT_THAT(array, ReadsAs("[[0, 1], [2, 3], [4, 5], [100], [101, 102]]"));
  }
}

}  // namespace
}  // namespace sheaf
