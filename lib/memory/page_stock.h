#pragma once

#include <cstdint>
#include <mutex>

#include "memory/page_mapping.h"
#include "memory/page_runs.h"

namespace sheaf::inline v1::internal {

/// Blocks of whole 2 MiB pages, and a bounded stock of freed ones that keep their memory: fresh
/// pages have to be zeroed by the system, which costs more than most work done on them.
///
/// All blocks lie in one reserved range of addresses, with room between them:
///
///   | block | closed | block | warm | block | closed ...
///
/// A freed block stays whole as a warm run and serves the next one that fits without a system call;
/// only where no run is long enough are pages moved together (`mremap`: some microseconds a page or
/// a run, where a fresh page takes some hundred). A block grows into the free pages behind it, or
/// is moved to where there is room; its bytes are not copied. Thread-safe.
class PageStock {
 public:
  static constexpr int64_t kPageBytes = PageMapping::kPageBytes;

  struct Options {
    int64_t held_limit_bytes = int64_t{128} << 20;  ///< Freed pages that are kept, at most.
    int64_t reserved_bytes = int64_t{1} << 40;      ///< Addresses, not memory.
    /// Of the 65,530 mappings that Linux gives a process; beyond these pages are no longer moved.
    int64_t max_mappings = 8192;
  };

  explicit PageStock(Options options, PageMapping& mapping = PageMapping::System()) noexcept;
  PageStock(const PageStock&) = delete;
  PageStock& operator=(const PageStock&) = delete;
  ~PageStock();

  /// `pages` (> 0) pages side by side, or null. Their bytes are whatever they are.
  uint8_t* Allocate(int64_t pages) noexcept;

  /// Grows or shrinks a block; its bytes stay, its address may not. Null: refused, nothing changed.
  /// Shrinking to at least one page is never refused.
  uint8_t* Resize(uint8_t* block, int64_t old_pages, int64_t new_pages) noexcept;

  void Free(uint8_t* block, int64_t pages) noexcept;

  /// Whether the system gave addresses; without them every block is refused.
  bool available() const noexcept { return base_ != nullptr; }
  bool Contains(const uint8_t* block) const noexcept {
    return block >= base_ && block < base_ + reserved_bytes_;
  }

  int64_t held_bytes() const noexcept;
  void SetHeldLimit(int64_t held_limit_bytes) noexcept;
  /// Gives all held pages back to the system; returns their bytes.
  int64_t Trim() noexcept;

 private:
  uint8_t* AddressOf(int64_t page) const noexcept { return base_ + page * kPageBytes; }
  int64_t PageOf(const uint8_t* block) const noexcept { return (block - base_) / kPageBytes; }
  bool Open(PageRun run) noexcept;

  // With the lock held.
  PageRun TakeWarm(int64_t pages) noexcept;
  PageRun TakeClosed(int64_t pages) noexcept;
  bool MayMove() const noexcept { return runs_.mappings() + 2 <= options_.max_mappings; }

  // Without.
  PageRun TakeAnyWarm(int64_t max_pages) noexcept;
  void Gather(PageRun target) noexcept;
  int64_t Move(PageRun from, int64_t to) noexcept;
  void MoveOrCopy(PageRun block, int64_t to) noexcept;
  bool GrowInPlace(PageRun block, int64_t new_pages) noexcept;
  void PutClosed(PageRun run) noexcept;
  int64_t GiveBackBeyond(int64_t pages) noexcept;

  const Options options_;
  PageMapping& mapping_;
  uint8_t* base_ = nullptr;
  int64_t reserved_bytes_ = 0;

  mutable std::mutex mutex_;
  int64_t held_limit_pages_;
  PageRuns runs_;
};

}  // namespace sheaf::inline v1::internal
