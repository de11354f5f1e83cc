// Reads arrays as the format defines them, one row at a time, from the raw buffers. Slow on
// purpose: nothing here is clever, so that it can be trusted.

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "sheaf/type/field.h"
#include "testing/model.h"

namespace sheaf::testing {
namespace {

template <typename T>
T Load(const Buffer& buffer, int64_t slot) {
  T value{};
  const auto width = static_cast<int64_t>(sizeof(T));
  if (slot < 0 || (slot + 1) * width > buffer.size_bytes()) {
    ADD_FAILURE() << "slot " << slot << " lies outside a buffer of " << buffer.size_bytes()
                  << " bytes";
    return value;
  }
  std::memcpy(&value, buffer.data() + slot * width, sizeof(T));
  return value;
}

int64_t LoadOffset(const Array& array, int buffer, int64_t slot) {
  return array.layout().offset_bits == 64 ? Load<int64_t>(array.buffer(buffer), slot)
                                          : Load<int32_t>(array.buffer(buffer), slot);
}

int64_t LoadInteger(const Buffer& buffer, TypeId id, int64_t slot) {
  switch (id) {
    case TypeId::kInt8:
      return Load<int8_t>(buffer, slot);
    case TypeId::kUInt8:
      return Load<uint8_t>(buffer, slot);
    case TypeId::kInt16:
      return Load<int16_t>(buffer, slot);
    case TypeId::kUInt16:
      return Load<uint16_t>(buffer, slot);
    case TypeId::kInt32:
      return Load<int32_t>(buffer, slot);
    case TypeId::kUInt32:
      return Load<uint32_t>(buffer, slot);
    default:
      return Load<int64_t>(buffer, slot);
  }
}

double HalfToDouble(uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const int fraction = half & 1023;
  const double sign = (half & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}

std::string LoadBytes(const Buffer& buffer, int64_t offset, int64_t size) {
  if (offset < 0 || size < 0 || size > buffer.size_bytes() - offset) {
    ADD_FAILURE() << "bytes [" << offset << ", " << offset << " + " << size
                  << ") lie outside a buffer of " << buffer.size_bytes();
    return {};
  }
  if (size == 0) return {};
  return {reinterpret_cast<const char*>(buffer.data()) + offset, static_cast<size_t>(size)};
}

Value ReadFixedWidth(const Array& array, int64_t slot) {
  const DataType& storage = array.type().storage();
  const Buffer& values = array.buffer(1);
  switch (storage.id()) {
    case TypeId::kUInt64:
      return {Load<uint64_t>(values, slot)};
    case TypeId::kFloat16: {
      const auto half = Load<uint16_t>(values, slot);
      return {FloatValue{HalfToDouble(half), half}};
    }
    case TypeId::kFloat32: {
      const auto number = Load<float>(values, slot);
      return {FloatValue{number, Load<uint32_t>(values, slot)}};
    }
    case TypeId::kFloat64:
      return {FloatValue{Load<double>(values, slot), Load<uint64_t>(values, slot)}};
    case TypeId::kDate32:
    case TypeId::kTime32:
    case TypeId::kIntervalMonths:
      return {int64_t{Load<int32_t>(values, slot)}};
    case TypeId::kDate64:
    case TypeId::kTime64:
    case TypeId::kTimestamp:
    case TypeId::kDuration:
      return {Load<int64_t>(values, slot)};
    default:
      break;
  }
  if (IsInteger(storage.id())) return {LoadInteger(values, storage.id(), slot)};
  const int64_t width = storage.byte_width();
  return {BytesValue{LoadBytes(values, slot * width, width)}};
}

Value ReadBinaryView(const Array& array, int64_t slot) {
  struct View {
    int32_t size;
    char prefix[4];
    int32_t buffer;
    int32_t offset;
  };
  const auto view = Load<View>(array.buffer(1), slot);
  if (view.size <= 12) return {BytesValue{LoadBytes(array.buffer(1), slot * 16 + 4, view.size)}};
  if (view.buffer < 0 || view.buffer + 2 >= array.num_buffers()) {
    ADD_FAILURE() << "view " << slot << " names data buffer " << view.buffer;
    return {NullValue{}};
  }
  return {BytesValue{LoadBytes(array.buffer(view.buffer + 2), view.offset, view.size)}};
}

Value ReadRow(const Array& array, int64_t row);

Value ReadList(const Array& elements, int64_t offset, int64_t size) {
  if (offset < 0 || size < 0 || size > elements.length() - offset) {
    ADD_FAILURE() << "list [" << offset << ", " << offset << " + " << size << ") lies outside "
                  << elements.length() << " elements";
    return {NullValue{}};
  }
  ListValue list;
  for (int64_t i = 0; i < size; ++i) list.items.push_back(ReadRow(elements, offset + i));
  return {std::move(list)};
}

Value ReadStruct(const Array& array, int64_t slot) {
  StructValue fields;
  for (int i = 0; i < array.num_children(); ++i)
    fields.fields.push_back(ReadRow(array.child(i), slot));
  return {std::move(fields)};
}

Value ReadUnion(const Array& array, int64_t slot, bool dense) {
  const auto type_id = Load<int8_t>(array.buffer(0), slot);
  const auto codes = array.type().storage().type_codes();
  for (int i = 0; i < array.num_children(); ++i) {
    if (codes[static_cast<size_t>(i)] != type_id) continue;
    const int64_t row = dense ? Load<int32_t>(array.buffer(1), slot) : slot;
    return {UnionValue{type_id, {ReadRow(array.child(i), row)}}};
  }
  ADD_FAILURE() << "no child has type id " << int{type_id};
  return {NullValue{}};
}

Value ReadRun(const Array& array, int64_t slot) {
  const Array& run_ends = array.child(0);
  for (int64_t run = 0; run < run_ends.length(); ++run) {
    const int64_t end =
        LoadInteger(run_ends.buffer(1), run_ends.type().id(), run_ends.offset() + run);
    if (end > slot) return ReadRow(array.child(1), run);
  }
  ADD_FAILURE() << "no run reaches slot " << slot;
  return {NullValue{}};
}

Value ReadValid(const Array& array, int64_t slot) {
  switch (array.layout().id) {
    case LayoutId::kNull:
      return {NullValue{}};
    case LayoutId::kBoolean:
      return {((Load<uint8_t>(array.buffer(1), slot / 8) >> (slot % 8)) & 1) != 0};
    case LayoutId::kFixedWidth:
      return ReadFixedWidth(array, slot);
    case LayoutId::kBinary: {
      const int64_t begin = LoadOffset(array, 1, slot);
      return {
          BytesValue{LoadBytes(array.buffer(2), begin, LoadOffset(array, 1, slot + 1) - begin)}};
    }
    case LayoutId::kBinaryView:
      return ReadBinaryView(array, slot);
    case LayoutId::kList: {
      const int64_t begin = LoadOffset(array, 1, slot);
      return ReadList(array.child(0), begin, LoadOffset(array, 1, slot + 1) - begin);
    }
    case LayoutId::kListView:
      return ReadList(array.child(0), LoadOffset(array, 1, slot), LoadOffset(array, 2, slot));
    case LayoutId::kFixedSizeList: {
      const int64_t width = array.type().storage().list_size();
      return ReadList(array.child(0), slot * width, width);
    }
    case LayoutId::kStruct:
      return ReadStruct(array, slot);
    case LayoutId::kSparseUnion:
      return ReadUnion(array, slot, /*dense=*/false);
    case LayoutId::kDenseUnion:
      return ReadUnion(array, slot, /*dense=*/true);
    case LayoutId::kDictionary: {
      const TypeId index_type = array.type().storage().index_type().id();
      return ReadRow(array.dictionary(), LoadInteger(array.buffer(1), index_type, slot));
    }
    case LayoutId::kRunEndEncoded:
      return ReadRun(array, slot);
  }
  ADD_FAILURE() << "unknown layout";
  return {NullValue{}};
}

/// Row `row` of the handle's window.
Value ReadRow(const Array& array, int64_t row) {
  if (row < 0 || row >= array.length()) {
    ADD_FAILURE() << "row " << row << " lies outside an array of " << array.length() << " rows";
    return {NullValue{}};
  }
  const int64_t slot = array.offset() + row;
  if (array.layout().has_validity && !array.buffer(0).absent()) {
    const auto byte = Load<uint8_t>(array.buffer(0), slot / 8);
    if (((byte >> (slot % 8)) & 1) == 0) return {NullValue{}};
  }
  return ReadValid(array, slot);
}

}  // namespace

Values Read(const Array& array) {
  Values values;
  values.reserve(static_cast<size_t>(array.length()));
  for (int64_t i = 0; i < array.length(); ++i) values.push_back(ReadRow(array, i));
  return values;
}

Value EmptyValue(const DataType& type) {
  const DataType& storage = type.storage();
  switch (storage.layout().id) {
    case LayoutId::kNull:
      return {NullValue{}};
    case LayoutId::kBoolean:
      return {false};
    case LayoutId::kFixedWidth:
      break;
    case LayoutId::kBinary:
    case LayoutId::kBinaryView:
      return {BytesValue{}};
    case LayoutId::kList:
    case LayoutId::kListView:
      return {ListValue{}};
    case LayoutId::kFixedSizeList:
      return {ListValue{
          Values(static_cast<size_t>(storage.list_size()), EmptyValue(storage.value_type()))}};
    case LayoutId::kStruct: {
      StructValue fields;
      for (const Field& field : storage.fields()) fields.fields.push_back(EmptyValue(field.type()));
      return {std::move(fields)};
    }
    case LayoutId::kSparseUnion:
    case LayoutId::kDenseUnion:
      for (int i = 0; i < storage.num_fields(); ++i) {
        const DataType& child = storage.field(i).type();
        const bool last = i == storage.num_fields() - 1;
        if (child.layout().id == LayoutId::kNull && !last) continue;
        return {UnionValue{storage.type_codes()[static_cast<size_t>(i)], {EmptyValue(child)}}};
      }
      return {NullValue{}};
    case LayoutId::kDictionary:
    case LayoutId::kRunEndEncoded:
      return EmptyValue(storage.value_type());
  }
  if (IsFloating(storage.id())) return {FloatValue{}};
  if (storage.id() == TypeId::kUInt64) return {uint64_t{0}};
  const bool bytes = IsDecimal(storage.id()) || storage.id() == TypeId::kFixedSizeBinary ||
                     storage.id() == TypeId::kIntervalDayTime ||
                     storage.id() == TypeId::kIntervalMonthDayNano;
  if (bytes) return {BytesValue{std::string(static_cast<size_t>(storage.byte_width()), '\0')}};
  return {int64_t{0}};
}

Value NullOf(const DataType& type) {
  const DataType& storage = type.storage();
  switch (storage.layout().id) {
    case LayoutId::kSparseUnion:
    case LayoutId::kDenseUnion:
      for (int i = 0; i < storage.num_fields(); ++i) {
        const Field& child = storage.field(i);
        if (!child.nullable()) continue;
        return {UnionValue{storage.type_codes()[static_cast<size_t>(i)], {NullOf(child.type())}}};
      }
      return {NullValue{}};
    case LayoutId::kRunEndEncoded:
      return NullOf(storage.value_type());
    default:
      return {NullValue{}};
  }
}

}  // namespace sheaf::testing
