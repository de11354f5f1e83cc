#pragma once

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// The same rows with nothing around them: at every level offset 0 and buffers of exactly the bytes
/// that the rows use.
///
/// Bytes are shared where that needs no change; new are offsets and run ends that now start at 0,
/// bits that began inside a byte, and views of strings whose data moved. List-views keep their
/// order and sharing: elements before the first view and after the last go. String views keep each
/// data buffer they use, from the first to the last byte in use. A dictionary stays whole. An empty
/// array of a variable-size type has one zero offset.
///
/// Structure is checked first (`Array::Verify`). \return its error; kResourceExhausted.
SHEAF_EXPORT StatusOr<Array> Trimmed(const Array& array, MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
