#pragma once

#include <optional>

#include "sheaf/array/record_batch.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/type/schema.h"

namespace sheaf::inline v1 {

/// Record batches of one schema, one after the other: what IPC readers are, and what a C stream is
/// imported as and exported from. Not thread-safe; the batches outlive the reader.
class SHEAF_EXPORT RecordBatchReader {
 public:
  RecordBatchReader() = default;
  RecordBatchReader(const RecordBatchReader&) = delete;
  RecordBatchReader& operator=(const RecordBatchReader&) = delete;
  virtual ~RecordBatchReader() = default;

  /// Of every batch.
  virtual const Schema& schema() const noexcept = 0;

  /// The next batch; none at the end, however often it is asked for again. After an error, what
  /// comes is up to the source: an error again, or the end.
  virtual StatusOr<std::optional<RecordBatch>> Next() = 0;
};

}  // namespace sheaf
