#pragma once

#include <atomic>
#include <cstdint>

#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// The counts of a pool. All relaxed: each number is right by itself, and a snapshot taken while
/// other threads allocate may mix moments.
class PoolCounters {
 public:
  void Allocated(int64_t size_bytes) noexcept {
    Took(size_bytes);
    allocation_count_.fetch_add(1, std::memory_order_relaxed);
  }

  void Reallocated(int64_t old_size_bytes, int64_t new_size_bytes) noexcept {
    if (new_size_bytes > old_size_bytes) {
      Took(new_size_bytes - old_size_bytes);
    } else {
      in_use_.fetch_sub(old_size_bytes - new_size_bytes, std::memory_order_relaxed);
    }
    reallocation_count_.fetch_add(1, std::memory_order_relaxed);
  }

  void Freed(int64_t size_bytes) noexcept {
    in_use_.fetch_sub(size_bytes, std::memory_order_relaxed);
  }

  /// What a part of the pool counted by itself; `highest` is the most of `in_use` on the way there.
  void Add(int64_t in_use, int64_t highest, int64_t allocated_bytes, int64_t allocations) noexcept {
    allocated_.fetch_add(allocated_bytes, std::memory_order_relaxed);
    allocation_count_.fetch_add(allocations, std::memory_order_relaxed);
    RaisePeak(in_use_.fetch_add(in_use, std::memory_order_relaxed) + highest);
  }

  MemoryCounts Snapshot() const noexcept {
    return {.bytes_in_use = in_use_.load(std::memory_order_relaxed),
            .peak_bytes = peak_.load(std::memory_order_relaxed),
            .allocated_bytes = allocated_.load(std::memory_order_relaxed),
            .allocation_count = allocation_count_.load(std::memory_order_relaxed),
            .reallocation_count = reallocation_count_.load(std::memory_order_relaxed)};
  }

 private:
  void Took(int64_t size_bytes) noexcept {
    allocated_.fetch_add(size_bytes, std::memory_order_relaxed);
    RaisePeak(in_use_.fetch_add(size_bytes, std::memory_order_relaxed) + size_bytes);
  }

  void RaisePeak(int64_t now) noexcept {
    int64_t peak = peak_.load(std::memory_order_relaxed);
    while (now > peak && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
  }

  std::atomic<int64_t> in_use_{0};
  std::atomic<int64_t> peak_{0};
  std::atomic<int64_t> allocated_{0};
  std::atomic<int64_t> allocation_count_{0};
  std::atomic<int64_t> reallocation_count_{0};
};

/// Counts that one lock guards, handed on to the pool's when they become large, so that threads do
/// not meet at the pool's numbers in every call.
class ShardCounts {
 public:
  void Allocated(int64_t size_bytes, PoolCounters& totals) noexcept {
    in_use_ += size_bytes;
    if (in_use_ > highest_) highest_ = in_use_;
    allocated_ += size_bytes;
    ++allocations_;
    if (in_use_ >= kUnpublishedBytes) Publish(totals);
  }

  void Freed(int64_t size_bytes, PoolCounters& totals) noexcept {
    in_use_ -= size_bytes;
    if (in_use_ <= -kUnpublishedBytes) Publish(totals);
  }

  void Publish(PoolCounters& totals) noexcept {
    totals.Add(in_use_, highest_, allocated_, allocations_);
    *this = ShardCounts();
  }

 private:
  static constexpr int64_t kUnpublishedBytes = int64_t{64} << 10;

  int64_t in_use_ = 0;
  int64_t highest_ = 0;
  int64_t allocated_ = 0;
  int64_t allocations_ = 0;
};

}  // namespace sheaf::inline v1::internal
