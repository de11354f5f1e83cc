#pragma once

#include <cstdint>

#include "sheaf/base/status.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

// The views of string views under null rows. Some consumers follow them, so those that are handed
// on must reach nothing. `views` are `validity.length` views, of any alignment.

/// Whether all views of null rows are zero.
bool NullViewsAreZero(const uint8_t* views, BitSpan validity) noexcept;

/// A copy in which they are.
StatusOr<Buffer> CopyWithZeroNullViews(const uint8_t* views, BitSpan validity, MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
