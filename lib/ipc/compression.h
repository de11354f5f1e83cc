#pragma once

#include <cstdint>
#include <span>

#include "sheaf/base/status.h"
#include "sheaf/ipc/options.h"
#include "sheaf/memory/buffer.h"

namespace sheaf::inline v1::internal {

/// Bytes in front of a compressed buffer: its uncompressed length as int64.
inline constexpr int64_t kCompressionPrefixBytes = 8;
/// The uncompressed length that says the buffer is not compressed.
inline constexpr int64_t kNotCompressed = -1;

/// Decompresses a whole frame (without the prefix) into exactly `size_bytes` bytes of `pool`.
/// \return kInvalidArgument where the frame holds fewer or more bytes or cannot, by its own size,
/// hold as many: before any memory is asked for.
StatusOr<Buffer> Decompress(ipc::Compression codec, std::span<const uint8_t> frame,
                            int64_t size_bytes, MemoryPool* pool);

/// Prefix and frame of `bytes`, or prefix -1 and the bytes themselves where they would not shrink.
StatusOr<Buffer> Compress(ipc::Compression codec, std::span<const uint8_t> bytes, MemoryPool* pool);

/// Whether this build has the codec. \return kUnimplemented.
Status CheckCodec(ipc::Compression codec);

}  // namespace sheaf::inline v1::internal
