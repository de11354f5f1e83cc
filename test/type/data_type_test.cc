#include "sheaf/type/data_type.h"

#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/type/field.h"
#include "sheaf/type/visit_type.h"
#include "type/sample_types.h"

namespace sheaf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string MessageOf(const StatusOr<DataType>& type) {
  EXPECT_EQ(type.status().code(), StatusCode::kInvalidArgument);
  return std::string(type.status().message());
}

TEST(DataType, SamplesNameEveryType) {
  std::set<TypeId> ids;
  for (const auto& [text, type] : testing::SampleTypes()) ids.insert(type.id());
  EXPECT_EQ(ids.size(), static_cast<size_t>(kTypeIdCount));
}

TEST(DataType, DefaultMadeAndMovedFromIsNull) {
  DataType type;
  EXPECT_EQ(type.id(), TypeId::kNull);
  type = List(Int32());
  const DataType moved = std::move(type);
  EXPECT_EQ(moved.ToString(), "list<int32>");
  EXPECT_EQ(type.id(), TypeId::kNull);  // NOLINT(bugprone-use-after-move)
}

TEST(DataType, TypesWithoutParametersAreConstants) {
  EXPECT_EQ(Int32().node(), Int32().node());
  EXPECT_EQ(Timestamp(TimeUnit::kNano).node(), Timestamp(TimeUnit::kNano).node());
  EXPECT_NE(Timestamp(TimeUnit::kNano).node(), Timestamp(TimeUnit::kMicro).node());
}

TEST(DataType, ByteWidths) {
  EXPECT_EQ(Boolean().byte_width(), 0);
  EXPECT_EQ(UInt8().byte_width(), 1);
  EXPECT_EQ(Float16().byte_width(), 2);
  EXPECT_EQ(Date32().byte_width(), 4);
  EXPECT_EQ(Time(TimeUnit::kMilli).byte_width(), 4);
  EXPECT_EQ(Time(TimeUnit::kNano).byte_width(), 8);
  EXPECT_EQ(Timestamp(TimeUnit::kSecond, "UTC").byte_width(), 8);
  EXPECT_EQ(IntervalMonths().byte_width(), 4);
  EXPECT_EQ(IntervalDayTime().byte_width(), 8);
  EXPECT_EQ(IntervalMonthDayNano().byte_width(), 16);
  EXPECT_EQ(Decimal(TypeId::kDecimal32, 1, 0)->byte_width(), 4);
  EXPECT_EQ(Decimal(TypeId::kDecimal64, 1, 0)->byte_width(), 8);
  EXPECT_EQ(Decimal(TypeId::kDecimal128, 1, 0)->byte_width(), 16);
  EXPECT_EQ(Decimal(TypeId::kDecimal256, 1, 0)->byte_width(), 32);
  EXPECT_EQ(FixedSizeBinary(7)->byte_width(), 7);
  EXPECT_EQ(Utf8().byte_width(), 0);
  EXPECT_EQ(Utf8View().byte_width(), 0);
  EXPECT_EQ(Dictionary(Int8(), Utf8())->byte_width(), 0);
}

TEST(DataType, ParametersAreReadBack) {
  const DataType decimal = *Decimal(TypeId::kDecimal128, 10, -2);
  EXPECT_EQ(decimal.precision(), 10);
  EXPECT_EQ(decimal.scale(), -2);
  EXPECT_EQ(Timestamp(TimeUnit::kMicro, "UTC").timezone(), "UTC");
  EXPECT_EQ(Timestamp(TimeUnit::kMicro, "UTC").unit(), TimeUnit::kMicro);
  EXPECT_EQ(Duration(TimeUnit::kNano).unit(), TimeUnit::kNano);
  EXPECT_EQ(Time(TimeUnit::kSecond).id(), TypeId::kTime32);
  EXPECT_EQ(Time(TimeUnit::kMicro).id(), TypeId::kTime64);

  const DataType list = ListView(Int32());
  EXPECT_EQ(list.num_fields(), 1);
  EXPECT_EQ(list.field(0).name(), "item");
  EXPECT_TRUE(list.field(0).nullable());
  EXPECT_EQ(list.value_type(), Int32());
  EXPECT_EQ(FixedSizeList(Field("item", Int8()), 5)->list_size(), 5);

  const DataType map = Map(Utf8(), Field("value", Int32()), true);
  EXPECT_TRUE(map.keys_sorted());
  EXPECT_FALSE(map.ordered());
  EXPECT_EQ(map.field(0).name(), "entries");
  EXPECT_FALSE(map.field(0).nullable());
  EXPECT_EQ(map.field(0).type().field(0), Field("key", Utf8(), false));

  const DataType dictionary = *Dictionary(UInt16(), Utf8(), true);
  EXPECT_TRUE(dictionary.ordered());
  EXPECT_FALSE(dictionary.keys_sorted());
  EXPECT_EQ(dictionary.index_type(), UInt16());
  EXPECT_EQ(dictionary.value_type(), Utf8());
  EXPECT_EQ(dictionary.num_fields(), 0);

  const DataType runs = *RunEndEncoded(Int64(), Field("values", Utf8()));
  EXPECT_EQ(runs.index_type(), Int64());
  EXPECT_EQ(runs.value_type(), Utf8());
  EXPECT_EQ(runs.field(0), Field("run_ends", Int64(), false));

  EXPECT_EQ(Int32().value_type(), Null());
  EXPECT_EQ(Int32().index_type(), Null());
  EXPECT_THAT(Int32().type_codes(), IsEmpty());
  EXPECT_EQ(Int32().storage(), Int32());
}

