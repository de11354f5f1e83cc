#pragma once

#include <cstdint>
#include <limits>
#include <new>

#include "sheaf/base/bits.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// Header of a block of pool memory; its bytes follow 64 bytes behind, so that one allocation
/// serves both.
class PoolStorage final : public BufferStorage {
 public:
  static constexpr int64_t kHeaderBytes = 64;
  static constexpr int64_t kLargestBuffer = std::numeric_limits<int64_t>::max() - 4 * kHeaderBytes;

  /// Room for `data_bytes` (at most kLargestBuffer), rounded up to 64; null where the pool refuses.
  static PoolStorage* Allocate(int64_t data_bytes, MemoryPool* pool) noexcept {
    const int64_t block_bytes = kHeaderBytes + RoundUp64(data_bytes);
    uint8_t* block = pool->Allocate(block_bytes);
    return block == nullptr ? nullptr : new (block) PoolStorage(block, block_bytes, pool);
  }

  /// Another size for a storage that nobody shares; null where the pool refuses, and the old one
  /// stays.
  static PoolStorage* Resize(PoolStorage* storage, int64_t data_bytes) noexcept {
    MemoryPool* pool = storage->pool_;
    const int64_t old_bytes = storage->block_bytes();
    const int64_t block_bytes = kHeaderBytes + RoundUp64(data_bytes);
    uint8_t* block = pool->Reallocate(reinterpret_cast<uint8_t*>(storage), old_bytes, block_bytes);
    return block == nullptr ? nullptr : new (block) PoolStorage(block, block_bytes, pool);
  }

  int64_t data_bytes() const noexcept { return block_bytes() - kHeaderBytes; }

 private:
  PoolStorage(uint8_t* block, int64_t block_bytes, MemoryPool* pool) noexcept
      : BufferStorage(block + kHeaderBytes, block_bytes, &Free), pool_(pool) {}

  int64_t block_bytes() const noexcept { return capacity_bytes(); }
  static void Free(BufferStorage* storage) noexcept {
    auto* self = static_cast<PoolStorage*>(storage);
    MemoryPool* pool = self->pool_;
    const int64_t block_bytes = self->block_bytes();
    self->~PoolStorage();
    pool->Free(reinterpret_cast<uint8_t*>(self), block_bytes);
  }

  MemoryPool* pool_;
};
static_assert(sizeof(PoolStorage) <= PoolStorage::kHeaderBytes);

}  // namespace sheaf::inline v1::internal
