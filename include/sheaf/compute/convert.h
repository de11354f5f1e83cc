#pragma once

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"
#include "sheaf/type/data_type.h"

namespace sheaf::inline v1 {

/// The same values in another layout: `Convert(array, *ParseType("large_list<utf8_view>"))`.
/// Nothing is cast: a value that the type does not hold is an error, never another value.
///
/// | from and to | what is done |
/// |---|---|
/// | list-likes and maps, among each other | `ConvertLists`, `ConvertToFixedSizeLists`: elements
/// shared where they may be | | binary and large binary, utf8 and large utf8 | offsets rewritten,
/// data shared | | these to binary views, utf8 views | one view a row; the data is shared, or not
/// needed where all values are short | | and back | one sized copy of the values | | dictionaries |
/// the dictionary is converted; other indices are written, checked; values in use only where all
/// would outgrow them | | run-ends | the values are converted; other run ends are written, checked
/// | | dictionary or run-end to plain and back, or to each other | by the builder of the type:
/// decoded, encoded, equal neighbours one run | | structs, unions of the same fields, extensions of
/// the same name | child by child, buffers shared | | an extension and its storage | shared |
///
/// Children follow the same rules, at every depth. Names, nullability and metadata become those of
/// `type`; names of the children of lists and maps need not match, those of structs and unions
/// must. The array itself is returned where its type is identical. Costs O(rows) a converted level,
/// and the copies said above; what needs no change is shared.
///
/// \return kInvalidArgument naming both types, and the path, where they do not hold the same
/// values; naming the row where a list has another size or a null meets a field that is not
/// nullable; for keys or values said to be sorted or ordered where the source does not say so; the
/// structural error of an array that must not be followed. kOutOfRange where offsets, indices or
/// run ends outgrow their width. kResourceExhausted.
SHEAF_EXPORT StatusOr<Array> Convert(const Array& array, const DataType& type,
                                     MemoryPool* pool = MemoryPool::Default());

}  // namespace sheaf::inline v1
