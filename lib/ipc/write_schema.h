#pragma once

#include "ipc/format/format.h"
#include "sheaf/base/status.h"
#include "sheaf/type/schema.h"

namespace sheaf::inline v1::internal {

/// Adds a schema to a message or footer that is being made.
/// \return kInvalidArgument where a column has more than `max_depth` levels; kUnimplemented for a
/// dictionary; both naming the field.
StatusOr<flatbuffers::Offset<format::Schema>> WriteSchema(flatbuffers::FlatBufferBuilder& builder,
                                                          const Schema& schema, int max_depth);

/// The same checks alone.
Status CheckWritable(const Schema& schema, int max_depth);

}  // namespace sheaf::inline v1::internal
