#include "testing/from_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/type/field.h"
#include "testing/json_values.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

std::string RoundText(const DataType& type, const char* json) {
  return ToText(Read(FromJson(type, json)));
}

std::string Hex(const Array& array) {
  std::string text;
  for (const Value& value : Read(array)) {
    for (const char byte : std::get<BytesValue>(value.data).bytes) {
      char digits[3];
      std::snprintf(digits, sizeof digits, "%02x", static_cast<uint8_t>(byte));
      text += digits;
    }
  }
  return text;
}

TEST(FromJsonTest, ReadsWhatModelPrints) {
  EXPECT_EQ(RoundText(Int8(), "[1, null, -128]"), "[1, null, -128]");
  EXPECT_EQ(RoundText(UInt64(), "[18446744073709551615]"), "[18446744073709551615]");
  EXPECT_EQ(RoundText(Boolean(), "[true, null, false]"), "[true, null, false]");
  EXPECT_EQ(RoundText(LargeUtf8(), R"(["a", null, ""])"), R"(["a", null, ""])");
  EXPECT_EQ(RoundText(Utf8View(), R"(["short", "longer than twelve", null])"),
            R"(["short", "longer than twelve", null])");
  EXPECT_EQ(RoundText(Binary(), R"([{"b": "00ff"}])"), "[x'00ff']");
  EXPECT_EQ(RoundText(Null(), "[null, null]"), "[null, null]");
  EXPECT_EQ(RoundText(Timestamp(TimeUnit::kNano), "[1600000000000000000]"),
            "[1600000000000000000]");
}

TEST(FromJsonTest, ReadsNestedTypes) {
  EXPECT_EQ(RoundText(ListView(List(Int32())), "[[[1, 2], null], [], null, [[3]]]"),
            "[[[1, 2], null], [], null, [[3]]]");
  EXPECT_EQ(RoundText(*FixedSizeList(Field("item", Int32()), 2), "[[1, 2], null]"),
            "[[1, 2], null]");
  EXPECT_EQ(RoundText(*FixedSizeList(Field("item", Int32()), 0), "[[], null, []]"),
            "[[], null, []]");
  const DataType pair = Struct({Field("a", Int32()), Field("b", Utf8())});
  EXPECT_EQ(RoundText(pair, R"([{"a": 1, "b": "x"}, null, {"s": [["a", 2], ["b", null]]}])"),
            R"([{1, "x"}, null, {2, null}])");
  const DataType map = Map(Utf8(), Field("value", Int32()));
  EXPECT_EQ(RoundText(map, R"([{"m": [["k", 1]]}, null, {"q": 2}, {}])"),
            R"([[{"k", 1}], null, [{"q", 2}], []])");
}

TEST(FromJsonTest, ReadsEncodedTypesDecoded) {
  EXPECT_EQ(RoundText(*Dictionary(Int8(), Utf8()), R"(["a", "b", null, "a"])"),
            R"(["a", "b", null, "a"])");
  const Array runs =
      FromJson(*RunEndEncoded(Int16(), Field("values", Utf8())), R"(["a", "a", null, "b"])");
  EXPECT_EQ(runs.child(0).length(), 3);
  EXPECT_EQ(ToText(Read(runs)), R"(["a", "a", null, "b"])");
  for (const TypeId id : {TypeId::kSparseUnion, TypeId::kDenseUnion}) {
    const DataType type = *Union(id, {Field("a", Int32()), Field("b", Utf8())}, {2, 5});
    EXPECT_EQ(RoundText(type, R"([1, "x", {"u": [5, null]}])"), R"([2:1, 5:"x", 5:null])");
  }
}

TEST(FromJsonTest, WritesDecimalsAsTwosComplementOfTheScaledValue) {
  EXPECT_EQ(Hex(FromJson(*Decimal(TypeId::kDecimal32, 9, 2), R"([{"d": "1.23"}])")), "7b000000");
  EXPECT_EQ(Hex(FromJson(*Decimal(TypeId::kDecimal64, 18, 3), R"([{"d": "-1.5"}])")),
            "24faffffffffffff");
  EXPECT_EQ(Hex(FromJson(*Decimal(TypeId::kDecimal128, 38, -2), R"([{"d": "25600"}])")),
            "00010000000000000000000000000000");
}

TEST(FromJsonTest, RoundsHalves) {
  EXPECT_EQ(HalfFrom(0), 0x0000);
  EXPECT_EQ(HalfFrom(-0.0), 0x8000);
  EXPECT_EQ(HalfFrom(1), 0x3c00);
  EXPECT_EQ(HalfFrom(-2.5), 0xc100);
  EXPECT_EQ(HalfFrom(65504), 0x7bff);
  EXPECT_EQ(HalfFrom(65520), 0x7c00);
  EXPECT_EQ(HalfFrom(5.9604644775390625e-8), 0x0001);  // The least subnormal.
  EXPECT_EQ(HalfFrom(6.103515625e-5), 0x0400);         // The least normal.
  EXPECT_EQ(HalfFrom(0.333251953125), 0x3555);
  EXPECT_EQ(HalfFrom(2047.5 / 2048), 0x3c00);  // A carry into the exponent.
}

}  // namespace
}  // namespace sheaf
