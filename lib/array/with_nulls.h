#pragma once

#include <cstdint>

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// A verified array's rows, null too where a bitmap says so: bit `bit_offset + i` of `valid` for
/// row i. What has no validity of its own shows the nulls through its children
/// (StructArray::FlattenedField says how). Buffers are shared but for the validity, and that too
/// where it is the bitmap itself.
StatusOr<Array> WithNulls(const Array& array, const Buffer& valid, int64_t bit_offset,
                          MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
