#include "sheaf/array/print.h"

#include <string>

#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/fixed_width_array.h"
#include "sheaf/array/run_end_array.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "testing/raw_buffers.h"

namespace sheaf {
namespace {

using namespace testing;

std::string Json(const Array& array, int64_t row) {
  return ValueToString(array, row, PrintStyle::kJson);
}
std::string Json(const char* type, const char* rows) { return Json(FromJson(type, rows), 0); }

TEST(Print, JsonHasTheFormOfTheSidecars) {
  EXPECT_EQ(Json("null", "[null]"), "null");
  EXPECT_EQ(Json("bool", "[true]"), "true");
  EXPECT_EQ(Json("int64", "[-9223372036854775808]"), "-9223372036854775808");
  EXPECT_EQ(Json("uint64", "[18446744073709551615]"), "18446744073709551615");
  EXPECT_EQ(Json("float64", "[0.1]"), "0.1");
  EXPECT_EQ(Json("float64", "[1]"), "1.0");
  EXPECT_EQ(Json("float64", "[1e300]"), "1e+300");
  EXPECT_EQ(Json("float64", R"([{"f": "nan"}])"), R"({"f": "nan"})");
  EXPECT_EQ(Json("float64", R"([{"f": "-inf"}])"), R"({"f": "-inf"})");
  EXPECT_EQ(Json("float32", "[0.1]"), "0.10000000149011612");
  EXPECT_EQ(Json("float16", "[1.5]"), "1.5");
  EXPECT_EQ(Json("utf8", R"(["a\"\\\n\u0001ä"])"), "\"a\\\"\\\\\\u000a\\u0001ä\"");
  EXPECT_EQ(Json("binary", R"([{"b": "00ff"}])"), R"({"b": "00ff"})");
  EXPECT_EQ(Json("utf8_view", R"(["longer than twelve bytes"])"), R"("longer than twelve bytes")");
  EXPECT_EQ(Json("decimal128(10, 2)", R"([{"d": "1.23"}])"), R"({"d": "1.23"})");
  EXPECT_EQ(Json("decimal128(10, 2)", R"([{"d": "-0.05"}])"), R"({"d": "-0.05"})");
  EXPECT_EQ(Json("date32", "[19000]"), "19000");
  EXPECT_EQ(Json("timestamp[us, UTC]", "[-1]"), "-1");
  EXPECT_EQ(Json("interval[month_day_nano]", "[[1, -2, 3]]"), "[1, -2, 3]");
  EXPECT_EQ(Json("interval[day_time]", "[[1, 2]]"), "[1, 2]");
  EXPECT_EQ(Json("list_view<int32>", "[[1, null]]"), "[1, null]");
  EXPECT_EQ(Json("fixed_size_list<int32>[2]", "[[1, 2]]"), "[1, 2]");
  EXPECT_EQ(Json("struct<a: int32, b: utf8>", R"([{"a": 1, "b": null}])"),
            R"({"s": [["a", 1], ["b", null]]})");
  EXPECT_EQ(Json("map<utf8, int32>", R"([{"m": [["k", 1], ["k", null]]}])"),
            R"({"m": [["k", 1], ["k", null]]})");
}

TEST(Print, DictionariesAreDecodedAndRunsExpanded) {
  ASSERT_OK_AND_ASSIGN(const DictionaryArray words,
                       DictionaryArray::Make(Ints({1, kNull}), Utf8s({"a", "b"})));
  EXPECT_EQ(Json(words, 0), "\"b\"");
  EXPECT_EQ(Json(words, 1), "null");
  ASSERT_OK_AND_ASSIGN(const RunEndArray runs, RunEndArray::Make(Ints({2, 3}), Utf8s({"a", "b"})));
  EXPECT_EQ(Json(runs.Slice(1), 0), "\"a\"");
  EXPECT_EQ(Json(runs.Slice(1), 1), "\"b\"");
}

TEST(Print, TextIsForPeople) {
  const Array rows =
      FromJson("struct<a: float32, b: binary>", R"([{"a": 0.1, "b": {"b": "0a"}}, null])");
  EXPECT_EQ(rows.ToString(), "[{a: 0.1, b: x\"0a\"}, null]");
  EXPECT_EQ(FromJson("map<utf8, decimal64(5, -1)>", R"([{"m": [["k", {"d": "120"}]]}])").ToString(),
            "[{\"k\": 120}]");
  EXPECT_EQ(Ints({}).ToString(), "[]");
}

TEST(Print, LongArraysSayHowManyRowsAreLeftOut) {
  EXPECT_THAT(Range(0, 1000).ToString(), ::testing::HasSubstr("199, ... 800 more]"));
}

TEST(Print, WhatMustNotBeFollowedIsNotFollowed) {
  EXPECT_THAT(ListViewsOver(Range(0, 3), {0}, {9}).ToString(), ::testing::HasSubstr("<invalid: "));
  EXPECT_EQ(ValueToString(Ints({1}), 5), "<no row 5>");
}

TEST(Print, WideDecimals) {
  EXPECT_EQ(
      Json(
          "decimal256(76, 0)",
          R"([{"d": "-1234567890123456789012345678901234567890123456789012345678901234567890123456"}])"),
      R"({"d": "-1234567890123456789012345678901234567890123456789012345678901234567890123456"})");
  EXPECT_EQ(Json("decimal32(9, 3)", R"([{"d": "0.000"}])"), R"({"d": "0.000"})");
}

TEST(Print, DecimalsOfAScaleFarOutHaveAnExponent) {
  for (const auto& [scale, text] : {std::pair<int32_t, std::string>{INT32_MIN, "-12E2147483648"},
                                    {INT32_MAX, "-12E-2147483647"},
                                    {-2, "-1200"},
                                    {2, "-0.12"}}) {
    ASSERT_OK_AND_ASSIGN(const DataType type, Decimal(TypeId::kDecimal32, 9, scale));
    const std::vector<int32_t> values = {-12};
    ASSERT_OK_AND_ASSIGN(const Array array,
                         FixedWidthArray<int32_t>::FromValues(values, {}, &type));
    EXPECT_EQ(ValueToString(array, 0), text);
  }
}

TEST(Print, ListsThatAreEndlessAsTextAreCut) {
  // Two views of both rows below, 62 levels deep: 2^62 values over two.
  ASSERT_OK_AND_ASSIGN(
      Array array,
      MakeArray({.type = Int32(), .length = 2, .buffers = {Buffer(), Integers({1, 2}, 32)}}));
  for (int level = 0; level < 62; ++level) {
    const DataType type = ListView(array.type());
    ASSERT_OK_AND_ASSIGN(
        array, MakeArray({.type = type,
                          .length = 2,
                          .buffers = {Buffer(), Integers({0, 0}, 32), Integers({2, 2}, 32)},
                          .children = {array}}));
  }
  EXPECT_LT(array.ToString().size(), size_t{2} << 20);
  EXPECT_LT(ValueToString(array, 0).size(), size_t{2} << 20);
  std::string text;
  EXPECT_FALSE(AppendValue(array, 0, PrintStyle::kText, &text));
  text.clear();
  EXPECT_TRUE(AppendValue(FromJson("list<int32>", "[[1, 2]]"), 0, PrintStyle::kText, &text));
  EXPECT_EQ(text, "[1, 2]");
}

}  // namespace
}  // namespace sheaf
