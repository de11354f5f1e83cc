#include "sheaf/memory/buffer_builder.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "memory/pool_storage.h"
#include "sheaf/base/bits.h"
#include "sheaf/base/checked.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/staged_vector.h"

namespace sheaf::inline v1 {

using internal::PoolStorage;

namespace internal {
Status OutOfPoolMemory(int64_t size_bytes) { return OutOfMemory(size_bytes); }
}  // namespace internal

namespace {

/// About twice the capacity and at least `needed`. It is the whole block, header and slack too,
/// that doubles, and that becomes whole pages of 2 MiB: a line more would cost a warm pool a page
/// more.
int64_t Doubled(int64_t capacity, int64_t needed) {
  constexpr int64_t kExtraBytes = PoolStorage::kHeaderBytes + BufferBuilder::kSlackBytes;
  constexpr int64_t kPageBytes = int64_t{2} << 20;
  int64_t block = 2 * (capacity + kExtraBytes);
  if (block > kPageBytes) block -= block % kPageBytes;
  return std::max(block - kExtraBytes, needed);
}

}  // namespace

int64_t BufferBuilder::capacity_bytes() const noexcept {
  if (storage_ == nullptr) return 0;
  return static_cast<const PoolStorage*>(storage_)->data_bytes() - kSlackBytes;
}

bool BufferBuilder::ClaimIfAlone() noexcept {
  if (storage_ == nullptr || !storage_->unique()) return false;
  limit_ = capacity_bytes();
  shared_ = 0;
  return true;
}

Status BufferBuilder::Grow(int64_t used_bytes, int64_t additional_bytes) {
  int64_t needed = 0;
  if (AddOverflows(used_bytes, additional_bytes, &needed) ||
      needed > PoolStorage::kLargestBuffer - kSlackBytes) {
    return internal::OutOfRange("a buffer of ", used_bytes, " + ", additional_bytes,
                                " bytes is too large");
  }
  const bool alone = ClaimIfAlone();
  if (alone && needed <= limit_) return OkStatus();
  // Doubling alone would leave half of a single large append unused: there the exact size is taken.
  // What moves away from shared memory without growing stays within the size it had.
  const int64_t capacity = capacity_bytes();
  int64_t wanted = capacity <= needed / 2 ? needed : Doubled(capacity, needed);
  if (needed <= capacity) wanted = std::min(2 * needed, capacity);
  const int64_t data_bytes =
      std::min(RoundUp64(wanted), PoolStorage::kLargestBuffer - 2 * kSlackBytes) + kSlackBytes;
  PoolStorage* grown = nullptr;
  if (alone) {
    grown = PoolStorage::Resize(static_cast<PoolStorage*>(storage_), data_bytes);
  } else {
    // Arrays that were made of these bytes keep them.
    grown = PoolStorage::Allocate(data_bytes, pool_);
    if (grown != nullptr && storage_ != nullptr) {
      if (used_bytes > 0) std::memcpy(grown->data(), data_, static_cast<size_t>(used_bytes));
      storage_->Release();
    }
  }
  if (grown == nullptr) return internal::OutOfMemory(data_bytes);
  storage_ = grown;
  data_ = grown->data();
  ClaimIfAlone();
  return OkStatus();
}

Buffer BufferBuilder::ShareBytes(int64_t size_bytes, Sharing sharing) noexcept {
  if (storage_ == nullptr) return Buffer::Empty();
  // A result should not hold much more than its bytes; a quarter is not worth a reallocation.
  const int64_t exact_bytes = RoundUp64(size_bytes) + kSlackBytes;
  auto* storage = static_cast<PoolStorage*>(storage_);
  if (ClaimIfAlone() && sharing == Sharing::kFinal &&
      storage->data_bytes() > exact_bytes + exact_bytes / 4) {
    if (PoolStorage* shrunk = PoolStorage::Resize(storage, exact_bytes); shrunk != nullptr) {
      storage_ = shrunk;
      data_ = shrunk->data();
      limit_ = capacity_bytes();
    }
  }
  const int64_t end = std::min(exact_bytes, capacity_bytes() + kSlackBytes);
  const int64_t begin = std::max(size_bytes, shared_);
  if (begin < end) std::memset(data_ + begin, 0, static_cast<size_t>(end - begin));
  shared_ = std::max(size_bytes, shared_);
  storage_->Retain();
  return Buffer::FromStorage(storage_, data_, size_bytes);
}

StatusOr<Buffer> BufferBuilder::ShareBits(int64_t length, Sharing sharing) {
  // Shared ones are not written where they are zero: another thread may be reading this very byte.
  const int64_t last = length >> 3;
  if (length % 8 != 0 && (last >= shared_ || data_[last] >> (length & 7) != 0)) {
    SHEAF_RETURN_IF_ERROR(ReserveBits(length, RoundUp8(length)));
    FillBits(data_, length, RoundUp8(length) - length, false);
  }
  return ShareBytes(BytesForBits(length), sharing);
}

void BufferBuilder::Reset() noexcept {
  if (storage_ != nullptr) storage_->Release();
  storage_ = nullptr;
  data_ = nullptr;
  committed_ = staged_ = limit_ = shared_ = 0;
}

}  // namespace sheaf
