#include "testing/from_json.h"

#include <cstring>
#include <vector>

#include <nlohmann/json.hpp>

#include "sheaf/type/field.h"
#include "testing/json_values.h"
#include "testing/raw_buffers.h"

namespace sheaf::testing {
namespace {

using Json = nlohmann::json;
using Rows = std::vector<const Json*>;  // None is a null pointer.

const Json& NullJson() {
  static const Json json;
  return json;
}

Array Convert(const DataType& type, const Rows& rows);

Buffer ValidityOf(const Rows& rows) {
  std::vector<bool> bits;
  bool any_null = false;
  for (const Json* row : rows) {
    bits.push_back(!row->is_null());
    any_null |= row->is_null();
  }
  return any_null ? Bits(bits) : Buffer();
}

void AddBoolean(ArrayParts* parts, const Rows& rows) {
  std::vector<bool> bits;
  for (const Json* row : rows) bits.push_back(!row->is_null() && row->get<bool>());
  parts->buffers.push_back(Bits(bits));
}

void AddFixedWidth(ArrayParts* parts, const Rows& rows) {
  const DataType& storage = parts->type.storage();
  const auto width = static_cast<size_t>(storage.byte_width());
  std::vector<uint8_t> bytes(rows.size() * width, 0);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i]->is_null()) WriteFixedWidth(storage, *rows[i], bytes.data() + i * width);
  }
  parts->buffers.push_back(ValuesBuffer(bytes));
}

void AddBinary(ArrayParts* parts, const Rows& rows) {
  std::vector<int64_t> offsets = {0};
  std::string data;
  for (const Json* row : rows) {
    if (!row->is_null()) data += BytesFrom(*row);
    offsets.push_back(static_cast<int64_t>(data.size()));
  }
  parts->buffers.push_back(Integers(offsets, parts->type.layout().offset_bits));
  parts->buffers.push_back(ValuesBuffer(data));
}

void AddBinaryViews(ArrayParts* parts, const Rows& rows) {
  std::vector<uint8_t> views(rows.size() * 16, 0);
  std::string data;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i]->is_null()) continue;
    const std::string bytes = BytesFrom(*rows[i]);
    const auto size = static_cast<int32_t>(bytes.size());
    uint8_t* view = views.data() + i * 16;
    std::memcpy(view, &size, 4);
    std::memcpy(view + 4, bytes.data(), size <= 12 ? bytes.size() : 4);
    if (size <= 12) continue;
    const auto offset = static_cast<int32_t>(data.size());
    std::memcpy(view + 12, &offset, 4);  // Data buffer 0.
    data += bytes;
  }
  parts->buffers.push_back(ValuesBuffer(views));
  if (!data.empty()) parts->buffers.push_back(ValuesBuffer(data));
}

/// The items of a list or, as pairs, of a map; `owned` keeps the pairs made from a plain object.
const Json& ItemsOf(const Json& row, std::vector<std::unique_ptr<Json>>* owned) {
  if (!row.is_object()) return row;
  if (row.size() == 1 && row.contains("m") && row["m"].is_array()) return row["m"];
  auto pairs = std::make_unique<Json>(Json::array());
  for (const auto& [key, value] : row.items()) pairs->push_back(Json::array({key, value}));
  owned->push_back(std::move(pairs));
  return *owned->back();
}

void AddList(ArrayParts* parts, const Rows& rows) {
  const DataType& storage = parts->type.storage();
  std::vector<std::unique_ptr<Json>> owned;
  std::vector<int64_t> offsets;
  std::vector<int64_t> sizes;
  Rows elements;
  for (const Json* row : rows) {
    offsets.push_back(static_cast<int64_t>(elements.size()));
    if (!row->is_null()) {
      const Json& items = ItemsOf(*row, &owned);
      if (!items.is_array()) BadLiteral("no list: " + row->dump());
      for (const Json& item : items) elements.push_back(&item);
    }
    sizes.push_back(static_cast<int64_t>(elements.size()) - offsets.back());
  }
  const int width = storage.layout().offset_bits;
  if (storage.layout().id == LayoutId::kList)
    offsets.push_back(static_cast<int64_t>(elements.size()));
  parts->buffers.push_back(Integers(offsets, width));
  if (storage.layout().id == LayoutId::kListView) parts->buffers.push_back(Integers(sizes, width));
  parts->children.push_back(Convert(storage.field(0).type(), elements));
}

