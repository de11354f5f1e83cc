#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1 {

/// A growing buffer with a committed size and a staged tail behind it: what is written beyond the
/// mark becomes part of the buffer by `Commit`, which cannot fail, or is forgotten by `Discard`.
///
///   | committed bytes | staged bytes | room | 64 bytes of slack |
class SHEAF_EXPORT BufferBuilder {
 public:
  /// Bytes behind the capacity that whole-vector stores, a spare offset and padding may use.
  static constexpr int64_t kSlackBytes = 64;

  explicit BufferBuilder(MemoryPool* pool) noexcept : pool_(pool) {}
  BufferBuilder(BufferBuilder&& other) noexcept { Swap(other); }
  BufferBuilder& operator=(BufferBuilder&& other) noexcept {
    Swap(other);
    return *this;
  }
  ~BufferBuilder() { Reset(); }

  uint8_t* data() noexcept { return data_; }
  const uint8_t* data() const noexcept { return data_; }
  template <typename T>
  T* as() noexcept {
    return reinterpret_cast<T*>(data_);
  }
  int64_t size_bytes() const noexcept { return committed_; }
  int64_t staged_size_bytes() const noexcept { return staged_; }
  int64_t capacity_bytes() const noexcept { return capacity_; }
  bool HasRoom(int64_t additional_bytes) const noexcept {
    return additional_bytes <= capacity_ - staged_;
  }

  /// Room for `additional_bytes` behind the staged end; at least doubles when it grows, so that n
  /// small appends cost O(total). \return kResourceExhausted, kOutOfRange.
  Status Reserve(int64_t additional_bytes) {
    if (HasRoom(additional_bytes)) [[likely]]
      return OkStatus();
    return Grow(additional_bytes);
  }

  /// Moves the staged end over `size_bytes` reserved bytes and returns where they start.
  uint8_t* UnsafeStage(int64_t size_bytes) noexcept {
    uint8_t* start = data_ + staged_;
    staged_ += size_bytes;
    return start;
  }
  /// One value, staged and committed at once; room was reserved and nothing else is staged.
  template <typename T>
  void UnsafePush(T value) noexcept {
    std::memcpy(data_ + staged_, &value, sizeof(T));
    staged_ += static_cast<int64_t>(sizeof(T));
    committed_ = staged_;
  }
  void Commit() noexcept { committed_ = staged_; }
  void Discard() noexcept { staged_ = committed_; }
  void TruncateTo(int64_t size_bytes) noexcept { committed_ = staged_ = size_bytes; }

  /// The committed bytes as a buffer over this builder's own memory, padded with zeros; absent
  /// bytes become `Buffer::Empty()`. The builder keeps its reference until `Reset`: a Finish that
  /// fails elsewhere has changed nothing. Memory far above the size is given back first where the
  /// pool can do that.
  Buffer Share() noexcept;
  void Reset() noexcept;

 private:
  Status Grow(int64_t additional_bytes);
  void Swap(BufferBuilder& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(storage_, other.storage_);
    std::swap(data_, other.data_);
    std::swap(committed_, other.committed_);
    std::swap(staged_, other.staged_);
    std::swap(capacity_, other.capacity_);
  }

  MemoryPool* pool_ = nullptr;
  internal::BufferStorage* storage_ = nullptr;
  uint8_t* data_ = nullptr;
  int64_t committed_ = 0;
  int64_t staged_ = 0;
  int64_t capacity_ = 0;
};

}  // namespace sheaf
