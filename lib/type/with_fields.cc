#include "type/with_fields.h"

#include <utility>

#include "sheaf/type/extension.h"
#include "type/type_node.h"

namespace sheaf::inline v1::internal {

DataType ListTypeOf(TypeId id, Field elements) {
  switch (id) {
    case TypeId::kLargeList:
      return LargeList(std::move(elements));
    case TypeId::kListView:
      return ListView(std::move(elements));
    case TypeId::kLargeListView:
      return LargeListView(std::move(elements));
    default:
      return List(std::move(elements));
  }
}

Status CheckExtension(const DataType& type) {
  return ResolveExtension(StorageField(Field("", type))).status();
}

StatusOr<DataType> WithStorage(const DataType& type, const DataType& storage) {
  if (type.id() != TypeId::kExtension) return storage;
  if (storage.Identical(type.storage())) return type;
  DataType made = Extension(type.extension_name(), type.extension_metadata(), storage);
  SHEAF_RETURN_IF_ERROR(CheckExtension(made));
  return made;
}

DataType WithFields(const DataType& type, std::vector<Field> fields, const DataType& values) {
  const TypeNode& from = *type.node();
  if (from.is_extension()) {
    return Extension(from.extension_name, from.extension_metadata,
                     WithFields(type.storage(), std::move(fields), values));
  }
  auto* node = new TypeNode(from.id);
  node->flag = from.flag;
  node->list_size = from.list_size;
  node->layout = from.layout;
  node->codes = from.codes;
  node->fields = std::move(fields);
  if (from.id == TypeId::kDictionary) node->parts = {from.parts[0], values};
  return DataType(node);
}

}  // namespace sheaf::inline v1::internal
