#include "ipc/message_writer.h"

#include <utility>

#include "base/error.h"
#include "ipc/field_walk.h"
#include "ipc/message.h"
#include "ipc/write_batch.h"
#include "ipc/write_schema.h"

namespace sheaf::inline v1::internal {
namespace {

/// Pieces up to this size are copied and written together: a system call costs more than the copy.
constexpr size_t kGatherBytes = 4096;

std::span<const uint8_t> BytesOf(const flatbuffers::DetachedBuffer& buffer) {
  return {buffer.data(), buffer.size()};
}

}  // namespace

int64_t PaddedMetadataBytes(int64_t metadata_bytes, int64_t alignment) {
  return (kPrefixBytes + metadata_bytes + alignment - 1) / alignment * alignment;
}

StatusOr<MessageWriter> MessageWriter::Make(Schema schema, ipc::ByteSink* sink,
                                            ipc::WriteOptions options) {
  SHEAF_RETURN_IF_ERROR(CheckOptions(options));
  SHEAF_RETURN_IF_ERROR(CheckWritable(schema, options.max_depth));
  MessageWriter writer;
  writer.schema_ = std::move(schema);
  writer.options_ = options;
  writer.sink_ = sink;
  return writer;
}

Status MessageWriter::WriteSchemaMessage() {
  flatbuffers::FlatBufferBuilder builder;
  SHEAF_ASSIGN_OR_RETURN(const auto schema, WriteSchema(builder, schema_, options_.max_depth));
  builder.Finish(format::CreateMessage(builder, format::MetadataVersion::V5,
                                       format::MessageHeader::Schema, schema.Union()));
  SHEAF_RETURN_IF_ERROR(PutMetadata(builder.Release()));
  return Flush();
}

StatusOr<format::Block> MessageWriter::WriteBatch(const RecordBatch& batch) {
  SHEAF_RETURN_IF_ERROR(CheckOpen());
  SHEAF_RETURN_IF_ERROR(CheckBatch(batch));
  // All that can be wrong with the batch comes up before the first byte is written.
  SHEAF_ASSIGN_OR_RETURN(const BatchBody body, MakeBatchBody(batch, options_, /*compress=*/true));
  SHEAF_ASSIGN_OR_RETURN(const flatbuffers::DetachedBuffer metadata, BatchMetadata(body));

  const int64_t start = position_;
  SHEAF_RETURN_IF_ERROR(PutMetadata(metadata));
  const int64_t body_start = position_;
  for (const Buffer& buffer : body.buffers) {
    SHEAF_RETURN_IF_ERROR(Put(buffer.bytes()));
    SHEAF_RETURN_IF_ERROR(PadTo(options_.alignment));
  }
  SHEAF_DCHECK(position_ - body_start == body.body_bytes);
  SHEAF_RETURN_IF_ERROR(Flush());
  return format::Block(start, static_cast<int32_t>(body_start - start), body.body_bytes);
}

Status MessageWriter::WriteEndMarker() {
  SHEAF_RETURN_IF_ERROR(PutValue(kContinuation));
  SHEAF_RETURN_IF_ERROR(PutValue(int32_t{0}));
  return Flush();
}

Status MessageWriter::CheckOpen() const {
  if (broken_) return FailedPrecondition("the sink has failed before");
  if (closed_) return FailedPrecondition("the writer is closed");
  return OkStatus();
}

Status MessageWriter::CheckBatch(const RecordBatch& batch) const {
  if (batch.num_columns() != schema_.num_fields()) {
    return InvalidArgument("a batch of ", batch.num_columns(), " columns, not ",
                           schema_.num_fields());
  }
  FieldWalk walk;
  for (int i = 0; i < batch.num_columns(); ++i) {
    const FieldWalk::Step step(walk, schema_.fields(), i);
    const DataType& wanted = schema_.field(i).type();
    const DataType& given = batch.column(i).type();
    if (given == wanted) continue;
    return walk.Invalid("a column of ", given.ToString(), ", not ", wanted.ToString());
  }
  return OkStatus();
}

Status MessageWriter::PutMetadata(const flatbuffers::DetachedBuffer& metadata) {
  const auto size_bytes = static_cast<int64_t>(metadata.size());
  const int64_t padded = PaddedMetadataBytes(size_bytes, options_.alignment);
  SHEAF_RETURN_IF_ERROR(PutValue(kContinuation));
  SHEAF_RETURN_IF_ERROR(PutValue(static_cast<int32_t>(padded - kPrefixBytes)));
  SHEAF_RETURN_IF_ERROR(Put(BytesOf(metadata)));
  return PadTo(options_.alignment);
}

Status MessageWriter::Put(std::span<const uint8_t> bytes) {
  position_ += static_cast<int64_t>(bytes.size());
  if (bytes.size() <= kGatherBytes) {
    gathered_.insert(gathered_.end(), bytes.begin(), bytes.end());
    return gathered_.size() < 16 * kGatherBytes ? OkStatus() : Flush();
  }
  SHEAF_RETURN_IF_ERROR(Flush());
  return ToSink(bytes);
}

Status MessageWriter::PadTo(int64_t alignment) {
  static constexpr uint8_t kZeros[64] = {};
  const int64_t past = position_ % alignment;
  return past == 0 ? OkStatus() : Put({kZeros, static_cast<size_t>(alignment - past)});
}

Status MessageWriter::Flush() {
  if (gathered_.empty()) return OkStatus();
  const Status status = ToSink(gathered_);
  gathered_.clear();
  return status;
}

Status MessageWriter::ToSink(std::span<const uint8_t> bytes) {
  const Status status = sink_->Write(bytes);
  broken_ = broken_ || !status.ok();
  return status;
}

}  // namespace sheaf::inline v1::internal
