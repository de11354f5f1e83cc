#include "c_data/format.h"

#include <string>
#include <vector>

#include "c_data/foreign.h"
#include "sheaf/c_data/export.h"
#include "sheaf/c_data/import.h"
#include "sheaf/type/extension.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;
using internal::DecodeMetadata;
using internal::EncodeMetadata;
using internal::FormatOf;

TEST(FormatOf, NamesEveryTypeAsTheSpecificationDoes) {
  const std::pair<const char*, const char*> kFormats[] = {
      {"null", "n"},
      {"bool", "b"},
      {"int8", "c"},
      {"uint8", "C"},
      {"int16", "s"},
      {"uint16", "S"},
      {"int32", "i"},
      {"uint32", "I"},
      {"int64", "l"},
      {"uint64", "L"},
      {"float16", "e"},
      {"float32", "f"},
      {"float64", "g"},
      {"binary", "z"},
      {"large_binary", "Z"},
      {"utf8", "u"},
      {"large_utf8", "U"},
      {"binary_view", "vz"},
      {"utf8_view", "vu"},
      {"decimal128(19, 10)", "d:19,10"},
      {"decimal128(5, -2)", "d:5,-2"},
      {"decimal32(9, 1)", "d:9,1,32"},
      {"decimal64(18, 0)", "d:18,0,64"},
      {"decimal256(76, 3)", "d:76,3,256"},
      {"date32", "tdD"},
      {"date64", "tdm"},
      {"timestamp[s]", "tss:"},
      {"timestamp[ms, UTC]", "tsm:UTC"},
      {"timestamp[us, Europe/Berlin]", "tsu:Europe/Berlin"},
      {"timestamp[ns, +02:00]", "tsn:+02:00"},
      {"list<int32>", "+l"},
      {"large_list<int32>", "+L"},
      {"list_view<int32>", "+vl"},
      {"large_list_view<int32>", "+vL"},
      {"struct<a: int32>", "+s"},
      {"map<utf8, int32>", "+m"},
  };
  for (const auto& [type, format] : kFormats) EXPECT_EQ(FormatOf(TypeFrom(type)), format) << type;

  EXPECT_EQ(FormatOf(Time(TimeUnit::kSecond)), "tts");
  EXPECT_EQ(FormatOf(Time(TimeUnit::kMilli)), "ttm");
  EXPECT_EQ(FormatOf(Time(TimeUnit::kMicro)), "ttu");
  EXPECT_EQ(FormatOf(Time(TimeUnit::kNano)), "ttn");
  EXPECT_EQ(FormatOf(Duration(TimeUnit::kSecond)), "tDs");
  EXPECT_EQ(FormatOf(Duration(TimeUnit::kNano)), "tDn");
  EXPECT_EQ(FormatOf(IntervalMonths()), "tiM");
  EXPECT_EQ(FormatOf(IntervalDayTime()), "tiD");
  EXPECT_EQ(FormatOf(IntervalMonthDayNano()), "tin");
  EXPECT_EQ(FormatOf(*FixedSizeBinary(42)), "w:42");
  EXPECT_EQ(FormatOf(*FixedSizeList(Field("item", Int8()), 0)), "+w:0");
  EXPECT_EQ(FormatOf(*Dictionary(UInt16(), Utf8())), "S");
  EXPECT_EQ(FormatOf(*RunEndEncoded(Int16(), Field("values", Utf8()))), "+r");
  const std::vector<Field> two = {Field("a", Int8()), Field("b", Utf8())};
  EXPECT_EQ(FormatOf(*Union(TypeId::kSparseUnion, two, {4, 24})), "+us:4,24");
  EXPECT_EQ(FormatOf(*Union(TypeId::kDenseUnion, two, {0, 127})), "+ud:0,127");
}

StatusOr<Field> ThereAndBack(const Field& field) {
  ScopedSchema schema;
  SHEAF_RETURN_IF_ERROR(ExportField(field, &schema));
  return ImportField(&schema);
}

TEST(SchemaRoundTrip, EveryTypeComesBackIdentical) {
  for (const TypeId id : AllTypeIds()) {
    if (id == TypeId::kExtension) continue;  // Below.
    const Field field("f", SampleType(id), id != TypeId::kInt32);
    ASSERT_OK_AND_ASSIGN(const Field back, ThereAndBack(field));
    EXPECT_TRUE(back.Identical(field)) << field.ToString() << " came back as " << back.ToString();
  }
}

