#pragma once

#include <cstdint>
#include <limits>

#include "kernels/loops/target.h"

namespace sheaf::inline v1::kernels::loops {

template <typename Target, typename In, typename Out>
void SizesOfOffsets(const In* __restrict offsets, int64_t n, Out* __restrict out) noexcept {
  for (int64_t i = 0; i < n; ++i) {
    out[i] = static_cast<Out>(Low<Target, Out>(offsets + i + 1) - Low<Target, Out>(offsets + i));
  }
}

/// One lane after the other. Sums of numbers that are not negative: the first that outgrows 64 bits
/// shows in the sign.
template <typename Target, typename In, typename Out>
int64_t EndsOneByOne(const In* __restrict sizes, int64_t n, int64_t start,
                     Out* __restrict out) noexcept {
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<Out>::max());
  auto end = static_cast<uint64_t>(start);
  uint64_t bits = end;
  // Five instructions a lane: where such a loop straddles two lines of code, fetching them takes
  // twice the time of running them, and the linker says where.
#pragma GCC unroll 4
  for (int64_t i = 0; i < n; ++i) {
    end += static_cast<uint64_t>(int64_t{sizes[i]});
    asm("" : "+r"(end));  // In a register of its own: vectors of parts of this loop only cost.
    bits |= end;
    out[i] = static_cast<Out>(end);
  }
  return (bits & ~kMost) == 0 ? static_cast<int64_t>(end) : -1;
}

/// Vectors of four lanes at least: two are no faster than one after the other.
template <typename Target, typename In, typename Out>
inline constexpr bool kScansByHand = [] {
  if constexpr (kByHand<Target> && sizeof(In) == sizeof(Out)) {
    return sizeof(typename Target::template Vector<Out>) >= 4 * sizeof(Out);
  }
  return false;
}();

template <typename Target, typename In, typename Out>
int64_t EndsOfSizes(const In* __restrict sizes, int64_t n, int64_t start,
                    Out* __restrict out) noexcept {
  constexpr int64_t kMost = std::numeric_limits<Out>::max();
  if (start > kMost) return n == 0 ? start : -1;
  int64_t i = 0;
  if constexpr (kScansByHand<Target, In, Out>) {
    using Vector = typename Target::template Vector<Out>;
    constexpr int64_t kLanes = sizeof(Vector) / sizeof(Out);
    Vector before(static_cast<Out>(start));
    Vector signs(Out{0});
    // What carries from vector to vector is one addition: sums within one wait for nothing.
    // Unrolled as above.
#pragma GCC unroll 2
    for (; i + kLanes <= n; i += kLanes) {
      const Vector sums = Target::PrefixSums(Vector::load_unaligned(sizes + i));
      const Vector ends = before + sums;
      ends.store_unaligned(out + i);
      before += Target::Last(sums);
      signs |= ends;
    }
    if (Target::AnyNegative(signs)) return -1;
    if (i > 0) start = out[i - 1];
  }
  return EndsOneByOne<Target>(sizes + i, n - i, start, out + i);
}

}  // namespace sheaf::inline v1::kernels::loops
