#include "type/with_field_types.h"

#include <utility>
#include <vector>

#include "sheaf/type/field.h"
#include "type/with_fields.h"

namespace sheaf::inline v1::internal {

DataType WithFieldTypes(const DataType& type, std::span<const DataType> types) {
  std::vector<Field> fields;
  bool same = true;
  for (size_t i = 0; i < types.size(); ++i) {
    const Field& field = type.field(static_cast<int>(i));
    same = same && types[i] == field.type();
    fields.push_back(field.WithType(types[i]));
  }
  return same ? type : WithFields(type, std::move(fields));
}

}  // namespace sheaf::inline v1::internal
