#pragma once

#include "sheaf/base/status.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/type/data_type.h"

namespace sheaf::inline v1::internal {

/// Buffer i of an array of `type`, whole values with their bytes turned round: from big-endian to
/// little-endian. Bits, bytes and data are shared as they are.
StatusOr<Buffer> SwapBytes(Buffer bytes, const DataType& type, int buffer_index, MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
