#include "sheaf/array/null_array.h"

#include "array/make_typed.h"

namespace sheaf::inline v1 {

StatusOr<NullArray> NullArray::From(Array array) {
  if (array.layout().id != LayoutId::kNull) return internal::WrongType(array, "null");
  return NullArray(std::move(array));
}

StatusOr<NullArray> NullArray::Make(int64_t length, MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(Array array, MakeNullArray(Null(), length, pool));
  return NullArray(std::move(array));
}

}  // namespace sheaf
