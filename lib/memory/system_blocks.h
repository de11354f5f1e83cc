#pragma once

#include <cstdint>
#include <limits>

#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

constexpr int64_t kLargestBlock = std::numeric_limits<int64_t>::max() - MemoryPool::kAlignment;

/// Blocks of `malloc`, aligned by hand: `aligned_alloc` is several times slower, and cannot grow in
/// place. Null for sizes that are not positive or that nobody has.
uint8_t* AllocateFromSystem(int64_t size_bytes) noexcept;
uint8_t* ReallocateFromSystem(uint8_t* block, int64_t old_size_bytes,
                              int64_t new_size_bytes) noexcept;
void FreeToSystem(uint8_t* block) noexcept;

}  // namespace sheaf::inline v1::internal