TEST(DataType, UnionCodesGoBothWays) {
  const DataType type =
      *Union(TypeId::kDenseUnion, {Field("a", Int8()), Field("b", Utf8())}, {5, 0});
  EXPECT_THAT(type.type_codes(), ElementsAre(5, 0));
  ASSERT_EQ(type.child_of_type_code().size(), 128U);
  EXPECT_EQ(type.child_of_type_code()[5], 0);
  EXPECT_EQ(type.child_of_type_code()[0], 1);
  EXPECT_EQ(type.child_of_type_code()[1], -1);
}

TEST(DataType, UnionOfAllCodesThereAre) {
  std::vector<Field> fields;
  std::vector<int8_t> codes;
  for (int i = 127; i >= 0; --i) {
    fields.emplace_back("f" + std::to_string(i), Int8());
    codes.push_back(static_cast<int8_t>(i));
  }
  const auto type = Union(TypeId::kSparseUnion, fields, codes);
  ASSERT_TRUE(type.ok());
  EXPECT_EQ(type->child_of_type_code()[0], 127);
  fields.emplace_back("more", Int8());
  EXPECT_THAT(MessageOf(Union(TypeId::kSparseUnion, fields, codes)), HasSubstr("128 type codes"));
}

TEST(DataType, ExtensionReadsThroughToItsStorage) {
  const DataType storage = *Union(TypeId::kDenseUnion, {Field("a", Int8())}, {3});
  const DataType type = Extension("name", "parameters", storage);
  EXPECT_EQ(type.id(), TypeId::kExtension);
  EXPECT_EQ(type.extension_name(), "name");
  EXPECT_EQ(type.extension_metadata(), "parameters");
  EXPECT_EQ(type.storage(), storage);
  EXPECT_EQ(&type.layout(), &storage.layout());
  EXPECT_THAT(type.type_codes(), ElementsAre(3));
  EXPECT_EQ(type.field(0).name(), "a");

  const DataType dictionary = Extension("d", "", *Dictionary(Int8(), Utf8(), true));
  EXPECT_EQ(dictionary.index_type(), Int8());
  EXPECT_EQ(dictionary.value_type(), Utf8());
  EXPECT_TRUE(dictionary.ordered());
  EXPECT_TRUE(Extension("m", "", Map(Int8(), Field("value", Int8()), true)).keys_sorted());
  EXPECT_EQ(Extension("u", "", *FixedSizeBinary(16)).byte_width(), 16);
  EXPECT_EQ(Extension("l", "", *FixedSizeList(Field("item", Int8()), 3)).list_size(), 3);
  EXPECT_EQ(Extension("outer", "", Extension("inner", "", Int8())).storage(), Int8());
}

TEST(DataType, WrongParametersAreNamed) {
  EXPECT_THAT(MessageOf(Decimal(TypeId::kDecimal32, 10, 0)), HasSubstr("[1, 9]"));
  EXPECT_THAT(MessageOf(Decimal(TypeId::kDecimal64, 19, 0)), HasSubstr("[1, 18]"));
  EXPECT_THAT(MessageOf(Decimal(TypeId::kDecimal128, 39, 0)), HasSubstr("[1, 38]"));
  EXPECT_THAT(MessageOf(Decimal(TypeId::kDecimal256, 77, 0)), HasSubstr("[1, 76]"));
  EXPECT_THAT(MessageOf(Decimal(TypeId::kDecimal256, 0, 0)), HasSubstr("[1, 76]"));
  EXPECT_THAT(MessageOf(Decimal(TypeId::kInt32, 1, 0)), HasSubstr("int32"));
  EXPECT_THAT(MessageOf(FixedSizeBinary(-42)), HasSubstr("-42"));
  EXPECT_THAT(MessageOf(FixedSizeList(Field("item", Int8()), -42)), HasSubstr("-42"));
  EXPECT_THAT(MessageOf(MapOf(Field("entries", Int8()), false)), HasSubstr("int8"));
  EXPECT_THAT(MessageOf(MapOf(Field("entries", Struct({Field("a", Int8())})), false)),
              HasSubstr("struct<a: int8>"));
  EXPECT_THAT(MessageOf(Union(TypeId::kStruct, {}, {})), HasSubstr("struct"));
  EXPECT_THAT(MessageOf(Union(TypeId::kDenseUnion, {Field("a", Int8())}, {})),
              HasSubstr("0 type codes for 1 fields"));
  EXPECT_THAT(MessageOf(Union(TypeId::kDenseUnion, {Field("a", Int8())}, {-1})), HasSubstr("-1"));
  EXPECT_THAT(
      MessageOf(Union(TypeId::kDenseUnion, {Field("a", Int8()), Field("b", Int8())}, {4, 4})),
      HasSubstr("type code 4 of field 1"));
  EXPECT_THAT(MessageOf(Dictionary(Utf8(), Utf8())), HasSubstr("utf8"));
  EXPECT_THAT(MessageOf(RunEndEncoded(UInt16(), Field("values", Int8()))), HasSubstr("uint16"));
  EXPECT_THAT(MessageOf(RunEndEncoded(Int8(), Field("values", Int8()))), HasSubstr("int8"));
}

