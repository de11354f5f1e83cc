#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/array/record_batch.h"
#include "sheaf/base/status.h"
#include "sheaf/type/field.h"
#include "sheaf/type/schema.h"

namespace sheaf::tools {

/// Paths of the children called `fields` of the column at `parent`, such as `$.a.item`, written as
/// in the library's messages: where a name is empty or there is another one like it, the position
/// among the siblings follows in brackets. Fields a, a and "" of `$` are `$.a[0]`, `$.a[1]` and
/// `$[2]`.
std::vector<std::string> ChildPaths(const std::string& parent, std::span<const Field> fields);

/// The step from a dictionary column to its values, `$.a.dictionary`.
inline constexpr int kDictionary = -1;

/// A column, or one below it.
struct Column {
  std::string path;
  std::vector<int> steps;  ///< Position in the schema, then in each type's children; kDictionary.
  Field field;
};

/// All columns of a schema, each followed by what is below it.
std::vector<Column> AllColumns(const Schema& schema);

/// The column that `path` names. \return kNotFound, naming the columns that there are.
StatusOr<Column> FindColumn(const Schema& schema, const std::string& path);

/// The list-view column that `path` names. \return kNotFound, or kInvalidArgument for another type;
/// both name the list-views that there are.
StatusOr<Column> FindListView(const Schema& schema, const std::string& path);
/// The first list-view of a schema. \return kNotFound.
StatusOr<Column> FirstListView(const Schema& schema);
/// All list-views of a schema, and those among its columns, without those below.
std::vector<Column> AllListViews(const Schema& schema);
std::vector<Column> TopListViews(const Schema& schema);

/// The array at `column` in a batch: below the top, all that is stored.
Array ArrayAt(const RecordBatch& batch, const Column& column);

/// The batch with what `change` makes of the array at `column` in its place: of the same type and
/// length.
StatusOr<RecordBatch> WithChanged(const RecordBatch& batch, const Column& column,
                                  const std::function<StatusOr<Array>(const Array&)>& change);

}  // namespace sheaf::tools
