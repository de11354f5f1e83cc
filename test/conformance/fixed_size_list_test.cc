// Rows FSL-01 to FSL-09 and case C19: fixed-size lists, those of width 0 above all.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/builder/fixed_size_list_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

DataType ListsOf(int32_t list_size) { return *FixedSizeList(Field("item", Int32()), list_size); }

TEST(FixedSizeListConformance, FSL_01_ListsOfWidthZeroTakeNoMemoryForElements) {
  FailingPool pool;  // Counts; refuses nothing.
  const int64_t before = pool.bytes_in_use();
  const auto builder = BuilderOf(ListsOf(0), {.pool = &pool});
  ASSERT_OK(builder->Reserve(10'000'000));
  ASSERT_OK(builder->AppendEmptyValues(100));

  const Array array = Finished(*builder);

  EXPECT_EQ(array.length(), 100);
  EXPECT_EQ(array.child(0).length(), 0);
  EXPECT_LT(pool.bytes_in_use() - before, 4096);
}

TEST(FixedSizeListConformance, FSL_02_TheLengthOfWidthZeroComesFromTheRows) {
  const auto builder = BuilderOf(ListsOf(0));
  for (int i = 0; i < 50; ++i) {
    ASSERT_OK(builder->AppendEmptyValue());
    ASSERT_OK(builder->AppendNull());
  }

  const Array array = Finished(*builder);

  EXPECT_EQ(array.length(), 100);
  EXPECT_EQ(array.null_count(), 50);
  EXPECT_EQ(array.child(0).length(), 0);
}

TEST(FixedSizeListConformance, FSL_03_ANullRowTakesItsWidthInTheElements) {
  const auto builder = BuilderOf<FixedSizeListBuilder>(ListsOf(2));
  ASSERT_OK(builder->AppendList(Ints({1, 2})));
  ASSERT_OK(builder->AppendNull());
  ASSERT_OK(builder->AppendList(Ints({3, 4})));

  const Array array = Finished(*builder);

  EXPECT_EQ(array.child(0).length(), 6);
  EXPECT_EQ(ValidOf(array), "101");
  EXPECT_THAT(array, ReadsAs("[[1, 2], null, [3, 4]]"));
}

TEST(FixedSizeListConformance, FSL_04_EmptyValuesAreRowsOfZeros) {
  const auto builder = BuilderOf(ListsOf(3));
  ASSERT_OK(builder->AppendEmptyValues(5));

  const Array array = Finished(*builder);

  EXPECT_EQ(array.null_count(), 0);
  EXPECT_THAT(array.child(0), ReadsAs("[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"));
}

TEST(FixedSizeListConformance, FSL_05_WholeArrays) {
  const Array source = FixedSizeListsOver(Range(1, 7), 2, 3, "101");
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf(ListsOf(2), options);
    ASSERT_OK(builder->AppendArray(source));
    ASSERT_OK(builder->AppendArray(source));

    const Array array = Finished(*builder);

    EXPECT_EQ(array.child(0).length(), 12);
    EXPECT_EQ(ValidOf(array), "101101");
    EXPECT_THAT(array, ReadsAs("[[1, 2], null, [5, 6], [1, 2], null, [5, 6]]"));
  }
}

TEST(FixedSizeListConformance, FSL_06_AnAppendWithoutElementsIsNoEmptyAppend) {
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf(ListsOf(0), options);
    ASSERT_OK(builder->AppendArray(FixedSizeListsOver(Ints({}), 0, 3, "101")));
    ASSERT_OK(builder->AppendArray(FixedSizeListsOver(Ints({}), 0, 2, "01")));

    const Array array = Finished(*builder);

    EXPECT_EQ(array.length(), 5);
    EXPECT_EQ(ValidOf(array), "10101");
    EXPECT_EQ(array.child(0).length(), 0);
  }
}

TEST(FixedSizeListConformance, FSL_07_ExcessElementsAreIgnored) {
  const Array source = FixedSizeListsOver(Range(1, 11), 2, 3, "101");
  EXPECT_THAT(source, IsValidArray());
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf(ListsOf(2), options);
    ASSERT_OK(builder->AppendArray(source));
    ASSERT_OK(builder->AppendArray(source));

    EXPECT_THAT(Finished(*builder), ReadsAs("[[1, 2], null, [5, 6], [1, 2], null, [5, 6]]"));
  }
}

TEST(FixedSizeListConformance, FSL_08_TooFewElementsOrANegativeWidthAreErrors) {
  EXPECT_THAT(Validate(FixedSizeListsOver(Ints({}), 2, 1)), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_OK(Validate(FixedSizeListsOver(Range(0, 4), 2, 1)));
  EXPECT_THAT(FixedSizeList(Field("item", Int32()), -42), StatusIs(StatusCode::kInvalidArgument));
}

TEST(FixedSizeListConformance, FSL_09_PartsBringWidthTimesRowsElements) {
  const Array a = FixedSizeListsOver(Range(0, 8), 2, 4, "1011");
  const Array b = FixedSizeListsOver(Range(10, 18), 2, 4, "1101");
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<FixedSizeListBuilder>(ListsOf(2), options);
    ASSERT_OK(builder->AppendArray(a));
    EXPECT_EQ(builder->elements().length(), 8);
    ASSERT_OK(builder->AppendArray(b, 1, 3));
    EXPECT_EQ(builder->elements().length(), 14);
    ASSERT_OK(builder->AppendArray(b, 2, 1));
    EXPECT_EQ(builder->elements().length(), 16);

    EXPECT_THAT(Finished(*builder),
                ReadsAs("[[0, 1], null, [4, 5], [6, 7], [12, 13], null, [16, 17], null]"));
  }
}

TEST(FixedSizeListConformance, C19_ListsOfSizeZero) {
  const Array lists = FixedSizeListsOver(Ints({}), 0, 3, "101");
  EXPECT_THAT(lists, ReadsAs("[[], null, []]"));
  EXPECT_THAT(lists.Slice(1, 2), ReadsAs("[null, []]"));
  EXPECT_EQ(FixedSizeListsOver(Ints({}), 0, 5).length(), 5);
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf(ListsOf(0), options);
    ASSERT_OK(builder->AppendArray(lists));
    ASSERT_OK(builder->AppendRepeated(lists, 0, 3));
    ASSERT_OK(builder->AppendNull());
    EXPECT_THAT(Finished(*builder), ReadsAs("[[], null, [], [], [], [], null]"));
  }
  for (const char* target : {"list<int32>", "list_view<int32>", "large_list_view<int32>"}) {
    const auto builder = BuilderOf(target);
    ASSERT_OK(builder->AppendArray(lists)) << target;
    EXPECT_THAT(Finished(*builder), ReadsAs("[[], null, []]")) << target;
  }
}

}  // namespace
}  // namespace sheaf
