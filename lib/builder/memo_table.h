#pragma once

#include <cstdint>
#include <utility>

#include "sheaf/base/status.h"
#include "sheaf/memory/buffer_builder.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// Finds values that are known by their hashes: an open-addressing table over values that somebody
/// else keeps, numbered 0, 1, 2, … in the order in which they came. What came last is forgotten
/// first, and leaves no trace.
///
///   hash of value i ──> slots │   │ 7,i │ 7,j │   │ …   a power of two, at most half of them taken
class SHEAF_EXPORT MemoTable {
 public:
  explicit MemoTable(MemoryPool* pool) noexcept : pool_(pool), hashes_(pool) {}
  MemoTable(MemoTable&& other) noexcept : pool_(other.pool_), hashes_(std::move(other.hashes_)) {
    Swap(other);
  }
  MemoTable& operator=(MemoTable&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(hashes_, other.hashes_);
    Swap(other);
    return *this;
  }
  ~MemoTable() { Clear(); }

  /// Values that are known.
  int64_t size() const noexcept {
    return hashes_.size_bytes() / static_cast<int64_t>(sizeof(uint64_t));
  }
  /// Room for `additional` more values. \return kResourceExhausted.
  Status Reserve(int64_t additional);

  /// The first value of this hash for which same(its number), or -1.
  template <typename Same>
  int64_t Find(uint64_t hash, Same&& same) const {
    hash = Stored(hash);
    if (mask_ == 0) return -1;
    for (uint64_t at = hash & mask_; slots_[at].value != kFree; at = (at + 1) & mask_) {
      if (slots_[at].hash == hash && same(slots_[at].value - 1)) return slots_[at].value - 1;
    }
    return -1;
  }
  /// The next value; room was reserved.
  void UnsafeInsert(uint64_t hash) noexcept {
    hash = Stored(hash);
    hashes_.UnsafePush(hash);
    Place(hash, size());
  }
  /// The next value, the same as one that is known, which is the one to be found.
  void UnsafeInsertTwin() noexcept { hashes_.UnsafePush(kTwin); }

  /// Forgets the values from number `size` on.
  void TruncateTo(int64_t size) noexcept;
  /// Forgets all, and gives the memory back.
  void Clear() noexcept;

 private:
  /// Values are numbered from 1 here.
  struct Slot {
    uint64_t hash;
    int64_t value;
  };
  static constexpr int64_t kFree = 0;
  static constexpr uint64_t kTwin = 0;  ///< In place of the hash of a value without a slot.
  static constexpr int64_t kFirstSlots = 32;

  static uint64_t Stored(uint64_t hash) noexcept { return hash == kTwin ? 1 : hash; }
  int64_t num_slots() const noexcept { return mask_ == 0 ? 0 : static_cast<int64_t>(mask_) + 1; }
  void Place(uint64_t hash, int64_t value) noexcept {
    uint64_t at = hash & mask_;
    while (slots_[at].value != kFree) at = (at + 1) & mask_;
    slots_[at] = {hash, value};
  }
  void Swap(MemoTable& other) noexcept {
    std::swap(slots_, other.slots_);
    std::swap(mask_, other.mask_);
  }
  void FreeSlots() noexcept;

  MemoryPool* pool_;
  BufferBuilder hashes_;  ///< Of each value, all committed.
  Slot* slots_ = nullptr;
  uint64_t mask_ = 0;
};

}  // namespace sheaf::inline v1::internal
