#include "sheaf/array/fixed_width_array.h"

#include <type_traits>

#include "array/make_typed.h"

namespace sheaf::inline v1 {
namespace {

/// Whether values of the type are stored as T.
template <typename T>
bool StoredAs(TypeId id) {
  return VisitType(id, []<TypeId kId>(LogicalType<kId>) {
    return std::is_same_v<typename LogicalType<kId>::Value, T>;
  });
}

/// The type that T is by itself.
template <typename T>
DataType OwnType() {
  if constexpr (std::is_same_v<T, Decimal128Value>) return *Decimal(TypeId::kDecimal128, 38, 0);
  if constexpr (std::is_same_v<T, Decimal256Value>) return *Decimal(TypeId::kDecimal256, 76, 0);
  if constexpr (std::is_same_v<T, DayTime>) return IntervalDayTime();
  if constexpr (std::is_same_v<T, MonthDayNano>) return IntervalMonthDayNano();
  if constexpr (std::is_same_v<T, float>) return Float32();
  if constexpr (std::is_same_v<T, double>) return Float64();
  if constexpr (std::is_same_v<T, int8_t>) return Int8();
  if constexpr (std::is_same_v<T, uint8_t>) return UInt8();
  if constexpr (std::is_same_v<T, int16_t>) return Int16();
  if constexpr (std::is_same_v<T, uint16_t>) return UInt16();
  if constexpr (std::is_same_v<T, int32_t>) return Int32();
  if constexpr (std::is_same_v<T, uint32_t>) return UInt32();
  if constexpr (std::is_same_v<T, int64_t>) return Int64();
  if constexpr (std::is_same_v<T, uint64_t>) return UInt64();
}

}  // namespace

template <typename T>
StatusOr<FixedWidthArray<T>> FixedWidthArray<T>::From(Array array) {
  if (!StoredAs<T>(array.type().storage().id())) {
    return internal::WrongType(array, internal::Concat("stored as ", OwnType<T>().ToString()));
  }
  return FixedWidthArray(std::move(array));
}

template <typename T>
StatusOr<FixedWidthArray<T>> FixedWidthArray<T>::Make(Buffer values, int64_t length,
                                                      Buffer validity, ValidationLevel level,
                                                      const DataType* type) {
  SHEAF_ASSIGN_OR_RETURN(Array array,
                         MakeArray({.type = type != nullptr ? *type : OwnType<T>(),
                                    .length = length,
                                    .buffers = {std::move(validity), std::move(values)}},
                                   level));
  return From(std::move(array));
}

template <typename T>
StatusOr<FixedWidthArray<T>> FixedWidthArray<T>::Adopt(std::vector<T>&& values, Buffer validity,
                                                       const DataType* type) {
  const auto length = static_cast<int64_t>(values.size());
  SHEAF_ASSIGN_OR_RETURN(Buffer buffer, Buffer::Adopt(std::move(values)));
  return Make(std::move(buffer), length, std::move(validity), ValidationLevel::kFull, type);
}

template <typename T>
StatusOr<FixedWidthArray<T>> FixedWidthArray<T>::FromValues(std::span<const T> values,
                                                            std::span<const bool> valid,
                                                            const DataType* type,
                                                            MemoryPool* pool) {
  const auto length = static_cast<int64_t>(values.size());
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, internal::PackValidity(valid, length, pool));
  SHEAF_ASSIGN_OR_RETURN(
      Buffer buffer,
      Buffer::Copy({reinterpret_cast<const uint8_t*>(values.data()), values.size_bytes()}, pool));
  return Make(std::move(buffer), length, std::move(validity), ValidationLevel::kFull, type);
}

template class FixedWidthArray<int8_t>;
template class FixedWidthArray<uint8_t>;
template class FixedWidthArray<int16_t>;
template class FixedWidthArray<uint16_t>;
template class FixedWidthArray<int32_t>;
template class FixedWidthArray<uint32_t>;
template class FixedWidthArray<int64_t>;
template class FixedWidthArray<uint64_t>;
template class FixedWidthArray<float>;
template class FixedWidthArray<double>;
template class FixedWidthArray<Decimal128Value>;
template class FixedWidthArray<Decimal256Value>;
template class FixedWidthArray<DayTime>;
template class FixedWidthArray<MonthDayNano>;

}  // namespace sheaf
