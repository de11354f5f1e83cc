// Equality of types, fields and schemas, in two strengths: equal (names and metadata that carry no
// meaning are left out) and identical.
#include <algorithm>

#include "sheaf/type/schema.h"
#include "type/type_node.h"

namespace sheaf::inline v1 {
namespace {

using internal::TypeNode;

bool SameCodes(const TypeNode& a, const TypeNode& b) noexcept {
  if (a.codes == b.codes) return true;
  return a.codes != nullptr && b.codes != nullptr &&
         a.codes->code_of_child == b.codes->code_of_child;
}

/// Everything but children and parts.
bool SameParameters(const TypeNode& a, const TypeNode& b) noexcept {
  return a.id == b.id && a.unit == b.unit && a.flag == b.flag && a.byte_width == b.byte_width &&
         a.precision == b.precision && a.scale == b.scale && a.list_size == b.list_size &&
         a.timezone == b.timezone && a.extension_name == b.extension_name &&
         a.extension_metadata == b.extension_metadata && a.fields.size() == b.fields.size() &&
         a.parts.size() == b.parts.size() && SameCodes(a, b);
}

/// Children of lists, and of a map's entries: their names mean nothing.
bool SameButForNames(const Field& a, const Field& b) noexcept {
  return a.nullable() == b.nullable() && a.type() == b.type();
}

bool SameEntries(const Field& a, const Field& b) noexcept {
  return a.nullable() == b.nullable() &&
         std::ranges::equal(a.type().fields(), b.type().fields(), SameButForNames);
}

bool SameFields(const TypeNode& a, const TypeNode& b) noexcept {
  if (a.id == TypeId::kMap) return SameEntries(a.fields[0], b.fields[0]);
  if (IsListLike(a.id)) return SameButForNames(a.fields[0], b.fields[0]);
  return a.fields == b.fields;
}

bool IdenticalFields(std::span<const Field> a, std::span<const Field> b) noexcept {
  return std::ranges::equal(a, b, [](const Field& x, const Field& y) { return x.Identical(y); });
}

bool IdenticalTypes(const DataType& a, const DataType& b) noexcept { return a.Identical(b); }

}  // namespace

bool operator==(const DataType& a, const DataType& b) noexcept {
  const TypeNode& x = *a.node();
  const TypeNode& y = *b.node();
  if (&x == &y) return true;
  if (!SameParameters(x, y)) return false;
  // An extension's children and parts are its storage's: compared once, as the storage has them.
  if (x.is_extension()) return x.parts[0] == y.parts[0];
  return x.parts == y.parts && SameFields(x, y);
}

bool DataType::Identical(const DataType& other) const noexcept {
  const TypeNode& x = *node_;
  const TypeNode& y = *other.node_;
  if (&x == &y) return true;
  if (!SameParameters(x, y)) return false;
  if (x.is_extension()) return x.parts[0].Identical(y.parts[0]);
  return std::ranges::equal(x.parts, y.parts, IdenticalTypes) &&
         IdenticalFields(x.fields, y.fields);
}

bool operator==(const Field& a, const Field& b) noexcept {
  return a.name_ == b.name_ && a.nullable_ == b.nullable_ && a.type_ == b.type_;
}

bool Field::Identical(const Field& other) const noexcept {
  return name_ == other.name_ && nullable_ == other.nullable_ && metadata_ == other.metadata_ &&
         type_.Identical(other.type_);
}

bool operator==(const Schema& a, const Schema& b) noexcept { return a.columns_ == b.columns_; }

bool Schema::Identical(const Schema& other) const noexcept {
  return metadata_ == other.metadata_ && columns_.Identical(other.columns_);
}

}  // namespace sheaf::inline v1
