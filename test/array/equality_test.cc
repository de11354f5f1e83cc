#include "sheaf/array/equality.h"

#include <limits>

#include "sheaf/array/chunked_array.h"
#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/list_view_array.h"
#include "sheaf/array/logical_nulls.h"
#include "sheaf/array/print.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/array/union_array.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;

// Ours: the test library has one of its own, over plain values.
std::string Difference(const Array& a, const Array& b, const EqualityOptions& options = {}) {
  return ::sheaf::FirstDifference(a, b, options);
}

TEST(Equality, EQF_01_WhatLiesUnderANullIsNotCompared) {
  const ListViewArray a = ListViewsOver(Range(0, 6), {0, 2, 4}, {2, 2, 1}, "101");
  const ListViewArray b = ListViewsOver(Range(0, 6), {0, 5, 4}, {2, 0, 1}, "101");
  EXPECT_TRUE(a == b);
  EXPECT_EQ(Difference(a, b), "");
}

TEST(Equality, EQF_02_SlicesCompareTheirOwnRows) {
  const ListViewArray a = ListViewsOver(Ints({1, 2, 3, 0}), {0, 2, 3}, {2, 1, 1});
  const ListViewArray b = ListViewsOver(Ints({1, 2, 3, 100000}), {0, 2, 3}, {2, 1, 1});
  EXPECT_FALSE(a.Slice(2) == b.Slice(2));
  EXPECT_TRUE(a.Slice(0, 2) == b.Slice(0, 2));
  EXPECT_EQ(Difference(a.Slice(2), b.Slice(2)), "$.item, row 0, element 0: 0 and 100000");
}

TEST(Equality, PlacementIsNotCompared) {
  const ListViewArray shared = ListViewsOver(Range(1, 4), {0, 0, 1}, {3, 3, 2});
  const ListViewArray flat = ListViewsOver(Ints({1, 2, 3, 1, 2, 3, 2, 3}), {0, 3, 6}, {3, 3, 2});
  EXPECT_TRUE(shared == flat);
}

TEST(Equality, EQF_06_NullsOfRunEndsAndUnionsAreInTheValues) {
  ASSERT_OK_AND_ASSIGN(const RunEndArray runs,
                       RunEndArray::Make(Ints({3, 5, 9}), Utf8s({"a", kNull, "b"})));
  EXPECT_EQ(runs.null_count(), 0);
  ASSERT_OK_AND_ASSIGN(const int64_t run_nulls, LogicalNullCount(runs));
  EXPECT_EQ(run_nulls, 2);
  ASSERT_OK_AND_ASSIGN(const int64_t slice_nulls, LogicalNullCount(runs.Slice(4, 3)));
  EXPECT_EQ(slice_nulls, 1);
  ASSERT_OK_AND_ASSIGN(
      const DataType type,
      Union(TypeId::kSparseUnion, {Field("a", Int32()), Field("b", Utf8())}, {0, 1}));
  ASSERT_OK_AND_ASSIGN(const UnionArray rows,
                       UnionArray::MakeSparse(type, Integers({0, 1, 0}, 8),
                                              {Ints({kNull, 1, 2}), Utf8s({"x", kNull, "z"})}, 3));
  EXPECT_EQ(rows.null_count(), 0);
  ASSERT_OK_AND_ASSIGN(const int64_t union_nulls, LogicalNullCount(rows));
  EXPECT_EQ(union_nulls, 2);
}

TEST(Equality, C14_ADictionaryNullIsANull) {
  ASSERT_OK_AND_ASSIGN(const DictionaryArray a,
                       DictionaryArray::Make(Ints({0, 1, 2, kNull}), Utf8s({"aa", kNull, "cc"})));
  ASSERT_OK_AND_ASSIGN(const DictionaryArray b,
                       DictionaryArray::Make(Ints({1, kNull, 0, kNull}), Utf8s({"cc", "aa"})));
  EXPECT_EQ(a.null_count(), 1);
  ASSERT_OK_AND_ASSIGN(const int64_t nulls, LogicalNullCount(a));
  EXPECT_EQ(nulls, 2);
  EXPECT_TRUE(a == b);
  ASSERT_OK_AND_ASSIGN(const DictionaryArray c,
                       DictionaryArray::Make(Ints({1, 1, 0, kNull}), Utf8s({"cc", "aa"})));
  EXPECT_EQ(Difference(a, c), "$, row 1: null and \"aa\"");
}

