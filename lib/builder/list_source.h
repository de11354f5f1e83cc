#pragma once

#include "array/list_source.h"
#include "array/range_list.h"
#include "builder/builder_core.h"

namespace sheaf::inline v1::internal {

/// The check of CheckElementsNullable for `values`: the elements, or a part of each.
inline Status CheckNoNulls(const DataType& parent, const Field& field, const ListSource& source,
                           const Array& values, RowRange rows, RowRange reached) {
  const auto brings_nulls = [&](RowRange range) {
    return BringsNulls(field.type(), values.Slice(range.offset, range.length));
  };
  if (!brings_nulls(reached)) return OkStatus();
  for (int64_t row = rows.offset; row < rows.end(); ++row) {
    if (source.array().IsNull(row) || !brings_nulls(source.Row(row))) continue;
    return InvalidArgument("row ", row, " of an array for a ", parent.ToString(),
                           " builder: field ", field.ToString(), " is not nullable and has a null");
  }
  return OkStatus();
}

/// kInvalidArgument naming field and row where a valid row of `rows` has a null among elements that
/// are not nullable: those of maps never are, nor their keys. `reached` is a range of the elements
/// that covers all these rows': without nulls there, no row is read.
inline Status CheckElementsNullable(const DataType& parent, const ListSource& source, RowRange rows,
                                    RowRange reached) {
  const Field& field = parent.field(0);
  const Array& elements = source.elements();
  const bool map = parent.storage().id() == TypeId::kMap;
  if (map) {
    const Array keys = elements.child(0).Slice(elements.offset(), elements.length());
    SHEAF_RETURN_IF_ERROR(CheckNoNulls(parent, field.type().field(0), source, keys, rows, reached));
  }
  if (field.nullable() && !map) return OkStatus();
  return CheckNoNulls(parent, field, source, elements, rows, reached);
}

}  // namespace sheaf::inline v1::internal
