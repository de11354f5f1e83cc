#pragma once

#include "ipc/message.h"
#include "ipc/projection.h"
#include "ipc/read_dictionaries.h"
#include "sheaf/array/record_batch.h"
#include "sheaf/base/status.h"
#include "sheaf/ipc/options.h"

namespace sheaf::inline v1::internal {

/// The batch of a record batch message. Its arrays share the body, but for buffers that were
/// compressed or lie at an address that their values cannot be read at. Dictionaries are those of
/// now.
/// \return kInvalidArgument naming the field where nodes, buffers or lengths do not make an array.
StatusOr<RecordBatch> ReadBatch(const Message& message, const Projection& projection,
                                const Dictionaries& dictionaries, const ipc::ReadOptions& options);

}  // namespace sheaf::inline v1::internal
