#include "tools/column_path.h"

#include <algorithm>
#include <utility>

#include "array/path.h"
#include "base/error.h"

namespace sheaf::tools {
namespace {

Column Below(const Column& parent, std::string path, int step, Field field) {
  Column column{std::move(path), parent.steps, std::move(field)};
  column.steps.push_back(step);
  return column;
}

void AddBelow(const Column& parent, const DataType& type, std::vector<Column>& columns);

void AddColumn(Column column, std::vector<Column>& columns) {
  columns.push_back(column);
  AddBelow(column, column.field.type(), columns);
}

void AddBelow(const Column& parent, const DataType& type, std::vector<Column>& columns) {
  const std::vector<std::string> paths = ChildPaths(parent.path, type.fields());
  for (size_t i = 0; i < paths.size(); ++i)
    AddColumn(Below(parent, paths[i], static_cast<int>(i), type.fields()[i]), columns);
  if (type.layout().id == LayoutId::kDictionary) {
    AddColumn(Below(parent, parent.path + ".dictionary", kDictionary,
                    Field("dictionary", type.storage().value_type())),
              columns);
  }
}

bool IsListViewColumn(const Column& column) {
  return column.field.type().layout().id == LayoutId::kListView;
}

std::string PathsOf(const std::vector<Column>& columns) {
  std::string list;
  for (const Column& column : columns) list += (list.empty() ? "" : ", ") + column.path;
  return list.empty() ? "none" : list;
}

ArrayParts PartsOf(const Array& array) {
  ArrayParts parts{.type = array.type(), .length = array.length(), .offset = array.offset()};
  for (int i = 0; i < array.num_buffers(); ++i) parts.buffers.push_back(array.buffer(i));
  for (int i = 0; i < array.num_children(); ++i) parts.children.push_back(array.child(i));
  if (array.has_dictionary()) parts.dictionary.push_back(array.dictionary());
  return parts;
}

StatusOr<Array> Changed(const Array& array, std::span<const int> steps,
                        const std::function<StatusOr<Array>(const Array&)>& change) {
  if (steps.empty()) return change(array);
  const bool to_dictionary = steps[0] == kDictionary;
  const Array& old_child = to_dictionary ? array.dictionary() : array.child(steps[0]);
  SHEAF_ASSIGN_OR_RETURN(Array child, Changed(old_child, steps.subspan(1), change));
  ArrayParts parts = PartsOf(array);
  (to_dictionary ? parts.dictionary[0] : parts.children[static_cast<size_t>(steps[0])]) =
      std::move(child);
  return MakeArray(std::move(parts), ValidationLevel::kMinimal);
}

}  // namespace

std::vector<std::string> ChildPaths(const std::string& parent, std::span<const Field> fields) {
  std::vector<std::string> paths;
  for (size_t i = 0; i < fields.size(); ++i) {
    paths.push_back(parent + internal::PathStep(fields, static_cast<int>(i)));
  }
  return paths;
}

std::vector<Column> AllColumns(const Schema& schema) {
  std::vector<Column> columns;
  AddBelow({.path = "$", .steps = {}, .field = Field()}, schema.struct_type(), columns);
  return columns;
}

StatusOr<Column> FindColumn(const Schema& schema, const std::string& path) {
  const std::vector<Column> columns = AllColumns(schema);
  const auto found = std::ranges::find(columns, path, &Column::path);
  if (found == columns.end())
    return internal::NotFound("no column ", path, "; columns: ", PathsOf(columns));
  return *found;
}

StatusOr<Column> FindListView(const Schema& schema, const std::string& path) {
  const std::vector<Column> columns = AllColumns(schema);
  const auto found = std::ranges::find(columns, path, &Column::path);
  if (found != columns.end() && IsListViewColumn(*found)) return *found;
  const std::string there = "; list-views: " + PathsOf(AllListViews(schema));
  if (found == columns.end()) return internal::NotFound("no column ", path, there);
  return internal::InvalidArgument(path, ": ", found->field.type().ToString(), " is no list-view",
                                   there);
}

StatusOr<Column> FirstListView(const Schema& schema) {
  const std::vector<Column> columns = AllListViews(schema);
  if (columns.empty()) return internal::NotFound("there is no list-view");
  return columns.front();
}

std::vector<Column> AllListViews(const Schema& schema) {
  std::vector<Column> columns = AllColumns(schema);
  std::erase_if(columns, [](const Column& column) { return !IsListViewColumn(column); });
  return columns;
}

std::vector<Column> TopListViews(const Schema& schema) {
  std::vector<Column> columns = AllListViews(schema);
  std::erase_if(columns, [](const Column& column) { return column.steps.size() > 1; });
  return columns;
}

Array ArrayAt(const RecordBatch& batch, const Column& column) {
  Array array = batch.column(column.steps[0]);
  for (size_t i = 1; i < column.steps.size(); ++i) {
    const int step = column.steps[i];
    const Array child = step == kDictionary ? array.dictionary() : array.child(step);
    array = child;
  }
  return array;
}

StatusOr<RecordBatch> WithChanged(const RecordBatch& batch, const Column& column,
                                  const std::function<StatusOr<Array>(const Array&)>& change) {
  std::vector<Array> columns = batch.columns();
  Array& top = columns[static_cast<size_t>(column.steps[0])];
  SHEAF_ASSIGN_OR_RETURN(top, Changed(top, std::span(column.steps).subspan(1), change));
  return RecordBatch::Make(batch.schema(), batch.num_rows(), std::move(columns));
}

}  // namespace sheaf::tools
