#pragma once

#include <cstdint>

namespace sheaf::inline v1 {

/// The logical types of the Arrow columnar format 1.5 (Schema.fbs). Maps, timestamps and the like
/// share a physical layout with others; `LayoutId` names those.
enum class TypeId : uint8_t {
  kNull,
  kBoolean,
  kInt8,
  kUInt8,
  kInt16,
  kUInt16,
  kInt32,
  kUInt32,
  kInt64,
  kUInt64,
  kFloat16,
  kFloat32,
  kFloat64,
  kDecimal32,
  kDecimal64,
  kDecimal128,
  kDecimal256,
  kDate32,  ///< Days since 1970-01-01.
  kDate64,  ///< Milliseconds since 1970-01-01, whole days.
  kTime32,  ///< Seconds or milliseconds since midnight.
  kTime64,  ///< Microseconds or nanoseconds since midnight.
  kTimestamp,
  kDuration,
  kIntervalMonths,
  kIntervalDayTime,
  kIntervalMonthDayNano,
  kFixedSizeBinary,
  kBinary,
  kUtf8,
  kLargeBinary,
  kLargeUtf8,
  kBinaryView,
  kUtf8View,
  kList,
  kLargeList,
  kListView,
  kLargeListView,
  kFixedSizeList,
  kStruct,
  kMap,
  kSparseUnion,
  kDenseUnion,
  kDictionary,
  kRunEndEncoded,
  kExtension,
};

inline constexpr int kTypeIdCount = static_cast<int>(TypeId::kExtension) + 1;

/// The thirteen physical layouts of the Arrow columnar format. Offsets of 32 and 64 bits are one
/// layout with two widths; a map is a list of its entries; every fixed width is one layout.
enum class LayoutId : uint8_t {
  kNull,
  kBoolean,
  kFixedWidth,
  kBinary,
  kBinaryView,
  kList,
  kListView,
  kFixedSizeList,
  kStruct,
  kSparseUnion,
  kDenseUnion,
  kDictionary,
  kRunEndEncoded,
};

inline constexpr int kLayoutIdCount = static_cast<int>(LayoutId::kRunEndEncoded) + 1;

enum class TimeUnit : uint8_t { kSecond, kMilli, kMicro, kNano };

}  // namespace sheaf
