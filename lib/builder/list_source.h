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
  if (field.nullable() || !BringsNulls(field.type(), source.elements())) return OkStatus();
  const auto brings_nulls = [&](RowRange elements) {
    return BringsNulls(field.type(), source.elements().Slice(elements.offset, elements.length));
  };
  if (!brings_nulls(reached)) return OkStatus();
  for (int64_t row = rows.offset; row < rows.end(); ++row) {
    if (source.array().IsNull(row)) continue;
    if (!brings_nulls(source.Row(row))) continue;
    return InvalidArgument("row ", row, " of an array for a ", parent.ToString(),
                           " builder: field ", field.ToString(), " is not nullable and has a null");
  }
  return OkStatus();
}

}  // namespace sheaf::inline v1::internal