TEST(Equality, C21_RunsAreComparedExpanded) {
  ASSERT_OK_AND_ASSIGN(const RunEndArray runs,
                       RunEndArray::Make(Ints({3, 5, 9}), Utf8s({"a", kNull, "b"})));
  ASSERT_OK_AND_ASSIGN(const RunEndArray other,
                       RunEndArray::Make(Ints({1, 2, 3}), Utf8s({kNull, "b", "b"})));
  const Array slice = runs.Slice(4, 3);
  EXPECT_TRUE(slice == other);
  EXPECT_THAT(slice, ReadsAs("[null, \"b\", \"b\"]"));
  EXPECT_FALSE(runs.Slice(3, 3) == other);
  EXPECT_EQ(runs.Slice(0, 0).length(), 0);
  EXPECT_OK(runs.Slice(9, 0).Verify());
}

TEST(Equality, C24_ASlicedSparseUnion) {
  ASSERT_OK_AND_ASSIGN(
      const DataType type,
      Union(TypeId::kSparseUnion, {Field("i", Int32()), Field("u", Utf8())}, {0, 1}));
  ASSERT_OK_AND_ASSIGN(
      const UnionArray rows,
      UnionArray::MakeSparse(type, Integers({0, 1, 0, 1}, 8),
                             {Ints({1, 2, kNull, 4}), Utf8s({"a", "b", "c", kNull})}, 4));
  ASSERT_OK_AND_ASSIGN(const UnionArray slice, UnionArray::From(rows.Slice(1, 3)));
  EXPECT_EQ(slice.ToString(), "[\"b\", null, null]");
  EXPECT_EQ(slice.null_count(), 0);
  EXPECT_FALSE(IsLogicallyNull(slice, 0));
  EXPECT_TRUE(IsLogicallyNull(slice, 1));
  EXPECT_TRUE(IsLogicallyNull(slice, 2));
  EXPECT_THAT(slice.value(0), ReadsAs("[\"b\"]"));
  // The same value under another type code is another value.
  ASSERT_OK_AND_ASSIGN(
      const DataType twice,
      Union(TypeId::kSparseUnion, {Field("a", Int32()), Field("b", Int32())}, {0, 1}));
  const auto of = [&](int64_t id) {
    return *UnionArray::MakeSparse(twice, Integers({id}, 8), {Ints({1}), Ints({1})}, 1);
  };
  EXPECT_TRUE(of(0) == of(0));
  EXPECT_EQ(Difference(of(0), of(1)), "$, row 0: type id 0 and type id 1");
}

TEST(Equality, FloatsByBitsOrAsIeeeHasIt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Array a = Doubles({nan, 0.0});
  const Array b = Doubles({-nan, 0.0});
  EXPECT_TRUE(Equals(a, b));
  EXPECT_FALSE(Equals(Doubles({0.0}), Doubles({-0.0})));
  EXPECT_TRUE(Equals(Doubles({0.0}), Doubles({-0.0}), {.ieee_floats = true}));
  EXPECT_FALSE(Equals(a, a, {.ieee_floats = true}));
}

TEST(Equality, TypesMustBeEqualButForChildNamesOfLists) {
  EXPECT_FALSE(Ints({1}) == Ints({1}, Int64()));
  EXPECT_EQ(Difference(Ints({1}), Ints({1}, Int64())), "types: int32 and int64");
  EXPECT_EQ(Difference(Ints({1}), Ints({1, 2})), "lengths: 1 and 2");
  const Array item = ListsOver(Ints({1}), {0, 1});
  const Array renamed = MakeRaw({.type = List(Field("element", Int32())),
                                 .length = 1,
                                 .buffers = {Buffer(), Integers({0, 1}, 32)},
                                 .children = {Ints({1})}});
  EXPECT_TRUE(item == renamed);
}

TEST(Equality, FirstDifferenceNamesPathRowElementAndValues) {
  const DataType type = TypeFrom("struct<a: int32, points: list_view<struct<x: int32, y: utf8>>>");
  const Array a = FromJson(
      type,
      R"([{"a": 1, "points": []}, {"a": 2, "points": [{"x": 1, "y": "p"}, {"x": 2, "y": "q"}]}])");
  const Array b = FromJson(
      type,
      R"([{"a": 1, "points": []}, {"a": 2, "points": [{"x": 1, "y": "p"}, {"x": 2, "y": "r"}]}])");
  const Array c =
      FromJson(type, R"([{"a": 1, "points": []}, {"a": 2, "points": [{"x": 1, "y": "p"}]}])");
  EXPECT_EQ(Difference(a, b), "$.points.item.y, row 1, element 1: \"q\" and \"r\"");
  EXPECT_EQ(Difference(a, c), "$.points, row 1: a list of 2 elements and a list of 1 element");
}

