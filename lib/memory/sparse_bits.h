#pragma once

#include <cstdint>

#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/sparse_positions.h"

namespace sheaf::inline v1::internal {

/// Writes at.count blocks of fill.length bits to `target` from bit `target_offset` on: patch j is
/// the bits [j * fill.length, (j + 1) * fill.length) of `patches`. The bits around them stay.
void FillSparseBits(BitSpan fill, BitSpan patches, const SparsePositions& at, uint8_t* target,
                    int64_t target_offset) noexcept;

/// The span n times (n x length bits) at `target` from bit `target_offset` on.
void FillRepeatedBits(BitSpan bits, int64_t n, uint8_t* target, int64_t target_offset) noexcept;

}  // namespace sheaf::inline v1::internal
