#include "ipc/message.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "sheaf/base/bits.h"

namespace sheaf::inline v1::internal {

MessageSource::~MessageSource() = default;

namespace {

/// FlatBuffers' own limit of 64 tables deep refuses schemas of 61 levels. This many more than the
/// reader's limit pass, so that it, which knows paths, refuses what lies between.
constexpr int kSpareDepth = 256;
/// No deeper, whatever the options say: the verifier and the reader of schemas recurse.
constexpr int kMostDepth = 1024;

flatbuffers::Verifier VerifierOf(const Buffer& bytes, int max_depth) {
  // A table is reached by a reference of 4 bytes; a buffer that lets many references share one
  // table would otherwise take a time exponential in its depth.
  const auto max_tables = static_cast<flatbuffers::uoffset_t>(bytes.size_bytes() / 4 + 16);
  return flatbuffers::Verifier(
      bytes.data(), static_cast<size_t>(bytes.size_bytes()),
      static_cast<flatbuffers::uoffset_t>(std::clamp(max_depth, 0, kMostDepth) + kSpareDepth),
      max_tables);
}

StatusOr<Buffer> AlignMetadata(Buffer bytes, MemoryPool* pool) {
  if (static_cast<uint64_t>(bytes.size_bytes()) >= FLATBUFFERS_MAX_BUFFER_SIZE) {
    return InvalidArgument("metadata of ", bytes.size_bytes(), " bytes");
  }
  if (reinterpret_cast<uintptr_t>(bytes.data()) % 8 == 0) return bytes;
  return Buffer::Copy(bytes.bytes(), pool);
}

Status CheckVersion(format::MetadataVersion version) {
  if (version == format::MetadataVersion::V4 || version == format::MetadataVersion::V5) {
    return OkStatus();
  }
  return InvalidArgument("metadata version V", static_cast<int>(version) + 1,
                         " is not read, only V4 and V5");
}

/// A message, whatever the bytes come from.
class FramedSource : public MessageSource {
 public:
  FramedSource(int max_depth, MemoryPool* pool) : pool_(pool), max_depth_(max_depth) {}

  StatusOr<std::optional<Message>> Next() override {
    if (!state_.ok()) return state_;  // Where a message ended badly the next cannot be found.
    if (ended_) return std::optional<Message>();
    auto message = ReadMessage();
    if (!message.ok()) state_ = message.status();
    return message;
  }

 protected:
  /// Exactly `size_bytes` (> 0) bytes; with `may_end`, an absent buffer where there is none left at
  /// all.
  virtual StatusOr<Buffer> Take(int64_t size_bytes, bool may_end) = 0;

  static Status CutShort(int64_t wanted_bytes, int64_t there_bytes) {
    return InvalidArgument("the stream is cut: ", wanted_bytes, " bytes wanted, ", there_bytes,
                           " there");
  }

  MemoryPool* pool_;

 private:
  StatusOr<std::optional<Message>> ReadMessage() {
    SHEAF_ASSIGN_OR_RETURN(const int64_t length, ReadMetadataLength());
    if (ended_) return std::optional<Message>();
    Message message;
    SHEAF_ASSIGN_OR_RETURN(Buffer metadata, Take(length, false));
    SHEAF_ASSIGN_OR_RETURN(message.metadata,
                           VerifyMetadata(std::move(metadata), max_depth_, pool_));
    const int64_t body_bytes = message.table().body_length();
    if (body_bytes < 0) return InvalidArgument("a body of ", body_bytes, " bytes");
    message.body = Buffer::Empty();
    if (body_bytes > 0) {
      SHEAF_ASSIGN_OR_RETURN(message.body, Take(body_bytes, false));
    }
    return std::optional<Message>(std::move(message));
  }

  StatusOr<int64_t> ReadMetadataLength() {
    SHEAF_ASSIGN_OR_RETURN(Buffer word, Take(4, true));
    if (word && LoadUnaligned<uint32_t>(word.data()) == kContinuation) {
      SHEAF_ASSIGN_OR_RETURN(word, Take(4, false));
    }
    const int32_t length = word ? LoadUnaligned<int32_t>(word.data()) : 0;
    ended_ = length == 0;
    if (length < 0) return InvalidArgument("metadata of ", length, " bytes");
    return int64_t{length};
  }

  int max_depth_;
  bool ended_ = false;
  Status state_;
};

class BufferMessages final : public FramedSource {
 public:
  BufferMessages(Buffer bytes, int max_depth, MemoryPool* pool)
      : FramedSource(max_depth, pool), bytes_(std::move(bytes)) {}

 private:
  StatusOr<Buffer> Take(int64_t size_bytes, bool may_end) override {
    const int64_t left = bytes_.size_bytes() - position_;
    if (left == 0 && may_end) return Buffer();
    if (size_bytes > left) return CutShort(size_bytes, left);
    position_ += size_bytes;
    return bytes_.Slice(position_ - size_bytes, size_bytes);
  }

  Buffer bytes_;
  int64_t position_ = 0;
};

class PulledMessages final : public FramedSource {
 public:
  PulledMessages(std::unique_ptr<ipc::ByteSource> source, int max_depth, MemoryPool* pool)
      : FramedSource(max_depth, pool), source_(std::move(source)) {}

