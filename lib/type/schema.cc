#include "sheaf/type/schema.h"

#include "base/error.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1 {

StatusOr<int> FieldIndex(std::span<const Field> fields, string_view name) {
  const std::string_view wanted(name.data(), name.size());
  int found = -1;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name() != wanted) continue;
    if (found >= 0) {
      return internal::InvalidArgument("fields ", found, " and ", i, " are both called '", wanted,
                                       "'");
    }
    found = static_cast<int>(i);
  }
  if (found < 0) return internal::NotFound("no field is called '", wanted, "'");
  return found;
}

StatusOr<Schema> Schema::FromStruct(const DataType& columns, Metadata metadata) {
  if (columns.layout().id != LayoutId::kStruct) {
    return internal::InvalidArgument("a schema is a struct, not ", columns.ToString());
  }
  Schema schema;
  schema.columns_ = columns.storage();  // An extension over a struct is none that columns have.
  schema.metadata_ = std::move(metadata);
  return schema;
}

StatusOr<int> Schema::FieldIndex(string_view name) const {
  return sheaf::FieldIndex(fields(), name);
}

}  // namespace sheaf::inline v1
