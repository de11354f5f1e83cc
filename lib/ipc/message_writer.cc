#include "ipc/message_writer.h"

#include <utility>

#include "base/error.h"
#include "ipc/field_walk.h"
#include "ipc/message.h"
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

MessageWriter::MessageWriter(Schema schema, ipc::ByteSink* sink, ipc::WriteOptions options,
                             bool replacements)
    : schema_(std::move(schema)),
      options_(options),
      sink_(sink),
      dictionaries_(schema_, {.deltas = options.dictionary_deltas, .replacements = replacements}) {}

StatusOr<MessageWriter> MessageWriter::Make(Schema schema, ipc::ByteSink* sink,
                                            ipc::WriteOptions options, bool replacements) {
  SHEAF_RETURN_IF_ERROR(CheckOptions(options));
  SHEAF_RETURN_IF_ERROR(CheckWritable(schema, options.max_depth));
  return MessageWriter(std::move(schema), sink, options, replacements);
}

Status MessageWriter::WriteSchemaMessage() {
  flatbuffers::FlatBufferBuilder builder;
  SHEAF_ASSIGN_OR_RETURN(const auto schema, WriteSchema(builder, schema_, options_.max_depth));
  builder.Finish(format::CreateMessage(builder, format::MetadataVersion::V5,
                                       format::MessageHeader::Schema, schema.Union()));
  SHEAF_RETURN_IF_ERROR(PutMetadata(builder.Release()));
  return Flush();
}

StatusOr<BatchBlocks> MessageWriter::WriteBatch(const RecordBatch& batch) {
  SHEAF_RETURN_IF_ERROR(CheckOpen());
  SHEAF_RETURN_IF_ERROR(CheckBatch(batch));
  // All that can be wrong with the batch comes up before the first byte is written.
  Made last;
  SHEAF_ASSIGN_OR_RETURN(last.body, MakeBatchBody(batch, options_, /*compress=*/true));
  last.metadata = BatchMetadata(last.body);
  SHEAF_ASSIGN_OR_RETURN(const std::vector<DictionaryChange> changes,
                         dictionaries_.ChangesFor(batch));
  std::vector<Made> first;
  for (const DictionaryChange& change : changes) {
    SHEAF_ASSIGN_OR_RETURN(Made dictionary, MakeDictionary(change));
    first.push_back(std::move(dictionary));
  }

  BatchBlocks blocks;
  for (const Made& dictionary : first) {
    SHEAF_ASSIGN_OR_RETURN(const format::Block block, Write(dictionary));
    blocks.dictionaries.push_back(block);
  }
  SHEAF_ASSIGN_OR_RETURN(blocks.batch, Write(last));
  SHEAF_RETURN_IF_ERROR(Flush());
  dictionaries_.Commit();
  return blocks;
}

StatusOr<MessageWriter::Made> MessageWriter::MakeDictionary(const DictionaryChange& change) const {
  const Array& values = change.values;
  SHEAF_ASSIGN_OR_RETURN(
      const RecordBatch batch,
      RecordBatch::Make(Schema({Field("values", values.type())}), values.length(), {values}));
  Made dictionary;
  SHEAF_ASSIGN_OR_RETURN(dictionary.body, MakeBatchBody(batch, options_, /*compress=*/true));
  dictionary.metadata = DictionaryMetadata(dictionary.body, change.id, change.is_delta);
  return dictionary;
}

StatusOr<format::Block> MessageWriter::Write(const Made& message) {
  const int64_t start = position_;
  SHEAF_RETURN_IF_ERROR(PutMetadata(message.metadata));
  const int64_t body_start = position_;
  for (const Buffer& buffer : message.body.buffers) {
    SHEAF_RETURN_IF_ERROR(Put(buffer.bytes()));
    SHEAF_RETURN_IF_ERROR(PadTo(options_.alignment));
  }
  SHEAF_DCHECK(position_ - body_start == message.body.body_bytes);
  return format::Block(start, static_cast<int32_t>(body_start - start), message.body.body_bytes);
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
