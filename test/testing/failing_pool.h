#pragma once

#include <atomic>
#include <cstdint>

#include "sheaf/memory/memory_pool.h"

namespace sheaf::testing {

/// A pool over another that refuses allocation number k, and counts. Allocations and growing
/// reallocations are calls, numbered from 0; shrinks and frees always succeed and are not counted.
///
///     FailingPool pool;
///     for (int64_t k = 0;; ++k) {
///       pool.FailAt(k);
///       const Status status = builder.AppendArray(array);
///       if (!pool.failed()) break;   // k is past the last allocation of the operation
///       EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
///     }
class FailingPool final : public MemoryPool {
 public:
  explicit FailingPool(MemoryPool* parent = MemoryPool::Default()) noexcept : parent_(parent) {}

  /// Counts anew from 0, and refuses call number `k`; with `for_good`, all calls after it too.
  void FailAt(int64_t k, bool for_good = false) noexcept {
    calls_ = 0;
    failed_ = false;
    for_good_ = for_good;
    fail_at_ = k;
  }
  /// Counts anew from 0, and refuses nothing.
  void SwitchOff() noexcept { FailAt(kNever); }

  /// Calls since FailAt or SwitchOff, refused ones included.
  int64_t calls() const noexcept { return calls_; }
  /// Whether a call was refused since FailAt.
  bool failed() const noexcept { return failed_; }

  uint8_t* Allocate(int64_t size_bytes) noexcept override {
    return Refuses() ? nullptr : parent_->Allocate(size_bytes);
  }
  uint8_t* Reallocate(uint8_t* block, int64_t old_size_bytes,
                      int64_t new_size_bytes) noexcept override {
    if (new_size_bytes > old_size_bytes && Refuses()) return nullptr;
    return parent_->Reallocate(block, old_size_bytes, new_size_bytes);
  }
  void Free(uint8_t* block, int64_t size_bytes) noexcept override {
    parent_->Free(block, size_bytes);
  }
  MemoryCounts counts() const noexcept override { return parent_->counts(); }
  int64_t Trim() noexcept override { return parent_->Trim(); }

 private:
  static constexpr int64_t kNever = -1;

  bool Refuses() noexcept {
    const int64_t call = calls_++;
    const int64_t fail_at = fail_at_;
    const bool refuses = fail_at != kNever && (for_good_ ? call >= fail_at : call == fail_at);
    if (refuses) failed_ = true;
    return refuses;
  }

  MemoryPool* parent_;
  std::atomic<int64_t> calls_{0};
  std::atomic<int64_t> fail_at_{kNever};
  std::atomic<bool> for_good_{false};
  std::atomic<bool> failed_{false};
};

}  // namespace sheaf::testing
