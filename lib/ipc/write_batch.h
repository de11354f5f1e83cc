#pragma once

#include <cstdint>
#include <vector>

#include "ipc/format/format.h"
#include "sheaf/array/record_batch.h"
#include "sheaf/base/status.h"
#include "sheaf/ipc/options.h"
#include "sheaf/memory/buffer.h"

namespace sheaf::inline v1::internal {

/// A batch as the body of a message has it: nodes and buffers in the order of a walk down the
/// fields, parents first. Buffers are trimmed to the batch's rows, and compressed if they are to
/// be.
struct BatchBody {
  int64_t length = 0;
  ipc::Compression compression = ipc::Compression::kNone;
  std::vector<format::FieldNode> nodes;
  std::vector<int64_t> variadic_counts;
  std::vector<Buffer> buffers;
  std::vector<format::Buffer> places;  ///< Of each buffer, in the body.
  int64_t body_bytes = 0;
};

/// \param compress  false: buffers stay as they are, and their places allow for the largest they
/// may become.
/// \return kInvalidArgument naming the column where the batch is not valid, kOutOfRange where it
/// has 2^59 rows or more; kResourceExhausted.
StatusOr<BatchBody> MakeBatchBody(const RecordBatch& batch, const ipc::WriteOptions& options,
                                  bool compress);

/// The metadata of a record batch message, finished.
flatbuffers::DetachedBuffer BatchMetadata(const BatchBody& body);
/// The same of a dictionary, whose body is a batch of one column.
flatbuffers::DetachedBuffer DictionaryMetadata(const BatchBody& body, int64_t id, bool is_delta);

/// Alignment 8 or 64, a codec that this build has, a depth.
Status CheckOptions(const ipc::WriteOptions& options);

}  // namespace sheaf::inline v1::internal
