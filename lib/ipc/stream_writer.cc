#include "sheaf/ipc/stream_writer.h"

#include <utility>

#include "ipc/message_writer.h"
#include "ipc/write_batch.h"
#include "ipc/write_schema.h"

namespace sheaf::inline v1::ipc {

struct StreamWriter::State {
  internal::MessageWriter messages;
};

StreamWriter::StreamWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
StreamWriter::StreamWriter(StreamWriter&&) noexcept = default;
StreamWriter& StreamWriter::operator=(StreamWriter&&) noexcept = default;
StreamWriter::~StreamWriter() = default;

StatusOr<StreamWriter> StreamWriter::Open(Schema schema, ByteSink* sink, WriteOptions options) {
  SHEAF_ASSIGN_OR_RETURN(internal::MessageWriter messages,
                         internal::MessageWriter::Make(std::move(schema), sink, options,
                                                       /*replacements=*/true));
  SHEAF_RETURN_IF_ERROR(messages.WriteSchemaMessage());
  return StreamWriter(std::make_unique<State>(State{std::move(messages)}));
}

const Schema& StreamWriter::schema() const noexcept { return state_->messages.schema(); }

Status StreamWriter::Write(const RecordBatch& batch) {
  return state_->messages.WriteBatch(batch).status();
}

Status StreamWriter::Close() {
  internal::MessageWriter& messages = state_->messages;
  if (messages.closed()) return OkStatus();
  SHEAF_RETURN_IF_ERROR(messages.CheckOpen());
  SHEAF_RETURN_IF_ERROR(messages.WriteEndMarker());
  messages.SetClosed();
  return OkStatus();
}

int64_t StreamWriter::bytes_written() const noexcept { return state_->messages.position(); }

StatusOr<int64_t> MessageSize(const RecordBatch& batch, const WriteOptions& options) {
  SHEAF_RETURN_IF_ERROR(internal::CheckOptions(options));
  SHEAF_RETURN_IF_ERROR(internal::CheckWritable(batch.schema(), options.max_depth));
  SHEAF_ASSIGN_OR_RETURN(const internal::BatchBody body,
                         internal::MakeBatchBody(batch, options, /*compress=*/false));
  const flatbuffers::DetachedBuffer metadata = internal::BatchMetadata(body);
  return internal::PaddedMetadataBytes(static_cast<int64_t>(metadata.size()), options.alignment) +
         body.body_bytes;
}

}  // namespace sheaf::inline v1::ipc
