// Types without children: the constants, and those whose only parameters are a unit, a width,
// digits.
#include <new>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "sheaf/type/visit_type.h"
#include "type/type_node.h"

namespace sheaf::inline v1 {
namespace internal {
namespace {

int32_t ByteWidth(TypeId id) noexcept {
  if (LayoutOf(id).id != LayoutId::kFixedWidth || id == TypeId::kFixedSizeBinary) return 0;
  return VisitType(id, [](auto type) -> int32_t {
    using Value = typename decltype(type)::Value;
    if constexpr (std::is_void_v<Value>) {
      return 0;
    } else {
      return static_cast<int32_t>(sizeof(Value));
    }
  });
}

TypeNode* NewNode(TypeId id) {
  auto* node = new TypeNode(id);
  node->byte_width = ByteWidth(id);
  return node;
}

/// One node a type id and unit. Never destroyed: types in static storage may outlive any
/// destructor.
struct Constants {
  Constants() noexcept {
    for (int id = 0; id < kTypeIdCount; ++id) {
      for (int unit = 0; unit < 4; ++unit) {
        auto* node = new (&storage[id][unit]) TypeNode(static_cast<TypeId>(id));
        node->immortal = true;
        node->unit = static_cast<TimeUnit>(unit);
        node->byte_width = ByteWidth(node->id);
      }
    }
  }
  struct alignas(TypeNode) Slot {
    unsigned char bytes[sizeof(TypeNode)];
  };
  Slot storage[kTypeIdCount][4];
};

TypeNode* ConstantNode(TypeId id, TimeUnit unit) noexcept {
  alignas(Constants) static unsigned char memory[sizeof(Constants)];
  static auto* const constants = new (memory) Constants;
  auto& slot = constants->storage[static_cast<size_t>(id)][static_cast<size_t>(unit)];
  return std::launder(reinterpret_cast<TypeNode*>(slot.bytes));
}

DataType WithUnit(TypeId id, TimeUnit unit) { return DataType(ConstantNode(id, unit)); }

}  // namespace

TypeNode* SimpleNode(TypeId id) noexcept { return ConstantNode(id, TimeUnit::kSecond); }

bool IsSimple(TypeId id) noexcept {
  switch (id) {
    case TypeId::kTime32:
    case TypeId::kTime64:
    case TypeId::kTimestamp:
    case TypeId::kDuration:
    case TypeId::kFixedSizeBinary:
      return false;
    default:
      return id < TypeId::kList && !IsDecimal(id);
  }
}

namespace {

DataType Simple(TypeId id) { return DataType(SimpleNode(id)); }

/// Most digits that fit a decimal of the type.
int32_t MostDigits(TypeId id) {
  switch (id) {
    case TypeId::kDecimal32:
      return 9;
    case TypeId::kDecimal64:
      return 18;
    case TypeId::kDecimal128:
      return 38;
    default:
      return 76;
  }
}

}  // namespace
}  // namespace internal

using internal::Simple;

DataType Null() { return Simple(TypeId::kNull); }
DataType Boolean() { return Simple(TypeId::kBoolean); }
DataType Int8() { return Simple(TypeId::kInt8); }
DataType UInt8() { return Simple(TypeId::kUInt8); }
DataType Int16() { return Simple(TypeId::kInt16); }
DataType UInt16() { return Simple(TypeId::kUInt16); }
DataType Int32() { return Simple(TypeId::kInt32); }
DataType UInt32() { return Simple(TypeId::kUInt32); }
DataType Int64() { return Simple(TypeId::kInt64); }
DataType UInt64() { return Simple(TypeId::kUInt64); }
DataType Float16() { return Simple(TypeId::kFloat16); }
DataType Float32() { return Simple(TypeId::kFloat32); }
DataType Float64() { return Simple(TypeId::kFloat64); }
DataType Date32() { return Simple(TypeId::kDate32); }
DataType Date64() { return Simple(TypeId::kDate64); }
DataType IntervalMonths() { return Simple(TypeId::kIntervalMonths); }
DataType IntervalDayTime() { return Simple(TypeId::kIntervalDayTime); }
DataType IntervalMonthDayNano() { return Simple(TypeId::kIntervalMonthDayNano); }
DataType Binary() { return Simple(TypeId::kBinary); }
DataType Utf8() { return Simple(TypeId::kUtf8); }
DataType LargeBinary() { return Simple(TypeId::kLargeBinary); }
DataType LargeUtf8() { return Simple(TypeId::kLargeUtf8); }
DataType BinaryView() { return Simple(TypeId::kBinaryView); }
DataType Utf8View() { return Simple(TypeId::kUtf8View); }

DataType Duration(TimeUnit unit) { return internal::WithUnit(TypeId::kDuration, unit); }

DataType Time(TimeUnit unit) {
  const bool is_short = unit == TimeUnit::kSecond || unit == TimeUnit::kMilli;
  return internal::WithUnit(is_short ? TypeId::kTime32 : TypeId::kTime64, unit);
}

DataType Timestamp(TimeUnit unit, std::string timezone) {
  if (timezone.empty()) return internal::WithUnit(TypeId::kTimestamp, unit);
  auto* node = internal::NewNode(TypeId::kTimestamp);
  node->unit = unit;
  node->timezone = std::move(timezone);
  return DataType(node);
}

StatusOr<DataType> Decimal(TypeId id, int32_t precision, int32_t scale) {
  if (!IsDecimal(id)) {
    return internal::InvalidArgument(TypeName(id), " is not a decimal type");
  }
  const int32_t most = internal::MostDigits(id);
  if (precision < 1 || precision > most) {
    return internal::InvalidArgument(TypeName(id), ": a precision of ", precision,
                                     " digits is outside [1, ", most, "]");
  }
  auto* node = internal::NewNode(id);
  node->precision = precision;
  node->scale = scale;
  return DataType(node);
}

StatusOr<DataType> FixedSizeBinary(int32_t byte_width) {
  if (byte_width < 0) {
    return internal::InvalidArgument("fixed_size_binary: a width of ", byte_width, " bytes");
  }
  auto* node = internal::NewNode(TypeId::kFixedSizeBinary);
  node->byte_width = byte_width;
  return DataType(node);
}

StatusOr<DataType> SimpleType(TypeId id) {
  if (!internal::IsSimple(id)) {
    return internal::InvalidArgument(TypeName(id), " needs parameters");
  }
  return Simple(id);
}

}  // namespace sheaf::inline v1
