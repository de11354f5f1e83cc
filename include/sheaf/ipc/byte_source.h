#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/buffer.h"

namespace sheaf::inline v1::ipc {

/// Bytes pulled one after the other.
class SHEAF_EXPORT ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource();

  /// Reads at most `size_bytes` (> 0) into `target`. \return how many; 0 only at the end.
  virtual StatusOr<int64_t> Read(uint8_t* target, int64_t size_bytes) = 0;
};

/// Reads a file descriptor (a file, a pipe, a socket), which stays open.
SHEAF_EXPORT std::unique_ptr<ByteSource> MakeDescriptorSource(int descriptor);

/// Reads a stream, which must outlive the source.
SHEAF_EXPORT std::unique_ptr<ByteSource> MakeIstreamSource(std::istream& stream);

/// Reads bytes in memory (by copies: to read them in place, give a reader the buffer).
SHEAF_EXPORT std::unique_ptr<ByteSource> MakeBufferSource(Buffer bytes);

/// A file mapped into memory: no byte is copied, and the mapping goes with the last buffer or array
/// over it. The file must not be cut while it is mapped.
/// \return kNotFound, kPermissionDenied or kInvalidArgument (not a regular file), naming the path.
SHEAF_EXPORT StatusOr<Buffer> MapFile(const std::string& path);

}  // namespace sheaf::inline v1::ipc
