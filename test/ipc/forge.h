#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ipc/format/format.h"
#include "ipc/write_batch.h"
#include "sheaf/array/record_batch.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/type/schema.h"

namespace sheaf::testing {

/// Changes what a message says before it is written, and what its body holds.
using Forge = std::function<void(internal::BatchBody&)>;

/// A stream of one batch whose message says what `forge` makes of it: nodes, places of buffers,
/// counts, the length of the body.
Buffer ForgedStream(const RecordBatch& batch, const Forge& forge,
                    const ipc::WriteOptions& options = {});

/// How another writer, or one of old, makes its streams. Before V5 unions get a validity bitmap of
/// no bytes.
struct ForgedFormat {
  internal::format::MetadataVersion version = internal::format::MetadataVersion::V5;
  bool marked = true;  ///< With the continuation marker: since 0.15.
  bool big_endian = false;
  ipc::WriteOptions options;
};

/// A stream made message by message, in any order and with any ids.
class StreamForge {
 public:
  explicit StreamForge(ForgedFormat format = {}) : format_(std::move(format)) {}

  /// \param ids  of the dictionaries, for those that our writer would give: 0, 1, 2, ...
  StreamForge& AddSchema(const Schema& schema, const std::vector<int64_t>& ids = {});
  StreamForge& AddDictionary(int64_t id, const Array& values, bool is_delta = false,
                             const Forge& forge = {});
  StreamForge& AddBatch(const std::vector<Array>& columns, const Forge& forge = {});
  StreamForge& AddEnd();
  Buffer Finish() const;
  /// The same messages as a file.
  Buffer FinishFile() const;

 private:
  void Change(const internal::format::Schema* made) const;
  internal::BatchBody BodyOf(const std::vector<Array>& columns) const;
  internal::format::Block Add(flatbuffers::DetachedBuffer metadata,
                              const std::vector<Buffer>& buffers);
  void Put(const uint8_t* bytes, int64_t size_bytes);
  void Pad();

  ForgedFormat format_;
  Schema schema_;
  std::vector<int64_t> ids_;
  std::vector<internal::format::Block> dictionaries_;
  std::vector<internal::format::Block> batches_;
  std::vector<uint8_t> bytes_;
};

/// The bytes as a buffer, and as a vector to change.
Buffer BufferOf(const std::vector<uint8_t>& bytes);
std::vector<uint8_t> BytesOf(const Buffer& buffer);

/// The same bytes `shift` bytes behind a multiple of 64.
Buffer AtShift(const Buffer& bytes, int shift);

}  // namespace sheaf::testing
