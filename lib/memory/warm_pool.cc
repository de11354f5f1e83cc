#include "memory/warm_pool.h"

#include <algorithm>
#include <cstring>

#include "memory/system_blocks.h"

namespace sheaf::inline v1::internal {
namespace {

bool IsPaged(int64_t size_bytes) { return size_bytes >= WarmPool::kSmallestPagedBytes; }

int64_t PagesFor(int64_t size_bytes) {
  return size_bytes / PageStock::kPageBytes + (size_bytes % PageStock::kPageBytes != 0 ? 1 : 0);
}

}  // namespace

uint8_t* WarmPool::Allocate(int64_t size_bytes) noexcept {
  uint8_t* block = Take(size_bytes);
  if (block != nullptr) counters_.Allocated(size_bytes);
  return block;
}

uint8_t* WarmPool::Reallocate(uint8_t* block, int64_t old_size_bytes,
                              int64_t new_size_bytes) noexcept {
  if (new_size_bytes <= 0 || new_size_bytes > kLargestBlock) return nullptr;
  uint8_t* moved = Resize(block, old_size_bytes, new_size_bytes);
  if (moved != nullptr) counters_.Reallocated(old_size_bytes, new_size_bytes);
  return moved;
}

void WarmPool::Free(uint8_t* block, int64_t size_bytes) noexcept {
  if (block == nullptr) return;
  Give(block, size_bytes);
  counters_.Freed(size_bytes);
}

uint8_t* WarmPool::Take(int64_t size_bytes) noexcept {
  if (IsPaged(size_bytes)) {
    if (uint8_t* block = stock_.Allocate(PagesFor(size_bytes)); block != nullptr) return block;
  }
  return AllocateFromSystem(size_bytes);
}

uint8_t* WarmPool::Resize(uint8_t* block, int64_t old_size_bytes, int64_t new_size_bytes) noexcept {
  if (!stock_.Contains(block)) {
    if (!IsPaged(new_size_bytes))
      return ReallocateFromSystem(block, old_size_bytes, new_size_bytes);
  } else if (IsPaged(new_size_bytes)) {
    uint8_t* moved = stock_.Resize(block, PagesFor(old_size_bytes), PagesFor(new_size_bytes));
    if (moved != nullptr) return moved;
  }
  // From one kind of block to another: the bytes have to be copied.
  uint8_t* moved = Take(new_size_bytes);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, block, static_cast<size_t>(std::min(old_size_bytes, new_size_bytes)));
  Give(block, old_size_bytes);
  return moved;
}

void WarmPool::Give(uint8_t* block, int64_t size_bytes) noexcept {
  if (stock_.Contains(block)) {
    stock_.Free(block, PagesFor(size_bytes));
  } else {
    FreeToSystem(block);
  }
}

}  // namespace sheaf::inline v1::internal
