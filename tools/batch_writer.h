#pragma once

#include <memory>
#include <string>
#include <variant>

#include "sheaf/array/record_batch.h"
#include "sheaf/base/status.h"
#include "sheaf/ipc/byte_sink.h"
#include "sheaf/ipc/file_reader.h"
#include "sheaf/ipc/file_writer.h"
#include "sheaf/ipc/options.h"
#include "sheaf/ipc/stream_writer.h"
#include "tools/output_file.h"

namespace sheaf::tools {

/// `-` and names that end in `.arrows` are streams, all others files.
ipc::Format DefaultFormat(const std::string& path);

/// Record batches on their way to an `OutputFile`, as a file or as a stream.
class BatchWriter {
 public:
  static StatusOr<std::unique_ptr<BatchWriter>> Open(const std::string& path, ipc::Format format,
                                                     const Schema& schema,
                                                     const ipc::WriteOptions& options);

  Status Write(const RecordBatch& batch);
  /// Ends the format and puts the file in its place; without it no file appears.
  Status Close();

 private:
  BatchWriter() = default;

  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<ipc::ByteSink> sink_;
  std::variant<std::monostate, ipc::FileWriter, ipc::StreamWriter> writer_;
};

}  // namespace sheaf::tools