TEST(SchemaRoundTrip, RandomNestedTypesComeBackIdentical) {
  std::vector<TypeId> ids = AllTypeIds();
  std::erase(ids, TypeId::kExtension);
  for (const uint64_t seed : Seeds(50)) {
    Random random(seed);
    const Field field("f", RandomType(ids, 5, random));
    ASSERT_OK_AND_ASSIGN(const Field back, ThereAndBack(field));
    EXPECT_TRUE(back.Identical(field)) << field.ToString() << " came back as " << back.ToString();
  }
}

TEST(SchemaRoundTrip, RegisteredExtensionsComeBackAsSuchAndOthersKeepTheirKeys) {
  const Field field("f",
                    List(Field("item", Extension("sheaf.test.point", "2d", *FixedSizeBinary(16)))));

  ASSERT_OK_AND_ASSIGN(const Field unknown, ThereAndBack(field));
  const Field& item = unknown.type().field(0);
  EXPECT_EQ(item.type(), *FixedSizeBinary(16));
  ASSERT_NE(FindMetadata(item.metadata(), kExtensionNameKey), nullptr);
  EXPECT_EQ(*FindMetadata(item.metadata(), kExtensionMetadataKey), "2d");

  ASSERT_OK(RegisterExtension("sheaf.test.point",
                              [](const DataType&, string_view) { return OkStatus(); }));
  ASSERT_OK_AND_ASSIGN(const Field known, ThereAndBack(field));
  EXPECT_OK(UnregisterExtension("sheaf.test.point"));
  EXPECT_TRUE(known.Identical(field)) << known.ToString();
}

TEST(CDataExportSchema, CEX_01_ListViewsOfBothWidths) {
  const DataType nested = ListView(LargeListView(Int32()));
  ScopedSchema schema;
  ASSERT_OK(ExportField(Field("f", nested, false), &schema));

  EXPECT_STREQ(schema.format, "+vl");
  EXPECT_STREQ(schema.name, "f");
  EXPECT_EQ(schema.flags, 0);
  EXPECT_EQ(schema.metadata, nullptr);
  ASSERT_EQ(schema.n_children, 1);
  EXPECT_STREQ(schema.children[0]->format, "+vL");
  EXPECT_STREQ(schema.children[0]->name, "item");
  EXPECT_EQ(schema.children[0]->flags, ARROW_FLAG_NULLABLE);
  EXPECT_STREQ(schema.children[0]->children[0]->format, "i");

  ScopedSchema small;
  ASSERT_OK(ExportType(ListView(Int8()), &small));
  EXPECT_STREQ(small.children[0]->format, "c");
  ScopedSchema large;
  ASSERT_OK(ExportType(LargeListView(UInt16()), &large));
  EXPECT_STREQ(large.format, "+vL");
  EXPECT_STREQ(large.children[0]->format, "S");
}

TEST(CDataExportSchema, CEX_02_DictionariesOfAllIndexTypesInALargeList) {
  const std::pair<DataType, const char*> kIndices[] = {
      {Int8(), "c"},  {UInt8(), "C"},  {Int16(), "s"}, {UInt16(), "S"},
      {Int32(), "i"}, {UInt32(), "I"}, {Int64(), "l"}, {UInt64(), "L"}};
  for (const auto& [index, format] : kIndices) {
    for (const bool ordered : {false, true}) {
      ScopedSchema schema;
      ASSERT_OK(ExportType(LargeList(*Dictionary(index, Utf8(), ordered)), &schema));
      const ArrowSchema& item = *schema.children[0];
      EXPECT_STREQ(item.format, format);
      ASSERT_NE(item.dictionary, nullptr);
      EXPECT_STREQ(item.dictionary->format, "u");
      EXPECT_EQ(schema.flags & ARROW_FLAG_DICTIONARY_ORDERED, 0);
      EXPECT_EQ(item.flags & ARROW_FLAG_DICTIONARY_ORDERED,
                ordered ? ARROW_FLAG_DICTIONARY_ORDERED : 0);
    }
  }
}

TEST(CDataExportSchema, CEX_03_ABatchsSchemaIsAStructThatIsNotNullable) {
  const Schema schema({Field("a", Int32()), Field("b", Utf8(), false)}, {{"origin", "test"}});
  ScopedSchema exported;
  ASSERT_OK(ExportSchema(schema, &exported));
  EXPECT_STREQ(exported.format, "+s");
  EXPECT_EQ(exported.flags, 0);
  ASSERT_EQ(exported.n_children, 2);
  EXPECT_STREQ(exported.children[0]->name, "a");
  EXPECT_EQ(exported.children[1]->flags, 0);

  ASSERT_OK_AND_ASSIGN(const Schema back, ImportSchema(&exported));
  EXPECT_TRUE(back.Identical(schema)) << back.ToString();
}

