#pragma once

#include <cstdint>

namespace sheaf::inline v1::kernels {

// Loops over offsets and sizes, of any widths: the caller knows that what is written fits. Written
// without a branch, so that they vectorise.

/// out[i] = in[i] + delta.
template <typename In, typename Out>
void ShiftOffsets(const In* __restrict in, int64_t n, int64_t delta, Out* __restrict out) noexcept;

/// out[i] = min(max(in[i] + shift, least), most) + delta.
template <typename In, typename Out>
void ClampAndShift(const In* __restrict in, int64_t n, int64_t shift, int64_t least, int64_t most,
                   int64_t delta, Out* __restrict out) noexcept;

/// out[i] = in[i].
template <typename In, typename Out>
void CopyIntegers(const In* __restrict in, int64_t n, Out* __restrict out) noexcept;

/// out[i] = offsets[i + 1] - offsets[i] for n sizes.
template <typename In, typename Out>
void SizesOfOffsets(const In* __restrict offsets, int64_t n, Out* __restrict out) noexcept;

/// out[i] = first + i * step.
template <typename Out>
void FillSteps(int64_t first, int64_t step, int64_t n, Out* __restrict out) noexcept;

}  // namespace sheaf::inline v1::kernels
