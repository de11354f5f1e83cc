#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/loops/target.h"

namespace sheaf::inline v1::kernels::loops {

/// Values of 2^k bytes, to pick the function of a target by.
template <int kWidth>
struct Width {};

template <typename Target, int kWidth, typename Index>
concept GathersByHand = requires(const uint8_t* values, const Index* indices) {
  Target::Gathered(Width<kWidth>(), values, indices);
};

/// Values lie at any address, so they are moved as bytes; each copy is one load and one store.
template <typename Target, int kWidth, typename Index>
void Gather(const uint8_t* __restrict values, const Index* __restrict indices, int64_t n,
            uint8_t* __restrict out) noexcept {
  int64_t i = 0;
  if constexpr (GathersByHand<Target, kWidth, Index>) {
    constexpr Width<kWidth> kOfWidth;
    constexpr auto kLanes =
        static_cast<int64_t>(sizeof(Target::Gathered(kOfWidth, values, indices)) / kWidth);
    for (; i + kLanes <= n; i += kLanes) {
      const auto gathered = Target::Gathered(kOfWidth, values, indices + i);
      std::memcpy(out + i * kWidth, &gathered, sizeof(gathered));
    }
  }
#pragma GCC unroll 4
  for (; i < n; ++i) {
    int64_t index = indices[i];
    asm("" : "+r"(index));  // In a register of its own: nothing to make vectors of.
    std::memcpy(out + i * kWidth, values + index * kWidth, kWidth);
  }
}

}  // namespace sheaf::inline v1::kernels::loops
