#include "sheaf/array/union_array.h"

#include "array/make_typed.h"

namespace sheaf::inline v1 {
namespace {

Status CheckIs(const DataType& type, LayoutId wanted, const char* name) {
  if (type.layout().id == wanted) return OkStatus();
  return internal::InvalidArgument("not a ", name, ": ", type.ToString());
}

}  // namespace

StatusOr<UnionArray> UnionArray::From(Array array) {
  const LayoutId id = array.layout().id;
  if (id != LayoutId::kSparseUnion && id != LayoutId::kDenseUnion)
    return internal::WrongType(array, "union");
  return UnionArray(std::move(array));
}

StatusOr<UnionArray> UnionArray::MakeSparse(DataType type, Buffer type_ids,
                                            std::vector<Array> children, int64_t length,
                                            ValidationLevel level) {
  SHEAF_RETURN_IF_ERROR(CheckIs(type, LayoutId::kSparseUnion, "sparse_union"));
  SHEAF_ASSIGN_OR_RETURN(Array array, MakeArray({.type = std::move(type),
                                                 .length = length,
                                                 .buffers = {std::move(type_ids)},
                                                 .children = std::move(children)},
                                                level));
  return UnionArray(std::move(array));
}

StatusOr<UnionArray> UnionArray::MakeDense(DataType type, Buffer type_ids, Buffer offsets,
                                           std::vector<Array> children, int64_t length,
                                           ValidationLevel level) {
  SHEAF_RETURN_IF_ERROR(CheckIs(type, LayoutId::kDenseUnion, "dense_union"));
  SHEAF_ASSIGN_OR_RETURN(Array array,
                         MakeArray({.type = std::move(type),
                                    .length = length,
                                    .buffers = {std::move(type_ids), std::move(offsets)},
                                    .children = std::move(children)},
                                   level));
  return UnionArray(std::move(array));
}

}  // namespace sheaf
