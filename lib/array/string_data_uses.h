#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "array/string_view_slot.h"
#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"
#include "sheaf/memory/staged_vector.h"

namespace sheaf::inline v1::internal {

/// What rows of a binary-view array use of one of its data buffers.
struct DataUse {
  int32_t buffer = 0;     ///< Its number among the array's data buffers.
  int32_t target = -1;    ///< The buffer that its bytes go to, where the user of this says so,
  int64_t shift = 0;      ///< and what offsets move by.
  int64_t sum_bytes = 0;  ///< Of all long values; those that share bytes count each.
  int64_t begin = 0;      ///< The first byte in use and the end of the last.
  int64_t end = 0;

  int64_t hull_bytes() const noexcept { return end - begin; }
  /// At most so many bytes are in use: each once, or those between the first and the last.
  int64_t used_bytes() const noexcept { return sum_bytes < hull_bytes() ? sum_bytes : end - begin; }
};

/// The data buffers that valid rows of a verified binary-view array use. Costs the rows looked at,
/// however many data buffers the array has.
class StringDataUses {
 public:
  explicit StringDataUses(MemoryPool* pool) noexcept : more_(pool), buckets_(pool) {}

  /// Adds rows [offset, offset + length) of the window. \return kResourceExhausted.
  Status Add(const Array& array, int64_t offset, int64_t length);

  int64_t size() const noexcept { return size_; }
  DataUse& operator[](int64_t i) noexcept {
    return i < kInline ? first_[static_cast<size_t>(i)] : more_[i - kInline];
  }
  const DataUse& operator[](int64_t i) const noexcept {
    return i < kInline ? first_[static_cast<size_t>(i)] : more_[i - kInline];
  }
  /// That of a data buffer which was added; null of one that was not.
  DataUse* Find(int32_t buffer) noexcept;

  int64_t sum_bytes() const noexcept;
  int64_t used_bytes() const noexcept;

 private:
  static constexpr int64_t kInline = 4;  // Most arrays have no more data buffers.

  Status FindOrAdd(int32_t buffer, DataUse** use);
  Status GrowBuckets();
  int64_t BucketOf(int32_t buffer) const noexcept;

  std::array<DataUse, kInline> first_;
  StagedVector<DataUse> more_;
  int64_t size_ = 0;
  /// Numbers of the uses by their buffer, -1 where free: as many as a power of two, once there are
  /// more than `kInline` uses.
  StagedVector<int32_t> buckets_;
};

}  // namespace sheaf::inline v1::internal
