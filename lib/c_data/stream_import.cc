#include <cerrno>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "c_data/import.h"
#include "c_data/owned.h"
#include "sheaf/c_data/stream.h"

namespace sheaf::inline v1 {
namespace internal {
namespace {

StatusCode CodeOf(int error) {
  switch (error) {
    case EINVAL:
      return StatusCode::kInvalidArgument;
    case ENOMEM:
      return StatusCode::kResourceExhausted;
    case ENOSYS:
      return StatusCode::kUnimplemented;
    default:
      return StatusCode::kInternal;
  }
}

/// A producer's stream: its callbacks as statuses, its structures owned.
class ImportedStream {
 public:
  ImportedStream(OwnedStream stream, const ImportOptions& options) noexcept
      : stream_(std::move(stream)), options_(options) {}

  StatusOr<OwnedSchema> GetSchema() {
    ArrowSchema schema = {};
    const int error = stream_->get_schema(stream_.get(), &schema);
    if (error != 0) return StreamError("get_schema", error);
    return OwnedSchema::Take(&schema);
  }

  /// None at the end.
  StatusOr<std::optional<OwnedArray>> GetNext() {
    ArrowArray array = {};
    const int error = stream_->get_next(stream_.get(), &array);
    if (error != 0) return StreamError("get_next", error);
    if (array.release == nullptr) return std::optional<OwnedArray>();
    SHEAF_ASSIGN_OR_RETURN(OwnedArray owned, OwnedArray::Take(&array));
    return std::optional<OwnedArray>(std::move(owned));
  }

  const ImportOptions& options() const noexcept { return options_; }

 private:
  Status StreamError(std::string_view callback, int error) {
    const char* message = stream_->get_last_error(stream_.get());
    return ErrorOf(CodeOf(error),
                   {"stream, ", callback, ": ", message == nullptr ? "no message" : message,
                    " (errno ", error, ")"});
  }

  OwnedStream stream_;
  ImportOptions options_;
};

class StreamReader final : public RecordBatchReader {
 public:
  StreamReader(ImportedStream stream, Schema schema) noexcept
      : stream_(std::move(stream)), schema_(std::move(schema)) {}

  const Schema& schema() const noexcept override { return schema_; }

  StatusOr<std::optional<RecordBatch>> Next() override {
    SHEAF_RETURN_IF_ERROR(error_);
    if (ended_) return std::optional<RecordBatch>();
    auto batch = ReadNext();
    if (!batch.ok()) {
      error_ = batch.status();
    } else if (!batch->has_value()) {
      ended_ = true;
    }
    return batch;
  }

 private:
  StatusOr<std::optional<RecordBatch>> ReadNext() {
    SHEAF_ASSIGN_OR_RETURN(std::optional<OwnedArray> array, stream_.GetNext());
    if (!array) return std::optional<RecordBatch>();
    SHEAF_ASSIGN_OR_RETURN(RecordBatch batch,
                           ReadRecordBatch(*std::move(array), schema_, stream_.options()));
    return std::optional<RecordBatch>(std::move(batch));
  }

  ImportedStream stream_;
  Schema schema_;
  Status error_;  // Kept: a batch that was lost must not be passed over.
  bool ended_ = false;
};

}  // namespace
}  // namespace internal

StatusOr<std::unique_ptr<RecordBatchReader>> ImportStream(ArrowArrayStream* stream,
                                                          const ImportOptions& options) {
  SHEAF_ASSIGN_OR_RETURN(internal::OwnedStream owned, internal::OwnedStream::Take(stream));
  internal::ImportedStream imported(std::move(owned), options);
  SHEAF_ASSIGN_OR_RETURN(const internal::OwnedSchema of_stream, imported.GetSchema());
  SHEAF_ASSIGN_OR_RETURN(Schema schema, internal::ReadSchema(*of_stream, options.max_depth));
  std::unique_ptr<RecordBatchReader> reader(
      new (std::nothrow) internal::StreamReader(std::move(imported), std::move(schema)));
  if (reader == nullptr) return internal::OutOfMemory(sizeof(internal::StreamReader));
  return reader;
}

StatusOr<ChunkedArray> ImportChunkedArray(ArrowArrayStream* stream, const ImportOptions& options) {
  SHEAF_ASSIGN_OR_RETURN(internal::OwnedStream owned, internal::OwnedStream::Take(stream));
  internal::ImportedStream imported(std::move(owned), options);
  SHEAF_ASSIGN_OR_RETURN(const internal::OwnedSchema of_stream, imported.GetSchema());
  SHEAF_ASSIGN_OR_RETURN(const Field field, internal::ReadField(*of_stream, options.max_depth));
  std::vector<Array> chunks;
  while (true) {
    SHEAF_ASSIGN_OR_RETURN(std::optional<internal::OwnedArray> next, imported.GetNext());
    if (!next) break;
    SHEAF_ASSIGN_OR_RETURN(Array chunk,
                           internal::ReadArray(*std::move(next), field.type(), options));
    chunks.push_back(std::move(chunk));
  }
  return ChunkedArray::Make(field.type(), std::move(chunks));
}

}  // namespace sheaf
