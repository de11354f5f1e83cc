#pragma once

#include <cstdint>

// XXH3 as functions of this object file alone, for the widest vectors its flags allow.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "kernels/loops/target.h"

namespace sheaf::inline v1::kernels::loops {

template <typename Target>
uint64_t HashBytes(const void* bytes, int64_t size, uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes, static_cast<size_t>(size), seed);
}

}  // namespace sheaf::inline v1::kernels::loops
