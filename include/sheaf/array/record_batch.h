#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/type/schema.h"

namespace sheaf::inline v1 {

/// Columns of one length under a schema; possibly no column, but rows all the same.
class SHEAF_EXPORT RecordBatch {
 public:
  RecordBatch() = default;

  /// \return kInvalidArgument where a column's type or length, or the number of columns, does not
  /// match.
  static StatusOr<RecordBatch> Make(Schema schema, int64_t num_rows, std::vector<Array> columns);

  const Schema& schema() const noexcept { return schema_; }
  int64_t num_rows() const noexcept { return num_rows_; }
  int num_columns() const noexcept { return static_cast<int>(columns_.size()); }
  const Array& column(int i) const noexcept { return columns_[static_cast<size_t>(i)]; }
  const std::vector<Array>& columns() const noexcept { return columns_; }

  /// Rows [offset, offset + length), clamped to the batch.
  RecordBatch Slice(int64_t offset, int64_t length) const;

  /// The columns as a struct array without a bitmap. \return kResourceExhausted.
  StatusOr<Array> ToStruct(MemoryPool* pool = MemoryPool::Default()) const;
  /// The fields of a struct array cut to its window. \return kInvalidArgument where it has nulls at
  /// the top.
  static StatusOr<RecordBatch> FromStruct(const Array& array, Metadata metadata = {});

  /// Validates every column; the path names it (`$.a`).
  Status Validate(ValidationLevel level = ValidationLevel::kFull) const;

  std::string ToString() const;
  friend SHEAF_EXPORT bool operator==(const RecordBatch& a, const RecordBatch& b);

 private:
  Schema schema_;
  int64_t num_rows_ = 0;
  std::vector<Array> columns_;
};

}  // namespace sheaf
