#pragma once

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"

// What modes of `Rebuild` do, one a file. Each takes a verified list-view and returns it as it is
// where there is nothing to do.
namespace sheaf::inline v1::internal {

/// kInvalidArgument for what is no list-view; the structural error of bad views.
Status CheckListView(const Array& array);

StatusOr<Array> Trim(const Array& views, MemoryPool* pool);
StatusOr<Array> Compact(const Array& views, MemoryPool* pool);
StatusOr<Array> Flatten(const Array& views, MemoryPool* pool);
StatusOr<Array> Deduplicate(const Array& views, MemoryPool* pool);
/// The rows with the views of the first equal ones, over the same elements.
StatusOr<Array> ShareEqual(const Array& views, MemoryPool* pool);
StatusOr<Array> Overlap(const Array& views, int64_t budget_bytes, MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
