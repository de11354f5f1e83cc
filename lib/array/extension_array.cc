#include "sheaf/array/extension_array.h"

#include "array/make_typed.h"

namespace sheaf::inline v1 {

StatusOr<ExtensionArray> ExtensionArray::From(Array array) {
  if (array.type().id() != TypeId::kExtension) return internal::WrongType(array, "extension");
  return ExtensionArray(std::move(array));
}

StatusOr<ExtensionArray> ExtensionArray::Make(DataType type, const Array& storage,
                                              MemoryPool* pool) {
  if (type.id() != TypeId::kExtension) {
    return internal::InvalidArgument("not an extension type: ", type.ToString());
  }
  if (!(type.storage() == storage.type())) {
    return internal::InvalidArgument(type.ToString(), " is stored as ", type.storage().ToString(),
                                     ", not as ", storage.type().ToString());
  }
  SHEAF_ASSIGN_OR_RETURN(Array array, internal::WithType(storage, std::move(type), pool));
  return ExtensionArray(std::move(array));
}

StatusOr<Array> ExtensionArray::storage(MemoryPool* pool) const {
  return internal::WithType(*this, type().storage(), pool);
}

}  // namespace sheaf
