#pragma once

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"
#include "sheaf/type/data_type.h"

namespace sheaf::inline v1::internal {

/// Verified binary values (or utf8 ones) of 32- or 64-bit offsets or views in the layout of `type`,
/// which is none of their own.
/// \return kOutOfRange where the bytes outgrow 32 bits; kResourceExhausted.
StatusOr<Array> WithBinaryLayout(const Array& array, const DataType& type, MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
