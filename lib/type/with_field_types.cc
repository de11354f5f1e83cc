#include "type/with_field_types.h"

#include "sheaf/type/field.h"
#include "type/type_node.h"

namespace sheaf::inline v1::internal {

DataType WithFieldTypes(const DataType& type, std::span<const DataType> types) {
  bool same = true;
  for (size_t i = 0; i < types.size(); ++i)
    same = same && types[i] == type.field(static_cast<int>(i)).type();
  if (same) return type;

  const TypeNode& from = *type.node();
  if (from.is_extension()) {
    return Extension(from.extension_name, from.extension_metadata,
                     WithFieldTypes(type.storage(), types));
  }
  auto* node = new TypeNode(from.id);
  node->unit = from.unit;
  node->flag = from.flag;
  node->byte_width = from.byte_width;
  node->precision = from.precision;
  node->scale = from.scale;
  node->list_size = from.list_size;
  node->layout = from.layout;
  node->timezone = from.timezone;
  node->parts = from.parts;
  node->codes = from.codes;
  node->fields.reserve(types.size());
  for (size_t i = 0; i < types.size(); ++i)
    node->fields.push_back(from.fields[i].WithType(types[i]));
  return DataType(node);
}

}  // namespace sheaf::inline v1::internal
