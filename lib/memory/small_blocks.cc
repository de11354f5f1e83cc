#include "memory/small_blocks.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <utility>

#include "memory/span_page.h"

namespace sheaf::inline v1::internal {
namespace {

/// Threads that ever allocated or counted, in any pool.
std::atomic<size_t> threads_seen{0};

/// So that a slab has eight blocks and more, but for the largest four.
constexpr int64_t GranulesFor(int64_t block_bytes) {
  if (block_bytes <= 2048) return 1;
  return block_bytes <= 8192 ? 4 : 8;
}

}  // namespace

size_t SmallBlocks::ThisThread() noexcept {
  thread_local size_t place = 0;  // Without a destructor: blocks may be freed after all of them.
  if (place == 0) place = threads_seen.fetch_add(1, std::memory_order_relaxed) + 1;
  return (place - 1) % kShards;
}

size_t SmallBlocks::ShardsInUse() noexcept {
  return std::min(kShards, threads_seen.load(std::memory_order_relaxed));
}

uint8_t* SmallBlocks::Allocate(int64_t size_bytes, bool counted) noexcept {
  const int size_class = SizeClass::Of(size_bytes);
  const size_t place = ThisThread();
  Shard& shard = shards_[place];
  std::unique_lock lock(shard.lock);
  Slab* slab = shard.with_room[static_cast<size_t>(size_class)];
  if (slab == nullptr) [[unlikely]] {
    lock.unlock();  // A new one may need the system, which takes its time.
    slab = NewSlab(size_class, place);
    if (slab == nullptr) return nullptr;
    lock.lock();
    List(shard, slab);
  }
  uint8_t* block = slab->Pop();
  if (slab->full()) Unlist(shard, slab);
  if (counted) shard.counts.Allocated(size_bytes, totals_);
  return block;
}

void SmallBlocks::Free(uint8_t* block, int64_t size_bytes, bool counted) noexcept {
  Slab* slab = SpanPage::Of(block)->SlabOf(block);
  Shard& shard = shards_[static_cast<size_t>(slab->shard)];
  {
    const std::lock_guard lock(shard.lock);
    if (counted) shard.counts.Freed(size_bytes, totals_);
    if (slab->full()) List(shard, slab);
    slab->Push(block);
    // The last one with room stays, or a block taken and freed in turn would make a slab each time.
    if (slab->used > 0 || (slab->newer == nullptr && slab->older == nullptr)) return;
    Unlist(shard, slab);
  }
  FreeSpan(slab);
}

void SmallBlocks::PublishMine() noexcept {
  Shard& shard = shards_[ThisThread()];
  const std::lock_guard lock(shard.lock);
  shard.counts.Publish(totals_);
}

void SmallBlocks::PublishAll() noexcept {
  for (size_t i = 0; i < ShardsInUse(); ++i) {
    const std::lock_guard lock(shards_[i].lock);
    shards_[i].counts.Publish(totals_);
  }
}

void SmallBlocks::Trim() noexcept {
  for (size_t i = 0; i < ShardsInUse(); ++i) TrimShard(shards_[i]);
}

void SmallBlocks::TrimShard(Shard& shard) noexcept {
  Slab* empty = nullptr;
  {
    const std::lock_guard lock(shard.lock);
    for (Slab* newest : shard.with_room) {
      for (Slab* slab = newest; slab != nullptr;) {
        Slab* next = slab->older;
        if (slab->used == 0) {
          Unlist(shard, slab);
          slab->older = std::exchange(empty, slab);
        }
        slab = next;
      }
    }
  }
  while (empty != nullptr) FreeSpan(std::exchange(empty, empty->older));
}

Slab* SmallBlocks::NewSlab(int size_class, size_t shard) noexcept {
  const int64_t block_bytes = SizeClass::BytesOf(size_class);
  const int64_t granules = GranulesFor(block_bytes);
  uint8_t* span = spans_.Allocate(granules);
  if (span == nullptr) return nullptr;
  SpanPage* page = SpanPage::Of(span);
  const int64_t first = page->GranuleOf(span);
  for (int64_t i = first; i < first + granules; ++i) {
    page->slab_of[i] = static_cast<uint8_t>(first);
  }
  return new (&page->slabs[first]) Slab{
      .freed = nullptr,
      .untouched = span,
      .newer = nullptr,
      .older = nullptr,
      .used = 0,
      .capacity = static_cast<int32_t>(granules * SpanHeap::kGranuleBytes / block_bytes),
      .block_bytes = static_cast<int32_t>(block_bytes),
      .shard = static_cast<int16_t>(shard),
      .size_class = static_cast<int8_t>(size_class),
      .granules = static_cast<int8_t>(granules),
      .start = span,
  };
}

void SmallBlocks::FreeSpan(Slab* slab) noexcept { spans_.Free(slab->start, slab->granules); }

void SmallBlocks::List(Shard& shard, Slab* slab) noexcept {
  Slab*& newest = shard.with_room[static_cast<size_t>(slab->size_class)];
  slab->newer = nullptr;
  slab->older = newest;
  if (newest != nullptr) newest->newer = slab;
  newest = slab;
}

void SmallBlocks::Unlist(Shard& shard, Slab* slab) noexcept {
  Slab*& newest = shard.with_room[static_cast<size_t>(slab->size_class)];
  (slab->newer == nullptr ? newest : slab->newer->older) = slab->older;
  if (slab->older != nullptr) slab->older->newer = slab->newer;
}

}  // namespace sheaf::inline v1::internal
