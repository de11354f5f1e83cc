#include "ipc/compression.h"

#if SHEAF_WITH_LZ4
#include <lz4frame.h>
#endif
#if SHEAF_WITH_ZSTD
#include <zstd.h>
#endif

#include <cstring>
#include <memory>

#include "base/error.h"

namespace sheaf::inline v1::internal {
namespace {

Status DamagedFrame(const char* codec, const char* what) {
  return InvalidArgument("damaged ", codec, " frame: ", what);
}

Status TooMuch(const char* codec, int64_t size_bytes, size_t frame_bytes) {
  return InvalidArgument(codec, " buffer declares ", size_bytes, " bytes, more than a frame of ",
                         static_cast<uint64_t>(frame_bytes), " bytes can hold");
}

#if SHEAF_WITH_LZ4
struct FreeLz4Context {
  void operator()(LZ4F_dctx* context) const { LZ4F_freeDecompressionContext(context); }
};

Status DecompressLz4(std::span<const uint8_t> frame, uint8_t* target, int64_t size_bytes) {
  LZ4F_dctx* raw = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&raw, LZ4F_VERSION))) {
    return ResourceExhausted("no memory for an LZ4 context");
  }
  const std::unique_ptr<LZ4F_dctx, FreeLz4Context> context(raw);

  size_t written = 0;
  size_t read = 0;
  size_t hint = 1;
  uint8_t spare = 0;  // Past the declared end: a frame that writes here holds too much.
  while (hint != 0 && read < frame.size()) {
    const bool full = written == static_cast<size_t>(size_bytes);
    size_t out = full ? 1 : static_cast<size_t>(size_bytes) - written;
    size_t in = frame.size() - read;
    hint = LZ4F_decompress(context.get(), full ? &spare : target + written, &out,
                           frame.data() + read, &in, nullptr);
    if (LZ4F_isError(hint)) return DamagedFrame("lz4", LZ4F_getErrorName(hint));
    if (full && out != 0) return DamagedFrame("lz4", "it holds more bytes than declared");
    if (in == 0 && out == 0) return DamagedFrame("lz4", "it does not go on");
    read += in;
    written += out;
  }
  if (hint != 0) return DamagedFrame("lz4", "it is cut");
  if (written != static_cast<size_t>(size_bytes)) {
    return DamagedFrame("lz4", "it holds fewer bytes than declared");
  }
  return OkStatus();
}
#endif

#if SHEAF_WITH_ZSTD
/// What a frame of `frame_bytes` can hold at most: a block gives up to 128 KiB and takes 4 bytes or
/// more.
int64_t ZstdBound(size_t frame_bytes) {
  return (static_cast<int64_t>(frame_bytes) / 4 + 1) * ZSTD_BLOCKSIZE_MAX;
}

Status CheckZstdSize(std::span<const uint8_t> frame, int64_t size_bytes) {
  const unsigned long long content = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (content == ZSTD_CONTENTSIZE_ERROR) return DamagedFrame("zstd", "it has no valid header");
  // Written piece by piece (as Polars does) a frame does not tell its size.
  if (content == ZSTD_CONTENTSIZE_UNKNOWN) return OkStatus();
  if (content != static_cast<unsigned long long>(size_bytes)) {
    return InvalidArgument("zstd buffer declares ", size_bytes, " bytes, its frame ",
                           static_cast<uint64_t>(content));
  }
  return OkStatus();
}

Status DecompressZstd(std::span<const uint8_t> frame, uint8_t* target, int64_t size_bytes) {
  const size_t got =
      ZSTD_decompress(target, static_cast<size_t>(size_bytes), frame.data(), frame.size());
  if (ZSTD_isError(got)) return DamagedFrame("zstd", ZSTD_getErrorName(got));
  if (got != static_cast<size_t>(size_bytes)) {
    return DamagedFrame("zstd", "it holds fewer bytes than declared");
  }
  return OkStatus();
}
#endif

/// Largest frame for `size_bytes`.
size_t FrameBound(ipc::Compression codec, [[maybe_unused]] size_t size_bytes) {
  switch (codec) {
#if SHEAF_WITH_LZ4
    case ipc::Compression::kLz4Frame:
      return LZ4F_compressFrameBound(size_bytes, nullptr);
#endif
#if SHEAF_WITH_ZSTD
    case ipc::Compression::kZstd:
      return ZSTD_compressBound(size_bytes);
#endif
    default:
      return 0;
  }
}

