#pragma once

#include <vector>

#include "ipc/read_schema.h"
#include "sheaf/base/status.h"
#include "sheaf/ipc/options.h"
#include "sheaf/type/schema.h"

namespace sheaf::inline v1::internal {

/// Which columns of a stream are read, and where they go.
struct Projection {
  StreamSchema stream;
  /// Of the columns read, in the order asked for.
  Schema schema;
  /// For each column of the stream its place in `schema`, -1 where it is skipped.
  std::vector<int> place;
};

/// \return kInvalidArgument for a column that is not there or asked for twice.
StatusOr<Projection> MakeProjection(StreamSchema stream, const ipc::ReadOptions& options);

}  // namespace sheaf::inline v1::internal
