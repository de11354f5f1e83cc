#include "ipc/body_reader.h"

#include <algorithm>
#include <utility>

#include "array/array_data.h"
#include "array/check_shape.h"
#include "array/verified.h"
#include "base/error.h"
#include "ipc/byte_order.h"
#include "ipc/compression.h"
#include "ipc/read_dictionaries.h"
#include "sheaf/base/bits.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1::internal {
namespace {

int64_t CountOf(const auto* vector) {
  return vector == nullptr ? 0 : static_cast<int64_t>(vector->size());
}

StatusOr<ipc::Compression> CodecOf(const format::BodyCompression* compression) {
  if (compression == nullptr) return ipc::Compression::kNone;
  if (compression->method() != format::BodyCompressionMethod::BUFFER) {
    return InvalidArgument("unknown compression method ", static_cast<int>(compression->method()));
  }
  switch (compression->codec()) {
    case format::CompressionType::LZ4_FRAME:
      return ipc::Compression::kLz4Frame;
    case format::CompressionType::ZSTD:
      return ipc::Compression::kZstd;
  }
  return InvalidArgument("unknown compression codec ", static_cast<int>(compression->codec()));
}

/// Bytes that the buffer must have, where that can be told from the length and the offsets before
/// it.
std::optional<int64_t> NeededBytes(const DataType& type, int index, int64_t length,
                                   std::span<const Buffer> earlier) {
  const Layout& layout = type.layout();
  if (index >= layout.num_buffers)
    return std::nullopt;  // Data of views: the views tell, row by row.
  if (layout.buffers[static_cast<size_t>(index)].role != BufferRole::kData) {
    return BufferBytesNeeded(type, index, length);
  }
  const int64_t width = layout.offset_bits / 8;
  const Buffer& offsets = earlier[static_cast<size_t>(index - 1)];
  if (length == 0) return 0;
  if (offsets.size_bytes() < (length + 1) * width) return std::nullopt;  // Validation says so.
  const uint8_t* last = offsets.data() + length * width;
  const int64_t end = width == 4 ? LoadUnaligned<int32_t>(last) : LoadUnaligned<int64_t>(last);
  return std::max<int64_t>(end, 0);  // Validation names a negative one.
}

/// Unions have no validity since V5, where nothing could be made of it.
Status OwnNulls(const FieldWalk& walk) {
  return walk.Error(StatusCode::kUnimplemented,
                    "a union with nulls of its own (metadata before V5)");
}

/// Whether a writer may declare so many bytes for a buffer that needs `needed_bytes` (>= 0): some
/// round up, and 64 bytes are the most that the format asks for. No sum here, as either may be the
/// largest number there is.
bool MayDeclare(int64_t declared_bytes, int64_t needed_bytes) {
  const int64_t to_round_up = -needed_bytes & 63;
  return declared_bytes >= needed_bytes && declared_bytes - needed_bytes <= to_round_up + 64;
}

}  // namespace

StatusOr<BodyReader> BodyReader::Make(const format::RecordBatch& header,
                                      format::MetadataVersion version, bool big_endian, Buffer body,
                                      const ipc::ReadOptions& options) {
  BodyReader reader;
  SHEAF_ASSIGN_OR_RETURN(reader.codec_, CodecOf(header.compression()));
  reader.header_ = &header;
  reader.body_ = std::move(body);
  reader.options_ = &options;
  reader.unions_have_validity_ = version < format::MetadataVersion::V5;
  reader.big_endian_ = big_endian;
  return reader;
}

StatusOr<Array> BodyReader::Read(Fields fields, int index, ColumnDictionaries dictionaries) {
  SHEAF_ASSIGN_OR_RETURN(Array array, ReadArray(fields, index, &dictionaries));
  const FieldWalk::Step step(walk_, fields, index);
  if (array.length() != header_->length()) {
    return walk_.Invalid("a column of ", array.length(), " rows in a batch of ", header_->length());
  }
  if (options_->validation != ValidationLevel::kNone) {
    SHEAF_RETURN_IF_ERROR(ValidateAt(array, options_->validation, walk_.path()));
  }
  return array;
}

StatusOr<Array> BodyReader::ReadArray(Fields fields, int index, ColumnDictionaries* dictionaries) {
  const FieldWalk::Step step(walk_, fields, index);
  const DataType& type = fields[static_cast<size_t>(index)].type();
  SHEAF_ASSIGN_OR_RETURN(const format::FieldNode node, TakeNode());
  if (HasOldUnionValidity(type)) SHEAF_RETURN_IF_ERROR(TakeOldUnionValidity(node));
  SHEAF_ASSIGN_OR_RETURN(std::vector<Buffer> buffers, ReadBuffers(type, node));
  std::vector<Array> children;
  children.reserve(type.fields().size());
  for (int i = 0; i < type.num_fields(); ++i) {
    SHEAF_ASSIGN_OR_RETURN(Array child, ReadArray(type.fields(), i, dictionaries));
    children.push_back(std::move(child));
  }
  const bool has_dictionary = type.layout().id == LayoutId::kDictionary;
  Array dictionary;
  if (has_dictionary) {
    SHEAF_ASSIGN_OR_RETURN(dictionary, ReadDictionary(node, dictionaries));
  }
  auto array = MakeNode({.type = type,
                         .length = node.length(),
                         .null_count = type.layout().has_validity ? node.null_count() : -1,
                         .buffers = buffers,
                         .children = children,
                         .dictionary = has_dictionary ? &dictionary : nullptr},
                        options_->pool);
  if (!array.ok()) return walk_.At(array.status());
  return array;
}