/// Bytes of the frame, or 0 where it failed or did not fit: the bytes are then stored as they are.
size_t CompressFrame(ipc::Compression codec, [[maybe_unused]] std::span<const uint8_t> bytes,
                     [[maybe_unused]] uint8_t* target, [[maybe_unused]] size_t capacity) {
  switch (codec) {
#if SHEAF_WITH_LZ4
    case ipc::Compression::kLz4Frame: {
      const size_t size = LZ4F_compressFrame(target, capacity, bytes.data(), bytes.size(), nullptr);
      return LZ4F_isError(size) ? 0 : size;
    }
#endif
#if SHEAF_WITH_ZSTD
    case ipc::Compression::kZstd: {
      const size_t size = ZSTD_compress(target, capacity, bytes.data(), bytes.size(), 1);
      return ZSTD_isError(size) ? 0 : size;
    }
#endif
    default:
      return 0;
  }
}

void PutPrefix(uint8_t* target, int64_t size_bytes) {
  std::memcpy(target, &size_bytes, sizeof(size_bytes));
}

}  // namespace

Status CheckCodec(ipc::Compression codec) {
  switch (codec) {
    case ipc::Compression::kNone:
      return OkStatus();
    case ipc::Compression::kLz4Frame:
#if SHEAF_WITH_LZ4
      return OkStatus();
#else
      return Unimplemented("this build of Sheaf has no LZ4");
#endif
    case ipc::Compression::kZstd:
#if SHEAF_WITH_ZSTD
      return OkStatus();
#else
      return Unimplemented("this build of Sheaf has no Zstandard");
#endif
  }
  return InvalidArgument("unknown compression ", static_cast<int>(codec));
}

StatusOr<Buffer> Decompress(ipc::Compression codec, std::span<const uint8_t> frame,
                            int64_t size_bytes, MemoryPool* pool) {
  SHEAF_RETURN_IF_ERROR(CheckCodec(codec));
#if SHEAF_WITH_LZ4
  if (codec == ipc::Compression::kLz4Frame) {
    // 255: a byte of a match length stands for at most as many (LZ4 block format).
    if (size_bytes / 255 > static_cast<int64_t>(frame.size())) {
      return TooMuch("lz4", size_bytes, frame.size());
    }
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer target, MutableBuffer::Allocate(size_bytes, pool));
    SHEAF_RETURN_IF_ERROR(DecompressLz4(frame, target.data(), size_bytes));
    return std::move(target).Finish();
  }
#endif
#if SHEAF_WITH_ZSTD
  if (codec == ipc::Compression::kZstd) {
    if (size_bytes > ZstdBound(frame.size())) return TooMuch("zstd", size_bytes, frame.size());
    SHEAF_RETURN_IF_ERROR(CheckZstdSize(frame, size_bytes));
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer target, MutableBuffer::Allocate(size_bytes, pool));
    SHEAF_RETURN_IF_ERROR(DecompressZstd(frame, target.data(), size_bytes));
    return std::move(target).Finish();
  }
#endif
  return InvalidArgument("a frame without a codec");
}

StatusOr<Buffer> Compress(ipc::Compression codec, std::span<const uint8_t> bytes,
                          MemoryPool* pool) {
  const auto size_bytes = static_cast<int64_t>(bytes.size());
  {
    const size_t bound = FrameBound(codec, bytes.size());
    SHEAF_ASSIGN_OR_RETURN(
        MutableBuffer frame,
        MutableBuffer::Allocate(kCompressionPrefixBytes + static_cast<int64_t>(bound), pool));
    const size_t size = CompressFrame(codec, bytes, frame.data() + kCompressionPrefixBytes, bound);
    if (size != 0 && size < bytes.size()) {
      PutPrefix(frame.data(), size_bytes);
      return std::move(frame).Finish().Slice(0,
                                             kCompressionPrefixBytes + static_cast<int64_t>(size));
    }
  }
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer plain,
                         MutableBuffer::Allocate(kCompressionPrefixBytes + size_bytes, pool));
  PutPrefix(plain.data(), kNotCompressed);
  std::memcpy(plain.data() + kCompressionPrefixBytes, bytes.data(), bytes.size());
  return std::move(plain).Finish();
}

}  // namespace sheaf::inline v1::internal
