#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/loops/target.h"

namespace sheaf::inline v1::kernels::loops {

/// Values lie at any address, so they are moved as bytes; each copy is one load and one store. One
/// loop for all targets: docs/decisions/0007-kernels.md says why there are no gather instructions.
template <typename Target, int kWidth, typename Index>
void Gather(const uint8_t* __restrict values, const Index* __restrict indices, int64_t n,
            uint8_t* __restrict out) noexcept {
#pragma GCC unroll 4
  for (int64_t i = 0; i < n; ++i) {
    int64_t index = indices[i];
    asm("" : "+r"(index));  // In a register of its own: nothing to make vectors of.
    std::memcpy(out + i * kWidth, values + index * kWidth, kWidth);
  }
}

}  // namespace sheaf::inline v1::kernels::loops
