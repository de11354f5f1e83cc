#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>

#include "sheaf/base/export.h"

namespace sheaf::inline v1 {

/// What a pool has given out. A warm pool's peak is exact where one thread uses it at a time; n
/// threads together may hide, or add, 64 KiB each.
struct MemoryCounts {
  int64_t bytes_in_use = 0;        ///< Allocated and not yet freed.
  int64_t peak_bytes = 0;          ///< The largest `bytes_in_use` there was.
  int64_t allocated_bytes = 0;     ///< All allocations, and what growths added: never falling.
  int64_t allocation_count = 0;    ///< Allocations so far.
  int64_t reallocation_count = 0;  ///< Growths and shrinks so far.
};

/// Where buffers, array nodes and the bookkeeping of builders get their memory.
///
/// A pool outlives everything allocated from it. All functions may be called from any thread.
/// Memory is 64-byte aligned. Refusal is a null pointer: the caller turns it into
/// kResourceExhausted with the place it happened at.
class SHEAF_EXPORT MemoryPool {
 public:
  static constexpr int64_t kAlignment = 64;

  MemoryPool() = default;
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;
  virtual ~MemoryPool();

  /// \return `size_bytes` (> 0) of memory, not zeroed, or null.
  [[nodiscard]] virtual uint8_t* Allocate(int64_t size_bytes) noexcept = 0;

  /// Grows or shrinks a block; the common prefix is kept. Null: refused, and the old block stays
  /// valid.
  [[nodiscard]] virtual uint8_t* Reallocate(uint8_t* block, int64_t old_size_bytes,
                                            int64_t new_size_bytes) noexcept = 0;

  /// Gives a block back; `size_bytes` is what it was allocated with.
  virtual void Free(uint8_t* block, int64_t size_bytes) noexcept = 0;

  virtual MemoryCounts counts() const noexcept = 0;

  /// Gives all memory that is held in reserve back to the system; returns the bytes given back.
  virtual int64_t Trim() noexcept { return 0; }

  /// Bounds what is held in reserve, from now on (see WarmPoolOptions). Pools that hold nothing
  /// ignore it; a limited pool hands it on.
  virtual void SetStockLimit(int64_t stock_bytes) noexcept { static_cast<void>(stock_bytes); }

  int64_t bytes_in_use() const noexcept { return counts().bytes_in_use; }
  int64_t peak_bytes() const noexcept { return counts().peak_bytes; }

  /// The process-wide pool, never destroyed: a warm one (see MakeWarmPool). The environment may set
  /// it when it is first used: SHEAF_POOL=system takes the system's allocator instead, and
  /// SHEAF_POOL_STOCK_BYTES=n sets how much is held in reserve.
  static MemoryPool* Default() noexcept;
};

/// How a warm pool keeps memory.
struct WarmPoolOptions {
  /// Freed memory that is held in reserve, at most, in whole pages of 2 MiB; 0 holds none.
  int64_t stock_bytes = int64_t{128} << 20;
};

/// A pool that keeps freed memory warm, so that blocks need not be made anew by the system, which
/// takes longer than most work done on them. Large blocks are whole pages of 2 MiB, which any later
/// block may use and which grow without their bytes being copied. Nothing replaces `malloc`, which
/// serves where the system lacks a part of this.
///
/// In builds with a sanitizer this is MakeSystemPool: kept memory would hide errors.
SHEAF_EXPORT std::unique_ptr<MemoryPool> MakeWarmPool(WarmPoolOptions options = {});

/// A pool over the system's allocator, which holds nothing in reserve of its own.
SHEAF_EXPORT std::unique_ptr<MemoryPool> MakeSystemPool();

/// A pool over `parent` that refuses what would take its own bytes in use past `limit_bytes`.
/// Nothing is lost by a refusal: what was allocated stays valid.
SHEAF_EXPORT std::unique_ptr<MemoryPool> MakeLimitedPool(MemoryPool* parent, int64_t limit_bytes);

/// A pool over a standard memory resource, which must be thread-safe if the pool is used by several
/// threads. An exception thrown by the resource becomes a refusal.
SHEAF_EXPORT std::unique_ptr<MemoryPool> MakePmrPool(std::pmr::memory_resource* resource);

}  // namespace sheaf::inline v1
