#include "sheaf/compute/list_view/convert.h"

#include <utility>

#include "array/check_values.h"
#include "array/make_typed.h"
#include "array/with_children.h"
#include "base/error.h"
#include "compute/list_view/layouts.h"
#include "sheaf/type/field.h"
#include "sheaf/type/layout.h"
#include "sheaf/type/visit_type.h"
#include "type/with_fields.h"

namespace sheaf::inline v1 {
namespace internal {

StatusOr<Array> WithListLayout(const Array& lists, const DataType& type, MemoryPool* pool) {
  const LayoutId from = lists.layout().id;
  const LayoutId to = type.layout().id;
  if (to == LayoutId::kFixedSizeList) return RowsAsFixed(lists, type, pool);
  const bool views = to == LayoutId::kListView;
  if (from == LayoutId::kFixedSizeList) return FixedAsLists(lists, type, pool);
  if (from == LayoutId::kListView) {
    return views ? ViewsAsViews(lists, type, pool) : ViewsAsLists(lists, type, pool);
  }
  return views ? ListsAsViews(lists, type, pool) : ListsAsLists(lists, type, pool);
}

}  // namespace internal

namespace {

using internal::InvalidArgument;

bool IsListOrMap(const DataType& type) noexcept {
  return IsListLike(type.id()) || type.id() == TypeId::kMap;
}

/// A map type of these elements, which say nothing of an order.
StatusOr<DataType> MapTypeOf(const Field& elements, const DataType& from) {
  if (elements.type().id() != TypeId::kStruct || elements.type().num_fields() != 2) {
    return InvalidArgument(from.ToString(), " as a map: elements are no structs of key and value");
  }
  const Field& key = elements.type().field(0);
  const DataType entries = Struct({key.WithNullable(false), elements.type().field(1)});
  return MapOf(elements.WithType(entries).WithNullable(false), /*keys_sorted=*/false);
}

/// Lists of 32 bits as a map: the same buffers, once no key and no entry that is seen is null.
StatusOr<Array> ListsAsMap(const Array& lists, const DataType& map, MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(Array entries,
                         internal::WithType(lists.child(0), map.field(0).type(), pool));
  SHEAF_ASSIGN_OR_RETURN(Array rows,
                         internal::WithTypeAndChildren(lists, map, {&entries, 1}, nullptr, pool));
  SHEAF_RETURN_IF_ERROR(internal::CheckNullability(rows, internal::Path{}));
  return rows;
}

StatusOr<Array> ToLayout(const Array& lists, TypeId target, MemoryPool* pool) {
  const DataType& from = lists.type();
  if (target != TypeId::kMap) {
    return internal::WithListLayout(lists, internal::ListTypeOf(target, from.field(0)), pool);
  }
  SHEAF_ASSIGN_OR_RETURN(const DataType map, MapTypeOf(from.field(0), from));
  if (from.id() == TypeId::kList) return ListsAsMap(lists, map, pool);
  SHEAF_ASSIGN_OR_RETURN(
      const Array as_lists,
      internal::WithListLayout(lists, internal::ListTypeOf(TypeId::kList, from.field(0)), pool));
  return ListsAsMap(as_lists, map, pool);
}

/// `convert` of the storage where the array is of an extension type, which then stays one.
template <typename Function>
StatusOr<Array> BelowExtension(const Array& array, MemoryPool* pool, Function&& convert) {
  const DataType& type = array.type();
  if (type.id() != TypeId::kExtension) return convert(array);
  SHEAF_ASSIGN_OR_RETURN(const Array storage, internal::WithType(array, type.storage(), pool));
  SHEAF_ASSIGN_OR_RETURN(const Array converted, convert(storage));
  SHEAF_ASSIGN_OR_RETURN(DataType extension, internal::WithStorage(type, converted.type()));
  return internal::WithType(converted, std::move(extension), pool);
}

}  // namespace

StatusOr<Array> ConvertLists(const Array& array, TypeId target, MemoryPool* pool) {
  const bool is_target =
      target == TypeId::kMap || (target >= TypeId::kList && target <= TypeId::kLargeListView);
  if (!is_target) {
    return InvalidArgument("convert lists: ", TypeName(target),
                           " is no list, list-view or map without parameters");
  }
  const DataType& storage = array.type().storage();
  if (!IsListOrMap(storage)) {
    return InvalidArgument("convert lists: ", array.type().ToString(), " as ", TypeName(target),
                           ": its rows are no lists");
  }
  if (storage.id() == target) return array;
  SHEAF_RETURN_IF_ERROR(array.Verify());
  return BelowExtension(array, pool,
                        [&](const Array& lists) { return ToLayout(lists, target, pool); });
}

StatusOr<Array> ConvertToFixedSizeLists(const Array& array, int32_t list_size, MemoryPool* pool) {
  const DataType& storage = array.type().storage();
  if (!IsListOrMap(storage)) {
    return InvalidArgument("convert lists: ", array.type().ToString(),
                           " as fixed_size_list: its rows are no lists");
  }
  SHEAF_ASSIGN_OR_RETURN(const DataType type, FixedSizeList(storage.field(0), list_size));
  if (storage == type) return array;
  SHEAF_RETURN_IF_ERROR(array.Verify());
  return BelowExtension(
      array, pool, [&](const Array& lists) { return internal::WithListLayout(lists, type, pool); });
}

}  // namespace sheaf::inline v1
