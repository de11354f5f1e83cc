#pragma once

#include <cstdint>

#include "compute/list_view/symbols.h"
#include "sheaf/array/array.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/buffer.h"

namespace sheaf::inline v1::internal {

/// The first row, of those that are valid and not empty, whose list is the same as row i's, for
/// each of them: int64 a row; its own number for null and empty rows. O(n + sizes of valid rows),
/// expected. \param hash_mask as NumberElements has it. \return kResourceExhausted.
StatusOr<Buffer> FirstOfEqualLists(const Array& views, const ViewStats& stats, MemoryPool* pool,
                                   uint64_t hash_mask = ~uint64_t{0});

}  // namespace sheaf::inline v1::internal
