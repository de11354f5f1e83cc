#include "compute/reached.h"

#include <utility>
#include <vector>

#include "array/array_data.h"
#include "array/make_typed.h"
#include "array/with_children.h"
#include "compute/list_view/layouts.h"
#include "compute/list_view/modes.h"
#include "sheaf/base/bits.h"
#include "sheaf/type/visit_layout.h"

namespace sheaf::inline v1::internal {
namespace {

/// A struct, sparse union or fixed-size list from its first row on, over children cut to `width`
/// slots a row.
StatusOr<Array> FromFirstRow(const Array& array, int64_t width, MemoryPool* pool) {
  bool whole = array.offset() == 0;
  for (int i = 0; i < array.num_children(); ++i) {
    whole = whole && array.child(i).length() == array.length() * width;
  }
  if (whole) return array;
  std::vector<Buffer> buffers(static_cast<size_t>(array.layout().num_buffers));
  if (array.layout().has_validity) {
    SHEAF_ASSIGN_OR_RETURN(buffers[0], WindowValidity(array, pool));
  } else if (array.length() > 0) {
    buffers[0] = array.buffer(0).Slice(array.offset(), array.length());  // Type ids.
  } else {
    buffers[0] = Buffer::Empty();
  }
  std::vector<Array> children;
  for (int i = 0; i < array.num_children(); ++i) {
    children.push_back(array.child(i).Slice(array.offset() * width, array.length() * width));
  }
  return MakeNode({.type = array.type(),
                   .length = array.length(),
                   .null_count = array.null_count(),
                   .buffers = buffers,
                   .children = children,
                   .verified = true},
                  pool);
}

/// Dense unions and run-ends are verified with all slots of their children — where there are rows.
StatusOr<Array> WithoutSlots(const Array& array, MemoryPool* pool) {
  if (array.length() > 0) return array;
  std::vector<Array> children;
  for (int i = 0; i < array.num_children(); ++i) children.push_back(array.child(i).Slice(0, 0));
  std::vector<Buffer> buffers(static_cast<size_t>(array.layout().num_buffers), Buffer::Empty());
  return MakeNode({.type = array.type(),
                   .null_count = 0,
                   .buffers = buffers,
                   .children = children,
                   .verified = true},
                  pool);
}

/// Values beyond the last run are nobody's.
StatusOr<Array> OneValueARun(const Array& array, MemoryPool* pool) {
  if (array.length() == 0) return WithoutSlots(array, pool);
  const int64_t runs = array.child(0).length();
  if (array.child(1).length() == runs) return array;
  std::vector<Array> children = {array.child(0), array.child(1).Slice(0, runs)};
  return WithChildren(array, children, nullptr, pool);
}

}  // namespace

StatusOr<Array> ReachedOnly(const Array& array, MemoryPool* pool) {
  return VisitLayout(
      array.layout(),
      Overloaded{
          [&](ListLike auto) { return TrimList(array, pool); },
          [&](ViewLike auto) { return Trim(array, pool); },
          [&](FixedSizeListLayout) { return FromFirstRow(array, array.type().list_size(), pool); },
          [&](StructLayout) { return FromFirstRow(array, 1, pool); },
          [&](SparseUnionLayout) { return FromFirstRow(array, 1, pool); },
          [&](DenseUnionLayout) { return WithoutSlots(array, pool); },
          [&](RunEndLike auto) { return OneValueARun(array, pool); },
          [&](DictionaryLayout) -> StatusOr<Array> {
            SHEAF_RETURN_IF_ERROR(array.dictionary().Verify());
            return array;
          },
          [&](Childless auto) -> StatusOr<Array> { return array; },
      });
}

}  // namespace sheaf::inline v1::internal
