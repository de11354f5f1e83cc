#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"
#include "sheaf/memory/staged_vector.h"

namespace sheaf::inline v1::internal {

/// Ids by dictionary, where a dictionary is known by its node and the rows of it: a hash table with
/// open addressing in pool memory. Holds no dictionary.
class DictionaryTable {
 public:
  explicit DictionaryTable(MemoryPool* pool) noexcept : pool_(pool), slots_(pool) {}

  /// Room for `count` dictionaries in all, at most half full.
  Status Reserve(int64_t count) {
    if (2 * count <= slots_.size()) return OkStatus();
    const auto num_slots = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * count)));
    DictionaryTable grown(pool_);
    SHEAF_RETURN_IF_ERROR(grown.slots_.Reserve(num_slots));
    for (int64_t i = 0; i < num_slots; ++i) SHEAF_RETURN_IF_ERROR(grown.slots_.Stage(Slot()));
    for (const Slot& slot : slots_) {
      if (slot.node != nullptr) *grown.FreeSlot(slot) = slot;
    }
    slots_ = std::move(grown.slots_);
    return OkStatus();
  }

  /// Null where it is not there.
  const int64_t* Find(const Array& dictionary) {
    if (slots_.empty()) return nullptr;
    const Slot wanted = KeyOf(dictionary, 0);
    for (int64_t i = Home(wanted); slots_[i].node != nullptr; i = Next(i)) {
      if (slots_[i].IsSame(wanted)) return &slots_[i].id;
    }
    return nullptr;
  }

  /// Reserved, and not there yet.
  void Insert(const Array& dictionary, int64_t id) {
    const Slot slot = KeyOf(dictionary, id);
    *FreeSlot(slot) = slot;
  }

  void Clear() {
    for (Slot& slot : slots_) slot = Slot();
  }

 private:
  struct Slot {
    const ArrayData* node = nullptr;
    int64_t offset = 0;
    int64_t length = 0;
    int64_t id = 0;
    bool IsSame(const Slot& other) const {
      return node == other.node && offset == other.offset && length == other.length;
    }
  };

  static Slot KeyOf(const Array& dictionary, int64_t id) {
    return {dictionary.data(), dictionary.offset(), dictionary.length(), id};
  }
  int64_t Next(int64_t i) const { return (i + 1) & (slots_.size() - 1); }
  int64_t Home(const Slot& slot) const {
    // Fibonacci hashing: the high bits of the product depend on all bits of the key.
    constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;
    uint64_t hash = reinterpret_cast<uintptr_t>(slot.node) * kGolden;
    hash = (hash ^ static_cast<uint64_t>(slot.offset)) * kGolden;
    hash = (hash ^ static_cast<uint64_t>(slot.length)) * kGolden;
    return static_cast<int64_t>((hash >> 32) & static_cast<uint64_t>(slots_.size() - 1));
  }
  Slot* FreeSlot(const Slot& slot) {
    int64_t i = Home(slot);
    while (slots_[i].node != nullptr) i = Next(i);
    return &slots_[i];
  }

  MemoryPool* pool_;
  StagedVector<Slot> slots_;
};

}  // namespace sheaf::inline v1::internal
