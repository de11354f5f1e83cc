#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "sheaf/compute/list_view/plan.h"
#include "tools/column_path.h"
#include "tools/input.h"
#include "tools/inspect_views.h"
#include "tools/progress.h"
#include "tools/rebuild_modes.h"
#include "tools/text_table.h"
#include "tools/view_bytes.h"

namespace sheaf::tools {
namespace {

using Json = nlohmann::ordered_json;

/// What one mode would leave, over all batches.
struct Planned {
  std::string mode;
  int64_t elements = 0;
  int64_t bytes = 0;
  bool at_most = false;

  void Add(const RebuildSize& size, int64_t view_bytes) {
    elements = SaturatingAdd(elements, size.elements);
    bytes = SaturatingAdd(bytes, SaturatingAdd(size.element_bytes, view_bytes));
    at_most |= size.at_most;
  }
};

/// A column and what would become of it; the first is how it is now.
struct PlannedColumn {
  explicit PlannedColumn(Column column_) : column(std::move(column_)) {
    modes.push_back({.mode = "now"});
    for (const auto& [name, mode] : RebuildModes()) modes.push_back({.mode = name});
  }

  Status Add(const Array& array) {
    SHEAF_ASSIGN_OR_RETURN(const RebuildPlan plan, Plan(array));
    const int64_t view_bytes = BytesOfViews(array);
    modes[0].Add(plan.now, view_bytes);
    for (size_t i = 0; i < RebuildModes().size(); ++i)
      modes[i + 1].Add(plan.of(RebuildModes()[i].second), view_bytes);
    return OkStatus();
  }

  Column column;
  std::vector<Planned> modes;
};

StatusOr<std::vector<PlannedColumn>> PlanColumns(const std::string& file, const std::string& path) {
  SHEAF_ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::Open(file));
  std::vector<PlannedColumn> planned;
  if (path.empty()) {
    for (Column& column : AllListViews(input->schema())) planned.emplace_back(std::move(column));
  } else {
    SHEAF_ASSIGN_OR_RETURN(Column column, FindListView(input->schema(), path));
    planned.emplace_back(std::move(column));
  }
  Progress progress("inspect");
  int64_t rows = 0;
  while (true) {
    SHEAF_ASSIGN_OR_RETURN(const std::optional<RecordBatch> batch, input->NextVerifiedBatch());
    if (!batch.has_value()) return planned;
    for (PlannedColumn& column : planned) {
      if (Status status = column.Add(ArrayAt(*batch, column.column)); !status.ok())
        return AtBatch(status, input->batches_read() - 1);
    }
    progress.Update(input->fraction(), rows += batch->num_rows());
  }
}

void PrintText(const std::string& file, const std::vector<PlannedColumn>& columns) {
  std::cout << OneLine(file) << (columns.empty() ? ": no list-view\n" : "\n");
  if (columns.empty()) return;
  TextTable table({{"column"},
                   {"mode"},
                   {"elements", Align::kRight},
                   {"bytes", Align::kRight},
                   {"ratio", Align::kRight},
                   {""}});
  for (const PlannedColumn& column : columns) {
    for (const Planned& planned : column.modes) {
      table.AddRow({&planned == column.modes.data() ? column.column.path : "", planned.mode,
                    std::to_string(planned.elements), std::to_string(planned.bytes),
                    RatioText(planned.bytes, column.modes[0].bytes),
                    planned.at_most ? "at most" : ""});
    }
  }
  table.Print(std::cout);
}

Json ToJson(const std::string& file, const std::vector<PlannedColumn>& columns) {
  Json json = {{"file", file}, {"columns", Json::array()}};
  for (const PlannedColumn& column : columns) {
    Json modes = Json::object();
    for (const Planned& planned : column.modes) {
      modes[planned.mode] = {
          {"elements", planned.elements}, {"bytes", planned.bytes}, {"at_most", planned.at_most}};
    }
    json["columns"].push_back({{"path", column.column.path},
                               {"type", column.column.field.type().ToString()},
                               {"plan", modes}});
  }
  return json;
}

}  // namespace

ExitStatus InspectPlan(const std::string& file, const std::string& column, bool json) {
  const auto columns = PlanColumns(file, column);
  if (!columns.ok()) return ReportError(file, columns.status());
  if (json) {
    std::cout << ToJson(file, *columns).dump(-1, ' ', false, Json::error_handler_t::replace)
              << '\n';
  } else {
    PrintText(file, *columns);
  }
  return kSuccess;
}

}  // namespace sheaf::tools