TEST(DataType, SimpleTypesAreMadeByTheirId) {
  for (const auto& [text, type] : testing::SampleTypes()) {
    const auto simple = SimpleType(type.id());
    if (simple.ok()) {
      EXPECT_EQ(*simple, type) << text;
    } else {
      EXPECT_THAT(MessageOf(simple), HasSubstr("needs parameters"));
    }
  }
  EXPECT_TRUE(SimpleType(TypeId::kUtf8View).ok());
  EXPECT_TRUE(SimpleType(TypeId::kIntervalDayTime).ok());
  EXPECT_FALSE(SimpleType(TypeId::kTimestamp).ok());
  EXPECT_FALSE(SimpleType(TypeId::kDecimal64).ok());
  EXPECT_FALSE(SimpleType(TypeId::kExtension).ok());
}

TEST(DataType, DepthCountsTheLongestPathLeafIncluded) {
  EXPECT_EQ(Depth(Int32()), 1);
  EXPECT_EQ(Depth(Struct({})), 1);
  EXPECT_EQ(Depth(List(Int32())), 2);
  EXPECT_EQ(Depth(Struct({Field("a", Int8()), Field("b", List(Int32()))})), 3);
  EXPECT_EQ(Depth(Map(Utf8(), Field("value", Int32()))), 3);
  EXPECT_EQ(Depth(*Dictionary(Int8(), List(Utf8()))), 3);
  EXPECT_EQ(Depth(Extension("e", "", List(Int32()))), 2);
}

TEST(DataType, DeepTypesAreTakenDownWithoutTheStack) {
  DataType deep = Int8();
  for (int i = 0; i < 300'000; ++i) {
    switch (i % 3) {
      case 0:
        deep = List(deep);
        break;
      case 1:
        deep = Struct({Field("a", deep), Field("b", deep)});
        break;
      default:
        deep = *Dictionary(Int8(), deep);
    }
  }
  const DataType kept = deep.value_type().field(0).type();
  deep = Null();
  EXPECT_EQ(kept.id(), TypeId::kList);
}

TEST(DataType, HandlesAreCopiedByManyThreads) {
  const DataType shared = Struct({Field("a", List(Int8())), Field("b", Utf8())});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([copy = shared] {
      for (int i = 0; i < 10'000; ++i) {
        const DataType child = DataType(copy).field(0).type();
        ASSERT_EQ(child.value_type().id(), TypeId::kInt8);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(VisitType, TellsNameAndValueType) {
  for (const auto& [text, type] : testing::SampleTypes()) {
    const bool named = VisitType(type.id(), [&id = type](auto logical) {
      return logical.kId == id.id() && logical.kName == TypeName(id.id());
    });
    EXPECT_TRUE(named) << text;
    EXPECT_TRUE(text.starts_with(TypeName(type.id()))) << text;
  }
  static_assert(std::is_same_v<LogicalType<TypeId::kFloat64>::Value, double>);
  static_assert(std::is_same_v<LogicalType<TypeId::kDate64>::Value, int64_t>);
  static_assert(std::is_void_v<LogicalType<TypeId::kStruct>::Value>);
  static_assert(sizeof(Decimal256Value) == 32 && sizeof(MonthDayNano) == 16);
}

TEST(VisitType, IntegersByTheirCppType) {
  const auto width = [](TypeId id) {
    return VisitInteger(id, [](auto zero) { return sizeof(zero) * (zero - 1 < 0 ? 10 : 1); });
  };
  EXPECT_EQ(width(TypeId::kInt8), 10U);
  EXPECT_EQ(width(TypeId::kInt32), 40U);
  EXPECT_EQ(width(TypeId::kInt64), 80U);
  EXPECT_EQ(width(TypeId::kUInt32), 4U);
  EXPECT_EQ(width(TypeId::kUInt64), 8U);
}

}  // namespace
}  // namespace sheaf
