#pragma once

#include <cstdint>
#include <new>

#include "base/error.h"
#include "c_data/owned.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// The one owner of an imported array, shared by every buffer that points into it. The array is
/// released with the last of them.
class ImportedStorage final : public BufferStorage {
 public:
  /// One reference, held by the caller. \return kResourceExhausted; the array is then released.
  static StatusOr<ImportedStorage*> Make(OwnedArray array, MemoryPool* pool) {
    uint8_t* block = pool->Allocate(sizeof(ImportedStorage));
    if (block == nullptr) return OutOfMemory(sizeof(ImportedStorage));
    return new (block) ImportedStorage(std::move(array), pool);
  }

  const ArrowArray& array() const noexcept { return *array_; }

  /// Bytes of the producer as a buffer. They count as retained by whoever keeps any buffer of the
  /// import.
  Buffer Share(const void* data, int64_t size_bytes) noexcept {
    Retain();
    capacity_bytes_ += size_bytes;
    return Buffer::FromStorage(this, static_cast<const uint8_t*>(data), size_bytes);
  }

 private:
  ImportedStorage(OwnedArray array, MemoryPool* pool) noexcept
      : BufferStorage(nullptr, 0, &Free), array_(std::move(array)), pool_(pool) {}

  static void Free(BufferStorage* storage) noexcept {
    auto* self = static_cast<ImportedStorage*>(storage);
    MemoryPool* pool = self->pool_;
    self->~ImportedStorage();
    pool->Free(reinterpret_cast<uint8_t*>(self), sizeof(ImportedStorage));
  }

  OwnedArray array_;
  MemoryPool* pool_;
};

}  // namespace sheaf::inline v1::internal
