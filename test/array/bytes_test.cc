#include "sheaf/array/bytes.h"

#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;

int64_t Used(const Array& array) {
  const StatusOr<int64_t> bytes = UsedBytes(array);
  EXPECT_OK(bytes);
  return bytes.ok() ? *bytes : -1;
}

TEST(UsedBytes, FixedWidthAndValidity) {
  EXPECT_EQ(Used(Range(0, 10)), 40);
  EXPECT_EQ(Used(Range(0, 10).Slice(3, 2)), 8);
  EXPECT_EQ(Used(Ints({1, kNull, 3})), 12 + 1);
  EXPECT_EQ(Used(Ints({1, kNull, 3}).Slice(2)), 4);  // No null, no bitmap.
  EXPECT_EQ(Used(Bools({true, false, true})), 1);
  EXPECT_EQ(Used(Ints({})), 0);
}

TEST(UsedBytes, StringsAndLists) {
  EXPECT_EQ(Used(Utf8s({"ab", "cde"})), 3 * 4 + 5);
  EXPECT_EQ(Used(Utf8s({"ab", "cde"}).Slice(1)), 2 * 4 + 3);
  EXPECT_EQ(Used(FromJson("utf8_view", R"(["ab", "longer than twelve"])")), 32 + 18);
  EXPECT_EQ(Used(ListsOver(Range(0, 10), {2, 4, 7})), 3 * 4 + 5 * 4);
  EXPECT_EQ(Used(FixedSizeListsOver(Range(0, 10), 2, 3)), 6 * 4);
}

TEST(UsedBytes, ListViewsCountSharedElementsOnce) {
  EXPECT_EQ(Used(ListViewsOver(Range(0, 10), {2, 2, 3}, {3, 3, 3})), 3 * 8 + 4 * 4);
  EXPECT_EQ(Used(LargeListViewsOver(Range(0, 10), {2, 2, 3}, {3, 3, 3})), 3 * 16 + 4 * 4);
  EXPECT_EQ(Used(ListViewsOver(Range(0, 10), {9}, {0})), 8);
}

TEST(UsedBytes, DictionariesAndRuns) {
  ASSERT_OK_AND_ASSIGN(const DictionaryArray words,
                       DictionaryArray::Make(Ints({0, 1, 0}, Int8()), Utf8s({"ab", "cde"})));
  EXPECT_EQ(Used(words), 3 + 17);
  ASSERT_OK_AND_ASSIGN(const RunEndArray runs, RunEndArray::Make(Ints({3, 5, 9}), Ints({1, 2, 3})));
  EXPECT_EQ(Used(runs), 24);
  EXPECT_EQ(Used(runs.Slice(3, 2)), 8);
}

TEST(UsedBytes, OfAStructAreThoseOfItsWindow) {
  const Array rows = StructOver({Field("a", Int32()), Field("b", Int64())},
                                {Range(0, 4), Range(0, 4, Int64())}, 4);
  EXPECT_EQ(Used(rows), 4 * 12);
  EXPECT_EQ(Used(rows.Slice(1, 2)), 2 * 12);
}

TEST(UsedBytes, BadArraysAreErrors) {
  EXPECT_THAT(UsedBytes(ListViewsOver(Range(0, 3), {1}, {9})),
              StatusIs(StatusCode::kInvalidArgument, "row 0"));
}

TEST(UsedBytes, RandomArraysOfAllTypesNeedNoMoreThanTheyKeep) {
  Random random(5);
  for (const TypeId id : AllTypeIds()) {
    RandomOptions options;
    options.sliced = true;
    const Array array = RandomArray(SampleType(id), options, random);
    SCOPED_TRACE(array.type().ToString());
    EXPECT_GE(Used(array), 0);
    EXPECT_LE(Used(array.Slice(1, 3)), Used(array));
  }
}

TEST(RetainedBytes, CountEachAllocationOnce) {
  const Array element = Range(0, 100);
  const int64_t alone = RetainedBytes(element);
  EXPECT_GE(alone, 400);
  const Array both =
      StructOver({Field("a", Int32()), Field("b", Int32())}, {element, element}, 100);
  EXPECT_EQ(RetainedBytes(both), alone);
  EXPECT_EQ(RetainedBytes(element.Slice(0, 1)), alone);
}

}  // namespace
}  // namespace sheaf