TEST(CDataImportSchema, CIM_08_WrongFormatsAreErrorsThatQuoteThem) {
  const char* kFormats[] = {"",      "cc",      "w3",          "w:three",      "+",   "+mm",
                            "+u",    "+w",      "+w:",         "+Z",           "n*",  "w:-1",
                            "+w:x",  "+us:",    "+us:1,",      "+us:x",        "ts",  "tss",
                            "tsx:",  "tt",      "tDx",         "tdx",          "d:",  "d:1",
                            "d:x,1", "d:1,1,7", "d:1,1,128,1", "d:99,0",       "+vx", "v",
                            "vv",    "+ud:128", "+us:-1",      "w:99999999999"};
  for (const char* format : kFormats) {
    int releases = 0;
    ArrowSchema schema = Make(ForeignSchema{.format = format}, &releases);
    EXPECT_THAT(ImportType(&schema),
                StatusIs(StatusCode::kInvalidArgument, std::string("\"") + format + "\""));
    EXPECT_EQ(releases, 1) << format;
    EXPECT_EQ(schema.release, nullptr);
  }
}

TEST(CDataImportSchema, CIM_09_FlagsThatDoNotConcernATypeAndUnknownOnesAreIgnored) {
  ArrowSchema plain = Make(ForeignSchema{.format = "i", .flags = ~int64_t{0}});
  ASSERT_OK_AND_ASSIGN(const Field field, ImportField(&plain));
  EXPECT_EQ(field.type(), Int32());
  EXPECT_TRUE(field.nullable());
}

TEST(CDataImportSchema, WrongShapesAreErrorsThatNameThePath) {
  const ForeignSchema kBad{.format = "+l", .children = {{.format = "q", .name = "item"}}};
  ArrowSchema nested =
      Make(ForeignSchema{.format = "+s", .children = {{.format = "i", .name = "a"}, kBad}});
  EXPECT_THAT(ImportType(&nested), StatusIs(StatusCode::kInvalidArgument, "$[1].item"));

  ArrowSchema childless = Make(ForeignSchema{.format = "+vl"});
  EXPECT_THAT(ImportType(&childless), StatusIs(StatusCode::kInvalidArgument, "0 children"));
  ArrowSchema parent = Make(ForeignSchema{.format = "i", .children = {{.format = "i"}}});
  EXPECT_THAT(ImportType(&parent), StatusIs(StatusCode::kInvalidArgument, "1 children"));
  ArrowSchema map = Make(ForeignSchema{.format = "+m", .children = {{.format = "i"}}});
  EXPECT_THAT(ImportType(&map), StatusIs(StatusCode::kInvalidArgument, "+m"));
  ArrowSchema negative = Make(ForeignSchema{.format = "+s"});
  negative.n_children = -1;
  EXPECT_THAT(ImportType(&negative), StatusIs(StatusCode::kInvalidArgument, "-1"));
  ArrowSchema dictionary = Make(ForeignSchema{.format = "f", .dictionary = {{.format = "u"}}});
  EXPECT_THAT(ImportType(&dictionary), StatusIs(StatusCode::kInvalidArgument));
  ArrowSchema list = Make(ForeignSchema{.format = "i"});
  EXPECT_THAT(ImportSchema(&list), StatusIs(StatusCode::kInvalidArgument, "struct"));
  ArrowSchema released = {};
  EXPECT_THAT(ImportType(&released), StatusIs(StatusCode::kInvalidArgument, "released"));
  EXPECT_THAT(ImportType(nullptr), StatusIs(StatusCode::kInvalidArgument, "null"));
}

TEST(CDataImportSchema, CIM_07_AChildThatPointsBackToItsParentEndsAtTheDepthLimit) {
  ArrowSchema schema =
      Make(ForeignSchema{.format = "+s", .children = {{.format = "i"}, {.format = "i"}}});
  schema.children[1] = &schema;
  // The cycle goes through a structure that import moves: two live copies point at each other.
  ArrowSchema outer = schema;
  EXPECT_THAT(ImportType(&outer), StatusIs(StatusCode::kInvalidArgument, "deeper than 64"));
}

