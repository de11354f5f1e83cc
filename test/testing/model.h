#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sheaf/array/array.h"

namespace sheaf::testing {

/// The naive model: plain values, read from any array row by row as the Arrow columnar format
/// defines it, from the raw buffers. It shares nothing with the library's own reading, printing or
/// equality.
///
/// Dictionary and run-end arrays are read decoded, extension arrays as their storage; lists,
/// list-views, fixed-size lists and maps are all lists; intervals and decimals are their bytes.
struct Value;
using Values = std::vector<Value>;

struct NullValue {
  friend bool operator==(NullValue, NullValue) { return true; }
};

/// Equal when the bits are, or when both are NaN.
struct FloatValue {
  double number = 0;
  uint64_t bits = 0;
  friend bool operator==(const FloatValue& a, const FloatValue& b) {
    return a.bits == b.bits || (a.number != a.number && b.number != b.number);
  }
};

/// Strings, binaries, decimals and intervals.
struct BytesValue {
  std::string bytes;
  friend bool operator==(const BytesValue&, const BytesValue&) = default;
};

struct ListValue {
  Values items;
};
struct StructValue {
  Values fields;
};
struct UnionValue {
  int8_t type_id = 0;
  Values value;  ///< One.
};

struct Value {
  std::variant<NullValue, bool, int64_t, uint64_t, FloatValue, BytesValue, ListValue, StructValue,
               UnionValue>
      data;

  bool is_null() const { return std::holds_alternative<NullValue>(data); }
};

bool operator==(const ListValue& a, const ListValue& b);
bool operator==(const StructValue& a, const StructValue& b);
bool operator==(const UnionValue& a, const UnionValue& b);
inline bool operator==(const Value& a, const Value& b) { return a.data == b.data; }

/// All rows of a valid array. A view, offset or index out of bounds is a test failure and reads as
/// null.
Values Read(const Array& array);

// The operations under test, done naively.
void Append(Values* values, const Values& more);
void AppendSlice(Values* values, const Values& more, int64_t offset, int64_t length);
void AppendRepeated(Values* values, const Value& value, int64_t n);
Values Slice(const Values& values, int64_t offset, int64_t length);
Values Concatenate(std::span<const Values> parts);

/// What `AppendEmptyValues` appends: zero, "", an empty list, a struct of empty values; a union's
/// is one of its first child that is not of the null type.
Value EmptyValue(const DataType& type);
/// What `AppendNulls` appends: a union's null is one of its first child that may be null.
Value NullOf(const DataType& type);

/// Nulls as a bitmap counts them: a union or run-end row is not null itself.
int64_t CountNulls(const Values& values);

/// Text for messages, such as `[1, null, {2, "ab"}]`.
std::string ToText(const Value& value);
std::string ToText(const Values& values);
void PrintTo(const Value& value, std::ostream* out);

/// "" where both are equal, else the first row that differs and both values.
std::string FirstDifference(const Values& actual, const Values& expected);

}  // namespace sheaf::testing
