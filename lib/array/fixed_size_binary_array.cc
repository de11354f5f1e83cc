#include "sheaf/array/fixed_size_binary_array.h"

#include "array/make_typed.h"

namespace sheaf::inline v1 {

StatusOr<FixedSizeBinaryArray> FixedSizeBinaryArray::From(Array array) {
  if (array.type().storage().id() != TypeId::kFixedSizeBinary) {
    return internal::WrongType(array, "fixed_size_binary");
  }
  return FixedSizeBinaryArray(std::move(array));
}

StatusOr<FixedSizeBinaryArray> FixedSizeBinaryArray::Make(int32_t byte_width, Buffer values,
                                                          int64_t length, Buffer validity,
                                                          ValidationLevel level) {
  SHEAF_ASSIGN_OR_RETURN(DataType type, FixedSizeBinary(byte_width));
  SHEAF_ASSIGN_OR_RETURN(Array array,
                         MakeArray({.type = std::move(type),
                                    .length = length,
                                    .buffers = {std::move(validity), std::move(values)}},
                                   level));
  return FixedSizeBinaryArray(std::move(array));
}

}  // namespace sheaf
