#pragma once

#include <cstdint>
#include <span>

#include "sheaf/array/array.h"
#include "sheaf/array/row_range.h"
#include "sheaf/base/status.h"

// Dictionary arrays for builders of their values: which rows of the dictionary they read.
namespace sheaf::inline v1::internal {

/// The rows of some ranges of a dictionary array of list-likes as list-views over the dictionary's
/// own elements: no element is copied, however often a list comes.
/// \param wide  64-bit views. 32-bit ones are for elements that 32 bits count.
StatusOr<Array> DictionaryViews(const Array& source, std::span<const RowRange> ranges, bool wide,
                                MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
