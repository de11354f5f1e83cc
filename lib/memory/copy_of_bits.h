#pragma once

#include <utility>

#include "sheaf/base/bits.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// The bits as a bitmap of their own that starts at bit 0, zero behind its length.
inline StatusOr<Buffer> CopyOfBits(BitSpan bits, MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer copy,
                         MutableBuffer::Allocate(BytesForBits(bits.length), pool));
  if (bits.length > 0) copy.data()[copy.size_bytes() - 1] = 0;
  CopyBits(bits, copy.data(), 0);
  return std::move(copy).Finish();
}

}  // namespace sheaf::inline v1::internal
