#include "type/with_fields.h"

#include <utility>

#include "sheaf/type/extension.h"

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

StatusOr<DataType> WithFields(const DataType& type, std::vector<Field> fields,
                              const DataType& values) {
  switch (type.id()) {
    case TypeId::kList:
    case TypeId::kLargeList:
    case TypeId::kListView:
    case TypeId::kLargeListView:
      return ListTypeOf(type.id(), std::move(fields[0]));
    case TypeId::kFixedSizeList:
      return FixedSizeList(std::move(fields[0]), type.list_size());
    case TypeId::kStruct:
      return Struct(std::move(fields));
    case TypeId::kMap:
      return MapOf(std::move(fields[0]), type.keys_sorted());
    case TypeId::kSparseUnion:
    case TypeId::kDenseUnion:
      return Union(type.id(), std::move(fields),
                   {type.type_codes().begin(), type.type_codes().end()});
    case TypeId::kRunEndEncoded:
      return RunEndEncodedOf(std::move(fields[0]), std::move(fields[1]));
    case TypeId::kDictionary:
      return Dictionary(type.index_type(), values, type.ordered());
    case TypeId::kExtension: {
      SHEAF_ASSIGN_OR_RETURN(const DataType storage,
                             WithFields(type.storage(), std::move(fields), values));
      return WithStorage(type, storage);
    }
    default:
      return type;
  }
}

}  // namespace sheaf::inline v1::internal
