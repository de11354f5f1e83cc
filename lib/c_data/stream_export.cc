#include <cerrno>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "sheaf/c_data/stream.h"

namespace sheaf::inline v1 {
namespace internal {
namespace {

/// What an exported stream draws from.
class StreamSource {
 public:
  StreamSource() = default;
  StreamSource(const StreamSource&) = delete;
  StreamSource& operator=(const StreamSource&) = delete;
  virtual ~StreamSource() = default;
  virtual Status ExportSchemaTo(ArrowSchema* out) = 0;
  /// A released `out` is the end.
  virtual Status ExportNextTo(ArrowArray* out) = 0;
};

class BatchSource final : public StreamSource {
 public:
  BatchSource(std::unique_ptr<RecordBatchReader> reader, MemoryPool* pool) noexcept
      : reader_(std::move(reader)), pool_(pool) {}
  Status ExportSchemaTo(ArrowSchema* out) override {
    return ExportSchema(reader_->schema(), out, pool_);
  }
  Status ExportNextTo(ArrowArray* out) override {
    SHEAF_ASSIGN_OR_RETURN(const std::optional<RecordBatch> batch, reader_->Next());
    return batch ? ExportRecordBatch(*batch, out, nullptr, pool_) : OkStatus();
  }

 private:
  std::unique_ptr<RecordBatchReader> reader_;
  MemoryPool* pool_;
};

class ChunkSource final : public StreamSource {
 public:
  ChunkSource(ChunkedArray array, MemoryPool* pool) noexcept
      : array_(std::move(array)), pool_(pool) {}
  Status ExportSchemaTo(ArrowSchema* out) override { return ExportType(array_.type(), out, pool_); }
  Status ExportNextTo(ArrowArray* out) override {
    if (next_ == array_.num_chunks()) return OkStatus();
    SHEAF_RETURN_IF_ERROR(ExportArray(array_.chunk(next_), out, nullptr, pool_));
    ++next_;  // Not after a failure: the chunk may be asked for again.
    return OkStatus();
  }

 private:
  ChunkedArray array_;
  MemoryPool* pool_;
  int next_ = 0;
};

/// Private data of an exported stream.
struct ExportedStream {
  std::unique_ptr<StreamSource> source;
  std::string last_error;
};

int ErrnoOf(const Status& status) {
  switch (status.code()) {
    case StatusCode::kOk:
      return 0;
    case StatusCode::kInvalidArgument:
    case StatusCode::kOutOfRange:
      return EINVAL;
    case StatusCode::kResourceExhausted:
      return ENOMEM;
    case StatusCode::kUnimplemented:
      return ENOSYS;
    default:
      return EIO;
  }
}

ExportedStream& StateOf(ArrowArrayStream* stream) {
  return *static_cast<ExportedStream*>(stream->private_data);
}

int Report(ArrowArrayStream* stream, const Status& status) {
  StateOf(stream).last_error.assign(status.message().data(), status.message().size());
  return ErrnoOf(status);
}

int GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  *out = {};
  return Report(stream, StateOf(stream).source->ExportSchemaTo(out));
}

int GetNext(ArrowArrayStream* stream, ArrowArray* out) {
  *out = {};
  return Report(stream, StateOf(stream).source->ExportNextTo(out));
}

// Null where the last call succeeded.
const char* GetLastError(ArrowArrayStream* stream) {
  const std::string& error = StateOf(stream).last_error;
  return error.empty() ? nullptr : error.c_str();
}

void ReleaseStream(ArrowArrayStream* stream) {
  delete &StateOf(stream);
  stream->private_data = nullptr;
  stream->release = nullptr;
}

template <typename Source, typename Origin>
Status ExportFrom(Origin origin, ArrowArrayStream* out, MemoryPool* pool) {
  *out = {};
  std::unique_ptr<StreamSource> source(new (std::nothrow) Source(std::move(origin), pool));
  if (source == nullptr) return OutOfMemory(sizeof(Source));
  auto* state = new (std::nothrow) ExportedStream{std::move(source), {}};
  if (state == nullptr) return OutOfMemory(sizeof(ExportedStream));
  *out = ArrowArrayStream{.get_schema = GetSchema,
                          .get_next = GetNext,
                          .get_last_error = GetLastError,
                          .release = ReleaseStream,
                          .private_data = state};
  return OkStatus();
}

}  // namespace
}  // namespace internal

Status ExportStream(std::unique_ptr<RecordBatchReader> reader, ArrowArrayStream* out,
                    MemoryPool* pool) {
  return internal::ExportFrom<internal::BatchSource>(std::move(reader), out, pool);
}

Status ExportStream(ChunkedArray array, ArrowArrayStream* out, MemoryPool* pool) {
  return internal::ExportFrom<internal::ChunkSource>(std::move(array), out, pool);
}

}  // namespace sheaf
