#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ipc/write_batch.h"
#include "sheaf/array/record_batch.h"
#include "sheaf/memory/buffer.h"

namespace sheaf::testing {

/// A stream of one batch whose message says what `forge` makes of it: nodes, places of buffers,
/// counts, the length of the body. The bytes of the body stay as they are.
Buffer ForgedStream(const RecordBatch& batch,
                    const std::function<void(internal::BatchBody&)>& forge,
                    const ipc::WriteOptions& options = {});

/// The bytes as a buffer, and as a vector to change.
Buffer BufferOf(const std::vector<uint8_t>& bytes);
std::vector<uint8_t> BytesOf(const Buffer& buffer);

/// The same bytes `shift` bytes behind a multiple of 64.
Buffer AtShift(const Buffer& bytes, int shift);

}  // namespace sheaf::testing
