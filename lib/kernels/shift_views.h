#pragma once

#include <cstdint>

#include "kernels/kernel_table.h"
#include "kernels/loops/shift_views.h"

// Loops over offsets of any widths. Few rows are done in place, more by the best table.
namespace sheaf::inline v1::kernels {

/// out[i] = in[i] + delta, which fits.
template <typename In, typename Out>
void ShiftOffsets(const In* in, int64_t n, int64_t delta, Out* out) noexcept {
  if (n <= kShortRun) return loops::ShiftOffsets<loops::InPlace>(in, n, delta, out);
  Best().Of<OffsetLoops<In, Out>>().shift(in, n, delta, out);
}

/// out[i] = in[i] + delta; false, with anything in `out`, where one of them is negative or more
/// than Out holds.
template <typename In, typename Out>
[[nodiscard]] bool TryShiftOffsets(const In* in, int64_t n, int64_t delta, Out* out) noexcept {
  if (n <= kShortRun) return loops::TryShiftOffsets<loops::InPlace>(in, n, delta, out);
  return Best().Of<OffsetLoops<In, Out>>().try_shift(in, n, delta, out);
}

/// out[i] = min(max(in[i] + shift, least), most) + delta, which fits.
template <typename In, typename Out>
void ClampAndShift(const In* in, int64_t n, int64_t shift, int64_t least, int64_t most,
                   int64_t delta, Out* out) noexcept {
  if (n <= kShortRun)
    return loops::ClampAndShift<loops::InPlace>(in, n, shift, least, most, delta, out);
  Best().Of<OffsetLoops<In, Out>>().clamp_and_shift(in, n, shift, least, most, delta, out);
}

/// out[i] = in[i], which fits.
template <typename In, typename Out>
void CopyIntegers(const In* in, int64_t n, Out* out) noexcept {
  if (n <= kShortRun) return loops::CopyIntegers<loops::InPlace>(in, n, out);
  Best().Of<OffsetLoops<In, Out>>().copy(in, n, out);
}

}  // namespace sheaf::inline v1::kernels
