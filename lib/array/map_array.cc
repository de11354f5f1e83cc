#include "sheaf/array/map_array.h"

#include "array/make_typed.h"
#include "sheaf/array/struct_array.h"
#include "sheaf/type/field.h"

namespace sheaf::inline v1 {

StatusOr<MapArray> MapArray::From(Array array) {
  if (array.type().storage().id() != TypeId::kMap) return internal::WrongType(array, "map");
  return MapArray(std::move(array));
}

StatusOr<MapArray> MapArray::Make(const Array& keys, const Array& values, Buffer offsets,
                                  int64_t length, Buffer validity, ValidationLevel level,
                                  const DataType* type) {
  if (keys.length() != values.length()) {
    return internal::InvalidArgument("map: lengths differ: ", keys.length(), " keys, ",
                                     values.length(), " values");
  }
  const DataType made = type != nullptr ? *type : Map(keys.type(), Field("value", values.type()));
  if (made.storage().id() != TypeId::kMap) {
    return internal::InvalidArgument("not a map type: ", made.ToString());
  }
  SHEAF_ASSIGN_OR_RETURN(Array entries, MakeArray({.type = made.field(0).type(),
                                                   .length = keys.length(),
                                                   .buffers = {Buffer()},
                                                   .children = {keys, values}},
                                                  ValidationLevel::kMinimal));
  SHEAF_ASSIGN_OR_RETURN(Array array,
                         MakeArray({.type = made,
                                    .length = length,
                                    .buffers = {std::move(validity), std::move(offsets)},
                                    .children = {std::move(entries)}},
                                   level));
  return MapArray(std::move(array));
}

}  // namespace sheaf
