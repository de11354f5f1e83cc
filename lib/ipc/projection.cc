#include "ipc/projection.h"

#include <numeric>
#include <utility>

#include "base/error.h"

namespace sheaf::inline v1::internal {

StatusOr<Projection> MakeProjection(StreamSchema stream, const ipc::ReadOptions& options) {
  const int num_fields = stream.schema.num_fields();
  std::vector<int> columns(static_cast<size_t>(num_fields));
  std::iota(columns.begin(), columns.end(), 0);
  if (options.columns) columns = *options.columns;

  Projection projection;
  projection.place.assign(static_cast<size_t>(num_fields), -1);
  std::vector<Field> fields;
  for (const int column : columns) {
    if (column < 0 || column >= num_fields) {
      return InvalidArgument("no column ", column, ": the schema has ", num_fields);
    }
    int& place = projection.place[static_cast<size_t>(column)];
    if (place >= 0) return InvalidArgument("column ", column, " is asked for twice");
    place = static_cast<int>(fields.size());
    fields.push_back(stream.schema.field(column));
  }

  projection.schema = Schema(std::move(fields), stream.schema.metadata());
  projection.stream = std::move(stream);
  return projection;
}

}  // namespace sheaf::inline v1::internal
