#pragma once

#include <memory>

#include "sheaf/array/chunked_array.h"
#include "sheaf/array/record_batch_reader.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/c_data/abi.h"
#include "sheaf/c_data/export.h"
#include "sheaf/c_data/import.h"

namespace sheaf::inline v1 {

/// Hands out the batches of `reader` one by one, as the consumer asks for them. The reader goes
/// with the stream's release; batches that were fetched stay valid. Errors reach the consumer as an
/// errno (EINVAL, ENOMEM, ENOSYS, else EIO) and as the message of `get_last_error`.
/// \return kResourceExhausted; `out` is then released.
SHEAF_EXPORT Status ExportStream(std::unique_ptr<RecordBatchReader> reader, ArrowArrayStream* out,
                                 MemoryPool* pool = MemoryPool::Default());
/// One array a chunk, none where there is no chunk; the stream's schema is the arrays' type.
SHEAF_EXPORT Status ExportStream(ChunkedArray array, ArrowArrayStream* out,
                                 MemoryPool* pool = MemoryPool::Default());

/// Takes the stream over, also when it fails; it is released with the reader. An error is final: it
/// comes again however often the reader is asked.
/// \return kInvalidArgument where the stream is one of arrays that are not structs; the producer's
/// errno and
///     message as kInvalidArgument (EINVAL), kResourceExhausted (ENOMEM), kUnimplemented (ENOSYS)
///     or kInternal.
SHEAF_EXPORT StatusOr<std::unique_ptr<RecordBatchReader>> ImportStream(
    ArrowArrayStream* stream, const ImportOptions& options = {});
/// Reads a stream of arrays of any type to its end, and releases it.
SHEAF_EXPORT StatusOr<ChunkedArray> ImportChunkedArray(ArrowArrayStream* stream,
                                                       const ImportOptions& options = {});

}  // namespace sheaf
