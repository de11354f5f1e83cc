#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ipc/format/format.h"
#include "ipc/write_batch.h"
#include "ipc/write_dictionaries.h"
#include "sheaf/array/record_batch.h"
#include "sheaf/base/status.h"
#include "sheaf/ipc/byte_sink.h"
#include "sheaf/ipc/options.h"
#include "sheaf/type/schema.h"

namespace sheaf::inline v1::internal {

/// Bytes before the body of a message: prefix, metadata, padding.
int64_t PaddedMetadataBytes(int64_t metadata_bytes, int64_t alignment);

/// Where the messages of a batch are.
struct BatchBlocks {
  std::vector<format::Block> dictionaries;
  format::Block batch;
};

/// Writes messages one after the other, and knows where each is. Small pieces go to the sink
/// together.
class MessageWriter {
 public:
  /// \param replacements  whether a dictionary may be sent anew: in streams.
  /// \return what is wrong with options or schema; nothing is written yet.
  static StatusOr<MessageWriter> Make(Schema schema, ipc::ByteSink* sink, ipc::WriteOptions options,
                                      bool replacements);

  const Schema& schema() const { return schema_; }
  const ipc::WriteOptions& options() const { return options_; }
  int64_t position() const { return position_; }

  Status WriteSchemaMessage();
  /// Writes the dictionaries that readers lack, and the batch.
  StatusOr<BatchBlocks> WriteBatch(const RecordBatch& batch);
  Status WriteEndMarker();

  /// Whether batches may come: kFailedPrecondition once closed, and after an error of the sink.
  Status CheckOpen() const;
  bool closed() const { return closed_; }
  void SetClosed() { closed_ = true; }

  Status Put(std::span<const uint8_t> bytes);
  template <typename T>
  Status PutValue(T value) {
    return Put({reinterpret_cast<const uint8_t*>(&value), sizeof(T)});
  }
  /// Zeros up to a multiple of `alignment` bytes.
  Status PadTo(int64_t alignment);
  /// Hands what is gathered to the sink.
  Status Flush();

 private:
  /// A message that is made and not yet written.
  struct Made {
    BatchBody body;
    flatbuffers::DetachedBuffer metadata;
  };

  MessageWriter(Schema schema, ipc::ByteSink* sink, ipc::WriteOptions options, bool replacements);
  StatusOr<Made> MakeDictionary(const DictionaryChange& change) const;
  StatusOr<format::Block> Write(const Made& message);
  Status CheckBatch(const RecordBatch& batch) const;
  Status PutMetadata(const flatbuffers::DetachedBuffer& metadata);
  Status ToSink(std::span<const uint8_t> bytes);

  Schema schema_;
  ipc::WriteOptions options_;
  ipc::ByteSink* sink_;
  DictionaryState dictionaries_;
  std::vector<uint8_t> gathered_;
  int64_t position_ = 0;
  bool broken_ = false;
  bool closed_ = false;
};

}  // namespace sheaf::inline v1::internal
