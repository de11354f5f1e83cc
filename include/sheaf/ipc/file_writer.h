#pragma once

#include <cstdint>
#include <memory>

#include "sheaf/array/record_batch.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/ipc/byte_sink.h"
#include "sheaf/ipc/options.h"
#include "sheaf/type/schema.h"

namespace sheaf::inline v1::ipc {

/// Writes an Arrow IPC file: what `StreamWriter` writes between two magics, and a footer that says
/// where each batch and each dictionary is. See `StreamWriter` for how batches are written and for
/// errors.
///
/// A file has one dictionary a field path for all its batches: one that does not go on from what
/// was written before is kFailedPrecondition, nothing of its batch is written, and the writer may
/// go on.
class SHEAF_EXPORT FileWriter {
 public:
  static StatusOr<FileWriter> Open(Schema schema, ByteSink* sink, WriteOptions options = {});
  FileWriter(FileWriter&&) noexcept;
  FileWriter& operator=(FileWriter&&) noexcept;
  ~FileWriter();

  const Schema& schema() const noexcept;
  Status Write(const RecordBatch& batch);
  /// Writes the footer; without it the file cannot be read. Again: nothing happens.
  Status Close();
  int64_t bytes_written() const noexcept;

 private:
  struct State;
  explicit FileWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sheaf::inline v1::ipc
