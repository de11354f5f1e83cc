#include "ipc/format_types.h"

namespace sheaf::inline v1::internal {
namespace {

constexpr int16_t Variant(auto value) { return static_cast<int16_t>(value); }

constexpr FormatType kTypes[] = {
    {TypeId::kNull, format::Type::Null},
    {TypeId::kBoolean, format::Type::Bool},
    {TypeId::kInt8, format::Type::Int, 8, true},
    {TypeId::kUInt8, format::Type::Int, 8},
    {TypeId::kInt16, format::Type::Int, 16, true},
    {TypeId::kUInt16, format::Type::Int, 16},
    {TypeId::kInt32, format::Type::Int, 32, true},
    {TypeId::kUInt32, format::Type::Int, 32},
    {TypeId::kInt64, format::Type::Int, 64, true},
    {TypeId::kUInt64, format::Type::Int, 64},
    {TypeId::kFloat16, format::Type::FloatingPoint, 0, false, Variant(format::Precision::HALF)},
    {TypeId::kFloat32, format::Type::FloatingPoint, 0, false, Variant(format::Precision::SINGLE)},
    {TypeId::kFloat64, format::Type::FloatingPoint, 0, false, Variant(format::Precision::DOUBLE)},
    {TypeId::kDecimal32, format::Type::Decimal, 32},
    {TypeId::kDecimal64, format::Type::Decimal, 64},
    {TypeId::kDecimal128, format::Type::Decimal, 128},
    {TypeId::kDecimal256, format::Type::Decimal, 256},
    {TypeId::kDate32, format::Type::Date, 0, false, Variant(format::DateUnit::DAY)},
    {TypeId::kDate64, format::Type::Date, 0, false, Variant(format::DateUnit::MILLISECOND)},
    {TypeId::kTime32, format::Type::Time, 32},
    {TypeId::kTime64, format::Type::Time, 64},
    {TypeId::kTimestamp, format::Type::Timestamp},
    {TypeId::kDuration, format::Type::Duration},
    {TypeId::kIntervalMonths, format::Type::Interval, 0, false,
     Variant(format::IntervalUnit::YEAR_MONTH)},
    {TypeId::kIntervalDayTime, format::Type::Interval, 0, false,
     Variant(format::IntervalUnit::DAY_TIME)},
    {TypeId::kIntervalMonthDayNano, format::Type::Interval, 0, false,
     Variant(format::IntervalUnit::MONTH_DAY_NANO)},
    {TypeId::kFixedSizeBinary, format::Type::FixedSizeBinary},
    {TypeId::kBinary, format::Type::Binary},
    {TypeId::kUtf8, format::Type::Utf8},
    {TypeId::kLargeBinary, format::Type::LargeBinary},
    {TypeId::kLargeUtf8, format::Type::LargeUtf8},
    {TypeId::kBinaryView, format::Type::BinaryView},
    {TypeId::kUtf8View, format::Type::Utf8View},
    {TypeId::kList, format::Type::List},
    {TypeId::kLargeList, format::Type::LargeList},
    {TypeId::kListView, format::Type::ListView},
    {TypeId::kLargeListView, format::Type::LargeListView},
    {TypeId::kFixedSizeList, format::Type::FixedSizeList},
    {TypeId::kStruct, format::Type::Struct_},
    {TypeId::kMap, format::Type::Map},
    {TypeId::kSparseUnion, format::Type::Union, 0, false, Variant(format::UnionMode::Sparse)},
    {TypeId::kDenseUnion, format::Type::Union, 0, false, Variant(format::UnionMode::Dense)},
    {TypeId::kRunEndEncoded, format::Type::RunEndEncoded},
};

}  // namespace

const FormatType* FormatOfType(TypeId id) noexcept {
  for (const FormatType& row : kTypes) {
    if (row.id == id) return &row;
  }
  return nullptr;
}

const FormatType* FindFormatType(const FormatType& key) noexcept {
  for (const FormatType& row : kTypes) {
    if (row.type == key.type && row.bit_width == key.bit_width && row.is_signed == key.is_signed &&
        row.variant == key.variant) {
      return &row;
    }
  }
  return nullptr;
}

}  // namespace sheaf::inline v1::internal
