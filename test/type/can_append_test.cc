#include "sheaf/type/can_append.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/type/field.h"
#include "type/sample_types.h"

namespace sheaf {
namespace {

std::string Refusal(const DataType& to, const DataType& from) {
  const Status status = CanAppend(to, from);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  return std::string(status.message());
}

DataType FixedSizeListOf(const DataType& elements, int32_t size) {
  return *FixedSizeList(Field("item", elements), size);
}

TEST(CanAppend, EveryTypeTakesItselfAndOnlyListLikesDictionariesAndRunsOthers) {
  const auto samples = testing::SampleTypes();
  const auto anew = testing::SampleTypes();
  for (const auto& [to_text, to] : samples) {
    for (const auto& [from_text, from] : anew) {
      const bool takes = CanAppend(to, from).ok();
      const bool list_likes = IsListLike(to.id()) && IsListLike(from.id());
      const auto encoded = [](const DataType& type) {
        return type.id() == TypeId::kDictionary || type.id() == TypeId::kRunEndEncoded;
      };
      if (to == from) {
        EXPECT_TRUE(takes) << from_text << " to " << to_text;
      } else if (to.id() != from.id() && !list_likes && !encoded(to) && !encoded(from)) {
        EXPECT_FALSE(takes) << from_text << " to " << to_text;
      }
    }
  }
}

TEST(CanAppend, ListLikesTakeEachOtherWhateverTheChildIsCalled) {
  const auto list_likes = [](const Field& elements) {
    return std::vector<DataType>{List(elements), LargeList(elements), ListView(elements),
                                 LargeListView(elements), *FixedSizeList(elements, 2)};
  };
  for (const DataType& to : list_likes(Field("item", Int32()))) {
    for (const DataType& from : list_likes(Field("element", Int32(), false, {{"k", "v"}}))) {
      EXPECT_TRUE(CanAppend(to, from).ok()) << from.ToString() << " to " << to.ToString();
    }
    for (const DataType& from : list_likes(Field("item", Int64()))) {
      EXPECT_FALSE(CanAppend(to, from).ok()) << from.ToString() << " to " << to.ToString();
    }
    EXPECT_FALSE(CanAppend(to, Int32()).ok());
    EXPECT_FALSE(CanAppend(to, Map(Utf8(), Field("value", Int32()))).ok());
  }
}

TEST(CanAppend, NestedListLikesMatchLevelByLevel) {
  const DataType to = ListView(Field("a", Struct({Field("s", LargeListView(Field("b", Utf8())))})));
  EXPECT_TRUE(CanAppend(to, List(Struct({Field("s", FixedSizeListOf(Utf8(), 3))}))).ok());
  EXPECT_TRUE(
      CanAppend(List(List(Int8())), ListView(Field("x", ListView(Field("y", Int8()))))).ok());
  EXPECT_EQ(Refusal(to, List(Struct({Field("s", List(Binary()))}))),
            "cannot append list<struct<s: list<binary>>> to "
            "list_view<a: struct<s: large_list_view<b: utf8>>>: $.a.s.b: binary is not utf8");
}

TEST(CanAppend, FixedSizesMustMatchEachOther) {
  EXPECT_THAT(Refusal(FixedSizeListOf(Int8(), 2), FixedSizeListOf(Int8(), 3)),
              ::testing::HasSubstr("$: lists of 3 elements are not lists of 2"));
  EXPECT_TRUE(CanAppend(FixedSizeListOf(Int8(), 2), List(Int8())).ok());
}

TEST(CanAppend, NullabilityIsLeftToTheValues) {
  EXPECT_TRUE(
      CanAppend(Struct({Field("a", Int8(), false)}), Struct({Field("a", Int8(), true)})).ok());
  EXPECT_TRUE(CanAppend(List(Field("item", Int8(), false)), List(Int8())).ok());
  EXPECT_TRUE(CanAppend(Map(Utf8(), Field("value", Int8(), false)),
                        *MapOf(Field("e", Struct({Field("k", Utf8()), Field("v", Int8())})), false))
                  .ok());
}

TEST(CanAppend, StructFieldsMatchByPlaceAndName) {
  const DataType to = Struct({Field("a", Int8()), Field("b", Utf8())});
  EXPECT_THAT(Refusal(to, Struct({Field("b", Utf8()), Field("a", Int8())})),
              ::testing::HasSubstr("$: field 0 is called 'b', not 'a'"));
  EXPECT_THAT(Refusal(to, Struct({Field("a", Int8())})),
              ::testing::HasSubstr("struct<a: int8> is not struct<a: int8, b: utf8>"));
  EXPECT_THAT(Refusal(to, Struct({Field("a", Int8()), Field("b", LargeUtf8())})),
              ::testing::HasSubstr("$.b: large_utf8 is not utf8"));
}

TEST(CanAppend, MapsMatchByKeysAndValues) {
  const DataType to = Map(Utf8(), Field("value", List(Int8())));
  EXPECT_TRUE(CanAppend(to, Map(Utf8(), Field("v", ListView(Int8())))).ok());
  EXPECT_THAT(Refusal(to, Map(Int8(), Field("value", List(Int8())))),
              ::testing::HasSubstr("$.entries.key: int8 is not utf8"));
  EXPECT_THAT(
      Refusal(Map(Utf8(), Field("value", Int8()), true), Map(Utf8(), Field("value", Int8()))),
      ::testing::HasSubstr("unsorted keys are not sorted keys"));
}

TEST(CanAppend, UnionsMatchByCodesAndNames) {
  const std::vector<Field> fields = {Field("a", List(Int8()))};
  const std::vector<Field> views = {Field("a", ListView(Int8()))};
  EXPECT_TRUE(
      CanAppend(*Union(TypeId::kDenseUnion, fields, {1}), *Union(TypeId::kDenseUnion, views, {1}))
          .ok());
  EXPECT_THAT(
      Refusal(*Union(TypeId::kDenseUnion, fields, {1}), *Union(TypeId::kDenseUnion, fields, {2})),
      ::testing::HasSubstr("there is no type code 2, of field 'a'"));
  // Children are found by their codes, and some may be missing in the source.
  const std::vector<Field> more = {Field("b", Utf8()), Field("a", List(Int8()))};
  EXPECT_TRUE(
      CanAppend(*Union(TypeId::kDenseUnion, more, {7, 1}), *Union(TypeId::kDenseUnion, fields, {1}))
          .ok());
  EXPECT_THAT(
      Refusal(*Union(TypeId::kDenseUnion, more, {1, 7}), *Union(TypeId::kDenseUnion, fields, {1})),
      ::testing::HasSubstr("the field of type code 1 is called 'a', not 'b'"));
  EXPECT_FALSE(
      CanAppend(*Union(TypeId::kDenseUnion, fields, {1}), *Union(TypeId::kSparseUnion, fields, {1}))
          .ok());
}

TEST(CanAppend, RunsAreTheirValuesWhateverTheWidthOfTheirEnds) {
  const auto runs = [](const DataType& ends, const DataType& values) {
    return *RunEndEncoded(ends, Field("values", values));
  };
  const DataType to = runs(Int32(), List(Int8()));
  EXPECT_TRUE(CanAppend(to, runs(Int16(), ListView(Int8()))).ok());
  EXPECT_TRUE(CanAppend(to, ListView(Int8())).ok());
  EXPECT_TRUE(CanAppend(ListView(Int8()), to).ok());
  EXPECT_TRUE(CanAppend(List(runs(Int16(), Int8())), List(Int8())).ok());
  EXPECT_TRUE(CanAppend(*Dictionary(Int8(), Utf8()), runs(Int16(), Utf8())).ok());
  EXPECT_TRUE(CanAppend(runs(Int16(), Utf8()), *Dictionary(Int8(), Utf8())).ok());
  EXPECT_THAT(Refusal(to, runs(Int32(), List(Int16()))),
              ::testing::HasSubstr("$.values.item: int16 is not int8"));
  EXPECT_THAT(Refusal(Int8(), runs(Int32(), Int16())),
              ::testing::HasSubstr("$: int16 is not int8"));
}

TEST(CanAppend, ExtensionsMatchByNameParametersAndStorage) {
  const DataType to = Extension("e", "p", List(Int8()));
  EXPECT_TRUE(CanAppend(to, Extension("e", "p", ListView(Int8()))).ok());
  EXPECT_FALSE(CanAppend(to, Extension("e", "q", List(Int8()))).ok());
  EXPECT_FALSE(CanAppend(to, Extension("f", "p", List(Int8()))).ok());
  EXPECT_FALSE(CanAppend(to, List(Int8())).ok());
}

TEST(CanAppend, DictionariesMatchByTheirValues) {
  const DataType to = *Dictionary(Int8(), List(Int8()));
  EXPECT_TRUE(CanAppend(to, *Dictionary(UInt64(), ListView(Int8()))).ok());
  EXPECT_TRUE(CanAppend(to, ListView(Int8())).ok());
  EXPECT_TRUE(CanAppend(ListView(Int8()), to).ok());
  EXPECT_TRUE(CanAppend(List(Utf8()), List(*Dictionary(Int8(), Utf8()))).ok());
  EXPECT_TRUE(CanAppend(Utf8(), *Dictionary(Int8(), *Dictionary(Int8(), Utf8()))).ok());
  EXPECT_THAT(Refusal(to, *Dictionary(Int8(), Utf8())),
              ::testing::HasSubstr("utf8 is not list<int8>"));
  EXPECT_THAT(Refusal(List(*Dictionary(Int8(), Utf8())), List(Int8())),
              ::testing::HasSubstr("$.item: int8 is not utf8"));
  EXPECT_THAT(Refusal(Utf8(), *Dictionary(Int8(), Binary())),
              ::testing::HasSubstr("binary is not utf8"));

  const DataType ordered = *Dictionary(Int8(), Utf8(), true);
  const DataType unordered = *Dictionary(Int8(), Utf8());
  EXPECT_TRUE(CanAppend(unordered, ordered).ok());
  EXPECT_TRUE(CanAppend(ordered, ordered).ok());
  EXPECT_TRUE(CanAppend(ordered, Utf8()).ok());
  EXPECT_THAT(Refusal(ordered, unordered),
              ::testing::HasSubstr("an unordered dictionary is not an ordered one"));
}

TEST(CanAppend, ParametersMatch) {
  EXPECT_FALSE(CanAppend(Timestamp(TimeUnit::kNano), Timestamp(TimeUnit::kMicro)).ok());
  EXPECT_FALSE(CanAppend(Timestamp(TimeUnit::kNano, "UTC"), Timestamp(TimeUnit::kNano)).ok());
  EXPECT_FALSE(CanAppend(*FixedSizeBinary(3), *FixedSizeBinary(4)).ok());
  EXPECT_FALSE(
      CanAppend(*Decimal(TypeId::kDecimal128, 5, 2), *Decimal(TypeId::kDecimal128, 5, 1)).ok());
}

}  // namespace
}  // namespace sheaf
