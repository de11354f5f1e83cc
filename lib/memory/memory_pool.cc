#include "sheaf/memory/memory_pool.h"

#include <algorithm>
#include <cstring>

#include "memory/default_pool.h"
#include "memory/pool_counters.h"
#include "memory/system_blocks.h"
#include "memory/system_pool.h"
#include "memory/warm_pool.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {
namespace {

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
    counters_.Reallocated(old_size_bytes, new_size_bytes);  // Before others may claim the bytes.
    if (growth_bytes < 0) GiveBack(-growth_bytes);
    return moved;
  }

  void Free(uint8_t* block, int64_t size_bytes) noexcept override {
    if (block == nullptr) return;
    parent_->Free(block, size_bytes);
    counters_.Freed(size_bytes);
    GiveBack(size_bytes);
  }

  MemoryCounts counts() const noexcept override { return counters_.Snapshot(); }
  int64_t Trim() noexcept override { return parent_->Trim(); }
  void SetStockLimit(int64_t stock_bytes) noexcept override { parent_->SetStockLimit(stock_bytes); }

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
    if (size_bytes <= 0 || size_bytes > internal::kLargestBlock) return nullptr;
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
  static MemoryPool* const pool = internal::MakeDefaultPool();
  return pool;
}

std::unique_ptr<MemoryPool> MakeSystemPool() { return std::make_unique<internal::SystemPool>(); }

std::unique_ptr<MemoryPool> MakeWarmPool(WarmPoolOptions options) {
  if constexpr (internal::kSanitized) return MakeSystemPool();
  return std::make_unique<internal::WarmPool>(
      internal::PageStock::Options{.held_limit_bytes = options.stock_bytes});
}

std::unique_ptr<MemoryPool> MakeLimitedPool(MemoryPool* parent, int64_t limit_bytes) {
  return std::make_unique<LimitedPool>(parent, limit_bytes);
}

std::unique_ptr<MemoryPool> MakePmrPool(std::pmr::memory_resource* resource) {
  return std::make_unique<PmrPool>(resource);
}

}  // namespace sheaf::inline v1
