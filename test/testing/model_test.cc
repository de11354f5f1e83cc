#include "testing/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

TEST(ModelTest, ReadsListViewsThatOverlapInAnyOrder) {
  const ListViewArray views = ListViews(
      {.offsets = {2, 0, 1}, .sizes = {2, 3, 0}, .elements = {1, kNull, 3, 4}, .valid = "110"});

  EXPECT_EQ(ToText(Read(views)), "[[3, 4], [1, null, 3], null]");
}

TEST(ModelTest, ReadsTheWindowOfASlice) {
  const Array lists = ListsOver(Range(0, 6), {0, 2, 2, 5}, "101");

  EXPECT_EQ(ToText(Read(lists.Slice(1, 2))), "[null, [2, 3, 4]]");
}

TEST(ModelTest, AddsAParentsOffsetToAStructsChildren) {
  const Array child = Range(10, 20).Slice(2, 6);  // 12..17
  const Array structs = StructOver({Field("a", Int32())}, {child}, 6, "110111");

  EXPECT_EQ(ToText(Read(structs.Slice(1, 3))), "[{13}, null, {15}]");
}

TEST(ModelTest, NaNsAreEqualAndZerosOfBothSignsAreNot) {
  EXPECT_EQ(Read(FromJson(Float64(), R"([{"f": "nan"}])")),
            Read(FromJson(Float64(), R"([{"f": "nan"}])")));
  EXPECT_NE(Read(FromJson(Float64(), "[0.0]")), Read(FromJson(Float64(), "[-0.0]")));
}

TEST(ModelTest, SaysWhichRowDiffersFirst) {
  EXPECT_EQ(FirstDifference(Read(Ints({1, 2})), Read(Ints({1, 2}))), "");
  EXPECT_EQ(FirstDifference(Read(Ints({1, 2})), Read(Ints({1, kNull}))), "row 1 is 2, not null");
  EXPECT_EQ(FirstDifference(Read(Ints({1})), Read(Ints({}))), "has 1 rows, not 0");
}

TEST(ModelTest, AViewOutOfBoundsIsAFailureAndNotARead) {
  const ListViewArray views = ListViews({.offsets = {1}, .sizes = {5}, .elements = {1, 2}});

  EXPECT_NONFATAL_FAILURE(Read(views), "lies outside 2 elements");
}

TEST(ModelTest, AppendsSlicesRepeatsAndConcatenates) {
  Values values = Read(Ints({1, 2, 3}));

  AppendSlice(&values, values, 1, 2);
  AppendRepeated(&values, values[0], 2);

  EXPECT_EQ(values, Read(Ints({1, 2, 3, 2, 3, 1, 1})));
  EXPECT_EQ(Concatenate(std::vector<Values>{Read(Ints({1})), Read(Ints({kNull}))}),
            Read(Ints({1, kNull})));
}

TEST(ModelTest, EmptyValuesAreZerosAndEmptyLists) {
  const DataType type =
      TypeFrom("struct<a: int32, b: list<utf8>, c: fixed_size_list<float64>[2], d: uint64>");

  EXPECT_EQ(Values{EmptyValue(type)},
            Read(FromJson(type, R"([{"a": 0, "b": [], "c": [0.0, 0.0], "d": 0}])")));
}

}  // namespace
}  // namespace sheaf
