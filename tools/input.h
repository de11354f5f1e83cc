#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sheaf/array/record_batch.h"
#include "sheaf/array/record_batch_reader.h"
#include "sheaf/base/status.h"
#include "sheaf/ipc/file_reader.h"
#include "sheaf/ipc/options.h"
#include "sheaf/type/schema.h"

namespace sheaf::tools {

class CountingSource;

/// An Arrow IPC file or stream by its path, told apart by its first bytes. Files are mapped into
/// memory; streams are read batch by batch, so that memory is bounded by the largest batch. `-` is
/// standard input, where a file is held in memory whole.
class Input {
 public:
  /// \return the system's error, or what is wrong with the schema or the footer.
  static StatusOr<std::unique_ptr<Input>> Open(const std::string& path,
                                               const ipc::ReadOptions& options = {});

  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input();

  const Schema& schema() const { return reader_->schema(); }
  const char* format() const { return format_ == ipc::Format::kFile ? "file" : "stream"; }

  /// The next batch, none at the end. An error names the batch.
  StatusOr<std::optional<RecordBatch>> NextBatch();

  /// The same, after the checks that let offsets, views and indices be followed (`Array::Verify`).
  StatusOr<std::optional<RecordBatch>> NextVerifiedBatch();

  /// Batches given so far.
  int64_t batches_read() const { return batches_read_; }
  /// How much of the input has been read, 0 to 1; -1 where it has no end that is known (a pipe).
  double fraction() const;

 private:
  Input() = default;
  Status OpenFile(Buffer bytes, const ipc::ReadOptions& options);
  Status OpenStream(std::unique_ptr<CountingSource> source, const ipc::ReadOptions& options);

  ipc::Format format_ = ipc::Format::kStream;
  std::unique_ptr<RecordBatchReader> reader_;
  const CountingSource* source_ = nullptr;  // Streams: owned by the reader.
  int64_t num_batches_ = 0;                 // Files.
  int64_t batches_read_ = 0;
};

/// The same status with the batch behind it: `what, where, batch 3`. Batches are counted from 0.
Status AtBatch(const Status& status, int64_t batch);

}  // namespace sheaf::tools
