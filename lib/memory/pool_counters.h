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
    const int64_t now = in_use_.fetch_add(size_bytes, std::memory_order_relaxed) + size_bytes;
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

}  // namespace sheaf::inline v1::internal