 private:
  // A declared length is believed by this much at first, and by 4 times what has come after that: a
  // forged one cannot make memory grow, and an honest one costs copies of a third of the body.
  static constexpr int64_t kFirstBytes = int64_t{1} << 16;
  static constexpr int64_t kGrowth = 4;

  StatusOr<Buffer> Take(int64_t size_bytes, bool may_end) override {
    int64_t capacity = std::min(size_bytes, kFirstBytes);
    int64_t got = 0;
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer target, MutableBuffer::Allocate(capacity, pool_));
    while (true) {
      SHEAF_ASSIGN_OR_RETURN(const int64_t count, Fill(target.data() + got, capacity - got));
      got += count;
      if (got == 0 && may_end) return Buffer();
      if (got < capacity) return CutShort(size_bytes, got);
      if (got == size_bytes) return std::move(target).Finish();
      capacity = std::min(size_bytes, capacity * kGrowth);
      SHEAF_ASSIGN_OR_RETURN(MutableBuffer larger, MutableBuffer::Allocate(capacity, pool_));
      std::memcpy(larger.data(), target.data(), static_cast<size_t>(got));
      target = std::move(larger);
    }
  }

  /// As many bytes as there are, at most `size_bytes`.
  StatusOr<int64_t> Fill(uint8_t* target, int64_t size_bytes) {
    int64_t got = 0;
    while (got < size_bytes) {
      SHEAF_ASSIGN_OR_RETURN(const int64_t count, source_->Read(target + got, size_bytes - got));
      if (count <= 0) break;
      got += count;
    }
    return got;
  }

  std::unique_ptr<ipc::ByteSource> source_;
};

Status CheckBlock(const format::Block& block, int64_t file_bytes) {
  const int64_t offset = block.offset();
  const int64_t metadata = block.metadata_length();
  const int64_t body = block.body_length();
  const bool fits = offset >= 0 && metadata >= kPrefixBytes && body >= 0 && offset <= file_bytes &&
                    metadata <= file_bytes - offset && body <= file_bytes - offset - metadata;
  if (fits) return OkStatus();
  return InvalidArgument("block outside the file of ", file_bytes, " bytes: offset ", offset,
                         ", metadata ", metadata, " bytes, body ", body, " bytes");
}

}  // namespace

StatusOr<Buffer> VerifyMetadata(Buffer metadata, int max_depth, MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(metadata, AlignMetadata(std::move(metadata), pool));
  flatbuffers::Verifier verifier = VerifierOf(metadata, max_depth);
  if (!verifier.VerifyBuffer<format::Message>(nullptr)) {
    return InvalidArgument("damaged message metadata of ", metadata.size_bytes(),
                           " bytes, or nested far too deep");
  }
  const format::Message& message = *flatbuffers::GetRoot<format::Message>(metadata.data());
  SHEAF_RETURN_IF_ERROR(CheckVersion(message.version()));
  if (message.header() == nullptr) return InvalidArgument("a message without a header");
  return metadata;
}

StatusOr<Buffer> VerifyFooter(Buffer footer, int max_depth, MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(footer, AlignMetadata(std::move(footer), pool));
  flatbuffers::Verifier verifier = VerifierOf(footer, max_depth);
  if (!verifier.VerifyBuffer<format::Footer>(nullptr)) {
    return InvalidArgument("damaged file footer of ", footer.size_bytes(),
                           " bytes, or nested far too deep");
  }
  SHEAF_RETURN_IF_ERROR(
      CheckVersion(flatbuffers::GetRoot<format::Footer>(footer.data())->version()));
  return footer;
}

std::unique_ptr<MessageSource> MessagesOf(Buffer bytes, int max_depth, MemoryPool* pool) {
  return std::make_unique<BufferMessages>(std::move(bytes), max_depth, pool);
}

std::unique_ptr<MessageSource> MessagesOf(std::unique_ptr<ipc::ByteSource> source, int max_depth,
                                          MemoryPool* pool) {
  return std::make_unique<PulledMessages>(std::move(source), max_depth, pool);
}

StatusOr<Message> MessageAt(const Buffer& file, const format::Block& block, int max_depth,
                            MemoryPool* pool) {
  SHEAF_RETURN_IF_ERROR(CheckBlock(block, file.size_bytes()));
  const uint8_t* start = file.data() + block.offset();
  // Before 0.15 the length stood alone.
  const bool marked = LoadUnaligned<uint32_t>(start) == kContinuation;
  const int64_t prefix = marked ? kPrefixBytes : 4;
  const int64_t length = LoadUnaligned<int32_t>(start + prefix - 4);
  if (length <= 0 || length > block.metadata_length() - prefix) {
    return InvalidArgument("metadata of ", length, " bytes in a block of ",
                           block.metadata_length());
  }

  Message message;
  SHEAF_ASSIGN_OR_RETURN(
      message.metadata,
      VerifyMetadata(file.Slice(block.offset() + prefix, length), max_depth, pool));
  const int64_t body_bytes = message.table().body_length();
  if (body_bytes < 0 || body_bytes > block.body_length()) {
    return InvalidArgument("a body of ", body_bytes, " bytes in a block of ", block.body_length());
  }
  message.body = file.Slice(block.offset() + block.metadata_length(), body_bytes);
  return message;
}

}  // namespace sheaf::inline v1::internal
