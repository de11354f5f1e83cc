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

/// Writes an Arrow IPC stream: the schema, batches, the end marker. Metadata V5, little-endian.
///
/// A batch is written as it is seen: of a slice only what its rows use. Offsets and run ends start
/// at 0, list-views keep their order and their sharing, views of strings only the data they point
/// into.
///
/// Every field path with a dictionary has an id of its own. A dictionary is written before the
/// first batch that has it, again only where it holds other values, and as a delta where it goes on
/// from the one before. Dictionaries are compared by value, so that batches may each bring an equal
/// array.
class SHEAF_EXPORT StreamWriter {
 public:
  /// Writes the schema. The sink must outlive the writer.
  /// \return kInvalidArgument for wrong options, a column nested too deep, and a dictionary whose
  /// values are dictionaries or of an extension type, which the format cannot say; the sink's
  /// error.
  static StatusOr<StreamWriter> Open(Schema schema, ByteSink* sink, WriteOptions options = {});
  StreamWriter(StreamWriter&&) noexcept;
  StreamWriter& operator=(StreamWriter&&) noexcept;
  ~StreamWriter();

  const Schema& schema() const noexcept;

  /// Writes a batch whose columns have the schema's types.
  /// \return kInvalidArgument where they have not, or where the batch is not valid: nothing is then
  /// written and the writer may go on. After an error of the sink every call is
  /// kFailedPrecondition.
  Status Write(const RecordBatch& batch);

  /// Writes the end marker; without it a stream that is cut looks whole. Again: nothing happens.
  Status Close();

  int64_t bytes_written() const noexcept;

 private:
  struct State;
  explicit StreamWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Bytes that `StreamWriter::Write` would write for `batch`: prefix, metadata, padding and body,
/// but not the dictionaries that may go before it. Exact without compression, an upper bound with
/// it. Costs what trimming costs: moved offsets, one pass over views. \return what `Write` would
/// return.
SHEAF_EXPORT StatusOr<int64_t> MessageSize(const RecordBatch& batch,
                                           const WriteOptions& options = {});

}  // namespace sheaf::inline v1::ipc
