#include "array/with_children.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "array/array_data.h"
#include "array/verified.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/type/field.h"
#include "type/with_fields.h"

namespace sheaf::inline v1::internal {
namespace {

/// The type over children of these types; itself where they are its own.
/// \return what a registered extension says of its storage.
StatusOr<DataType> TypeOver(const DataType& type, std::span<const Array> children,
                            const Array* dictionary) {
  std::vector<Field> fields(type.fields().begin(), type.fields().end());
  bool changed = dictionary != nullptr && !dictionary->type().Identical(type.value_type());
  for (size_t i = 0; i < fields.size(); ++i) {
    if (children[i].type().Identical(fields[i].type())) continue;
    fields[i] = fields[i].WithType(children[i].type());
    changed = true;
  }
  if (!changed) return type;
  DataType made =
      WithFields(type, std::move(fields), dictionary == nullptr ? DataType() : dictionary->type());
  SHEAF_RETURN_IF_ERROR(CheckExtension(made));
  return made;
}

}  // namespace

StatusOr<Array> WithChildren(const Array& array, std::span<Array> children, Array* dictionary,
                             MemoryPool* pool) {
  bool changed = dictionary != nullptr && !IsSameArray(*dictionary, array.dictionary());
  for (int i = 0; i < array.num_children(); ++i) {
    changed = changed || !IsSameArray(children[static_cast<size_t>(i)], array.child(i));
  }
  if (!changed) return array;
  SHEAF_ASSIGN_OR_RETURN(DataType type, TypeOver(array.type(), children, dictionary));
  return WithTypeAndChildren(array, std::move(type), children, dictionary, pool);
}

StatusOr<Array> WithTypeAndChildren(const Array& array, DataType type, std::span<Array> children,
                                    Array* dictionary, MemoryPool* pool) {
  const ArrayData& data = *array.data();
  const bool primary = data.IsPrimary(array.offset(), array.length());
  std::vector<Buffer> buffers;
  for (int i = 0; i < array.num_buffers(); ++i) buffers.push_back(array.buffer(i));
  ViewStats stats;
  const bool knows_views = primary && data.view_state.load(std::memory_order_acquire) == 2 &&
                           !children.empty() && children[0].length() == array.child(0).length();
  if (knows_views) stats = data.view_stats;
  const bool verified = IsVerified(array) && std::ranges::all_of(children, IsVerified) &&
                        (dictionary == nullptr || IsVerified(*dictionary));
  return MakeNode({.type = std::move(type),
                   .offset = array.offset(),
                   .length = array.length(),
                   .null_count = primary ? data.null_count.load(std::memory_order_relaxed) : -1,
                   .buffers = buffers,
                   .children = children,
                   .dictionary = dictionary,
                   .verified = verified,
                   .has_spare_offset = data.has_spare_offset && primary,
                   .view_stats = knows_views ? &stats : nullptr},
                  pool);
}

}  // namespace sheaf::inline v1::internal
