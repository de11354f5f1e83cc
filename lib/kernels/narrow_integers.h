#pragma once

#include <cstdint>

#include "kernels/kernel_table.h"
#include "kernels/loops/narrow_integers.h"

namespace sheaf::inline v1::kernels {

/// out[i] = in[i]; false, with anything in `out`, where one of them does not fit. In is int64_t or
/// int32_t, Out a narrower integer with or without sign.
template <typename In, typename Out>
[[nodiscard]] bool TryNarrow(const In* in, int64_t n, Out* out) noexcept {
  if (n <= kShortRun) return loops::TryNarrow<loops::InPlace>(in, n, out);
  return Best().Of<NarrowLoops<In, Out>>().try_narrow(in, n, out);
}

}  // namespace sheaf::inline v1::kernels
