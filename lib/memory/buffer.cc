#include "sheaf/memory/buffer.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/error.h"
#include "memory/pool_storage.h"
#include "sheaf/base/bits.h"

namespace sheaf::inline v1 {
namespace {

using internal::BufferStorage;
using internal::PoolStorage;

/// Data of `Buffer::Empty`, and of foreign buffers that are empty and have no address.
alignas(64) constexpr uint8_t kZeros[64] = {};

/// Owner of bytes that came from elsewhere.
class ForeignStorage final : public BufferStorage {
 public:
  using ReleaseHolder = void (*)(void*) noexcept;
  ForeignStorage(int64_t capacity_bytes, void* holder, ReleaseHolder release) noexcept
      : BufferStorage(nullptr, capacity_bytes, &Free), holder_(holder), release_holder_(release) {}

 private:
  static void Free(BufferStorage* storage) noexcept {
    auto* self = static_cast<ForeignStorage*>(storage);
    self->release_holder_(self->holder_);
    delete self;
  }

  void* holder_;
  ReleaseHolder release_holder_;
};

}  // namespace

Status Buffer::OutOfMemory(int64_t size_bytes) { return internal::OutOfMemory(size_bytes); }

StatusOr<Buffer> Buffer::WrapForeign(const uint8_t* data, int64_t size_bytes,
                                     int64_t capacity_bytes, void* holder,
                                     void (*release)(void*) noexcept) {
  if (size_bytes < 0 || (data == nullptr && size_bytes > 0)) {
    release(holder);
    return internal::InvalidArgument("buffer of ", size_bytes, " bytes at ",
                                     data == nullptr ? "a null address" : "an address");
  }
  auto* storage = new (std::nothrow) ForeignStorage(capacity_bytes, holder, release);
  if (storage == nullptr) {
    release(holder);
    return internal::OutOfMemory(sizeof(ForeignStorage));
  }
  return FromStorage(storage, data == nullptr ? kZeros : data, size_bytes);
}

StatusOr<Buffer> Buffer::Copy(std::span<const uint8_t> bytes, MemoryPool* pool) {
  if (bytes.empty()) return Empty();
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer copy,
                         MutableBuffer::Allocate(static_cast<int64_t>(bytes.size()), pool));
  std::memcpy(copy.data(), bytes.data(), bytes.size());
  return std::move(copy).Finish();
}

Buffer Buffer::Empty() noexcept { return Borrow(kZeros, 0); }

StatusOr<MutableBuffer> MutableBuffer::Allocate(int64_t size_bytes, MemoryPool* pool) {
  if (size_bytes < 0) return internal::InvalidArgument("buffer of ", size_bytes, " bytes");
  if (size_bytes > PoolStorage::kLargestBuffer) return internal::OutOfMemory(size_bytes);
  // One padded line even for no bytes: the address is then readable like that of any other buffer.
  const int64_t padded_bytes = RoundUp64(std::max<int64_t>(size_bytes, 1));
  auto* storage = PoolStorage::Allocate(padded_bytes, pool);
  if (storage == nullptr) return internal::OutOfMemory(size_bytes);
  std::memset(storage->data() + size_bytes, 0, static_cast<size_t>(padded_bytes - size_bytes));
  return MutableBuffer(storage, size_bytes);
}

Buffer MutableBuffer::Finish() && noexcept {
  BufferStorage* storage = std::exchange(storage_, nullptr);
  const int64_t size_bytes = std::exchange(size_bytes_, 0);
  if (storage == nullptr) return Buffer();
  return Buffer::FromStorage(storage, storage->data(), size_bytes);
}

}  // namespace sheaf::inline v1
