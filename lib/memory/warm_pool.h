#pragma once

#include "memory/page_stock.h"
#include "memory/pool_counters.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// Blocks from a stock of warm pages; from the system where the stock has none to give.
class WarmPool final : public MemoryPool {
 public:
  /// From here on blocks are whole pages.
  static constexpr int64_t kSmallestPagedBytes = int64_t{1} << 20;

  explicit WarmPool(PageStock::Options options,
                    PageMapping& mapping = PageMapping::System()) noexcept
      : stock_(options, mapping) {}

  uint8_t* Allocate(int64_t size_bytes) noexcept override;
  uint8_t* Reallocate(uint8_t* block, int64_t old_size_bytes,
                      int64_t new_size_bytes) noexcept override;
  void Free(uint8_t* block, int64_t size_bytes) noexcept override;

  MemoryCounts counts() const noexcept override { return counters_.Snapshot(); }
  int64_t Trim() noexcept override { return stock_.Trim(); }
  void SetStockLimit(int64_t stock_bytes) noexcept override { stock_.SetHeldLimit(stock_bytes); }

 private:
  uint8_t* Take(int64_t size_bytes) noexcept;
  uint8_t* Resize(uint8_t* block, int64_t old_size_bytes, int64_t new_size_bytes) noexcept;
  void Give(uint8_t* block, int64_t size_bytes) noexcept;

  PageStock stock_;
  PoolCounters counters_;
};

}  // namespace sheaf::inline v1::internal