TEST(CDataImportSchema, DepthCountsTheLeafAndTheLimitCanBeSet) {
  const auto lists = [](int depth) {
    DataType type = Int32();
    for (int i = 1; i < depth; ++i) type = List(type);
    return type;
  };
  ScopedSchema fits;
  ASSERT_OK(ExportType(lists(64), &fits));
  EXPECT_OK(ImportType(&fits));
  ScopedSchema deep;
  ASSERT_OK(ExportType(lists(65), &deep));
  EXPECT_THAT(ImportType(&deep), StatusIs(StatusCode::kInvalidArgument, "deeper than 64"));
  ScopedSchema allowed;
  ASSERT_OK(ExportType(lists(65), &allowed));
  EXPECT_OK(ImportType(&allowed, {.max_depth = 65}));
  ScopedSchema column;
  ASSERT_OK(ExportSchema(Schema({Field("a", lists(64))}), &column));
  EXPECT_OK(ImportSchema(&column));
}

TEST(CDataSchema, C17_FlagsAndMetadataSurvive) {
  const Schema schema({
      Field("d", *Dictionary(Int16(), Utf8(), /*ordered=*/true)),
      Field("m", Map(Utf8(), Field("value", Int32()), /*keys_sorted=*/true)),
      Field("n", Int32(), false, {{"k1", ""}, {"k2", "\xc3\xa4\xc3\xb6"}, {"k1", "again"}}),
      Field("", Int8()),
      Field("not \xff utf-8", Int8()),
  });
  ScopedSchema exported;
  ASSERT_OK(ExportSchema(schema, &exported));
  ASSERT_OK_AND_ASSIGN(const Schema back, ImportSchema(&exported));
  EXPECT_TRUE(back.Identical(schema)) << back.ToString();
}

TEST(CDataSchema, C23_MapEntriesAndKeysAreNotNullable) {
  for (const bool nullable : {true, false}) {
    ScopedSchema schema;
    ASSERT_OK(ExportType(Map(Utf8(), Field("value", Int32(), nullable)), &schema));
    const ArrowSchema& entries = *schema.children[0];
    EXPECT_EQ(entries.flags, 0);
    EXPECT_EQ(entries.children[0]->flags, 0);
    EXPECT_EQ(entries.children[1]->flags, nullable ? ARROW_FLAG_NULLABLE : 0);
    ASSERT_OK_AND_ASSIGN(const DataType back, ImportType(&schema));
    EXPECT_EQ(back.field(0).type().field(1).nullable(), nullable);
  }
}

TEST(Metadata, NegativeLengthsAreErrors) {
  const auto encoded = [](std::initializer_list<int32_t> numbers) {
    return std::string(reinterpret_cast<const char*>(std::data(numbers)),
                       numbers.size() * sizeof(int32_t));
  };
  EXPECT_THAT(DecodeMetadata(encoded({-1}).c_str()), StatusIs(StatusCode::kInvalidArgument, "-1"));
  EXPECT_THAT(DecodeMetadata(encoded({1, -1}).c_str()),
              StatusIs(StatusCode::kInvalidArgument, "pair 0"));
  EXPECT_THAT(DecodeMetadata(encoded({1, 0, -5}).c_str()),
              StatusIs(StatusCode::kInvalidArgument, "value"));
  ASSERT_OK_AND_ASSIGN(const Metadata none, DecodeMetadata(encoded({0}).c_str()));
  EXPECT_TRUE(none.empty());
  ASSERT_OK_AND_ASSIGN(const Metadata absent, DecodeMetadata(nullptr));
  EXPECT_TRUE(absent.empty());

  ArrowSchema schema = Make(ForeignSchema{.format = "i", .metadata = encoded({1, -1})});
  EXPECT_THAT(ImportField(&schema), StatusIs(StatusCode::kInvalidArgument, "metadata"));
}

TEST(Metadata, IsLaidOutAsTheSpecificationSays) {
  EXPECT_EQ(EncodeMetadata({}), "");
  const std::string encoded = EncodeMetadata({{"key", "v"}});
  const int32_t count = 1, key = 3, value = 1;
  std::string expected(reinterpret_cast<const char*>(&count), 4);
  expected.append(reinterpret_cast<const char*>(&key), 4).append("key");
  expected.append(reinterpret_cast<const char*>(&value), 4).append("v");
  EXPECT_EQ(encoded, expected);
}

}  // namespace
}  // namespace sheaf
