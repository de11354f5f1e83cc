#include "tools/column_summary.h"

#include <span>

#include "sheaf/array/bytes.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/type/field.h"
#include "sheaf/type/visit_layout.h"
#include "tools/column_path.h"

namespace sheaf::tools {
namespace {

ColumnSummary SummaryOf(const std::string& path, const DataType& type);

std::vector<ColumnSummary> SummariesOf(const std::string& parent, std::span<const Field> fields) {
  const std::vector<std::string> paths = ChildPaths(parent, fields);
  std::vector<ColumnSummary> summaries;
  for (size_t i = 0; i < fields.size(); ++i) {
    summaries.push_back(SummaryOf(paths[i], fields[i].type()));
  }
  return summaries;
}

ColumnSummary SummaryOf(const std::string& path, const DataType& type) {
  ColumnSummary summary;
  summary.path = path;
  summary.type = type.ToString();
  if (type.layout().id == LayoutId::kListView) summary.views.emplace();
  summary.children = SummariesOf(path, type.fields());
  if (type.layout().id == LayoutId::kDictionary) {
    summary.children.push_back(SummaryOf(path + ".dictionary", type.value_type()));
  }
  return summary;
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

/// Batches that share a dictionary count it once.
Status AddDictionary(const Array& dictionary, ColumnSummary& summary) {
  const auto is_same = [&](const Array& last) {
    return last.data() == dictionary.data() && last.offset() == dictionary.offset() &&
           last.length() == dictionary.length();
  };
  if (summary.dictionary && is_same(*summary.dictionary)) return OkStatus();
  summary.dictionary = dictionary;
  return AddArray(dictionary, summary.children.front());
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
  if (array.has_dictionary()) return AddDictionary(array.dictionary(), summary);
  for (size_t i = 0; i < summary.children.size(); ++i) {
    SHEAF_RETURN_IF_ERROR(AddArray(ChildOf(array, static_cast<int>(i)), summary.children[i]));
  }
  return OkStatus();
}

}  // namespace sheaf::tools
