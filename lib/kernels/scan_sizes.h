#pragma once

#include <cstdint>

#include "kernels/kernel_table.h"
#include "kernels/loops/scan_sizes.h"

// Offsets and sizes of lists that follow each other, one from the other.
namespace sheaf::inline v1::kernels {

/// out[i] = offsets[i + 1] - offsets[i] for n sizes, which fit.
template <typename In, typename Out>
void SizesOfOffsets(const In* offsets, int64_t n, Out* out) noexcept {
  if (n <= kShortRun) return loops::SizesOfOffsets<loops::InPlace>(offsets, n, out);
  Best().Of<OffsetLoops<In, Out>>().sizes_of_offsets(offsets, n, out);
}

/// out[i] = start + sizes[0] + … + sizes[i]: n ends, from a start and sizes none of which is
/// negative. \return the last end, `start` where n is 0; -1, with anything in `out`, where an end
/// is more than Out holds.
template <typename In, typename Out>
[[nodiscard]] int64_t EndsOfSizes(const In* sizes, int64_t n, int64_t start, Out* out) noexcept {
  if (n <= kShortRun) return loops::EndsOfSizes<loops::InPlace>(sizes, n, start, out);
  return Best().Of<OffsetLoops<In, Out>>().ends_of_sizes(sizes, n, start, out);
}

}  // namespace sheaf::inline v1::kernels
