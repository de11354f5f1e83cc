#pragma once

#include <cstdint>

#include "sheaf/array/array.h"
#include "sheaf/array/row_range.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"

// Element identity: which rows count as one where equal ones are to share (dictionary memos, lists
// that share a copy, encoders). Fixed width by its bits, so that -0.0 is not 0.0 and NaNs agree bit
// for bit; binary by its bytes; a null is a null whatever lies under it; dictionaries and run-ends
// by the value a row leads to; unions by type id and child value; all that is nested by the same
// rule. Never coarser than equality.
namespace sheaf::inline v1::internal {

/// out[i] = hash of row range.offset + i of a verified array, for all rows of the range. The same
/// rows have the same hash, in whichever arrays of their type they are; not for keeping.
///
/// By nodes, not by rows: a child's rows are hashed in one call for all that reach them. Takes 8
/// bytes of scratch memory for each of a child's rows that are reached.
/// \return kResourceExhausted.
SHEAF_EXPORT Status HashRows(const Array& array, RowRange range, uint64_t* out, MemoryPool* pool);

/// What HashRows gives for a valid row of binary or utf8, with offsets or as views.
SHEAF_EXPORT uint64_t HashOfBytes(const void* bytes, int64_t size) noexcept;
/// What HashRows gives for a valid row of a fixed width of `size` bytes.
SHEAF_EXPORT uint64_t HashOfFixedWidth(const void* value, int64_t size) noexcept;

/// Whether `length` rows of `a` from a_begin on are the same as those of `b` from b_begin on; both
/// verified, and of equal types.
SHEAF_EXPORT bool SameRows(const Array& a, int64_t a_begin, const Array& b, int64_t b_begin,
                           int64_t length = 1);

}  // namespace sheaf::inline v1::internal
