#pragma once

#include <bit>
#include <cstdint>

#include "kernels/kernel_table.h"

namespace sheaf::inline v1::kernels {

/// Copies value indices[i] to place i, for n values of 1, 2, 4, 8 or 16 bytes at any addresses. All
/// indices lie within the values.
template <typename Index>
void Gather(const void* values, int64_t width, const Index* indices, int64_t n,
            void* out) noexcept {
  const int row = std::countr_zero(static_cast<uint64_t>(width));
  Best().Of<GatherLoops<Index>>().gather[row](static_cast<const uint8_t*>(values), indices, n,
                                              static_cast<uint8_t*>(out));
}

}  // namespace sheaf::inline v1::kernels
