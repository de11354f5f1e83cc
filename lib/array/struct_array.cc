#include "sheaf/array/struct_array.h"

#include "array/make_typed.h"
#include "array/with_nulls.h"
#include "sheaf/type/schema.h"

namespace sheaf::inline v1 {

StatusOr<StructArray> StructArray::From(Array array) {
  if (array.layout().id != LayoutId::kStruct) return internal::WrongType(array, "struct");
  return StructArray(std::move(array));
}

StatusOr<StructArray> StructArray::Make(std::vector<Field> fields, std::vector<Array> children,
                                        int64_t length, Buffer validity, ValidationLevel level) {
  if (length == -1) {
    if (children.empty())
      return internal::InvalidArgument("a struct without fields does not tell its length");
    length = children.front().length();
  }
  SHEAF_ASSIGN_OR_RETURN(Array array, MakeArray({.type = Struct(std::move(fields)),
                                                 .length = length,
                                                 .buffers = {std::move(validity)},
                                                 .children = std::move(children)},
                                                level));
  return StructArray(std::move(array));
}

StatusOr<Array> StructArray::FlattenedField(int i, MemoryPool* pool) const {
  if (i < 0 || i >= num_children()) {
    return internal::InvalidArgument(type().ToString(), ": field ", i, " of ", num_children());
  }
  SHEAF_RETURN_IF_ERROR(Verify());  // Before a bit is counted: the bitmap may be too short.
  if (!has_nulls()) return field(i);
  const StatusOr<Array> flattened = internal::WithNulls(field(i), buffer(0), offset(), pool);
  if (flattened.ok()) return flattened;
  return internal::AtPath("$." + type().storage().field(i).name(), flattened.status());
}

StatusOr<Array> StructArray::FieldByName(string_view name) const {
  SHEAF_ASSIGN_OR_RETURN(const int i, FieldIndex(type().fields(), name));
  return field(i);
}

}  // namespace sheaf
