#include "sheaf/array/fixed_size_list_array.h"

#include "array/make_typed.h"
#include "sheaf/type/field.h"

namespace sheaf::inline v1 {

StatusOr<FixedSizeListArray> FixedSizeListArray::From(Array array) {
  if (array.layout().id != LayoutId::kFixedSizeList)
    return internal::WrongType(array, "fixed_size_list");
  return FixedSizeListArray(std::move(array));
}

StatusOr<FixedSizeListArray> FixedSizeListArray::Make(const Array& elements, int32_t list_size,
                                                      int64_t length, Buffer validity,
                                                      ValidationLevel level, const DataType* type) {
  SHEAF_ASSIGN_OR_RETURN(DataType made, FixedSizeList(Field("item", elements.type()), list_size));
  if (type != nullptr) {
    if (type->layout().id != LayoutId::kFixedSizeList || type->list_size() != list_size) {
      return internal::InvalidArgument("not a fixed_size_list of size ", list_size, ": ",
                                       type->ToString());
    }
    made = *type;
  }
  if (length == -1) {
    if (list_size == 0)
      return internal::InvalidArgument("lists of size 0 do not tell their number");
    length = elements.length() / list_size;
  }
  SHEAF_ASSIGN_OR_RETURN(Array array, MakeArray({.type = std::move(made),
                                                 .length = length,
                                                 .buffers = {std::move(validity)},
                                                 .children = {elements}},
                                                level));
  return FixedSizeListArray(std::move(array));
}

}  // namespace sheaf
