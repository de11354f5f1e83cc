#pragma once

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// The rows of a verified array over children of which no slot lies outside of what the rows reach
/// (gaps between views apart), so that whatever is done to all of a child is done to verified slots
/// only. All buffers are shared, but for offsets that now begin at 0 and bits that began inside a
/// byte. The array itself where it is that already.
/// \return kResourceExhausted; the structural error of a dictionary that no row uses.
StatusOr<Array> ReachedOnly(const Array& array, MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
