#include "ipc/forge.h"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "ipc/message.h"
#include "ipc/message_writer.h"
#include "sheaf/ipc/byte_sink.h"

namespace sheaf::testing {

Buffer ForgedStream(const RecordBatch& batch,
                    const std::function<void(internal::BatchBody&)>& forge,
                    const ipc::WriteOptions& options) {
  ipc::MemorySink sink;
  auto writer = internal::MessageWriter::Make(batch.schema(), &sink, options).value();
  EXPECT_TRUE(writer.WriteSchemaMessage().ok());

  internal::BatchBody body = internal::MakeBatchBody(batch, options, /*compress=*/true).value();
  const std::vector<Buffer> buffers = body.buffers;
  forge(body);
  const auto metadata = internal::BatchMetadata(body).value();
  const auto size_bytes = static_cast<int64_t>(metadata.size());
  const int64_t padded = internal::PaddedMetadataBytes(size_bytes, options.alignment);
  EXPECT_TRUE(writer.PutValue(internal::kContinuation).ok());
  EXPECT_TRUE(writer.PutValue(static_cast<int32_t>(padded - internal::kPrefixBytes)).ok());
  EXPECT_TRUE(writer.Put({metadata.data(), metadata.size()}).ok());
  EXPECT_TRUE(writer.PadTo(options.alignment).ok());
  for (const Buffer& buffer : buffers) {
    EXPECT_TRUE(writer.Put(buffer.bytes()).ok());
    EXPECT_TRUE(writer.PadTo(options.alignment).ok());
  }
  EXPECT_TRUE(writer.WriteEndMarker().ok());
  return sink.Finish().value();
}

Buffer BufferOf(const std::vector<uint8_t>& bytes) { return Buffer::Copy(bytes).value(); }

std::vector<uint8_t> BytesOf(const Buffer& buffer) {
  return {buffer.data(), buffer.data() + buffer.size_bytes()};
}

Buffer AtShift(const Buffer& bytes, int shift) {
  MutableBuffer shifted = MutableBuffer::Allocate(bytes.size_bytes() + shift).value();
  std::copy_n(bytes.data(), bytes.size_bytes(), shifted.data() + shift);
  return std::move(shifted).Finish().Slice(shift, bytes.size_bytes());
}

}  // namespace sheaf::testing
