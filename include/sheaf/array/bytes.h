#pragma once

#include <cstdint>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1 {

/// Logical bytes of the window: what its values take in its own layout, placed as they are. Offsets
/// count rows + 1, list-views their offsets and sizes and the elements from the first to the last
/// that a view reaches (each once, however many views share it), binary views of each data buffer
/// the bytes from the first to the last that a valid long value reaches, dictionaries all values,
/// run-ends the runs reached. A bitmap counts only where
/// there are nulls; padding, spare slots and what lies outside the window do not.
/// \return the structural error of an array that must not be followed.
SHEAF_EXPORT StatusOr<int64_t> UsedBytes(const Array& array);

/// Logical bytes of a flattened copy, in the array's own types, found without building it: every
/// list-view's valid rows have their own elements (null rows none), at every level, and every valid
/// long value of binary views its own bytes. Dictionaries count whole; run-ends the runs that each
/// stretch of rows reaches. Costs one pass over each level, however much views share.
/// \return kOutOfRange where the copy exceeds 64 bits of bytes; kResourceExhausted; the structural
/// error of an array that must not be followed.
SHEAF_EXPORT StatusOr<int64_t> ExactBytes(const Array& array,
                                          MemoryPool* pool = MemoryPool::Default());

/// Bytes of all allocations that `array` keeps alive, each once, however little of it is used.
/// Borrowed memory and array nodes are not counted.
SHEAF_EXPORT int64_t RetainedBytes(const Array& array);

}  // namespace sheaf
