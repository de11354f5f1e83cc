#include "sheaf/memory/buffer_builder.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "memory/pool_storage.h"
#include "sheaf/base/bits.h"
#include "sheaf/base/checked.h"
#include "sheaf/memory/staged_vector.h"

namespace sheaf::inline v1 {

using internal::PoolStorage;

namespace internal {
Status OutOfPoolMemory(int64_t size_bytes) { return OutOfMemory(size_bytes); }
}  // namespace internal

Status BufferBuilder::Grow(int64_t additional_bytes) {
  int64_t needed = 0;
  if (AddOverflows(staged_, additional_bytes, &needed) ||
      needed > PoolStorage::kLargestBuffer - kSlackBytes) {
    return internal::OutOfRange("a buffer of ", staged_, " + ", additional_bytes,
                                " bytes is too large");
  }
  // Doubling alone would leave half of a single large append unused: there the exact size is taken.
  const int64_t doubled = capacity_ <= needed / 2 ? needed : 2 * capacity_;
  const int64_t data_bytes =
      std::min(RoundUp64(doubled), PoolStorage::kLargestBuffer - 2 * kSlackBytes) + kSlackBytes;
  PoolStorage* grown = nullptr;
  if (storage_ == nullptr) {
    grown = PoolStorage::Allocate(data_bytes, pool_);
  } else if (storage_->unique()) {
    grown = PoolStorage::Resize(static_cast<PoolStorage*>(storage_), data_bytes);
  } else {
    // Shared with an array that a Finish gave before it failed elsewhere: that one keeps its bytes.
    grown = PoolStorage::Allocate(data_bytes, pool_);
    if (grown != nullptr) {
      std::memcpy(grown->data(), data_, static_cast<size_t>(capacity_));
      storage_->Release();
    }
  }
  if (grown == nullptr) return internal::OutOfMemory(data_bytes);
  storage_ = grown;
  data_ = grown->data();
  capacity_ = grown->data_bytes() - kSlackBytes;
  return OkStatus();
}

Buffer BufferBuilder::Share() noexcept {
  if (storage_ == nullptr) return Buffer::Empty();
  // A result should not hold much more than its bytes; a quarter is not worth a reallocation.
  const int64_t exact_bytes = RoundUp64(committed_) + kSlackBytes;
  auto* storage = static_cast<PoolStorage*>(storage_);
  if (storage->data_bytes() > exact_bytes + exact_bytes / 4 && storage->unique()) {
    if (PoolStorage* shrunk = PoolStorage::Resize(storage, exact_bytes); shrunk != nullptr) {
      storage_ = shrunk;
      data_ = shrunk->data();
      capacity_ = shrunk->data_bytes() - kSlackBytes;
    }
  }
  std::memset(
      data_ + committed_, 0,
      static_cast<size_t>(std::min(RoundUp64(committed_) + kSlackBytes, capacity_ + kSlackBytes) -
                          committed_));
  storage_->Retain();
  return Buffer::FromStorage(storage_, data_, committed_);
}

void BufferBuilder::Reset() noexcept {
  if (storage_ != nullptr) storage_->Release();
  storage_ = nullptr;
  data_ = nullptr;
  committed_ = staged_ = capacity_ = 0;
}

}  // namespace sheaf
