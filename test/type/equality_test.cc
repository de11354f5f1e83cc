#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/type/schema.h"
#include "type/sample_types.h"

namespace sheaf {
namespace {

const Metadata kSome = {{"k", "v"}};

TEST(TypeEquality, EveryTypeEqualsItselfMadeAnewAndNoOther) {
  const auto samples = testing::SampleTypes();
  const auto anew = testing::SampleTypes();
  for (size_t i = 0; i < samples.size(); ++i) {
    for (size_t j = 0; j < samples.size(); ++j) {
      EXPECT_EQ(samples[i].type.Identical(anew[j].type), i == j)
          << samples[i].text << " and " << anew[j].text;
    }
    EXPECT_EQ(samples[i].type, anew[i].type) << samples[i].text;
  }
}

TEST(TypeEquality, NamesOfListChildrenMeanNothing) {
  using Factory = DataType (*)(Field);
  for (const Factory list :
       {Factory(&List), Factory(&LargeList), Factory(&ListView), Factory(&LargeListView)}) {
    const DataType a = list(Field("item", Int32()));
    const DataType b = list(Field("element", Int32(), true, kSome));
    EXPECT_EQ(a, b);
    EXPECT_FALSE(a.Identical(b));
    EXPECT_FALSE(a == list(Field("item", Int32(), false)));
    EXPECT_FALSE(a == list(Field("item", Int64())));
  }
  EXPECT_EQ(*FixedSizeList(Field("a", Int8()), 2), *FixedSizeList(Field("b", Int8()), 2));
  EXPECT_FALSE(*FixedSizeList(Field("a", Int8()), 2) == *FixedSizeList(Field("a", Int8()), 3));
  EXPECT_FALSE(List(Int32()) == ListView(Int32()));
  // Also where they are deeper down.
  EXPECT_EQ(Struct({Field("s", List(List(Field("x", Int8()))))}),
            Struct({Field("s", List(List(Field("y", Int8()))))}));
}

TEST(TypeEquality, NamesInMapsMeanNothing) {
  const DataType a = Map(Utf8(), Field("value", Int32()));
  const DataType b = *MapOf(
      Field("key_value", Struct({Field("k", Utf8(), false), Field("v", Int32(), true, kSome)}),
            false, kSome),
      false);
  EXPECT_EQ(a, b);
  EXPECT_FALSE(a.Identical(b));
  EXPECT_FALSE(a == Map(Utf8(), Field("value", Int32()), /*keys_sorted=*/true));
  EXPECT_FALSE(a == Map(Utf8(), Field("value", Int32(), false)));
  EXPECT_FALSE(a == Map(LargeUtf8(), Field("value", Int32())));
}

TEST(TypeEquality, NamesOfStructAndUnionFieldsCountMetadataDoesNot) {
  const DataType a = Struct({Field("a", Int8())});
  EXPECT_FALSE(a == Struct({Field("b", Int8())}));
  EXPECT_FALSE(a == Struct({Field("a", Int8(), false)}));
  EXPECT_FALSE(a == Struct({}));
  EXPECT_EQ(a, Struct({Field("a", Int8(), true, kSome)}));
  EXPECT_FALSE(a.Identical(Struct({Field("a", Int8(), true, kSome)})));
  const std::vector<Field> fields = {Field("a", Int8())};
  EXPECT_FALSE(*Union(TypeId::kDenseUnion, fields, {1}) ==
               *Union(TypeId::kDenseUnion, fields, {2}));
  EXPECT_FALSE(*Union(TypeId::kDenseUnion, fields, {1}) ==
               *Union(TypeId::kSparseUnion, fields, {1}));
}

TEST(TypeEquality, ParametersCount) {
  EXPECT_FALSE(Timestamp(TimeUnit::kNano, "UTC") == Timestamp(TimeUnit::kNano));
  EXPECT_FALSE(Timestamp(TimeUnit::kNano, "UTC") == Timestamp(TimeUnit::kMicro, "UTC"));
  EXPECT_EQ(Timestamp(TimeUnit::kNano, "UTC"), Timestamp(TimeUnit::kNano, "UTC"));
  EXPECT_FALSE(*Decimal(TypeId::kDecimal128, 5, 2) == *Decimal(TypeId::kDecimal128, 5, 3));
  EXPECT_FALSE(*Dictionary(Int8(), Utf8()) == *Dictionary(Int8(), Utf8(), true));
  EXPECT_FALSE(*Dictionary(Int8(), Utf8()) == *Dictionary(Int16(), Utf8()));
  EXPECT_FALSE(Extension("a", "", Int8()) == Extension("a", "p", Int8()));
  EXPECT_FALSE(Extension("a", "", Int8()) == Extension("b", "", Int8()));
  EXPECT_FALSE(Extension("a", "", Int8()) == Int8());
  // An extension over a list compares as the list does.
  EXPECT_EQ(Extension("a", "", List(Field("x", Int8()))), Extension("a", "", List(Int8())));
  EXPECT_FALSE(
      Extension("a", "", List(Field("x", Int8()))).Identical(Extension("a", "", List(Int8()))));
}

TEST(SchemaTest, EqualityLeavesMetadataOutIdentityDoesNot) {
  const Schema a({Field("a", Int8()), Field("b", List(Field("x", Utf8())))});
  const Schema b({Field("a", Int8()), Field("b", List(Utf8()))}, kSome);
  EXPECT_EQ(a, b);
  EXPECT_FALSE(a.Identical(b));
  EXPECT_TRUE(b.Identical(Schema(b)));
  EXPECT_FALSE(a == Schema({Field("a", Int8())}));
}

TEST(SchemaTest, FieldsAreFoundByTheirOneName) {
  const Schema schema(
      {Field("a", Int8()), Field("b", Int8()), Field("a", Utf8()), Field("", Int8())});
  EXPECT_EQ(*schema.FieldIndex("b"), 1);
  EXPECT_EQ(*schema.FieldIndex(""), 3);
  EXPECT_EQ(schema.FieldIndex("a").status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(schema.FieldIndex("c").status().code(), StatusCode::kNotFound);
}

TEST(SchemaTest, PrintsOneLineAField) {
  EXPECT_EQ(Schema({Field("a", Int8(), false), Field("b", ListView(Utf8()))}).ToString(),
            "a: int8 not null\nb: list_view<utf8>");
  EXPECT_EQ(Schema().ToString(), "");
}

TEST(MetadataTest, FirstValueOfAKeyIsFound) {
  const Metadata metadata = {{"a", ""}, {"b", "1"}, {"b", "2"}};
  EXPECT_EQ(*FindMetadata(metadata, "a"), "");
  EXPECT_EQ(*FindMetadata(metadata, "b"), "1");
  EXPECT_EQ(FindMetadata(metadata, "c"), nullptr);
}

TEST(FieldTest, WithChangesOneThing) {
  const Field field("a", Int8(), false, kSome);
  EXPECT_TRUE(field.WithName("b").Identical(Field("b", Int8(), false, kSome)));
  EXPECT_TRUE(field.WithType(Utf8()).Identical(Field("a", Utf8(), false, kSome)));
  EXPECT_TRUE(field.WithNullable(true).Identical(Field("a", Int8(), true, kSome)));
  EXPECT_TRUE(field.WithMetadata({}).Identical(Field("a", Int8(), false)));
  EXPECT_EQ(field, field.WithMetadata({}));
}

}  // namespace
}  // namespace sheaf
