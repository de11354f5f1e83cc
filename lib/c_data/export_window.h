#pragma once

#include <array>
#include <cstdint>

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

// An array's window as consumers get it: everything begins at slot 0. The array's buffers are known
// to be long enough (`Validate` at kDefault).

/// Buffer i of the layout table. Shared, its pointer moved to the window; bits that start inside a
/// byte and views that are not zero under a null are copied. Absent only where it is a bitmap of no
/// nulls. Of an array of length 0 no buffer is read nor kept alive: all are empty, at an address
/// with zeros to read as its one offset.
/// \return kResourceExhausted; kInvalidArgument where a buffer is missing.
StatusOr<Buffer> WindowBuffer(const Array& array, int i, int64_t null_count, MemoryPool* pool);

/// Whether that is the array's own buffer, as it is.
bool IsWholeBuffer(const Array& array, int i, int64_t null_count) noexcept;

/// Views: \return kInvalidArgument naming the data buffer that is missing.
Status CheckDataBuffers(const Array& array);

/// Child i, cut to what the window's rows can reach as far as their positions tell: structs, sparse
/// unions and fixed-size lists. Other parents reach theirs by offsets and keep it whole, unless
/// they have no row. Not for run-ends.
Array WindowChild(const Array& array, int i) noexcept;

/// Run ends that start at slot 0 and end with the window, and the values of those runs. Shared
/// where the window starts with the first run and ends with a run.
/// \return kResourceExhausted; the structural error of unverified run ends.
StatusOr<std::array<Array, 2>> WindowRuns(const Array& array, MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