TEST(Equality, FindDifferenceTellsThePartsApart) {
  const DataType type = TypeFrom("list<list_view<int32>>");
  const Array a = FromJson(type, "[[], [[1], [2, 3]]]");
  const Array b = FromJson(type, "[[], [[1], [2, null]]]");
  ASSERT_OK_AND_ASSIGN(const auto found, FindDifference(a, b));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->path, "$.item.item");
  EXPECT_EQ(found->row, 1);
  EXPECT_THAT(found->elements, ::testing::ElementsAre(1, 1));
  EXPECT_EQ(found->a, "3");
  EXPECT_EQ(found->b, "null");
  EXPECT_EQ(found->Place(), "$.item.item, row 1, element 1.1");
  ASSERT_OK_AND_ASSIGN(const auto none, FindDifference(a, a));
  EXPECT_FALSE(none.has_value());
}

TEST(Equality, FindDifferenceRefusesWhatItCannotCompare) {
  const auto refused = [](const Array& a, const Array& b, const std::string& why) {
    EXPECT_THAT(FindDifference(a, b), StatusIs(StatusCode::kInvalidArgument, why));
  };
  refused(Ints({1}), Ints({1}, Int64()), "types: int32 and int64");
  refused(Ints({1}), Ints({1, 2}), "lengths: 1 and 2");
  const Array bad = ListViews({.offsets = {3}, .sizes = {1}, .elements = {1, 2, 3}});
  refused(bad, ListViews({.offsets = {0}, .sizes = {1}, .elements = {1}}), "row 0");
}

/// Random arrays agree with the naive model, whether equal or not.
TEST(Equality, AgreesWithTheModelOnRandomArrays) {
  for (const uint64_t seed : Seeds(4)) {
    for (const TypeId id : AllTypeIds()) {
      Random random(seed);
      const DataType type = SampleType(id);
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " " << type.ToString());
      RandomOptions options;
      options.length = 12;
      options.max_list_size = 2;
      options.sliced = true;
      const Array a = RandomArray(type, options, random);
      const Array b = RandomArray(type, options, random);
      EXPECT_TRUE(a == a);
      // The same values from JSON, placed anew.
      for (int i = 0; i < 40; ++i) {
        const int64_t at_a = Draw(random, 0, a.length());
        const int64_t at_b = Draw(random, 0, b.length());
        const Array x = a.Slice(at_a, Draw(random, 0, 2));
        const Array y = b.Slice(at_b, Draw(random, 0, 2));
        const bool same = testing::FirstDifference(Read(x), Read(y)).empty();
        EXPECT_EQ(x == y, same) << x.ToString() << " " << y.ToString();
        EXPECT_EQ(Difference(x, y).empty(), same);
      }
    }
  }
}

TEST(Equality, RandomArraysEqualTheirOwnValuesPlacedAnew) {
  for (const uint64_t seed : Seeds(4)) {
    for (const TypeId id : AllTypeIds()) {
      Random random(seed);
      const DataType type = SampleType(id);
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " " << type.ToString());
      RandomOptions options;
      options.length = 20;
      options.sliced = true;
      const Array a = RandomArray(type, options, random);
      std::string json = "[";
      for (int64_t i = 0; i < a.length(); ++i) {
        json += (i > 0 ? ", " : "") + ValueToString(a, i, PrintStyle::kJson);
      }
      const Array again = FromJson(type, json + "]");
      if (id == TypeId::kSparseUnion || id == TypeId::kDenseUnion)
        continue;  // JSON does not tell the child.
      EXPECT_EQ(Difference(a, again), "");
    }
  }
}

TEST(ChunkedArray, EqualWhereverTheBordersAre) {
  ASSERT_OK_AND_ASSIGN(const ChunkedArray a,
                       ChunkedArray::Make(Int32(), {Range(0, 3), Range(3, 3), Range(3, 7)}));
  ASSERT_OK_AND_ASSIGN(const ChunkedArray b,
                       ChunkedArray::Make(Int32(), {Range(0, 1), Range(1, 7)}));
  EXPECT_TRUE(a == b);
  EXPECT_TRUE(a.Slice(2, 3) == b.Slice(2, 3));
  EXPECT_FALSE(a.Slice(2, 3) == b.Slice(1, 3));
  EXPECT_EQ(a.Slice(2, 2).num_chunks(), 2);
  EXPECT_THAT(ChunkedArray::Make(Int32(), {Ints({1}), Utf8s({"a"})}),
              StatusIs(StatusCode::kInvalidArgument, "chunk 1 is utf8, not int32"));
}

}  // namespace
}  // namespace sheaf
