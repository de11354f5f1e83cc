#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "ipc/format/format.h"
#include "sheaf/base/status.h"
#include "sheaf/ipc/byte_source.h"
#include "sheaf/memory/buffer.h"

namespace sheaf::inline v1::internal {

/// Four bytes of ones in front of a message since format 0.15.
inline constexpr uint32_t kContinuation = 0xFFFFFFFF;
/// Continuation and length of the metadata.
inline constexpr int64_t kPrefixBytes = 8;

/// Metadata that the FlatBuffers verifier has passed, and the body behind it.
struct Message {
  Buffer metadata;
  Buffer body;

  const format::Message& table() const {
    return *flatbuffers::GetRoot<format::Message>(metadata.data());
  }
};

/// Checks the metadata of a message before anything in it is followed. Metadata at an address that
/// is not a multiple of 8 is copied first: FlatBuffers reads it in place.
/// \param max_depth  levels of fields to let pass; a few more pass, so that the schema's reader can
/// name the
///                   field that lies too deep.
/// \return the metadata to use. kInvalidArgument for damage and for versions before V4.
StatusOr<Buffer> VerifyMetadata(Buffer metadata, int max_depth, MemoryPool* pool);

/// The same for the footer of a file.
StatusOr<Buffer> VerifyFooter(Buffer footer, int max_depth, MemoryPool* pool);

/// Gives the messages of a stream one after the other.
class MessageSource {
 public:
  virtual ~MessageSource();
  /// Nothing at the end marker, and where the bytes end between two messages.
  /// \return kInvalidArgument where they end within one, or it is damaged.
  virtual StatusOr<std::optional<Message>> Next() = 0;
};

/// Messages share the bytes of the buffer.
std::unique_ptr<MessageSource> MessagesOf(Buffer bytes, int max_depth, MemoryPool* pool);
/// Messages have memory of their own, which grows with what is really there, whatever lengths are
/// declared.
std::unique_ptr<MessageSource> MessagesOf(std::unique_ptr<ipc::ByteSource> source, int max_depth,
                                          MemoryPool* pool);

/// The message at a block of a file.
StatusOr<Message> MessageAt(const Buffer& file, const format::Block& block, int max_depth,
                            MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
