#pragma once

#include "memory/pool_counters.h"
#include "memory/system_blocks.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// The allocator of the process, counted.
class SystemPool final : public MemoryPool {
 public:
  uint8_t* Allocate(int64_t size_bytes) noexcept override {
    uint8_t* block = AllocateFromSystem(size_bytes);
    if (block != nullptr) counters_.Allocated(size_bytes);
    return block;
  }

  uint8_t* Reallocate(uint8_t* block, int64_t old_size_bytes,
                      int64_t new_size_bytes) noexcept override {
    uint8_t* moved = ReallocateFromSystem(block, old_size_bytes, new_size_bytes);
    if (moved != nullptr) counters_.Reallocated(old_size_bytes, new_size_bytes);
    return moved;
  }

  void Free(uint8_t* block, int64_t size_bytes) noexcept override {
    if (block == nullptr) return;
    counters_.Freed(size_bytes);
    FreeToSystem(block);
  }

  MemoryCounts counts() const noexcept override { return counters_.Snapshot(); }

 private:
  PoolCounters counters_;
};

}  // namespace sheaf::inline v1::internal
