#pragma once

#include "sheaf/array/array.h"
#include "sheaf/array/chunked_array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1 {

/// The rows of a chunked array as one array, by `Concatenate`: one exactly sized copy. Without a
/// chunk an array of length 0, with one chunk that chunk.
/// \return the errors of Concatenate.
SHEAF_EXPORT StatusOr<Array> Combine(const ChunkedArray& chunked,
                                     MemoryPool* pool = MemoryPool::Default());

}  // namespace sheaf::inline v1
