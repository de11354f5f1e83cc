#pragma once

#include "ipc/format/format.h"
#include "sheaf/base/status.h"
#include "sheaf/type/schema.h"

namespace sheaf::inline v1::internal {

/// Adds a schema to a message or footer that is being made.
/// \return kInvalidArgument naming the field where a column has more than `max_depth` levels, or a
/// dictionary's values have no place in the format.
StatusOr<flatbuffers::Offset<format::Schema>> WriteSchema(flatbuffers::FlatBufferBuilder& builder,
                                                          const Schema& schema, int max_depth);

/// The same checks alone.
Status CheckWritable(const Schema& schema, int max_depth);

}  // namespace sheaf::inline v1::internal
