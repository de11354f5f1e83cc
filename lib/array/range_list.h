#pragma once

#include <cstdint>
#include <span>

#include "base/error.h"
#include "sheaf/array/row_range.h"
#include "sheaf/base/checked.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/staged_vector.h"

namespace sheaf::inline v1::internal {

/// Collects element ranges, joining those that touch, in memory of the pool.
class RangeList {
 public:
  explicit RangeList(MemoryPool* pool) noexcept : ranges_(pool) {}
  /// \return kOutOfRange where all ranges together exceed 64 bits; kResourceExhausted.
  Status Add(RowRange range) {
    if (range.length == 0) return OkStatus();
    // Views may share elements, and nulls take no memory: the sum has no bound but this.
    if (AddOverflows(total_, range.length, &total_)) {
      return OutOfRange("more elements than 64 bits count");
    }
    if (!ranges_.empty() && ranges_.back().end() == range.offset) {
      ranges_.back().length += range.length;
      return OkStatus();
    }
    return ranges_.Stage(range);
  }
  int64_t total() const noexcept { return total_; }
  void Clear() noexcept {
    ranges_.Clear();
    total_ = 0;
  }
  std::span<const RowRange> ranges() const noexcept {
    return {ranges_.begin(), static_cast<size_t>(ranges_.size())};
  }

 private:
  StagedVector<RowRange> ranges_;
  int64_t total_ = 0;
};

}  // namespace sheaf::inline v1::internal
