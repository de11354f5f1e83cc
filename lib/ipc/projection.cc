#include "ipc/projection.h"

#include <numeric>
#include <utility>

#include "base/error.h"
#include "ipc/field_walk.h"

namespace sheaf::inline v1::internal {

namespace {

/// Names the first field with a dictionary in the column.
Status FindDictionary(FieldWalk& walk, Fields fields, int index) {
  const FieldWalk::Step step(walk, fields, index);
  const DataType& type = fields[static_cast<size_t>(index)].type().storage();
  if (type.id() == TypeId::kDictionary) {
    return walk.Error(StatusCode::kUnimplemented, "dictionaries are not read from IPC yet");
  }
  for (int i = 0; i < type.num_fields(); ++i) {
    SHEAF_RETURN_IF_ERROR(FindDictionary(walk, type.fields(), i));
  }
  return OkStatus();
}

}  // namespace

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

  // Dictionaries by id, deltas and replacements have their place here: `stream.dictionaries` says
  // which fields wait for which.
  for (const DictionaryField& dictionary : stream.dictionaries) {
    if (projection.place[static_cast<size_t>(dictionary.column)] < 0) continue;
    FieldWalk walk;
    SHEAF_RETURN_IF_ERROR(FindDictionary(walk, stream.schema.fields(), dictionary.column));
  }
  projection.schema = Schema(std::move(fields), stream.schema.metadata());
  projection.stream = std::move(stream);
  return projection;
}

}  // namespace sheaf::inline v1::internal
