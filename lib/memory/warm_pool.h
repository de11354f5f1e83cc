#pragma once

#include "memory/page_stock.h"
#include "memory/pool_counters.h"
#include "memory/small_blocks.h"
#include "memory/span_heap.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// Blocks from a stock of warm pages, of three kinds by their size: small ones from slabs, those of
/// middle size as spans within a page, and large ones as pages. From the system's allocator where
/// the stock has none to give; the address says where a block came from.
class WarmPool final : public MemoryPool {
 public:
  /// From here on blocks are whole pages: what is smaller fits a page beside its header.
  static constexpr int64_t kSmallestPagedBytes =
      SpanHeap::kGranuleBytes * (SpanHeap::kGranules - 1);

  explicit WarmPool(PageStock::Options options,
                    PageMapping& mapping = PageMapping::System()) noexcept
      : stock_(options, mapping) {}

  uint8_t* Allocate(int64_t size_bytes) noexcept override;
  uint8_t* Reallocate(uint8_t* block, int64_t old_size_bytes,
                      int64_t new_size_bytes) noexcept override;
  void Free(uint8_t* block, int64_t size_bytes) noexcept override;

  MemoryCounts counts() const noexcept override;
  int64_t Trim() noexcept override;
  void SetStockLimit(int64_t stock_bytes) noexcept override { stock_.SetHeldLimit(stock_bytes); }

 private:
  // Uncounted: Reallocate counts once for both.
  uint8_t* Take(int64_t size_bytes) noexcept;
  void Give(uint8_t* block, int64_t size_bytes) noexcept;
  uint8_t* ResizeInPlace(uint8_t* block, int64_t old_size_bytes, int64_t new_size_bytes) noexcept;
  uint8_t* SpanToPages(uint8_t* span, int64_t granules, int64_t pages) noexcept;

  PageStock stock_;
  SpanHeap spans_{stock_};
  mutable PoolCounters counters_;
  mutable SmallBlocks small_{spans_,
                             counters_};  // Mutable: asking for counts brings them up to date.
};

}  // namespace sheaf::inline v1::internal
