#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1 {

namespace internal {

/// The intrusively counted owner of a buffer's bytes. An owned buffer's header and bytes are one
/// block.
class SHEAF_EXPORT BufferStorage {
 public:
  using ReleaseFunction = void (*)(BufferStorage*) noexcept;

  BufferStorage(uint8_t* data, int64_t capacity_bytes, ReleaseFunction release) noexcept
      : data_(data), capacity_bytes_(capacity_bytes), release_(release) {}

  void Retain() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  void Release() noexcept {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) release_(this);
  }
  bool unique() const noexcept { return references_.load(std::memory_order_acquire) == 1; }
  uint8_t* data() const noexcept { return data_; }
  int64_t capacity_bytes() const noexcept { return capacity_bytes_; }

 protected:
  std::atomic<int64_t> references_{1};
  uint8_t* data_;
  int64_t capacity_bytes_;  // Of the whole allocation: what keeping one byte of it keeps alive.
  ReleaseFunction release_;
};

}  // namespace internal

/// Immutable bytes and who keeps them alive: a cheap handle (a pointer, a size, a reference count).
///
/// A default-made buffer is *absent* (`data()` is null), which is what a missing validity bitmap
/// is. A buffer of zero bytes that is present has a pointer that is not null.
class SHEAF_EXPORT Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer& other) noexcept
      : data_(other.data_), size_bytes_(other.size_bytes_), storage_(other.storage_) {
    if (storage_ != nullptr) storage_->Retain();
  }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_bytes_(std::exchange(other.size_bytes_, 0)),
        storage_(std::exchange(other.storage_, nullptr)) {}
  Buffer& operator=(Buffer other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_bytes_, other.size_bytes_);
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~Buffer() {
    if (storage_ != nullptr) storage_->Release();
  }

  /// Takes a vector's memory over; no byte is copied.
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  static StatusOr<Buffer> Adopt(std::vector<T>&& values) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
    const auto size_bytes = static_cast<int64_t>(values.size() * sizeof(T));
    auto holder = new (std::nothrow) std::vector<T>(std::move(values));
    if (holder == nullptr) return OutOfMemory(sizeof(std::vector<T>));
    return WrapForeign(bytes, size_bytes, static_cast<int64_t>(holder->capacity() * sizeof(T)),
                       holder,
                       [](void* held) noexcept { delete static_cast<std::vector<T>*>(held); });
  }

  /// Wraps foreign bytes; `release` is called once, from any thread, when nobody uses them any more
  /// (also if wrapping fails). Any alignment is accepted; an empty buffer's address may be null.
  /// \return kInvalidArgument for a negative size, or for bytes at a null address.
  template <typename Function>
    requires std::is_invocable_v<Function>
  static StatusOr<Buffer> Wrap(const void* data, int64_t size_bytes, Function release) {
    auto holder = new (std::nothrow) Function(std::move(release));
    if (holder == nullptr) {
      release();
      return OutOfMemory(sizeof(Function));
    }
    return WrapForeign(static_cast<const uint8_t*>(data), size_bytes, size_bytes, holder,
                       [](void* held) noexcept {
                         (*static_cast<Function*>(held))();
                         delete static_cast<Function*>(held);
                       });
  }

  /// Bytes that outlive every user of the buffer (constants, a memory map held elsewhere).
  static Buffer Borrow(const void* data, int64_t size_bytes) noexcept {
    Buffer buffer;
    buffer.data_ = static_cast<const uint8_t*>(data);
    buffer.size_bytes_ = size_bytes;
    return buffer;
  }

  /// A copy of `bytes` in memory of `pool`, aligned and padded with zeros to 64 bytes.
  static StatusOr<Buffer> Copy(std::span<const uint8_t> bytes,
                               MemoryPool* pool = MemoryPool::Default());

  /// Zero bytes at an address that is not null (and has 64 readable zero bytes). Never allocates.
  static Buffer Empty() noexcept;

  const uint8_t* data() const noexcept { return data_; }
  int64_t size_bytes() const noexcept { return size_bytes_; }
  bool absent() const noexcept { return data_ == nullptr; }
  explicit operator bool() const noexcept { return data_ != nullptr; }
  std::span<const uint8_t> bytes() const noexcept {
    return {data_, static_cast<size_t>(size_bytes_)};
  }

  /// The bytes as values of T: the caller knows the type and that the address is aligned for it.
  template <typename T>
  const T* as() const noexcept {
    return reinterpret_cast<const T*>(data_);
  }

  /// Bytes [offset, offset + size), kept alive by the same owner. The caller stays within the
  /// buffer.
  Buffer Slice(int64_t offset_bytes, int64_t size_bytes) const noexcept {
    Buffer slice = *this;
    slice.data_ += offset_bytes;
    slice.size_bytes_ = size_bytes;
    return slice;
  }

  /// Bytes that this handle keeps alive: its whole allocation, 0 if borrowed.
  int64_t retained_bytes() const noexcept {
    return storage_ == nullptr ? 0 : storage_->capacity_bytes();
  }
  /// Identifies the allocation, so that each can be counted once.
  const void* storage_id() const noexcept { return storage_; }

  /// Takes over one reference of `storage`; internal.
  static Buffer FromStorage(internal::BufferStorage* storage, const uint8_t* data,
                            int64_t size_bytes) noexcept {
    Buffer buffer;
    buffer.data_ = data;
    buffer.size_bytes_ = size_bytes;
    buffer.storage_ = storage;
    return buffer;
  }

 private:
  static Status OutOfMemory(int64_t size_bytes);
  static StatusOr<Buffer> WrapForeign(const uint8_t* data, int64_t size_bytes,
                                      int64_t capacity_bytes, void* holder,
                                      void (*release)(void*) noexcept);

  const uint8_t* data_ = nullptr;
  int64_t size_bytes_ = 0;
  internal::BufferStorage* storage_ = nullptr;
};

/// A buffer being written once: sized exactly, filled through `data()`, then made immutable by
/// `Finish`.
class SHEAF_EXPORT MutableBuffer {
 public:
  /// `size_bytes` of memory, not zeroed but for the padding behind it; aligned to 64 bytes.
  static StatusOr<MutableBuffer> Allocate(int64_t size_bytes,
                                          MemoryPool* pool = MemoryPool::Default());

  uint8_t* data() noexcept { return storage_ == nullptr ? nullptr : storage_->data(); }
  int64_t size_bytes() const noexcept { return size_bytes_; }
  template <typename T>
  T* as() noexcept {
    return reinterpret_cast<T*>(data());
  }
  Buffer Finish() && noexcept;

  MutableBuffer(MutableBuffer&& other) noexcept
      : storage_(std::exchange(other.storage_, nullptr)),
        size_bytes_(std::exchange(other.size_bytes_, 0)) {}
  MutableBuffer& operator=(MutableBuffer&& other) noexcept {
    std::swap(storage_, other.storage_);
    std::swap(size_bytes_, other.size_bytes_);
    return *this;
  }
  ~MutableBuffer() {
    if (storage_ != nullptr) storage_->Release();
  }

 private:
  MutableBuffer(internal::BufferStorage* storage, int64_t size_bytes) noexcept
      : storage_(storage), size_bytes_(size_bytes) {}
  internal::BufferStorage* storage_ = nullptr;
  int64_t size_bytes_ = 0;
};

}  // namespace sheaf::inline v1
