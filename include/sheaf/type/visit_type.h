#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "sheaf/type/type_id.h"

namespace sheaf::inline v1 {

/// A 128-bit two's complement integer, low word first, as decimals are stored.
struct Decimal128Value {
  uint64_t low = 0;
  int64_t high = 0;
  friend bool operator==(const Decimal128Value&, const Decimal128Value&) = default;
};

/// A 256-bit two's complement integer, lowest word first.
struct Decimal256Value {
  std::array<uint64_t, 4> words{};
  friend bool operator==(const Decimal256Value&, const Decimal256Value&) = default;
};

/// A value of interval[day_time].
struct DayTime {
  int32_t days = 0;
  int32_t milliseconds = 0;
  friend bool operator==(const DayTime&, const DayTime&) = default;
};

/// A value of interval[month_day_nano].
struct MonthDayNano {
  int32_t months = 0;
  int32_t days = 0;
  int64_t nanoseconds = 0;
  friend bool operator==(const MonthDayNano&, const MonthDayNano&) = default;
};

namespace internal {

// clang-format off
/// Names as `DataType::ToString` prints them, parameters apart, in the order of `TypeId`.
inline constexpr std::array<std::string_view, kTypeIdCount> kTypeNames = {
    "null", "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
    "float16", "float32", "float64", "decimal32", "decimal64", "decimal128", "decimal256",
    "date32", "date64", "time32", "time64", "timestamp", "duration",
    "interval[months]", "interval[day_time]", "interval[month_day_nano]",
    "fixed_size_binary", "binary", "utf8", "large_binary", "large_utf8", "binary_view", "utf8_view",
    "list", "large_list", "list_view", "large_list_view", "fixed_size_list", "struct", "map",
    "sparse_union", "dense_union", "dictionary", "run_end_encoded", "extension"};

/// C++ type of one stored value; void where there is none of one width.
template <TypeId> struct ValueOf { using Type = void; };
template <> struct ValueOf<TypeId::kBoolean> { using Type = bool; };
template <> struct ValueOf<TypeId::kInt8> { using Type = int8_t; };
template <> struct ValueOf<TypeId::kUInt8> { using Type = uint8_t; };
template <> struct ValueOf<TypeId::kInt16> { using Type = int16_t; };
template <> struct ValueOf<TypeId::kUInt16> { using Type = uint16_t; };
template <> struct ValueOf<TypeId::kInt32> { using Type = int32_t; };
template <> struct ValueOf<TypeId::kUInt32> { using Type = uint32_t; };
template <> struct ValueOf<TypeId::kInt64> { using Type = int64_t; };
template <> struct ValueOf<TypeId::kUInt64> { using Type = uint64_t; };
template <> struct ValueOf<TypeId::kFloat16> { using Type = uint16_t; };  // Its bits.
template <> struct ValueOf<TypeId::kFloat32> { using Type = float; };
template <> struct ValueOf<TypeId::kFloat64> { using Type = double; };
template <> struct ValueOf<TypeId::kDecimal32> { using Type = int32_t; };
template <> struct ValueOf<TypeId::kDecimal64> { using Type = int64_t; };
template <> struct ValueOf<TypeId::kDecimal128> { using Type = Decimal128Value; };
template <> struct ValueOf<TypeId::kDecimal256> { using Type = Decimal256Value; };
template <> struct ValueOf<TypeId::kDate32> { using Type = int32_t; };
template <> struct ValueOf<TypeId::kDate64> { using Type = int64_t; };
template <> struct ValueOf<TypeId::kTime32> { using Type = int32_t; };
template <> struct ValueOf<TypeId::kTime64> { using Type = int64_t; };
template <> struct ValueOf<TypeId::kTimestamp> { using Type = int64_t; };
template <> struct ValueOf<TypeId::kDuration> { using Type = int64_t; };
template <> struct ValueOf<TypeId::kIntervalMonths> { using Type = int32_t; };
template <> struct ValueOf<TypeId::kIntervalDayTime> { using Type = DayTime; };
template <> struct ValueOf<TypeId::kIntervalMonthDayNano> { using Type = MonthDayNano; };
template <> struct ValueOf<TypeId::kBinary> { using Type = std::string_view; };
template <> struct ValueOf<TypeId::kUtf8> { using Type = std::string_view; };
template <> struct ValueOf<TypeId::kLargeBinary> { using Type = std::string_view; };
template <> struct ValueOf<TypeId::kLargeUtf8> { using Type = std::string_view; };
template <> struct ValueOf<TypeId::kBinaryView> { using Type = std::string_view; };
template <> struct ValueOf<TypeId::kUtf8View> { using Type = std::string_view; };
template <> struct ValueOf<TypeId::kFixedSizeBinary> { using Type = std::string_view; };
// clang-format on

}  // namespace internal

/// A logical type as a C++ type: what `VisitType` hands to its visitor.
template <TypeId kTypeId>
struct LogicalType {
  static constexpr TypeId kId = kTypeId;
  static constexpr std::string_view kName = internal::kTypeNames[static_cast<size_t>(kTypeId)];
  /// C++ type of a value: numbers, strings, decimals, intervals; void for null and nested types.
  using Value = typename internal::ValueOf<kTypeId>::Type;
};

/// Name without parameters, such as `timestamp`.
constexpr std::string_view TypeName(TypeId id) noexcept {
  return internal::kTypeNames[static_cast<size_t>(id)];
}

namespace internal {

template <typename Visitor, size_t... kIds>
decltype(auto) VisitTypeOf(TypeId id, Visitor&& visitor, std::index_sequence<kIds...>) {
  using Result = decltype(visitor(LogicalType<TypeId::kNull>{}));
  using Call = Result (*)(Visitor&);
  static constexpr Call kCalls[] = {[](Visitor& called) -> Result {
    return called(LogicalType<static_cast<TypeId>(kIds)>{});
  }...};
  return kCalls[static_cast<size_t>(id)](visitor);
}

}  // namespace internal

/// Calls `visitor(LogicalType<...>{})` for the type. The one dispatch over logical types, for where
/// only names and value types differ; where layouts differ, use `VisitLayout`.
template <typename Visitor>
decltype(auto) VisitType(TypeId id, Visitor&& visitor) {
  return internal::VisitTypeOf(id, visitor, std::make_index_sequence<kTypeIdCount>{});
}

/// Calls `visitor(T{})` with the C++ type of an integer type: dictionary indices, run ends.
/// `id` is kInt8 .. kUInt64.
template <typename Visitor>
decltype(auto) VisitInteger(TypeId id, Visitor&& visitor) {
  switch (id) {
    case TypeId::kInt8:
      return visitor(int8_t{});
    case TypeId::kUInt8:
      return visitor(uint8_t{});
    case TypeId::kInt16:
      return visitor(int16_t{});
    case TypeId::kUInt16:
      return visitor(uint16_t{});
    case TypeId::kUInt32:
      return visitor(uint32_t{});
    case TypeId::kInt64:
      return visitor(int64_t{});
    case TypeId::kUInt64:
      return visitor(uint64_t{});
    default:
      return visitor(int32_t{});
  }
}

}  // namespace sheaf::inline v1
