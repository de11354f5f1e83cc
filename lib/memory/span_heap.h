#pragma once

#include <array>
#include <cstdint>
#include <mutex>

#include "memory/page_stock.h"

namespace sheaf::inline v1::internal {

struct SpanPage;

/// Pages of a stock cut into granules of 16 KiB: spans of them are blocks of middle size and the
/// slabs of small ones. A page without spans goes back to the stock at once. Thread-safe.
///
///   page | span | span    | free | span | free ... | header |     128 granules
class SpanHeap {
 public:
  static constexpr int64_t kGranuleBytes = int64_t{16} << 10;
  static constexpr int64_t kGranules = PageStock::kPageBytes / kGranuleBytes;

  explicit SpanHeap(PageStock& stock) noexcept : stock_(stock) {}
  SpanHeap(const SpanHeap&) = delete;
  SpanHeap& operator=(const SpanHeap&) = delete;

  /// `granules` (1 to kGranules - 1) granules side by side, or null.
  uint8_t* Allocate(int64_t granules) noexcept;
  /// Grows or shrinks a span where it lies; false, and nothing changed, where it has no room.
  bool Resize(uint8_t* span, int64_t old_granules, int64_t new_granules) noexcept;
  void Free(uint8_t* span, int64_t granules) noexcept;

  /// Where a span begins its page and is alone there, the whole page becomes the caller's, with the
  /// span's bytes where they are; else false. `PutPageBack` makes it a span again, as long as
  /// nothing behind it was written.
  bool TakePage(uint8_t* span, int64_t granules) noexcept;
  void PutPageBack(uint8_t* span) noexcept;

 private:
  SpanPage* PageWith(int64_t granules) noexcept;
  SpanPage* NewPage() noexcept;
  void List(SpanPage* page) noexcept;
  void Unlist(SpanPage* page) noexcept;

  PageStock& stock_;
  std::mutex mutex_;
  std::array<SpanPage*, kGranules> pages_{};  // By their longest free run of granules.
};

}  // namespace sheaf::inline v1::internal
