#pragma once

#include <cstdint>

#include "kernels/kernel_table.h"
#include "kernels/loops/fill.h"

namespace sheaf::inline v1::kernels {

/// `n` copies of the `width` bytes of `pattern`, which lies outside of them.
inline void FillPattern(const void* pattern, int64_t width, int64_t n, void* out) noexcept {
  Best().Of<PatternLoops>().fill_pattern(static_cast<const uint8_t*>(pattern), width, n,
                                         static_cast<uint8_t*>(out));
}

/// out[i] = first + i * step; all of them fit.
template <typename Out>
void FillSteps(int64_t first, int64_t step, int64_t n, Out* out) noexcept {
  if (n <= kShortRun) return loops::FillSteps<loops::InPlace>(first, step, n, out);
  if (step != 0) return Best().Of<StepLoops<Out>>().fill_steps(first, step, n, out);
  const auto value = static_cast<Out>(first);
  FillPattern(&value, sizeof(value), n, out);
}

}  // namespace sheaf::inline v1::kernels
