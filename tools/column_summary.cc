#include "tools/column_summary.h"

#include <span>

#include "sheaf/array/bytes.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/type/field.h"
#include "sheaf/type/visit_layout.h"
#include "tools/column_path.h"

namespace sheaf::tools {
namespace {

std::vector<ColumnSummary> SummariesOf(const std::string& parent, std::span<const Field> fields) {
  const std::vector<std::string> paths = ChildPaths(parent, fields);
  std::vector<ColumnSummary> summaries;
  for (size_t i = 0; i < fields.size(); ++i) {
    const DataType& type = fields[i].type();
    ColumnSummary& summary = summaries.emplace_back();
    summary.path = paths[i];
    summary.type = type.ToString();
    if (type.layout().id == LayoutId::kListView) summary.views.emplace();
    summary.children = SummariesOf(summary.path, type.fields());
  }
  return summaries;
}

Status AddViews(const Array& array, ViewSummary& views) {
  SHEAF_ASSIGN_OR_RETURN(const ViewContent content, ContentOf(array));
  SHEAF_ASSIGN_OR_RETURN(const bool overlapping, Overlapping(array));
  const ViewStats stats = StatsOf(array);
  views.elements += array.child(0).length();
  views.referenced_elements += content.referenced_elements;
  views.sum_of_sizes += content.sum_of_sizes;
  views.packed &= stats.packed;
  views.overlapping |= overlapping;
  views.zero_copy_to_list &= stats.zero_copy_to_list;
  return OkStatus();
}

/// Child i as far as it belongs to the array's rows where it goes along slot by slot, else as
/// stored.
Array ChildOf(const Array& array, int i) {
  const Array& child = array.child(i);
  return VisitLayout(
      array.layout(),
      Overloaded{
          [&](StructLayout) { return child.Slice(array.offset(), array.length()); },
          [&](SparseUnionLayout) { return child.Slice(array.offset(), array.length()); },
          [&](FixedSizeListLayout) {
            const int64_t size = array.type().storage().list_size();
            return child.Slice(array.offset() * size, array.length() * size);
          },
          [&](auto) { return child; },
      });
}

}  // namespace

std::vector<ColumnSummary> EmptySummaries(const Schema& schema) {
  return SummariesOf("$", schema.fields());
}

Status AddArray(const Array& array, ColumnSummary& summary) {
  summary.length += array.length();
  summary.null_count += array.null_count();
  SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, UsedBytes(array));
  summary.bytes += bytes;
  if (summary.views.has_value()) {
    SHEAF_RETURN_IF_ERROR(AddViews(array, *summary.views));
  }
  for (size_t i = 0; i < summary.children.size(); ++i) {
    SHEAF_RETURN_IF_ERROR(AddArray(ChildOf(array, static_cast<int>(i)), summary.children[i]));
  }
  return OkStatus();
}

}  // namespace sheaf::tools
