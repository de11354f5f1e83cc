#include "memory/warm_pool.h"

#include <algorithm>
#include <cstring>

#include "memory/size_class.h"
#include "memory/system_blocks.h"

namespace sheaf::inline v1::internal {
namespace {

enum class Kind : uint8_t { kSmall, kSpan, kPaged };

Kind KindOf(int64_t size_bytes) {
  if (size_bytes <= SizeClass::kLargestBytes) return Kind::kSmall;
  return size_bytes < WarmPool::kSmallestPagedBytes ? Kind::kSpan : Kind::kPaged;
}

int64_t CountOf(int64_t size_bytes, int64_t unit_bytes) {
  return size_bytes / unit_bytes + (size_bytes % unit_bytes != 0 ? 1 : 0);
}

int64_t PagesFor(int64_t size_bytes) { return CountOf(size_bytes, PageStock::kPageBytes); }

int64_t GranulesFor(int64_t size_bytes) { return CountOf(size_bytes, SpanHeap::kGranuleBytes); }

}  // namespace

uint8_t* WarmPool::Allocate(int64_t size_bytes) noexcept {
  if (size_bytes <= 0) return nullptr;
  if (KindOf(size_bytes) == Kind::kSmall && stock_.available()) [[likely]] {
    uint8_t* block = small_.Allocate(size_bytes, /*counted=*/true);
    if (block != nullptr) [[likely]]
      return block;
  }
  uint8_t* block = Take(size_bytes);
  if (block == nullptr) return nullptr;
  small_.PublishMine();  // So that the peak, seen by this thread alone, is exact.
  counters_.Allocated(size_bytes);
  return block;
}

uint8_t* WarmPool::Reallocate(uint8_t* block, int64_t old_size_bytes,
                              int64_t new_size_bytes) noexcept {
  if (new_size_bytes <= 0) return nullptr;
  uint8_t* moved = ResizeInPlace(block, old_size_bytes, new_size_bytes);
  if (moved == nullptr) {
    moved = Take(new_size_bytes);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, block, static_cast<size_t>(std::min(old_size_bytes, new_size_bytes)));
    Give(block, old_size_bytes);
  }
  small_.PublishMine();
  counters_.Reallocated(old_size_bytes, new_size_bytes);
  return moved;
}

void WarmPool::Free(uint8_t* block, int64_t size_bytes) noexcept {
  if (block == nullptr) return;
  if (KindOf(size_bytes) == Kind::kSmall && stock_.Contains(block)) [[likely]] {
    return small_.Free(block, size_bytes, /*counted=*/true);
  }
  Give(block, size_bytes);
  counters_.Freed(size_bytes);
}

MemoryCounts WarmPool::counts() const noexcept {
  small_.PublishAll();
  return counters_.Snapshot();
}

int64_t WarmPool::Trim() noexcept {
  small_.Trim();
  return stock_.Trim();
}

uint8_t* WarmPool::Take(int64_t size_bytes) noexcept {
  uint8_t* block = nullptr;
  if (stock_.available()) {
    switch (KindOf(size_bytes)) {
      case Kind::kSmall:
        block = small_.Allocate(size_bytes, /*counted=*/false);
        break;
      case Kind::kSpan:
        block = spans_.Allocate(GranulesFor(size_bytes));
        break;
      case Kind::kPaged:
        block = stock_.Allocate(PagesFor(size_bytes));
        break;
    }
  }
  return block != nullptr ? block : AllocateFromSystem(size_bytes);
}

void WarmPool::Give(uint8_t* block, int64_t size_bytes) noexcept {
  if (!stock_.Contains(block)) return FreeToSystem(block);
  switch (KindOf(size_bytes)) {
    case Kind::kSmall:
      return small_.Free(block, size_bytes, /*counted=*/false);
    case Kind::kSpan:
      return spans_.Free(block, GranulesFor(size_bytes));
    case Kind::kPaged:
      return stock_.Free(block, PagesFor(size_bytes));
  }
}

/// Another size without a copy, which may move a block of pages; null where that cannot be.
uint8_t* WarmPool::ResizeInPlace(uint8_t* block, int64_t old_size_bytes,
                                 int64_t new_size_bytes) noexcept {
  const Kind kind = KindOf(new_size_bytes);
  if (!stock_.Contains(block)) {
    // The system's blocks stay there but for large ones, which grow better here.
    if (kind == Kind::kPaged && stock_.available()) return nullptr;
    return ReallocateFromSystem(block, old_size_bytes, new_size_bytes);
  }
  const Kind old_kind = KindOf(old_size_bytes);
  if (old_kind == Kind::kSpan && kind == Kind::kPaged) {
    return SpanToPages(block, GranulesFor(old_size_bytes), PagesFor(new_size_bytes));
  }
  if (kind != old_kind) return nullptr;
  switch (kind) {
    case Kind::kSmall:
      return SizeClass::Of(old_size_bytes) == SizeClass::Of(new_size_bytes) ? block : nullptr;
    case Kind::kSpan: {
      const int64_t old_granules = GranulesFor(old_size_bytes);
      return spans_.Resize(block, old_granules, GranulesFor(new_size_bytes)) ? block : nullptr;
    }
    case Kind::kPaged:
      return stock_.Resize(block, PagesFor(old_size_bytes), PagesFor(new_size_bytes));
  }
  return nullptr;
}

/// A span that grows alone in its page keeps that page.
uint8_t* WarmPool::SpanToPages(uint8_t* span, int64_t granules, int64_t pages) noexcept {
  if (!spans_.TakePage(span, granules)) return nullptr;
  uint8_t* block = stock_.Resize(span, 1, pages);
  if (block == nullptr) spans_.PutPageBack(span);
  return block;
}

}  // namespace sheaf::inline v1::internal
