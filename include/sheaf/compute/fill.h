#pragma once

#include <cstdint>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

class ArrayBuilder;

/// Rows [base, base + length) of a column.
struct PageRows {
  int64_t base = 0;
  int64_t length = 0;
};

/// Appends `value`, an array of length 1, n times. A list-view stores its elements once; n = 0
/// stores nothing.
/// \return the errors of ArrayBuilder::AppendRepeated; kInvalidArgument for more or less than one
/// value.
SHEAF_EXPORT Status FillConstant(ArrayBuilder& builder, const Array& value, int64_t n);

/// Appends a page of a sparse column: row indices[j] of the column is row j of `patches`, and every
/// other row of the page is the one value of `fill`.
///
///   FillSparse(builder, [7], [100, 103], [1, 2], {.base = 100, .length = 5})   appends 1 7 7 2 7
///
/// n rows with p patches cost O(n + p) whatever the type, and write every row once. A list-view
/// stores the elements of the fill once and those of the patches once — of a patch that shares
/// elements with others not even that, unless more elements lie between them than all patches
/// together have. Lists, strings and fixed-size lists cannot share, so theirs are written out.
///
/// \param fill     an array of length 1, of a type that goes into the builder; may be null.
/// \param indices  of any integer type, no nulls, strictly ascending, within the page.
/// \param patches  as many rows as indices, of a type that goes into the builder; may be null.
/// \return kInvalidArgument naming the index that is out of the page, doubled, descending or null,
/// or what does not match; the errors of every append. The builder is then as it was.
SHEAF_EXPORT Status FillSparse(ArrayBuilder& builder, const Array& fill, const Array& indices,
                               const Array& patches, PageRows page);

}  // namespace sheaf::inline v1
