#include "ipc/write_batch.h"

#include "array/check_shape.h"
#include "array/trimmed.h"
#include "array/verified.h"
#include "base/error.h"
#include "ipc/compression.h"
#include "ipc/field_walk.h"
#include "sheaf/base/bits.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1::internal {
namespace {

/// A FlatBuffer ends at 2 GiB, by an assertion.
constexpr size_t kMaxEntries = (size_t{1} << 30) / sizeof(format::Buffer);

int64_t RoundUp(int64_t size_bytes, int64_t alignment) {
  return (size_bytes + alignment - 1) / alignment * alignment;
}

Status AddArray(const Array& array, FieldWalk& walk, BatchBody* body) {
  if (array.length() >= kMostSlots) {
    return walk.Error(StatusCode::kOutOfRange, array.type().ToString(), ": ", array.length(),
                      " rows, where a reader takes fewer than ", kMostSlots);
  }
  body->nodes.emplace_back(array.length(), array.null_count());
  for (int i = 0; i < array.num_buffers(); ++i) body->buffers.push_back(array.buffer(i));
  if (array.layout().has_variadic_buffers) {
    body->variadic_counts.push_back(array.num_buffers() - array.layout().num_buffers);
  }
  for (int i = 0; i < array.num_children(); ++i) {
    const FieldWalk::Step step(walk, array.type().storage().fields(), i);
    SHEAF_RETURN_IF_ERROR(AddArray(array.child(i), walk, body));
  }
  return OkStatus();
}

Status CompressBuffers(BatchBody* body, MemoryPool* pool) {
  for (Buffer& buffer : body->buffers) {
    if (buffer.size_bytes() == 0) continue;  // Nothing, and no prefix either.
    SHEAF_ASSIGN_OR_RETURN(buffer, Compress(body->compression, buffer.bytes(), pool));
  }
  return OkStatus();
}

/// One after the other, each padded to the alignment.
void PlaceBuffers(BatchBody* body, int64_t alignment, int64_t prefix_bytes) {
  int64_t position = 0;
  body->places.reserve(body->buffers.size());
  for (const Buffer& buffer : body->buffers) {
    const int64_t size_bytes = buffer.size_bytes() == 0 ? 0 : buffer.size_bytes() + prefix_bytes;
    body->places.emplace_back(position, size_bytes);
    position += RoundUp(size_bytes, alignment);
  }
  body->body_bytes = position;
}

format::CompressionType CodecOf(ipc::Compression compression) {
  return compression == ipc::Compression::kZstd ? format::CompressionType::ZSTD
                                                : format::CompressionType::LZ4_FRAME;
}

flatbuffers::Offset<format::RecordBatch> WriteBatchTable(flatbuffers::FlatBufferBuilder& builder,
                                                         const BatchBody& body) {
  flatbuffers::Offset<format::BodyCompression> compression;
  if (body.compression != ipc::Compression::kNone) {
    compression = format::CreateBodyCompression(builder, CodecOf(body.compression));
  }
  const auto nodes = builder.CreateVectorOfStructs(body.nodes);
  const auto buffers = builder.CreateVectorOfStructs(body.places);
  flatbuffers::Offset<flatbuffers::Vector<int64_t>> variadic_counts;
  if (!body.variadic_counts.empty()) variadic_counts = builder.CreateVector(body.variadic_counts);
  return format::CreateRecordBatch(builder, body.length, nodes, buffers, compression,
                                   variadic_counts);
}

flatbuffers::DetachedBuffer FinishMessage(flatbuffers::FlatBufferBuilder& builder,
                                          format::MessageHeader kind,
                                          flatbuffers::Offset<void> header, const BatchBody& body) {
  builder.Finish(
      format::CreateMessage(builder, format::MetadataVersion::V5, kind, header, body.body_bytes));
  return builder.Release();
}

}  // namespace

StatusOr<BatchBody> MakeBatchBody(const RecordBatch& batch, const ipc::WriteOptions& options,
                                  bool compress) {
  BatchBody body;
  body.length = batch.num_rows();
  body.compression = options.compression;
  FieldWalk walk;
  for (int i = 0; i < batch.num_columns(); ++i) {
    const FieldWalk::Step step(walk, batch.schema().fields(), i);
    SHEAF_RETURN_IF_ERROR(VerifyStructure(batch.column(i), walk.path()));
    SHEAF_ASSIGN_OR_RETURN(const Array column, Trimmed(batch.column(i), options.pool));
    SHEAF_RETURN_IF_ERROR(AddArray(column, walk, &body));
  }
  if (body.buffers.size() > kMaxEntries || body.nodes.size() > kMaxEntries) {
    return OutOfRange("a batch of more than ", static_cast<uint64_t>(kMaxEntries), " buffers");
  }
  const bool may_grow = options.compression != ipc::Compression::kNone && !compress;
  if (compress && options.compression != ipc::Compression::kNone) {
    SHEAF_RETURN_IF_ERROR(CompressBuffers(&body, options.pool));
  }
  PlaceBuffers(&body, options.alignment, may_grow ? kCompressionPrefixBytes : 0);
  return body;
}

flatbuffers::DetachedBuffer BatchMetadata(const BatchBody& body) {
  flatbuffers::FlatBufferBuilder builder;
  const auto batch = WriteBatchTable(builder, body);
  return FinishMessage(builder, format::MessageHeader::RecordBatch, batch.Union(), body);
}

flatbuffers::DetachedBuffer DictionaryMetadata(const BatchBody& body, int64_t id, bool is_delta) {
  flatbuffers::FlatBufferBuilder builder;
  const auto values = WriteBatchTable(builder, body);
  const auto dictionary = format::CreateDictionaryBatch(builder, id, values, is_delta);
  return FinishMessage(builder, format::MessageHeader::DictionaryBatch, dictionary.Union(), body);
}

Status CheckOptions(const ipc::WriteOptions& options) {
  if (options.alignment != 8 && options.alignment != 64) {
    return InvalidArgument("an alignment of ", options.alignment, " bytes, not 8 or 64");
  }
  if (options.max_depth < 1) return InvalidArgument("a depth limit of ", options.max_depth);
  return CheckCodec(options.compression);
}

}  // namespace sheaf::inline v1::internal
