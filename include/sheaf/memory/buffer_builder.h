#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "sheaf/base/bits.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1 {

/// What is shared with an array: all there will be, or the bytes so far of a builder that goes on.
enum class Sharing : uint8_t { kFinal, kSnapshot };

/// A growing buffer with a committed size and a staged tail behind it: what is written beyond the
/// mark becomes part of the buffer by `Commit`, which cannot fail, or is forgotten by `Discard`.
///
///   | committed bytes | staged bytes | room | 64 bytes of slack |
///
/// **Bytes that a shared buffer shows are never written again** while somebody holds it. The
/// builder goes on behind them in the same memory; once it is truncated to less, or has to write
/// into a bitmap's last byte, the next `Reserve` moves it to fresh memory. What `Reserve` gave is
/// therefore good until the next `Share` or `TruncateTo`.
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
  int64_t capacity_bytes() const noexcept;
  bool HasRoom(int64_t additional_bytes) const noexcept {
    return additional_bytes <= limit_ - staged_;
  }

  /// Room for `additional_bytes` behind the staged end; at least doubles when it grows, so that n
  /// small appends cost O(total). \return kResourceExhausted, kOutOfRange.
  Status Reserve(int64_t additional_bytes) {
    if (HasRoom(additional_bytes)) [[likely]]
      return OkStatus();
    return Grow(staged_, additional_bytes);
  }
  /// Whether `ReserveBits` has nothing to do.
  bool HasRoomForBits(int64_t begin, int64_t end) const noexcept {
    return BytesForBits(end) <= limit_ && begin >> 3 >= shared_;
  }
  /// For bitmaps, whose length their owner counts (the size in bytes stays 0): bits [begin, end)
  /// may be written, and those before `begin` are kept.
  Status ReserveBits(int64_t begin, int64_t end) {
    if (HasRoomForBits(begin, end)) [[likely]]
      return OkStatus();
    return Grow(BytesForBits(begin), BytesForBits(end) - BytesForBits(begin));
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
  /// Forgets the bytes behind `size_bytes`.
  void TruncateTo(int64_t size_bytes) noexcept {
    committed_ = staged_ = size_bytes;
    if (size_bytes < shared_) [[unlikely]]
      limit_ = size_bytes;  // No room, so that Reserve looks whether others still see what follows.
  }

  /// The committed bytes as a buffer over this builder's own memory, padded with zeros (unless what
  /// follows is seen by another buffer); absent bytes become `Buffer::Empty()`. The builder keeps
  /// its reference until `Reset`: a Finish that fails elsewhere has changed nothing. Memory far
  /// above the size is given back first where the pool can do that, unless the builder goes on
  /// (kSnapshot).
  Buffer Share(Sharing sharing = Sharing::kFinal) noexcept {
    return ShareBytes(committed_, sharing);
  }
  /// The same for a bitmap of `length` bits, zero behind them. \return kResourceExhausted where the
  /// last byte is seen by another buffer and cannot be copied.
  StatusOr<Buffer> ShareBits(int64_t length, Sharing sharing = Sharing::kFinal);
  /// Writes a value behind the committed bytes for the buffer just shared to show. False where that
  /// place is seen by another buffer.
  template <typename T>
  bool ShareSpare(T value) noexcept {
    static_assert(sizeof(T) <= kSlackBytes);
    if (committed_ < shared_ && !ClaimIfAlone()) return false;
    std::memcpy(data_ + committed_, &value, sizeof(T));
    shared_ = committed_ + static_cast<int64_t>(sizeof(T));
    limit_ = committed_;
    return true;
  }
  /// Identifies the allocation and gives its size, as those of Buffer do.
  const void* storage_id() const noexcept { return storage_; }
  int64_t retained_bytes() const noexcept {
    return storage_ == nullptr ? 0 : storage_->capacity_bytes();
  }
  void Reset() noexcept;

 private:
  /// Room for `additional_bytes` behind the first `used_bytes`, which are kept.
  Status Grow(int64_t used_bytes, int64_t additional_bytes);
  Buffer ShareBytes(int64_t size_bytes, Sharing sharing) noexcept;
  /// True, and all the memory may be written again, where nobody else holds it.
  bool ClaimIfAlone() noexcept;
  void Swap(BufferBuilder& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(storage_, other.storage_);
    std::swap(data_, other.data_);
    std::swap(committed_, other.committed_);
    std::swap(staged_, other.staged_);
    std::swap(limit_, other.limit_);
    std::swap(shared_, other.shared_);
  }

  MemoryPool* pool_ = nullptr;
  internal::BufferStorage* storage_ = nullptr;
  uint8_t* data_ = nullptr;
  int64_t committed_ = 0;
  int64_t staged_ = 0;
  int64_t limit_ = 0;   ///< Where room ends: the capacity, or less where what follows is shared.
  int64_t shared_ = 0;  ///< The bytes before it may be seen by buffers that were shared.
};

}  // namespace sheaf
