// Types as text, there and back.
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/type/data_type.h"
#include "sheaf/type/field.h"
#include "type/sample_types.h"

namespace sheaf {
namespace {

using ::testing::HasSubstr;

std::string ErrorOf(const std::string& text) {
  const auto type = ParseType(text);
  EXPECT_EQ(type.status().code(), StatusCode::kInvalidArgument) << text;
  return std::string(type.status().message());
}

std::string Repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(TypeText, EveryTypePrintsAndReadsBackIdentical) {
  for (const auto& [text, type] : testing::SampleTypes()) {
    EXPECT_EQ(type.ToString(), text);
    const auto parsed = ParseType(text);
    ASSERT_TRUE(parsed.ok()) << text << ": " << parsed.status();
    EXPECT_TRUE(parsed->Identical(type)) << text << " read as " << parsed->ToString();
  }
}

TEST(TypeText, SpacesMayBeLeftOutOrAdded) {
  for (const char* text : {"map<utf8,int32,keys_sorted>", " map < utf8 , int32 , keys_sorted > "}) {
    const auto type = ParseType(text);
    ASSERT_TRUE(type.ok()) << type.status();
    EXPECT_EQ(type->ToString(), "map<utf8, int32, keys_sorted>");
  }
  EXPECT_EQ(ParseType("decimal128(38,2)")->ToString(), "decimal128(38, 2)");
  EXPECT_EQ(ParseType("struct<a:int8 not   null>")->ToString(), "struct<a: int8 not null>");
}

TEST(TypeText, ErrorsTellPositionAndWhatWasExpected) {
  EXPECT_EQ(ErrorOf(""), "type text, position 0: expected a type, found the end");
  EXPECT_EQ(ErrorOf("int33"), "type text, position 0: expected a type, found 'int33'");
  EXPECT_EQ(ErrorOf("list<int32"), "type text, position 10: expected '>', found the end");
  EXPECT_EQ(ErrorOf("int32 x"), "type text, position 6: expected the end, found 'x'");
  EXPECT_THAT(ErrorOf("half"), HasSubstr("position 0"));
  EXPECT_THAT(ErrorOf("time32[us]"), HasSubstr("expected s or ms"));
  EXPECT_THAT(ErrorOf("time64[s]"), HasSubstr("expected us or ns"));
  EXPECT_THAT(ErrorOf("timestamp[h]"), HasSubstr("position 10: expected a unit"));
  EXPECT_THAT(ErrorOf("interval[years]"), HasSubstr("interval[months]"));
  EXPECT_THAT(ErrorOf("decimal128(39, 0)"),
              HasSubstr("position 17: decimal128: a precision of 39"));
  EXPECT_THAT(ErrorOf("decimal128(99999999999, 0)"), HasSubstr("position 11"));
  EXPECT_THAT(ErrorOf("fixed_size_binary[-1]"), HasSubstr("-1"));
  EXPECT_THAT(ErrorOf("fixed_size_binary[x]"), HasSubstr("a width in bytes"));
  EXPECT_THAT(ErrorOf("fixed_size_list<int8>[]"), HasSubstr("a size in elements"));
  EXPECT_THAT(ErrorOf("struct<int32>"), HasSubstr("position 7: expected a field's name"));
  EXPECT_THAT(ErrorOf("struct<a: int32, >"), HasSubstr("position 17"));
  EXPECT_THAT(ErrorOf("struct<a: int32 not>"), HasSubstr("expected null"));
  EXPECT_THAT(ErrorOf("struct<\"a: int32>"), HasSubstr("ends with a quote"));
  EXPECT_THAT(ErrorOf("struct<\"\\q\": int32>"), HasSubstr("\\xNN"));
  EXPECT_THAT(ErrorOf("struct<\"\\x1\": int32>"), HasSubstr("\\xNN"));
  EXPECT_THAT(ErrorOf("map<int32>"), HasSubstr("struct of key and value"));
  EXPECT_THAT(ErrorOf("map<int8, int8, sorted>"), HasSubstr("keys_sorted"));
  EXPECT_THAT(ErrorOf("sparse_union<a: int8>"), HasSubstr("'='"));
  EXPECT_THAT(ErrorOf("sparse_union<a: int8=200>"), HasSubstr("0 to 127"));
  EXPECT_THAT(ErrorOf("sparse_union<a: int8=1, b: int8=1>"), HasSubstr("type code 1"));
  EXPECT_THAT(ErrorOf("dictionary<utf8, int8>"), HasSubstr("not integers"));
  EXPECT_THAT(ErrorOf("dictionary<int8, int8, sorted>"), HasSubstr("ordered"));
  EXPECT_THAT(ErrorOf("run_end_encoded<int8, int8>"), HasSubstr("int16, int32 or int64"));
  EXPECT_THAT(ErrorOf("extension<a, extension<b, int8>>"), HasSubstr("no extension"));
  EXPECT_THAT(ErrorOf("extension<a, int8, b>"), HasSubstr("quoted metadata"));
}

TEST(TypeText, DepthIsLimitedTo64Levels) {
  const auto nested = [](const std::string& open, const std::string& close, int levels) {
    return Repeated(open, levels - 1) + "int8" + Repeated(close, levels - 1);
  };
  EXPECT_EQ(Depth(*ParseType(nested("list<", ">", 64))), 64);
  EXPECT_THAT(ErrorOf(nested("list<", ">", 65)), HasSubstr("more than 64 levels"));
  EXPECT_THAT(ErrorOf(Repeated("list<", 1'000'000)), HasSubstr("more than 64 levels"));
  EXPECT_THAT(ErrorOf(Repeated("extension<a, list<", 1'000'000)), HasSubstr("64 levels"));
  EXPECT_THAT(ErrorOf(Repeated("dictionary<", 1'000'000)), HasSubstr("64 levels"));
  // Nothing is read twice: 2^31 steps would not end.
  EXPECT_TRUE(ParseType(nested("map<e: struct<k: int8, v: ", ">>", 32)).ok());
}

TEST(TypeText, AnyTextIsATypeOrAnError) {
  std::mt19937 random(1);
  const auto samples = testing::SampleTypes();
  for (int round = 0; round < 20'000; ++round) {
    std::string text = samples[random() % samples.size()].text;
    const std::string& other = samples[random() % samples.size()].text;
    for (unsigned edits = random() % 3 + 1; edits > 0 && !text.empty(); --edits) {
      const size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text.erase(at, 1 + random() % 3);
          break;
        case 1:
          text[at] = static_cast<char>(random());
          break;
        case 2:
          text.insert(at, other, 0, random() % (other.size() + 1));
          break;
        default:
          text.resize(at);
      }
    }
    const auto type = ParseType(text);
    if (!type.ok()) continue;
    const auto again = ParseType(type->ToString());
    ASSERT_TRUE(again.ok()) << text << " printed as " << type->ToString() << ": " << again.status();
    EXPECT_TRUE(again->Identical(*type)) << text;
  }
}

TEST(FieldText, NullabilityIsPrinted) {
  EXPECT_EQ(Field("a", Int32(), false).ToString(), "a: int32 not null");
  EXPECT_EQ(Field("a b", ListView(Int32())).ToString(), "\"a b\": list_view<int32>");
}

}  // namespace
}  // namespace sheaf
