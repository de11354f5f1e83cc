#include "sheaf/memory/memory_pool.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "memory/pool_counters.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {
namespace {

constexpr int64_t kLargestBlock = std::numeric_limits<int64_t>::max() - MemoryPool::kAlignment;

/// Blocks of `malloc`, aligned by hand: `aligned_alloc` is several times slower, and cannot grow in
/// place.
///
///   raw                        block
///   | shift bytes (16..64) ... | size bytes |
///                            ^ the byte in front of the block holds the shift
class MallocPool final : public MemoryPool {
 public:
  uint8_t* Allocate(int64_t size_bytes) noexcept override {
    if (size_bytes <= 0 || size_bytes > kLargestBlock) return nullptr;
    auto* raw = static_cast<uint8_t*>(std::malloc(static_cast<size_t>(size_bytes + kAlignment)));
    if (raw == nullptr) return nullptr;
    counters_.Allocated(size_bytes);
    return Mark(raw, ShiftOf(raw));
  }

  uint8_t* Reallocate(uint8_t* block, int64_t old_size_bytes,
                      int64_t new_size_bytes) noexcept override {
    if (new_size_bytes <= 0 || new_size_bytes > kLargestBlock) return nullptr;
    const int64_t old_shift = block[-1];
    auto* raw = static_cast<uint8_t*>(
        std::realloc(block - old_shift, static_cast<size_t>(new_size_bytes + kAlignment)));
    if (raw == nullptr) return nullptr;
    const int64_t shift = ShiftOf(raw);
    if (shift != old_shift) {  // realloc kept the bytes, but where they now lie is not aligned.
      const int64_t kept_bytes = std::min(old_size_bytes, new_size_bytes);
      std::memmove(raw + shift, raw + old_shift, static_cast<size_t>(kept_bytes));
    }
    counters_.Reallocated(old_size_bytes, new_size_bytes);
    return Mark(raw, shift);
  }

  void Free(uint8_t* block, int64_t size_bytes) noexcept override {
    if (block == nullptr) return;
    counters_.Freed(size_bytes);
    std::free(block - block[-1]);
  }

  MemoryCounts counts() const noexcept override { return counters_.Snapshot(); }

 private:
  /// From the raw address to the next multiple of 64, never 0.
  static int64_t ShiftOf(const uint8_t* raw) noexcept {
    const auto misalignment = static_cast<int64_t>(reinterpret_cast<uintptr_t>(raw) % kAlignment);
    return kAlignment - misalignment;
  }

  static uint8_t* Mark(uint8_t* raw, int64_t shift) noexcept {
    raw[shift - 1] = static_cast<uint8_t>(shift);
    return raw + shift;
  }

  internal::PoolCounters counters_;
};

class LimitedPool final : public MemoryPool {
 public:
  LimitedPool(MemoryPool* parent, int64_t limit_bytes) noexcept
      : parent_(parent), limit_bytes_(limit_bytes) {}

  uint8_t* Allocate(int64_t size_bytes) noexcept override {
    if (!Claim(size_bytes)) return nullptr;
    uint8_t* block = parent_->Allocate(size_bytes);
    if (block == nullptr) {
      GiveBack(size_bytes);
    } else {
      counters_.Allocated(size_bytes);
    }
    return block;
  }

  uint8_t* Reallocate(uint8_t* block, int64_t old_size_bytes,
                      int64_t new_size_bytes) noexcept override {
    const int64_t growth_bytes = new_size_bytes - old_size_bytes;
    if (growth_bytes > 0 && !Claim(growth_bytes)) return nullptr;
    uint8_t* moved = parent_->Reallocate(block, old_size_bytes, new_size_bytes);
    if (moved == nullptr) {
      if (growth_bytes > 0) GiveBack(growth_bytes);
      return nullptr;
    }
    if (growth_bytes < 0) GiveBack(-growth_bytes);
    counters_.Reallocated(old_size_bytes, new_size_bytes);
    return moved;
  }

  void Free(uint8_t* block, int64_t size_bytes) noexcept override {
    if (block == nullptr) return;
    parent_->Free(block, size_bytes);
    GiveBack(size_bytes);
    counters_.Freed(size_bytes);
  }

  MemoryCounts counts() const noexcept override { return counters_.Snapshot(); }
  int64_t Trim() noexcept override { return parent_->Trim(); }

 private:
  /// Claimed before the parent is asked, so that two threads together cannot pass the limit.
  bool Claim(int64_t size_bytes) noexcept {
    int64_t claimed = claimed_bytes_.load(std::memory_order_relaxed);
    do {
      if (size_bytes > limit_bytes_ - claimed) return false;
    } while (!claimed_bytes_.compare_exchange_weak(claimed, claimed + size_bytes,
                                                   std::memory_order_relaxed));
    return true;
  }
  void GiveBack(int64_t size_bytes) noexcept {
    claimed_bytes_.fetch_sub(size_bytes, std::memory_order_relaxed);
  }

  MemoryPool* parent_;
  int64_t limit_bytes_;
  std::atomic<int64_t> claimed_bytes_{0};
  internal::PoolCounters counters_;
};

class PmrPool final : public MemoryPool {
 public:
  explicit PmrPool(std::pmr::memory_resource* resource) noexcept : resource_(resource) {}

  uint8_t* Allocate(int64_t size_bytes) noexcept override {
    uint8_t* block = Ask(size_bytes);
    if (block != nullptr) counters_.Allocated(size_bytes);
    return block;
  }

  /// A memory resource cannot grow a block: a new one, and the old one freed once the bytes are
  /// over.
  uint8_t* Reallocate(uint8_t* block, int64_t old_size_bytes,
                      int64_t new_size_bytes) noexcept override {
    uint8_t* moved = Ask(new_size_bytes);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, block, static_cast<size_t>(std::min(old_size_bytes, new_size_bytes)));
    resource_->deallocate(block, static_cast<size_t>(old_size_bytes), kAlignment);
    counters_.Reallocated(old_size_bytes, new_size_bytes);
    return moved;
  }

  void Free(uint8_t* block, int64_t size_bytes) noexcept override {
    if (block == nullptr) return;
    counters_.Freed(size_bytes);
    resource_->deallocate(block, static_cast<size_t>(size_bytes), kAlignment);
  }

  MemoryCounts counts() const noexcept override { return counters_.Snapshot(); }

 private:
  uint8_t* Ask(int64_t size_bytes) noexcept {
    if (size_bytes <= 0 || size_bytes > kLargestBlock) return nullptr;
    try {
      return static_cast<uint8_t*>(
          resource_->allocate(static_cast<size_t>(size_bytes), kAlignment));
    } catch (...) {  // Whatever the resource throws means the same: no memory.
      return nullptr;
    }
  }

  std::pmr::memory_resource* resource_;
  internal::PoolCounters counters_;
};

}  // namespace

MemoryPool::~MemoryPool() = default;

MemoryPool* MemoryPool::Default() noexcept {
  // Never destroyed: arrays in static storage may be freed after any destructor of ours has run.
  alignas(MallocPool) static unsigned char storage[sizeof(MallocPool)];
  static MemoryPool* const pool = new (storage) MallocPool;
  return pool;
}

std::unique_ptr<MemoryPool> MakeLimitedPool(MemoryPool* parent, int64_t limit_bytes) {
  return std::make_unique<LimitedPool>(parent, limit_bytes);
}

std::unique_ptr<MemoryPool> MakePmrPool(std::pmr::memory_resource* resource) {
  return std::make_unique<PmrPool>(resource);
}

}  // namespace sheaf::inline v1
