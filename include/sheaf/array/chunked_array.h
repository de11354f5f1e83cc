#pragma once

#include <cstdint>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// Arrays of one type read one after the other; there may be none.
class SHEAF_EXPORT ChunkedArray {
 public:
  ChunkedArray() = default;

  /// \return kInvalidArgument naming the first chunk of another type.
  static StatusOr<ChunkedArray> Make(DataType type, std::vector<Array> chunks);

  const DataType& type() const noexcept { return type_; }
  int64_t length() const noexcept { return length_; }
  int64_t null_count() const noexcept;
  int num_chunks() const noexcept { return static_cast<int>(chunks_.size()); }
  const Array& chunk(int i) const noexcept { return chunks_[static_cast<size_t>(i)]; }
  const std::vector<Array>& chunks() const noexcept { return chunks_; }

  ChunkedArray Slice(int64_t offset, int64_t length) const;

  /// Same values in the same order, wherever the chunk borders are.
  friend SHEAF_EXPORT bool operator==(const ChunkedArray& a, const ChunkedArray& b);

 private:
  DataType type_;
  int64_t length_ = 0;
  std::vector<Array> chunks_;
};

}  // namespace sheaf
