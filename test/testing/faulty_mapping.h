#pragma once

#include <atomic>
#include <cstdint>

#include "memory/page_mapping.h"

namespace sheaf::testing {

/// The system's mapping, counted, with failures between it and a stock of pages.
class FaultyMapping final : public internal::PageMapping {
 public:
  bool reserves = true;
  std::atomic<bool> opens{true};
  std::atomic<bool> moves{true};
  /// As where a range consists of several mappings: only single pages can be moved.
  std::atomic<bool> moves_runs{true};
  /// Every n-th call that may fail does; 0: none.
  std::atomic<int64_t> fail_every{0};

  std::atomic<int64_t> opened_bytes{0};
  std::atomic<int64_t> closed_bytes{0};
  std::atomic<int64_t> moved_bytes{0};
  std::atomic<int64_t> calls{0};

  uint8_t* Reserve(int64_t size_bytes) noexcept override {
    return reserves ? System().Reserve(size_bytes) : nullptr;
  }
  void Unreserve(uint8_t* base, int64_t size_bytes) noexcept override {
    System().Unreserve(base, size_bytes);
  }
  bool Open(uint8_t* start, int64_t size_bytes) noexcept override {
    if (Fails() || !opens) return false;
    opened_bytes += size_bytes;
    return System().Open(start, size_bytes);
  }
  void Close(uint8_t* start, int64_t size_bytes) noexcept override {
    ++calls;
    closed_bytes += size_bytes;
    System().Close(start, size_bytes);
  }
  bool Move(uint8_t* from, uint8_t* to, int64_t size_bytes) noexcept override {
    if (Fails() || !moves || (!moves_runs && size_bytes > kPageBytes)) return false;
    moved_bytes += size_bytes;
    return System().Move(from, to, size_bytes);
  }

 private:
  bool Fails() noexcept {
    const int64_t call = ++calls;
    return fail_every > 0 && call % fail_every == 0;
  }
};

}  // namespace sheaf::testing