StatusOr<Array> BodyReader::ReadDictionary(const format::FieldNode& node,
                                           ColumnDictionaries* dictionaries) {
  const int64_t id = dictionaries->ids.front();
  dictionaries->ids = dictionaries->ids.subspan(1);
  // Writers may leave a dictionary out until there is an index into it.
  const bool all_null = node.null_count() == node.length();
  auto dictionary = dictionaries->dictionaries.Current(id, /*may_be_late=*/all_null);
  if (!dictionary.ok()) return walk_.At(dictionary.status());
  return dictionary;
}

StatusOr<std::vector<Buffer>> BodyReader::ReadBuffers(const DataType& type,
                                                      const format::FieldNode& node) {
  const Layout& layout = type.layout();
  int64_t count = layout.num_buffers;
  if (layout.has_variadic_buffers) {
    SHEAF_ASSIGN_OR_RETURN(const int64_t variadic, TakeVariadicCount());
    count += variadic;
  }
  std::vector<Buffer> buffers;
  buffers.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    SHEAF_ASSIGN_OR_RETURN(Buffer buffer, ReadBuffer({type, i, node.length()}, buffers));
    buffers.push_back(std::move(buffer));
  }
  if (layout.has_validity && buffers[0].absent() && node.null_count() > 0) {
    return walk_.Invalid(node.null_count(), " nulls without a validity bitmap");
  }
  return buffers;
}

Status BodyReader::Skip(Fields fields, int index) {
  const FieldWalk::Step step(walk_, fields, index);
  const DataType& type = fields[static_cast<size_t>(index)].type();
  SHEAF_RETURN_IF_ERROR(TakeNode().status());
  if (HasOldUnionValidity(type)) SHEAF_RETURN_IF_ERROR(SkipBuffers(1));
  const Layout& layout = type.layout();
  SHEAF_RETURN_IF_ERROR(SkipBuffers(layout.num_buffers));
  if (layout.has_variadic_buffers) {
    SHEAF_ASSIGN_OR_RETURN(const int64_t variadic, TakeVariadicCount());
    SHEAF_RETURN_IF_ERROR(SkipBuffers(variadic));
  }
  for (int i = 0; i < type.num_fields(); ++i) SHEAF_RETURN_IF_ERROR(Skip(type.fields(), i));
  return OkStatus();
}

Status BodyReader::CheckAllTaken() const {
  const int64_t nodes = CountOf(header_->nodes());
  const int64_t buffers = CountOf(header_->buffers());
  const int64_t counts = CountOf(header_->variadic_counts());
  if (next_node_ == nodes && next_buffer_ == buffers && next_variadic_ == counts) return OkStatus();
  return InvalidArgument("the message has ", nodes, " nodes, ", buffers, " buffers and ", counts,
                         " variadic counts, its schema ", next_node_, ", ", next_buffer_, " and ",
                         next_variadic_);
}

StatusOr<format::FieldNode> BodyReader::TakeNode() {
  if (next_node_ >= CountOf(header_->nodes())) {
    return walk_.Invalid("the message has no node for it, only ", next_node_);
  }
  const format::FieldNode node = EntryAt(*header_->nodes(), next_node_++);
  if (node.length() < 0 || node.length() >= kMostSlots) {
    return walk_.Invalid("a length of ", node.length());
  }
  if (node.null_count() < 0 || node.null_count() > node.length()) {
    return walk_.Invalid(node.null_count(), " nulls in ", node.length(), " rows");
  }
  return node;
}

StatusOr<Buffer> BodyReader::TakeBytes() {
  if (next_buffer_ >= CountOf(header_->buffers())) {
    return walk_.Invalid("the message has no buffer for it, only ", next_buffer_);
  }
  const format::Buffer place = EntryAt(*header_->buffers(), next_buffer_++);
  const int64_t offset = place.offset();
  const int64_t length = place.length();
  const int64_t body_bytes = body_.size_bytes();
  if (offset < 0 || length < 0 || offset > body_bytes || length > body_bytes - offset) {
    return walk_.Invalid("buffer outside the body of ", body_bytes, " bytes: offset ", offset, ", ",
                         length, " bytes");
  }
  return body_.Slice(offset, length);
}

