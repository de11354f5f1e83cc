#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/loops/target.h"

// Loops over offsets, written without a branch so that they vectorise. What they promise stands in
// kernels/shift_views.h.
namespace sheaf::inline v1::kernels::loops {

template <typename Target, typename In, typename Out>
void ShiftOffsets(const In* __restrict in, int64_t n, int64_t delta, Out* __restrict out) noexcept {
  // The sum fits Out, so it may be made there, where wrapping on the way is harmless.
  using Lane = std::make_unsigned_t<Out>;
  const auto shift = static_cast<Lane>(delta);
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(Low<Target, Out>(in + i) + shift);
}

/// 64-bit sums: a wrap shows in the sign, as all else out of range shows in bits above Out's.
template <typename Target, typename In, typename Out>
bool TryShiftWide(const In* __restrict in, int64_t n, int64_t delta, Out* __restrict out) noexcept {
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<Out>::max());
  const auto shift = static_cast<uint64_t>(delta);
  uint64_t bits = 0;
  uint64_t wraps = 0;
  for (int64_t i = 0; i < n; ++i) {
    const auto offset = static_cast<uint64_t>(int64_t{in[i]});
    const uint64_t sum = offset + shift;
    bits |= sum;
    wraps |= (offset ^ sum) & (shift ^ sum);
    out[i] = static_cast<Out>(sum);
  }
  return (bits & ~kMost) == 0 && (wraps >> 63) == 0;
}

/// 32-bit lanes, twice as many: compared with the least and the largest offset that may come.
template <typename Target>
bool TryShiftNarrow(const int32_t* __restrict in, int64_t n, int64_t delta,
                    int32_t* __restrict out) noexcept {
  constexpr int64_t kLeast = std::numeric_limits<int32_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (delta < -kMost || delta > kMost - kLeast) return n == 0;
  const auto low = static_cast<int32_t>(-delta > kLeast ? -delta : kLeast);
  const auto high = static_cast<int32_t>(kMost - delta < kMost ? kMost - delta : kMost);
  const auto shift = static_cast<uint32_t>(delta);
  int32_t outside = 0;
  for (int64_t i = 0; i < n; ++i) {
    outside |= static_cast<int32_t>(in[i] < low ? 1 : 0) | (in[i] > high ? 1 : 0);
    out[i] = static_cast<int32_t>(static_cast<uint32_t>(in[i]) + shift);
  }
  return outside == 0;
}

template <typename Target, typename In, typename Out>
bool TryShiftOffsets(const In* in, int64_t n, int64_t delta, Out* out) noexcept {
  if constexpr (sizeof(In) == 4 && sizeof(Out) == 4) {
    return TryShiftNarrow<Target>(in, n, delta, out);
  } else {
    return TryShiftWide<Target>(in, n, delta, out);
  }
}

template <typename Target, typename In, typename Out>
void ClampAndShift(const In* __restrict in, int64_t n, int64_t shift, int64_t least, int64_t most,
                   int64_t delta, Out* __restrict out) noexcept {
  // An end may lie beyond what the width of the offsets holds (offset + size does); no offset does.
  using Lane = std::make_unsigned_t<Out>;
  constexpr int64_t kMost = std::numeric_limits<In>::max();
  const auto low = static_cast<In>(least - shift < kMost ? least - shift : kMost);
  const auto high = static_cast<In>(most - shift < kMost ? most - shift : kMost);
  const auto moved = static_cast<Lane>(shift + delta);
  for (int64_t i = 0; i < n; ++i) {
    const In raised = in[i] < low ? low : in[i];
    const In clamped = raised < high ? raised : high;
    out[i] = static_cast<Out>(static_cast<Lane>(clamped) + moved);
  }
}

template <typename Target, typename In, typename Out>
void CopyIntegers(const In* __restrict in, int64_t n, Out* __restrict out) noexcept {
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(Low<Target, Out>(in + i));
}

}  // namespace sheaf::inline v1::kernels::loops
