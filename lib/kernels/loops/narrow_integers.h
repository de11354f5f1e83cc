#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/loops/target.h"

namespace sheaf::inline v1::kernels::loops {

/// What fits is moved to begin at 0; then whatever has a bit above Out's does not fit.
template <typename Target, typename In, typename Out>
bool TryNarrow(const In* __restrict in, int64_t n, Out* __restrict out) noexcept {
  using Lane = std::make_unsigned_t<In>;
  constexpr int kBits = sizeof(Out) * 8;
  constexpr Lane kMoved = std::is_signed_v<Out> ? Lane{1} << (kBits - 1) : Lane{0};
  Lane bits = 0;
  for (int64_t i = 0; i < n; ++i) {
    bits |= static_cast<Lane>(static_cast<Lane>(in[i]) + kMoved);
    out[i] = static_cast<Out>(in[i]);
  }
  return (bits >> kBits) == 0;
}

}  // namespace sheaf::inline v1::kernels::loops