StatusOr<int64_t> BodyReader::TakeVariadicCount() {
  if (next_variadic_ >= CountOf(header_->variadic_counts())) {
    return walk_.Invalid("the message does not say how many data buffers it has");
  }
  const int64_t count = EntryAt(*header_->variadic_counts(), next_variadic_++);
  const int64_t most = CountOf(header_->buffers()) - next_buffer_;
  if (count < 0 || count > most) {
    return walk_.Invalid(count, " data buffers, where the message has ", most, " buffers left");
  }
  return count;
}

Status BodyReader::SkipBuffers(int64_t count) {
  const int64_t left = CountOf(header_->buffers()) - next_buffer_;
  if (count > left)
    return walk_.Invalid("the message has no buffer for it, only ", next_buffer_ + left);
  next_buffer_ += count;
  return OkStatus();
}

bool BodyReader::HasOldUnionValidity(const DataType& type) const {
  const LayoutId layout = type.layout().id;
  const bool is_union = layout == LayoutId::kSparseUnion || layout == LayoutId::kDenseUnion;
  return unions_have_validity_ && is_union;
}

Status BodyReader::TakeOldUnionValidity(const format::FieldNode& node) {
  SHEAF_ASSIGN_OR_RETURN(Buffer bitmap, TakeBytes());
  if (node.null_count() != 0) return OwnNulls(walk_);
  if (bitmap.size_bytes() == 0) return OkStatus();
  // A count of nulls is believed everywhere else, but here nobody would ever look at the bitmap.
  const int64_t length = node.length();
  if (codec_ != ipc::Compression::kNone) {
    SHEAF_ASSIGN_OR_RETURN(bitmap, Uncompressed(std::move(bitmap), BytesForBits(length)));
  }
  if (bitmap.size_bytes() < BytesForBits(length)) {
    return walk_.Invalid("a validity bitmap of ", bitmap.size_bytes(), " bytes for ", length,
                         " rows");
  }
  const BitSpan bits{bitmap.data(), 0, length};
  return CountSet(bits) == length ? OkStatus() : OwnNulls(walk_);
}

StatusOr<Buffer> BodyReader::ReadBuffer(const Slot& slot, std::span<const Buffer> earlier) {
  SHEAF_ASSIGN_OR_RETURN(Buffer bytes, TakeBytes());
  const bool is_validity = slot.type.layout().has_validity && slot.index == 0;
  if (bytes.size_bytes() == 0) return is_validity ? Buffer() : Aligned(bytes, 8, 0);

  const std::optional<int64_t> needed = NeededBytes(slot.type, slot.index, slot.length, earlier);
  if (codec_ != ipc::Compression::kNone) {
    SHEAF_ASSIGN_OR_RETURN(bytes, Uncompressed(std::move(bytes), needed));
  }
  const bool variadic = slot.index >= slot.type.layout().num_buffers;
  const int64_t alignment = variadic ? 1 : AlignmentNeeded(slot.type, slot.index);
  SHEAF_ASSIGN_OR_RETURN(bytes, Aligned(std::move(bytes), alignment, needed));
  if (!big_endian_ || variadic) return bytes;
  auto swapped = SwapBytes(std::move(bytes), slot.type, slot.index, options_->pool);
  if (!swapped.ok()) return walk_.At(swapped.status());
  return swapped;
}

StatusOr<Buffer> BodyReader::Uncompressed(Buffer bytes, std::optional<int64_t> needed_bytes) {
  if (bytes.size_bytes() < kCompressionPrefixBytes) {
    return walk_.Invalid("a compressed buffer of ", bytes.size_bytes(), " bytes has no length");
  }
  const auto declared = LoadUnaligned<int64_t>(bytes.data());
  const Buffer frame =
      bytes.Slice(kCompressionPrefixBytes, bytes.size_bytes() - kCompressionPrefixBytes);
  if (declared == kNotCompressed) return frame;
  if (declared < 0) return walk_.Invalid("a buffer declares ", declared, " bytes");
  if (needed_bytes && !MayDeclare(declared, *needed_bytes)) {
    return walk_.Invalid("a buffer declares ", declared, " bytes, where ", *needed_bytes,
                         " are needed");
  }
  if (declared == 0) return Buffer::Empty();
  auto plain = Decompress(codec_, frame.bytes(), declared, options_->pool);
  if (!plain.ok()) return walk_.At(plain.status());
  return plain;
}

StatusOr<Buffer> BodyReader::Aligned(Buffer bytes, int64_t alignment,
                                     std::optional<int64_t> needed_bytes) {
  if (reinterpret_cast<uintptr_t>(bytes.data()) % static_cast<uint64_t>(alignment) == 0)
    return bytes;
  int64_t size_bytes = bytes.size_bytes();
  if (needed_bytes) size_bytes = std::min(*needed_bytes, size_bytes);
  if (size_bytes == 0) return Buffer::Empty();
  auto copy = Buffer::Copy(bytes.bytes().first(static_cast<size_t>(size_bytes)), options_->pool);
  if (!copy.ok()) return walk_.At(copy.status());
  return copy;
}

}  // namespace sheaf::inline v1::internal
