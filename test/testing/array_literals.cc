#include "testing/array_literals.h"

#include <memory>
#include <string_view>
#include <utility>

#include "sheaf/array/binary_view_array.h"
#include "sheaf/type/field.h"
#include "testing/json_values.h"

namespace sheaf::testing {
namespace {

template <typename Optionals>
Buffer ValidityOf(const Optionals& values) {
  std::string digits;
  bool any_null = false;
  for (const auto& value : values) {
    digits += value.has_value() ? '1' : '0';
    any_null |= !value.has_value();
  }
  return any_null ? Bits(digits) : Buffer();
}

template <typename ArrayType>
ArrayType Downcast(Array array) {
  StatusOr<ArrayType> typed = ArrayType::From(std::move(array));
  if (!typed.ok()) BadLiteral(typed.status().ToString());
  return *std::move(typed);
}

Array Views(const DataType& type, const Array& elements, const std::vector<int64_t>& offsets,
            const std::vector<int64_t>& sizes, const std::string& valid) {
  const int bits = type.layout().offset_bits;
  return MakeRaw({.type = type,
                  .length = static_cast<int64_t>(sizes.size()),
                  .buffers = {Bits(valid), Integers(offsets, bits), Integers(sizes, bits)},
                  .children = {elements}});
}

Array OffsetLists(const DataType& type, const Array& elements, const std::vector<int64_t>& offsets,
                  const std::string& valid) {
  return MakeRaw({.type = type,
                  .length = static_cast<int64_t>(offsets.size()) - 1,
                  .buffers = {Bits(valid), Integers(offsets, type.layout().offset_bits)},
                  .children = {elements}});
}

}  // namespace

Array Ints(const MaybeInts& values, const DataType& type) {
  std::vector<int64_t> plain;
  for (const auto& value : values) plain.push_back(value.value_or(0));
  return MakeRaw({.type = type,
                  .length = static_cast<int64_t>(values.size()),
                  .buffers = {ValidityOf(values), Integers(plain, type.byte_width() * 8)}});
}

Array Range(int64_t first, int64_t last, const DataType& type) {
  MaybeInts values;
  for (int64_t value = first; value < last; ++value) values.emplace_back(value);
  return Ints(values, type);
}

Array Doubles(const std::vector<std::optional<double>>& values) {
  std::vector<double> plain;
  for (const auto& value : values) plain.push_back(value.value_or(0));
  return MakeRaw({.type = Float64(),
                  .length = static_cast<int64_t>(values.size()),
                  .buffers = {ValidityOf(values), ValuesBuffer(plain)}});
}

Array Bools(const std::vector<std::optional<bool>>& values) {
  std::vector<bool> plain;
  for (const auto& value : values) plain.push_back(value.value_or(false));
  return MakeRaw({.type = Boolean(),
                  .length = static_cast<int64_t>(values.size()),
                  .buffers = {ValidityOf(values), Bits(plain)}});
}

namespace {

/// Long values lie one after the other in a single data buffer.
Array ViewsOf(const MaybeTexts& values, const DataType& type) {
  const auto valid = std::make_unique<bool[]>(values.size());
  std::vector<std::string_view> views;
  for (size_t i = 0; i < values.size(); ++i) {
    valid[i] = values[i].has_value();
    views.push_back(valid[i] ? std::string_view(*values[i]) : std::string_view());
  }
  auto array = BinaryViewArray::FromValues(views, {valid.get(), values.size()}, &type);
  if (!array.ok()) BadLiteral(array.status().ToString());
  return *std::move(array);
}

}  // namespace

Array Utf8s(const MaybeTexts& values, const DataType& type) {
  if (type.layout().id == LayoutId::kBinaryView) return ViewsOf(values, type);
  std::vector<int64_t> offsets = {0};
  std::string data;
  for (const auto& value : values) {
    data += value.value_or("");
    offsets.push_back(static_cast<int64_t>(data.size()));
  }
  return MakeRaw({.type = type,
                  .length = static_cast<int64_t>(values.size()),
                  .buffers = {ValidityOf(values), Integers(offsets, type.layout().offset_bits),
                              ValuesBuffer(data)}});
}

ListViewArray ListViews(const ListViewLiteral& literal) {
  return ListViewsOver(Ints(literal.elements), literal.offsets, literal.sizes, literal.valid);
}

LargeListViewArray LargeListViews(const ListViewLiteral& literal) {
  return LargeListViewsOver(Ints(literal.elements), literal.offsets, literal.sizes, literal.valid);
}

ListViewArray ListViewsOver(const Array& elements, const std::vector<int64_t>& offsets,
                            const std::vector<int64_t>& sizes, const std::string& valid) {
  return Downcast<ListViewArray>(Views(ListView(elements.type()), elements, offsets, sizes, valid));
}

LargeListViewArray LargeListViewsOver(const Array& elements, const std::vector<int64_t>& offsets,
                                      const std::vector<int64_t>& sizes, const std::string& valid) {
  return Downcast<LargeListViewArray>(
      Views(LargeListView(elements.type()), elements, offsets, sizes, valid));
}

Array ListsOver(const Array& elements, const std::vector<int64_t>& offsets,
                const std::string& valid) {
  return OffsetLists(List(elements.type()), elements, offsets, valid);
}

Array LargeListsOver(const Array& elements, const std::vector<int64_t>& offsets,
                     const std::string& valid) {
  return OffsetLists(LargeList(elements.type()), elements, offsets, valid);
}

Array FixedSizeListsOver(const Array& elements, int32_t list_size, int64_t length,
                         const std::string& valid) {
  StatusOr<DataType> type = FixedSizeList(Field("item", elements.type()), list_size);
  if (!type.ok()) BadLiteral(type.status().ToString());
  return MakeRaw(
      {.type = *type, .length = length, .buffers = {Bits(valid)}, .children = {elements}});
}

Array StructOver(const std::vector<Field>& fields, const std::vector<Array>& children,
                 int64_t length, const std::string& valid) {
  return MakeRaw(
      {.type = Struct(fields), .length = length, .buffers = {Bits(valid)}, .children = children});
}

}  // namespace sheaf::testing
