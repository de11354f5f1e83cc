#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ipc/field_walk.h"
#include "ipc/format/format.h"
#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "sheaf/ipc/options.h"
#include "sheaf/memory/buffer.h"

namespace sheaf::inline v1::internal {

class Dictionaries;

/// Where a column's dictionaries come from: one id for each field with a dictionary, in the order
/// of the walk.
struct ColumnDictionaries {
  const Dictionaries& dictionaries;
  std::span<const int64_t> ids;
};

/// Takes arrays from the body of a message: nodes and buffers stand in the order of a walk down the
/// fields, parents first, and the layout table says how many belong to each.
class BodyReader {
 public:
  /// \param header  verified; outlives the reader, as do the options.
  /// \return kInvalidArgument where its compression is none of the format.
  static StatusOr<BodyReader> Make(const format::RecordBatch& header,
                                   format::MetadataVersion version, bool big_endian, Buffer body,
                                   const ipc::ReadOptions& options);

  /// The next column, validated.
  StatusOr<Array> Read(Fields fields, int index, ColumnDictionaries dictionaries);
  /// Passes the next column over.
  Status Skip(Fields fields, int index);
  /// After the last column. \return kInvalidArgument where nodes or buffers are left.
  Status CheckAllTaken() const;

 private:
  struct Slot {  // What a buffer is for.
    const DataType& type;
    int index;
    int64_t length;
  };

  BodyReader() = default;

  StatusOr<Array> ReadArray(Fields fields, int index, ColumnDictionaries* dictionaries);
  StatusOr<Array> ReadDictionary(const format::FieldNode& node, ColumnDictionaries* dictionaries);
  StatusOr<std::vector<Buffer>> ReadBuffers(const DataType& type, const format::FieldNode& node);
  StatusOr<format::FieldNode> TakeNode();
  StatusOr<Buffer> TakeBytes();
  StatusOr<int64_t> TakeVariadicCount();
  Status SkipBuffers(int64_t count);
  /// Whether the union has a bitmap, as all had before V5.
  bool HasOldUnionValidity(const DataType& type) const;
  Status TakeOldUnionValidity(const format::FieldNode& node);

  StatusOr<Buffer> ReadBuffer(const Slot& slot, std::span<const Buffer> earlier);
  StatusOr<Buffer> Uncompressed(Buffer bytes, std::optional<int64_t> needed_bytes);
  StatusOr<Buffer> Aligned(Buffer bytes, int64_t alignment, std::optional<int64_t> needed_bytes);

  FieldWalk walk_;
  const format::RecordBatch* header_ = nullptr;
  Buffer body_;
  const ipc::ReadOptions* options_ = nullptr;
  ipc::Compression codec_ = ipc::Compression::kNone;
  bool unions_have_validity_ = false;  // Until V4.
  bool big_endian_ = false;
  int64_t next_node_ = 0;
  int64_t next_buffer_ = 0;
  int64_t next_variadic_ = 0;
};

}  // namespace sheaf::inline v1::internal
