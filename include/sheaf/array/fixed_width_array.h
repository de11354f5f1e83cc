#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1 {

/// Values of one width. `T` is how a value is stored: `FixedWidthArray<int32_t>` serves int32,
/// date32, time32, decimal32 and interval[months], `FixedWidthArray<uint16_t>` uint16 and the bits
/// of float16, and so on (type/visit_type.h, `LogicalType::Value`).
template <typename T>
class SHEAF_EXPORT FixedWidthArray : public Array {
 public:
  using ValueType = T;

  FixedWidthArray() = default;

  /// \return kInvalidArgument where values of `array` are not stored as `T`.
  static StatusOr<FixedWidthArray> From(Array array);

  /// `length` values in a buffer of length * sizeof(T) bytes.
  /// \param type  of values stored as T; by default the number type itself.
  static StatusOr<FixedWidthArray> Make(Buffer values, int64_t length, Buffer validity = {},
                                        ValidationLevel level = ValidationLevel::kFull,
                                        const DataType* type = nullptr);

  /// Takes a vector over, without a copy.
  static StatusOr<FixedWidthArray> Adopt(std::vector<T>&& values, Buffer validity = {},
                                         const DataType* type = nullptr);

  /// Copies `values`; `valid`, if not empty, says which are no nulls.
  static StatusOr<FixedWidthArray> FromValues(std::span<const T> values,
                                              std::span<const bool> valid = {},
                                              const DataType* type = nullptr,
                                              MemoryPool* pool = MemoryPool::Default());

  std::span<const T> values() const noexcept {
    return {slots<T>(1), static_cast<size_t>(length())};
  }
  const T& value(int64_t i) const noexcept { return slots<T>(1)[i]; }

 private:
  explicit FixedWidthArray(Array array) : Array(std::move(array)) {}
};

using Int8Array = FixedWidthArray<int8_t>;
using UInt8Array = FixedWidthArray<uint8_t>;
using Int16Array = FixedWidthArray<int16_t>;
using UInt16Array = FixedWidthArray<uint16_t>;
using Int32Array = FixedWidthArray<int32_t>;
using UInt32Array = FixedWidthArray<uint32_t>;
using Int64Array = FixedWidthArray<int64_t>;
using UInt64Array = FixedWidthArray<uint64_t>;
using Float16Array = FixedWidthArray<uint16_t>;  ///< The bits of IEEE binary16.
using Float32Array = FixedWidthArray<float>;
using Float64Array = FixedWidthArray<double>;
using Decimal32Array = FixedWidthArray<int32_t>;
using Decimal64Array = FixedWidthArray<int64_t>;
using Decimal128Array = FixedWidthArray<Decimal128Value>;
using Decimal256Array = FixedWidthArray<Decimal256Value>;
using Date32Array = FixedWidthArray<int32_t>;
using Date64Array = FixedWidthArray<int64_t>;
using Time32Array = FixedWidthArray<int32_t>;
using Time64Array = FixedWidthArray<int64_t>;
using TimestampArray = FixedWidthArray<int64_t>;
using DurationArray = FixedWidthArray<int64_t>;
using IntervalMonthsArray = FixedWidthArray<int32_t>;
using IntervalDayTimeArray = FixedWidthArray<DayTime>;
using IntervalMonthDayNanoArray = FixedWidthArray<MonthDayNano>;

extern template class FixedWidthArray<int8_t>;
extern template class FixedWidthArray<uint8_t>;
extern template class FixedWidthArray<int16_t>;
extern template class FixedWidthArray<uint16_t>;
extern template class FixedWidthArray<int32_t>;
extern template class FixedWidthArray<uint32_t>;
extern template class FixedWidthArray<int64_t>;
extern template class FixedWidthArray<uint64_t>;
extern template class FixedWidthArray<float>;
extern template class FixedWidthArray<double>;
extern template class FixedWidthArray<Decimal128Value>;
extern template class FixedWidthArray<Decimal256Value>;
extern template class FixedWidthArray<DayTime>;
extern template class FixedWidthArray<MonthDayNano>;

}  // namespace sheaf
