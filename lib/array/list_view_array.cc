#include "sheaf/array/list_view_array.h"

#include "array/make_typed.h"
#include "sheaf/type/field.h"

namespace sheaf::inline v1 {
namespace {

template <typename Offset>
constexpr bool kLarge = sizeof(Offset) == 8;

}  // namespace

template <typename Offset>
StatusOr<BasicListViewArray<Offset>> BasicListViewArray<Offset>::From(Array array) {
  const TypeId id = array.type().storage().id();
  if (id != (kLarge<Offset> ? TypeId::kLargeListView : TypeId::kListView)) {
    return internal::WrongType(array, kLarge<Offset> ? "large_list_view" : "list_view");
  }
  return BasicListViewArray(std::move(array));
}

template <typename Offset>
StatusOr<BasicListViewArray<Offset>> BasicListViewArray<Offset>::Make(
    const Array& elements, Buffer offsets, Buffer sizes, int64_t length, Buffer validity,
    ValidationLevel level, const DataType* type) {
  DataType made = type != nullptr  ? *type
                  : kLarge<Offset> ? LargeListView(elements.type())
                                   : ListView(elements.type());
  SHEAF_ASSIGN_OR_RETURN(
      Array array,
      MakeArray({.type = std::move(made),
                 .length = length,
                 .buffers = {std::move(validity), std::move(offsets), std::move(sizes)},
                 .children = {elements}},
                level));
  return From(std::move(array));
}

template <typename Offset>
StatusOr<BasicListViewArray<Offset>> BasicListViewArray<Offset>::Make(
    const Array& elements, const Array& offsets, const Array& sizes, Buffer validity,
    ValidationLevel level, const DataType* type) {
  const TypeId wanted = kLarge<Offset> ? TypeId::kInt64 : TypeId::kInt32;
  for (const Array* array : {&offsets, &sizes}) {
    if (array->type().id() != wanted) {
      return internal::WrongType(
          *array, kLarge<Offset> ? "int64 offsets and sizes" : "int32 offsets and sizes");
    }
    SHEAF_RETURN_IF_ERROR(array->Verify());
  }
  if (offsets.length() != sizes.length()) {
    return internal::InvalidArgument("lengths differ: ", offsets.length(), " offsets, ",
                                     sizes.length(), " sizes");
  }
  SHEAF_ASSIGN_OR_RETURN(Buffer nulls,
                         internal::OneSourceOfNulls(offsets, std::move(validity), "offsets"));
  SHEAF_ASSIGN_OR_RETURN(nulls, internal::OneSourceOfNulls(sizes, std::move(nulls), "sizes"));
  return Make(elements, internal::WindowValues(offsets), internal::WindowValues(sizes),
              offsets.length(), std::move(nulls), level, type);
}

template class BasicListViewArray<int32_t>;
template class BasicListViewArray<int64_t>;

}  // namespace sheaf
