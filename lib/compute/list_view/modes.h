#pragma once

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"

// One mode of `Rebuild` a file. Each takes a verified list-view and returns it as it is where there
// is nothing to do.
namespace sheaf::inline v1::internal {

StatusOr<Array> Trim(const Array& views, MemoryPool* pool);
StatusOr<Array> Compact(const Array& views, MemoryPool* pool);
StatusOr<Array> Flatten(const Array& views, MemoryPool* pool);
StatusOr<Array> Deduplicate(const Array& views, MemoryPool* pool);
StatusOr<Array> Overlap(const Array& views, int64_t budget_bytes, MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
