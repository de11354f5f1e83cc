#pragma once

#include <string>
#include <vector>

#include "sheaf/type/field.h"

namespace sheaf::testing {

/// A type and how it prints.
struct SampleType {
  std::string text;
  DataType type;
};

/// At least one type of every TypeId, with every kind of parameter.
inline std::vector<SampleType> SampleTypes() {
  const std::vector<Field> two = {Field("x", Int32()), Field("y", Utf8())};
  return {
      {"null", Null()},
      {"bool", Boolean()},
      {"int8", Int8()},
      {"uint8", UInt8()},
      {"int16", Int16()},
      {"uint16", UInt16()},
      {"int32", Int32()},
      {"uint32", UInt32()},
      {"int64", Int64()},
      {"uint64", UInt64()},
      {"float16", Float16()},
      {"float32", Float32()},
      {"float64", Float64()},
      {"decimal32(9, 2)", *Decimal(TypeId::kDecimal32, 9, 2)},
      {"decimal64(18, 0)", *Decimal(TypeId::kDecimal64, 18, 0)},
      {"decimal128(38, 2)", *Decimal(TypeId::kDecimal128, 38, 2)},
      {"decimal256(76, -3)", *Decimal(TypeId::kDecimal256, 76, -3)},
      {"date32", Date32()},
      {"date64", Date64()},
      {"time32[s]", Time(TimeUnit::kSecond)},
      {"time32[ms]", Time(TimeUnit::kMilli)},
      {"time64[us]", Time(TimeUnit::kMicro)},
      {"time64[ns]", Time(TimeUnit::kNano)},
      {"timestamp[s]", Timestamp(TimeUnit::kSecond)},
      {"timestamp[us, UTC]", Timestamp(TimeUnit::kMicro, "UTC")},
      {"timestamp[ns, Europe/Paris]", Timestamp(TimeUnit::kNano, "Europe/Paris")},
      {"timestamp[ms, +02:00]", Timestamp(TimeUnit::kMilli, "+02:00")},
      {"timestamp[ms, \"a ] b\"]", Timestamp(TimeUnit::kMilli, "a ] b")},
      {"duration[ms]", Duration(TimeUnit::kMilli)},
      {"interval[months]", IntervalMonths()},
      {"interval[day_time]", IntervalDayTime()},
      {"interval[month_day_nano]", IntervalMonthDayNano()},
      {"fixed_size_binary[3]", *FixedSizeBinary(3)},
      {"fixed_size_binary[0]", *FixedSizeBinary(0)},
      {"binary", Binary()},
      {"utf8", Utf8()},
      {"large_binary", LargeBinary()},
      {"large_utf8", LargeUtf8()},
      {"binary_view", BinaryView()},
      {"utf8_view", Utf8View()},
      {"list<int32>", List(Int32())},
      {"large_list<utf8>", LargeList(Utf8())},
      {"list_view<int32 not null>", ListView(Field("item", Int32(), false))},
      {"large_list_view<bar: int32>", LargeListView(Field("bar", Int32()))},
      {"list<\"\": int32 not null>", List(Field("", Int32(), false))},
      {"fixed_size_list<int32>[2]", *FixedSizeList(Field("item", Int32()), 2)},
      {"fixed_size_list<e: bool>[0]", *FixedSizeList(Field("e", Boolean()), 0)},
      {"struct<>", Struct({})},
      {"struct<a: int32, b: utf8 not null>",
       Struct({Field("a", Int32()), Field("b", Utf8(), false)})},
      {"struct<\"a b\": int8, \"\": int8, \"q\\\"\\\\\\x0a\": int8, a: int8, a: int8>",
       Struct({Field("a b", Int8()), Field("", Int8()), Field("q\"\\\n", Int8()),
               Field("a", Int8()), Field("a", Int8())})},
      {"struct<int32: list<null: int8>, h\u00f6he: null>",
       Struct({Field("int32", List(Field("null", Int8()))), Field("h\u00f6he", Null())})},
      {"map<utf8, int32>", Map(Utf8(), Field("value", Int32()))},
      {"map<utf8, int32 not null, keys_sorted>", Map(Utf8(), Field("value", Int32(), false), true)},
      {"map<utf8, keys_sorted: int32>", Map(Utf8(), Field("keys_sorted", Int32()))},
      {"map<keys: utf8 nullable, values: int32>",
       *MapOf(Field("entries", Struct({Field("keys", Utf8()), Field("values", Int32())}), false),
              false)},
      {"map<key_value: struct<key: utf8 not null, value: int32> not null, keys_sorted>",
       *MapOf(Field("key_value", Struct({Field("key", Utf8(), false), Field("value", Int32())}),
                    false),
              true)},
      {"map<entries: struct<key: utf8, value: int32>>",
       *MapOf(Field("entries", Struct({Field("key", Utf8()), Field("value", Int32())})), false)},
      {"sparse_union<x: int32=5, y: utf8=7>", *Union(TypeId::kSparseUnion, two, {5, 7})},
      {"dense_union<x: int32=0, y: utf8=127>", *Union(TypeId::kDenseUnion, two, {0, 127})},
      {"dense_union<>", *Union(TypeId::kDenseUnion, {}, {})},
      {"dense_union<x: int32 not null=0>",
       *Union(TypeId::kDenseUnion, {Field("x", Int32(), false)}, {0})},
      {"dictionary<int8, utf8>", *Dictionary(Int8(), Utf8())},
      {"dictionary<uint64, list<int8>, ordered>", *Dictionary(UInt64(), List(Int8()), true)},
      {"run_end_encoded<int16, utf8>", *RunEndEncoded(Int16(), Field("values", Utf8()))},
      {"run_end_encoded<int32, v: int8 not null>",
       *RunEndEncoded(Int32(), Field("v", Int8(), false))},
      {"run_end_encoded<ends: int64 nullable, bool>",
       *RunEndEncodedOf(Field("ends", Int64()), Field("values", Boolean()))},
      {"extension<arrow.uuid, fixed_size_binary[16]>",
       Extension("arrow.uuid", "", *FixedSizeBinary(16))},
      {"extension<\"my type\", list<int8>, \"{\\\"k\\\": 1}\\x00\">",
       Extension("my type", std::string("{\"k\": 1}\0", 9), List(Int8()))},
      {"list_view<struct<p: large_list_view<dictionary<int8, utf8>>, q: map<utf8, list<date32>>>>",
       ListView(Struct({Field("p", LargeListView(*Dictionary(Int8(), Utf8()))),
                        Field("q", Map(Utf8(), Field("value", List(Date32()))))}))},
  };
}

}  // namespace sheaf::testing
