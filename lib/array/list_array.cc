#include "sheaf/array/list_array.h"

#include "array/make_typed.h"
#include "sheaf/type/field.h"

namespace sheaf::inline v1 {
namespace {

template <typename Offset>
constexpr bool kLarge = sizeof(Offset) == 8;

/// Offsets in which a null takes the place of the next one that is not: its row is empty.
template <typename Offset>
StatusOr<Buffer> FillNullOffsets(const Array& offsets) {
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer filled,
                         MutableBuffer::Allocate(offsets.length() * int64_t{sizeof(Offset)}));
  const auto* from = offsets.slots<Offset>(1);
  auto* to = filled.as<Offset>();
  Offset next = 0;
  for (int64_t i = offsets.length() - 1; i >= 0; --i) {
    if (offsets.IsValid(i)) next = from[i];
    to[i] = next;
  }
  return std::move(filled).Finish();
}

}  // namespace

template <typename Offset>
StatusOr<BasicListArray<Offset>> BasicListArray<Offset>::From(Array array) {
  const TypeId id = array.type().storage().id();
  if (id != (kLarge<Offset> ? TypeId::kLargeList : TypeId::kList)) {
    return internal::WrongType(array, kLarge<Offset> ? "large_list" : "list");
  }
  return BasicListArray(std::move(array));
}

template <typename Offset>
StatusOr<BasicListArray<Offset>> BasicListArray<Offset>::Make(const Array& elements, Buffer offsets,
                                                              int64_t length, Buffer validity,
                                                              ValidationLevel level,
                                                              const DataType* type) {
  DataType made = type != nullptr  ? *type
                  : kLarge<Offset> ? LargeList(elements.type())
                                   : List(elements.type());
  SHEAF_ASSIGN_OR_RETURN(Array array,
                         MakeArray({.type = std::move(made),
                                    .length = length,
                                    .buffers = {std::move(validity), std::move(offsets)},
                                    .children = {elements}},
                                   level));
  return From(std::move(array));
}

template <typename Offset>
StatusOr<BasicListArray<Offset>> BasicListArray<Offset>::Make(const Array& elements,
                                                              const Array& offsets, Buffer validity,
                                                              ValidationLevel level,
                                                              const DataType* type) {
  const TypeId wanted = kLarge<Offset> ? TypeId::kInt64 : TypeId::kInt32;
  if (offsets.type().id() != wanted) {
    return internal::WrongType(offsets, kLarge<Offset> ? "int64 offsets" : "int32 offsets");
  }
  SHEAF_RETURN_IF_ERROR(offsets.Verify());
  if (offsets.length() == 0) return internal::InvalidArgument("a list has at least one offset");
  const int64_t length = offsets.length() - 1;
  SHEAF_ASSIGN_OR_RETURN(Buffer nulls,
                         internal::OneSourceOfNulls(offsets, std::move(validity), "offsets"));
  if (!offsets.has_nulls()) {
    return Make(elements, internal::WindowValues(offsets), length, std::move(nulls), level, type);
  }
  if (offsets.IsNull(length)) return internal::InvalidArgument("the last offset is null");
  SHEAF_ASSIGN_OR_RETURN(Buffer filled, FillNullOffsets<Offset>(offsets));
  return Make(elements, std::move(filled), length, std::move(nulls), level, type);
}

template class BasicListArray<int32_t>;
template class BasicListArray<int64_t>;

}  // namespace sheaf
