#pragma once

#include <array>
#include <cstdint>

#include "memory/pool_counters.h"
#include "memory/size_class.h"
#include "memory/span_heap.h"
#include "memory/spin_lock.h"

namespace sheaf::inline v1::internal {

struct Slab;

/// Blocks of up to 32 KiB out of slabs, each of one size class (`SizeClass`).
///
/// Threads spread over shards, each with its own slabs, counts and lock, so that a thread meets
/// another only where it frees the other's block, or where there are more threads than shards.
/// Nothing is kept per thread: one that ends leaves nothing behind. Thread-safe.
class SmallBlocks {
 public:
  /// `totals` takes up the counts of the shards.
  SmallBlocks(SpanHeap& spans, PoolCounters& totals) noexcept : spans_(spans), totals_(totals) {}
  SmallBlocks(const SmallBlocks&) = delete;
  SmallBlocks& operator=(const SmallBlocks&) = delete;

  /// A block of the class of `size_bytes`, or null. Not `counted`: the caller counts.
  uint8_t* Allocate(int64_t size_bytes, bool counted) noexcept;
  void Free(uint8_t* block, int64_t size_bytes, bool counted) noexcept;

  /// Brings the totals up to date: this thread's part of them, or all.
  void PublishMine() noexcept;
  void PublishAll() noexcept;

  /// Gives slabs without blocks back to the spans.
  void Trim() noexcept;

 private:
  static constexpr size_t kShards = 64;

  struct alignas(128) Shard {
    SpinLock lock;
    ShardCounts counts;
    std::array<Slab*, SizeClass::kCount> with_room{};  // The newest of a list.
  };

  static size_t ThisThread() noexcept;
  static size_t ShardsInUse() noexcept;
  Slab* NewSlab(int size_class, size_t shard) noexcept;
  void FreeSpan(Slab* slab) noexcept;
  void TrimShard(Shard& shard) noexcept;
  static void List(Shard& shard, Slab* slab) noexcept;
  static void Unlist(Shard& shard, Slab* slab) noexcept;

  SpanHeap& spans_;
  PoolCounters& totals_;
  std::array<Shard, kShards> shards_;
};

}  // namespace sheaf::inline v1::internal
