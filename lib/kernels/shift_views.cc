#include "kernels/shift_views.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace sheaf::inline v1::kernels {

template <typename In, typename Out>
void ShiftOffsets(const In* __restrict in, int64_t n, int64_t delta, Out* __restrict out) noexcept {
  // The sum fits Out, so it may be made there, where wrapping on the way is harmless.
  using Lane = std::make_unsigned_t<Out>;
  const auto shift = static_cast<Lane>(delta);
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(static_cast<Lane>(in[i]) + shift);
}

template <typename In, typename Out>
void ClampAndShift(const In* __restrict in, int64_t n, int64_t shift, int64_t least, int64_t most,
                   int64_t delta, Out* __restrict out) noexcept {
  // An end may lie beyond what the width of the offsets holds (offset + size does); no offset does.
  using Lane = std::make_unsigned_t<Out>;
  constexpr int64_t kMost = std::numeric_limits<In>::max();
  const auto low = static_cast<In>(std::min(least - shift, kMost));
  const auto high = static_cast<In>(std::min(most - shift, kMost));
  const auto moved = static_cast<Lane>(shift + delta);
  for (int64_t i = 0; i < n; ++i) {
    const In clamped = std::min(std::max(in[i], low), high);
    out[i] = static_cast<Out>(static_cast<Lane>(clamped) + moved);
  }
}

template <typename In, typename Out>
void CopyIntegers(const In* __restrict in, int64_t n, Out* __restrict out) noexcept {
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(in[i]);
}

template <typename In, typename Out>
void SizesOfOffsets(const In* __restrict offsets, int64_t n, Out* __restrict out) noexcept {
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(offsets[i + 1] - offsets[i]);
}

template <typename Out>
void FillSteps(int64_t first, int64_t step, int64_t n, Out* __restrict out) noexcept {
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(first + i * step);
}

#define SHEAF_INSTANTIATE(In, Out)                                                               \
  template void ShiftOffsets(const In* __restrict, int64_t, int64_t, Out* __restrict) noexcept;  \
  template void ClampAndShift(const In* __restrict, int64_t, int64_t, int64_t, int64_t, int64_t, \
                              Out* __restrict) noexcept;                                         \
  template void CopyIntegers(const In* __restrict, int64_t, Out* __restrict) noexcept;           \
  template void SizesOfOffsets(const In* __restrict, int64_t, Out* __restrict) noexcept;
SHEAF_INSTANTIATE(int32_t, int32_t)
SHEAF_INSTANTIATE(int32_t, int64_t)
SHEAF_INSTANTIATE(int64_t, int32_t)
SHEAF_INSTANTIATE(int64_t, int64_t)
#undef SHEAF_INSTANTIATE
template void FillSteps(int64_t, int64_t, int64_t, int32_t* __restrict) noexcept;
template void FillSteps(int64_t, int64_t, int64_t, int64_t* __restrict) noexcept;

}  // namespace sheaf::inline v1::kernels
