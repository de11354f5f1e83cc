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
    RowRange& last = ranges_.empty() ? first_ : ranges_.back();
    if (last.length == 0) {
      last = range;
      return OkStatus();
    }
    if (last.end() == range.offset) {
      last.length += range.length;
      return OkStatus();
    }
    if (ranges_.empty()) SHEAF_RETURN_IF_ERROR(ranges_.Stage(first_));
    return ranges_.Stage(range);
  }
  int64_t total() const noexcept { return total_; }
  void Clear() noexcept {
    ranges_.Clear();
    first_ = {};
    total_ = 0;
  }
  std::span<const RowRange> ranges() const noexcept {
    if (ranges_.empty()) return {&first_, first_.length == 0 ? size_t{0} : size_t{1}};
    return {ranges_.begin(), static_cast<size_t>(ranges_.size())};
  }

 private:
  RowRange first_;                 ///< The common case: one range, and no allocation.
  StagedVector<RowRange> ranges_;  ///< All of them, once there are several.
  int64_t total_ = 0;
};

}  // namespace sheaf::inline v1::internal