void AddFixedSizeList(ArrayParts* parts, const Rows& rows) {
  const DataType& storage = parts->type.storage();
  const auto width = static_cast<size_t>(storage.list_size());
  Rows elements;
  for (const Json* row : rows) {
    if (!row->is_null() && row->size() != width) BadLiteral("another width: " + row->dump());
    for (size_t i = 0; i < width; ++i)
      elements.push_back(row->is_null() ? &NullJson() : &(*row)[i]);
  }
  parts->children.push_back(Convert(storage.field(0).type(), elements));
}

/// Field i of a struct row: by place in {"s": [...]} and in a pair (an entry of a map), else by
/// name.
const Json& FieldOf(const Json& row, const DataType& storage, int i) {
  if (row.is_null()) return NullJson();
  if (row.is_array()) return row.at(static_cast<size_t>(i));
  if (row.size() == 1 && row.contains("s") && row["s"].is_array() &&
      static_cast<int>(row["s"].size()) == storage.num_fields()) {
    return row["s"].at(static_cast<size_t>(i)).at(1);
  }
  const auto found = row.find(storage.field(i).name());
  return found == row.end() ? NullJson() : *found;
}

void AddStruct(ArrayParts* parts, const Rows& rows) {
  const DataType& storage = parts->type.storage();
  for (int i = 0; i < storage.num_fields(); ++i) {
    Rows values;
    for (const Json* row : rows) values.push_back(&FieldOf(*row, storage, i));
    parts->children.push_back(Convert(storage.field(i).type(), values));
  }
}

/// Whether a value can be meant for a type: enough to tell the children of a union apart.
bool MayBe(const DataType& type, const Json& value) {
  const DataType& storage = type.storage();
  if (value.is_null()) return true;
  switch (storage.layout().id) {
    case LayoutId::kNull:
      return false;
    case LayoutId::kBoolean:
      return value.is_boolean();
    case LayoutId::kFixedWidth:
      if (IsInteger(storage.id())) return value.is_number_integer();
      if (IsFloating(storage.id())) return value.is_number() || value.contains("f");
      if (IsDecimal(storage.id())) return value.is_object() && value.contains("d");
      if (storage.id() == TypeId::kFixedSizeBinary) return value.is_object() && value.contains("b");
      return value.is_number_integer() || value.is_array();
    case LayoutId::kBinary:
    case LayoutId::kBinaryView:
      return IsUtf8(storage.id()) ? value.is_string() : value.is_object() && value.contains("b");
    case LayoutId::kList:
      return value.is_array() || (storage.id() == TypeId::kMap && value.is_object());
    case LayoutId::kListView:
    case LayoutId::kFixedSizeList:
      return value.is_array();
    case LayoutId::kStruct:
      return value.is_object() && !value.contains("b");
    case LayoutId::kDictionary:
    case LayoutId::kRunEndEncoded:
      return MayBe(storage.value_type(), value);
    case LayoutId::kSparseUnion:
    case LayoutId::kDenseUnion:
      return true;
  }
  return false;
}

struct UnionRow {
  int child = 0;
  const Json* value = nullptr;
};

UnionRow UnionRowOf(const DataType& storage, const Json& row) {
  if (row.is_object() && row.size() == 1 && row.contains("u")) {
    return {storage.child_of_type_code()[row["u"][0].get<size_t>()], &row["u"][1]};
  }
  for (int i = 0; i < storage.num_fields(); ++i) {
    if (MayBe(storage.field(i).type(), row)) return {i, &row};
  }
  BadLiteral("no child of " + storage.ToString() + " takes " + row.dump());
}

