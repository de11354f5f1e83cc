#pragma once

#include <array>
#include <cstdint>
#include <new>

#include "memory/span_heap.h"

namespace sheaf::inline v1::internal {

/// A span whose blocks all have one size, and which of them are free. Guarded by its shard's lock.
struct alignas(64) Slab {
  uint8_t* freed;      // The block freed last, which holds the address of the one before.
  uint8_t* untouched;  // The first block never given out.
  Slab* newer;         // Among those of its shard and class that have room.
  Slab* older;
  int32_t used;
  int32_t capacity;
  int32_t block_bytes;
  int16_t shard;
  int8_t size_class;
  int8_t granules;
  uint8_t* start;

  bool full() const noexcept { return used == capacity; }

  uint8_t* Pop() noexcept {
    ++used;
    uint8_t* block = freed;
    if (block != nullptr) {
      freed = *reinterpret_cast<uint8_t**>(block);
    } else {  // Untouched ones last: what was used is in the caches.
      block = untouched;
      untouched += block_bytes;
    }
    return block;
  }

  void Push(uint8_t* block) noexcept {
    new (block) uint8_t*(freed);
    freed = block;
    --used;
  }
};
static_assert(sizeof(Slab) == 64);  // A cache line.

/// What stands at the end of a page that is cut into granules.
struct SpanPage {
  static constexpr int64_t kHeader = SpanHeap::kGranules - 1;  // Its granule, behind all others.

  std::array<uint64_t, SpanHeap::kGranules / 64> free;  // A bit a granule.
  int64_t longest_free = 0;
  SpanPage* newer = nullptr;
  SpanPage* older = nullptr;
  alignas(64) uint8_t slab_of[SpanHeap::kGranules];  // The first granule of the slab it belongs to.
  alignas(64) Slab slabs[SpanHeap::kGranules];       // At their first granule.

  static SpanPage* At(uint8_t* address) noexcept {
    return reinterpret_cast<SpanPage*>(address + kHeader * SpanHeap::kGranuleBytes);
  }
  static SpanPage* Of(uint8_t* block) noexcept {
    const auto misalignment =
        reinterpret_cast<uintptr_t>(block) & static_cast<uintptr_t>(PageStock::kPageBytes - 1);
    return At(block - misalignment);
  }
  uint8_t* address() noexcept {
    return reinterpret_cast<uint8_t*>(this) - kHeader * SpanHeap::kGranuleBytes;
  }
  int64_t GranuleOf(const uint8_t* block) noexcept {
    return (block - address()) / SpanHeap::kGranuleBytes;
  }
  Slab* SlabOf(const uint8_t* block) noexcept { return &slabs[slab_of[GranuleOf(block)]]; }
};
static_assert(sizeof(SpanPage) <= SpanHeap::kGranuleBytes);

}  // namespace sheaf::inline v1::internal
