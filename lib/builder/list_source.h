#pragma once

#include "array/list_source.h"
#include "array/range_list.h"
#include "builder/builder_core.h"

namespace sheaf::inline v1::internal {

/// kInvalidArgument naming field and row where a valid row of `rows` has a null among elements that
/// are not nullable. `reached` is a range of the elements that covers all these rows': without
/// nulls there, no row is read.
inline Status CheckElementsNullable(const DataType& parent, const ListSource& source, RowRange rows,
                                    RowRange reached) {
  const Field& field = parent.field(0);
  if (field.nullable() || !source.elements().has_nulls()) return OkStatus();
  if (source.elements().Slice(reached.offset, reached.length).null_count() == 0) return OkStatus();
  for (int64_t row = rows.offset; row < rows.end(); ++row) {
    if (source.array().IsNull(row)) continue;
    const RowRange list = source.Row(row);
    if (source.elements().Slice(list.offset, list.length).null_count() == 0) continue;
    return InvalidArgument("row ", row, " of an array for a ", parent.ToString(),
                           " builder: field ", field.ToString(), " is not nullable and has a null");
  }
  return OkStatus();
}

}  // namespace sheaf::inline v1::internal