void AddUnion(ArrayParts* parts, const Rows& rows, bool dense) {
  const DataType& storage = parts->type.storage();
  std::vector<int8_t> type_ids;
  std::vector<int32_t> offsets;
  std::vector<Rows> children(static_cast<size_t>(storage.num_fields()));
  for (const Json* row : rows) {
    const UnionRow found = UnionRowOf(storage, *row);
    const auto index = static_cast<size_t>(found.child);
    type_ids.push_back(storage.type_codes()[index]);
    if (!dense) {
      for (Rows& child : children) child.push_back(&NullJson());
      children[index].back() = found.value;
      continue;
    }
    offsets.push_back(static_cast<int32_t>(children[index].size()));
    children[index].push_back(found.value);
  }
  parts->buffers.push_back(ValuesBuffer(type_ids));
  if (dense) parts->buffers.push_back(ValuesBuffer(offsets));
  for (int i = 0; i < storage.num_fields(); ++i) {
    parts->children.push_back(Convert(storage.field(i).type(), children[static_cast<size_t>(i)]));
  }
}

void AddDictionary(ArrayParts* parts, const Rows& rows) {
  const DataType& storage = parts->type.storage();
  Rows values;
  std::vector<int64_t> indices;
  for (const Json* row : rows) {
    size_t index = 0;
    if (!row->is_null()) {
      while (index < values.size() && *values[index] != *row) ++index;
      if (index == values.size()) values.push_back(row);
    }
    indices.push_back(static_cast<int64_t>(index));
  }
  parts->buffers.push_back(Integers(indices, storage.index_type().byte_width() * 8));
  parts->dictionary.push_back(Convert(storage.value_type(), values));
}

void AddRuns(ArrayParts* parts, const Rows& rows) {
  const DataType& storage = parts->type.storage();
  const DataType& end_type = storage.field(0).type();
  Rows values;
  std::vector<int64_t> ends;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (values.empty() || *values.back() != *rows[i]) {
      values.push_back(rows[i]);
      ends.push_back(0);
    }
    ends.back() = static_cast<int64_t>(i) + 1;
  }
  parts->children.push_back(
      MakeRaw({.type = end_type,
               .length = static_cast<int64_t>(ends.size()),
               .buffers = {Buffer(), Integers(ends, end_type.byte_width() * 8)}}));
  parts->children.push_back(Convert(storage.field(1).type(), values));
}

Array Convert(const DataType& type, const Rows& rows) {
  ArrayParts parts{.type = type, .length = static_cast<int64_t>(rows.size())};
  if (type.layout().has_validity) parts.buffers.push_back(ValidityOf(rows));
  switch (type.layout().id) {
    case LayoutId::kNull:
      break;
    case LayoutId::kBoolean:
      AddBoolean(&parts, rows);
      break;
    case LayoutId::kFixedWidth:
      AddFixedWidth(&parts, rows);
      break;
    case LayoutId::kBinary:
      AddBinary(&parts, rows);
      break;
    case LayoutId::kBinaryView:
      AddBinaryViews(&parts, rows);
      break;
    case LayoutId::kList:
    case LayoutId::kListView:
      AddList(&parts, rows);
      break;
    case LayoutId::kFixedSizeList:
      AddFixedSizeList(&parts, rows);
      break;
    case LayoutId::kStruct:
      AddStruct(&parts, rows);
      break;
    case LayoutId::kSparseUnion:
      AddUnion(&parts, rows, /*dense=*/false);
      break;
    case LayoutId::kDenseUnion:
      AddUnion(&parts, rows, /*dense=*/true);
      break;
    case LayoutId::kDictionary:
      AddDictionary(&parts, rows);
      break;
    case LayoutId::kRunEndEncoded:
      AddRuns(&parts, rows);
      break;
  }
  return MakeRaw(std::move(parts));
}

}  // namespace

Array FromJson(const DataType& type, const Json& rows) {
  if (!rows.is_array()) BadLiteral("no JSON array: " + rows.dump());
  Rows pointers;
  for (const Json& row : rows) pointers.push_back(&row);
  return Convert(type, pointers);
}

Array FromJson(const DataType& type, const std::string& rows) {
  const Json parsed = Json::parse(rows, nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) BadLiteral("no JSON: " + rows);
  return FromJson(type, parsed);
}

Array FromJson(const std::string& type, const std::string& rows) {
  return FromJson(TypeFrom(type), rows);
}

DataType TypeFrom(const std::string& text) {
  StatusOr<DataType> type = ParseType(text);
  if (!type.ok()) BadLiteral(type.status().ToString());
  return *std::move(type);
}

}  // namespace sheaf::testing
