#pragma once

#include <cstdint>
#include <new>
#include <utility>

#include "sheaf/base/status.h"
#include "sheaf/memory/buffer_builder.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

Status SHEAF_EXPORT OutOfPoolMemory(int64_t size_bytes);

/// A vector in pool memory with a committed size and staged items behind it: the bookkeeping of
/// builders.
template <typename T>
class StagedVector {
 public:
  explicit StagedVector(MemoryPool* pool) noexcept : pool_(pool) {}
  StagedVector(StagedVector&& other) noexcept { Swap(other); }
  StagedVector& operator=(StagedVector&& other) noexcept {
    Swap(other);
    return *this;
  }
  ~StagedVector() { Reset(); }

  /// Committed and staged items.
  int64_t size() const noexcept { return staged_; }
  int64_t committed_size() const noexcept { return committed_; }
  bool empty() const noexcept { return staged_ == 0; }
  T& operator[](int64_t i) noexcept { return items_[i]; }
  const T& operator[](int64_t i) const noexcept { return items_[i]; }
  T& back() noexcept { return items_[staged_ - 1]; }
  const T& back() const noexcept { return items_[staged_ - 1]; }
  T* begin() noexcept { return items_; }
  T* end() noexcept { return items_ + staged_; }
  const T* begin() const noexcept { return items_; }
  const T* end() const noexcept { return items_ + staged_; }

  Status Stage(T item) {
    if (staged_ == capacity_) SHEAF_RETURN_IF_ERROR(Grow());
    new (items_ + staged_) T(std::move(item));
    ++staged_;
    return OkStatus();
  }
  /// Room for `additional` more items.
  Status Reserve(int64_t additional) {
    if (additional <= capacity_ - staged_) return OkStatus();
    return Grow(staged_ + (additional > staged_ ? additional : staged_));
  }
  void Commit() noexcept { committed_ = staged_; }
  void Discard() noexcept { DestroyFrom(committed_); }
  /// Forgets all items from number `size` on, committed ones too.
  void TruncateTo(int64_t size) noexcept {
    DestroyFrom(size);
    committed_ = size;
  }
  void Clear() noexcept {
    DestroyFrom(0);
    committed_ = 0;
  }
  void Reset() noexcept {
    Clear();
    if (items_ != nullptr) pool_->Free(reinterpret_cast<uint8_t*>(items_), capacity_ * kItemBytes);
    items_ = nullptr;
    capacity_ = 0;
  }

 private:
  static constexpr int64_t kItemBytes = sizeof(T);
  static constexpr int64_t kFirstCapacity = 4;

  void DestroyFrom(int64_t size) noexcept {
    while (staged_ > size) items_[--staged_].~T();
  }
  void Swap(StagedVector& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(items_, other.items_);
    std::swap(committed_, other.committed_);
    std::swap(staged_, other.staged_);
    std::swap(capacity_, other.capacity_);
  }
  Status Grow() { return Grow(capacity_ == 0 ? kFirstCapacity : 2 * capacity_); }
  Status Grow(int64_t capacity) {
    auto* items = reinterpret_cast<T*>(pool_->Allocate(capacity * kItemBytes));
    if (items == nullptr) return OutOfPoolMemory(capacity * kItemBytes);
    for (int64_t i = 0; i < staged_; ++i) {
      new (items + i) T(std::move(items_[i]));
      items_[i].~T();
    }
    if (items_ != nullptr) pool_->Free(reinterpret_cast<uint8_t*>(items_), capacity_ * kItemBytes);
    items_ = items;
    capacity_ = capacity;
    return OkStatus();
  }

  MemoryPool* pool_ = nullptr;
  T* items_ = nullptr;
  int64_t committed_ = 0;
  int64_t staged_ = 0;
  int64_t capacity_ = 0;
};

}  // namespace sheaf::inline v1::internal
