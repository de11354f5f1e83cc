#pragma once

#include <algorithm>
#include <cstdint>

#include "builder/builder_core.h"

namespace sheaf::inline v1::internal {

/// Slots whose fill is written before the patches among them: few enough to be in the first cache
/// still when a patch overwrites one.
inline constexpr int64_t kSparseBytes = 16 * 1024;

/// out[i] = `fill` for at.count slots, but patch(j) where patch j goes.
template <typename T, typename Patch>
void WriteSparse(const SparsePositions& at, T fill, T* out, Patch&& patch) noexcept {
  constexpr auto kSlots = kSparseBytes / static_cast<int64_t>(sizeof(T));
  int64_t j = 0;
  for (int64_t begin = 0; begin < at.count; begin += kSlots) {
    const int64_t end = std::min(begin + kSlots, at.count);
    FillRepeated(reinterpret_cast<uint8_t*>(out + begin), reinterpret_cast<const uint8_t*>(&fill),
                 sizeof(T), end - begin);
    for (; j < at.num_patches() && at[j] < end; ++j) out[at[j]] = patch(j);
  }
}

/// The same for blocks of any size in bytes, patches back to back.
void WriteSparseBytes(const SparsePositions& at, const uint8_t* fill, const uint8_t* patches,
                      int64_t block_bytes, uint8_t* out) noexcept;

}  // namespace sheaf::inline v1::internal
