#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/gather.h"
#include "sheaf/type/type_id.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1::internal {

/// out[i] = value indices[i], for n indices of any integer type into `num_values` values of 1, 2,
/// 4, 8 or 16 bytes. Those that the kernel has no loop for are widened a block at a time.
inline void GatherAt(const void* values, int64_t width, int64_t num_values, TypeId index_type,
                     const void* indices, int64_t n, uint8_t* out) noexcept {
  VisitInteger(index_type, [&](auto integer) {
    using Index = decltype(integer);
    const auto* at = static_cast<const Index*>(indices);
    if constexpr (sizeof(Index) == 8) {
      return kernels::Gather(values, width, reinterpret_cast<const int64_t*>(at), n, out);
    } else {
      // An index of a verified array counts values that exist.
      if (sizeof(Index) == 4 && num_values <= std::numeric_limits<int32_t>::max()) {
        return kernels::Gather(values, width, reinterpret_cast<const int32_t*>(at), n, out);
      }
      constexpr int64_t kBlock = 512;
      int64_t wide[kBlock];
      for (int64_t begin = 0; begin < n; begin += kBlock) {
        const int64_t count = std::min(kBlock, n - begin);
        for (int64_t i = 0; i < count; ++i) wide[i] = static_cast<int64_t>(at[begin + i]);
        kernels::Gather(values, width, wide, count, out + begin * width);
      }
    }
  });
}

/// out[i] = indices[i] in `width` bytes, in which all of them fit.
inline void NarrowIndices(const int64_t* indices, int64_t n, int64_t width, uint8_t* out) noexcept {
  const auto write = [&](auto* slots) {
    using Out = std::remove_pointer_t<decltype(slots)>;
    for (int64_t i = 0; i < n; ++i) slots[i] = static_cast<Out>(indices[i]);
  };
  if (width == 1) return write(out);
  if (width == 2) return write(reinterpret_cast<uint16_t*>(out));
  if (width == 4) return write(reinterpret_cast<uint32_t*>(out));
  write(reinterpret_cast<uint64_t*>(out));
}

}  // namespace sheaf::inline v1::internal
