// sheaf inspect: what a file holds, column by column down to the leaves, and how its list-views
// lie.

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tools/column_summary.h"
#include "tools/commands.h"
#include "tools/input.h"
#include "tools/inspect_views.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/text_table.h"
#include "tools/usage.h"

namespace sheaf::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kCellWidth = 60;  // Types of deep columns would push the figures off every screen.

struct InspectOptions {
  std::vector<std::string> files;
  bool json = false;
  bool plan = false;
  std::string svg;     // Where to draw; empty: not at all.
  std::string column;  // Of --plan and --svg; empty: all, or the first.
};

struct FileSummary {
  std::string file;
  std::string format;
  Schema schema;
  int64_t batches = 0;
  int64_t rows = 0;
  std::vector<ColumnSummary> columns;
};

Status AddBatch(const RecordBatch& batch, FileSummary& summary) {
  for (int i = 0; i < batch.num_columns(); ++i) {
    SHEAF_RETURN_IF_ERROR(AddArray(batch.column(i), summary.columns[static_cast<size_t>(i)]));
  }
  ++summary.batches;
  summary.rows += batch.num_rows();
  return OkStatus();
}

StatusOr<FileSummary> Summarize(const std::string& path) {
  SHEAF_ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::Open(path));
  FileSummary summary{.file = path, .format = input->format(), .schema = input->schema()};
  summary.columns = EmptySummaries(summary.schema);
  Progress progress("inspect");
  while (true) {
    SHEAF_ASSIGN_OR_RETURN(const std::optional<RecordBatch> batch, input->NextVerifiedBatch());
    if (!batch.has_value()) return summary;
    if (Status status = AddBatch(*batch, summary); !status.ok()) {
      return AtBatch(status, summary.batches);
    }
    progress.Update(input->fraction(), summary.rows);
  }
}

Json ToJson(const ColumnSummary& column) {
  Json json = {{"path", column.path},
               {"type", column.type},
               {"length", column.length},
               {"null_count", column.null_count},
               {"bytes", column.bytes}};
  if (column.views.has_value()) {
    const ViewSummary& views = *column.views;
    json["elements"] = views.elements;
    json["referenced_elements"] = views.referenced_elements;
    json["sum_of_sizes"] = views.sum_of_sizes;
    json["packed"] = views.packed;
    json["overlapping"] = views.overlapping;
    json["zero_copy_to_list"] = views.zero_copy_to_list;
  }
  json["children"] = Json::array();
  for (const ColumnSummary& child : column.children) json["children"].push_back(ToJson(child));
  return json;
}

Json ToJson(const FileSummary& file) {
  Json json = {{"file", file.file},
               {"format", file.format},
               {"batches", file.batches},
               {"rows", file.rows},
               {"columns", Json::array()}};
  for (const ColumnSummary& column : file.columns) json["columns"].push_back(ToJson(column));
  return json;
}

const char* YesNo(bool value) { return value ? "yes" : "no"; }

void AddTableRow(const ColumnSummary& column, TextTable& table) {
  std::vector<std::string> cells = {column.path, column.type, std::to_string(column.length),
                                    std::to_string(column.null_count),
                                    std::to_string(column.bytes)};
  if (column.views.has_value()) {
    const ViewSummary& views = *column.views;
    for (const int64_t count : {views.elements, views.referenced_elements, views.sum_of_sizes}) {
      cells.push_back(std::to_string(count));
    }
    for (const bool flag : {views.packed, views.overlapping, views.zero_copy_to_list}) {
      cells.emplace_back(YesNo(flag));
    }
  }
  cells.resize(11);
  table.AddRow(cells);
  for (const ColumnSummary& child : column.children) AddTableRow(child, table);
}

void PrintText(const FileSummary& file, std::ostream& out) {
  out << OneLine(file.file) << ": " << ShapeText(file.format, file.batches, file.rows) << '\n';
  for (const Field& field : file.schema.fields()) out << "  " << OneLine(field.ToString()) << '\n';
  TextTable table({{"column"},
                   {"type"},
                   {"length", Align::kRight},
                   {"null_count", Align::kRight},
                   {"bytes", Align::kRight},
                   {"elements", Align::kRight},
                   {"referenced_elements", Align::kRight},
                   {"sum_of_sizes", Align::kRight},
                   {"packed"},
                   {"overlapping"},
                   {"zero_copy_to_list"}},
                  kCellWidth);
  for (const ColumnSummary& column : file.columns) AddTableRow(column, table);
  table.Print(out);
}

ExitStatus InspectListViews(const InspectOptions& options) {
  if (!options.svg.empty()) return InspectSvg(options.files.front(), options.column, options.svg);
  ExitStatus worst = kSuccess;
  for (const std::string& path : options.files)
    worst = Worse(worst, InspectPlan(path, options.column, options.json));
  return worst;
}

ExitStatus Inspect(const InspectOptions& options) {
  if (options.plan || !options.svg.empty()) return InspectListViews(options);
  ExitStatus worst = kSuccess;
  bool first = true;
  for (const std::string& path : options.files) {
    const StatusOr<FileSummary> summary = Summarize(path);
    if (!summary.ok()) {
      worst = Worse(worst, ReportError(path, summary.status()));
    } else if (options.json) {
      // Names are whatever a file says: what is not UTF-8 cannot stand in JSON.
      std::cout << ToJson(*summary).dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
    } else {
      if (!first) std::cout << '\n';
      first = false;
      PrintText(*summary, std::cout);
    }
  }
  return worst;
}

/// What the parser cannot see by looking at one option at a time.
void CheckListViewOptions(const InspectOptions& options, bool draw) {
  if (draw && options.svg.empty()) throw CLI::ValidationError("--svg", "needs a name");
  if (draw && options.files.size() > 1)
    throw CLI::ValidationError("--svg", "draws a column of one FILE");
  if (!options.column.empty() && !draw && !options.plan)
    throw CLI::ValidationError("--column", "goes with --plan or --svg");
}

}  // namespace

void AddInspect(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand(
      "inspect", "Shows format, schema, batches, rows, and figures for every column path");
  command->add_option("FILE", options->files, "Arrow IPC files or streams; - is standard input")
      ->required();
  CLI::Option* json = command->add_flag("--json", options->json,
                                        "One JSON object a file, each on a line of its own");
  CLI::Option* plan = command->add_flag(
      "--plan", options->plan, "What each mode of rebuild would leave of the list-views, instead");
  CLI::Option* svg =
      command
          ->add_option("--svg", options->svg,
                       "Draw the views of a list-view over its elements, instead; - is standard "
                       "output")
          ->option_text("OUT.svg")
          ->excludes(json)
          ->excludes(plan);
  command
      ->add_option("--column", options->column,
                   "Path of the list-view for --plan and --svg; without it all, or the first")
      ->option_text("PATH");
  command->footer(
      "Figures are summed over the batches; packed and zero_copy_to_list hold if they hold in "
      "every batch,\n"
      "overlapping if in any. Paths are like $.points.item; where a name is empty or there twice, "
      "its position\n"
      "among its siblings follows: $.a[0], $.a[1], $[2].\n"
      "\n"
      "Example:\n"
      "  sheaf inspect --json temperatures.arrow\n"
      "  sheaf inspect --plan temperatures.arrow\n"
      "  sheaf inspect --svg views.svg --column '$.last_24h' temperatures.arrow");
  command->callback([options, svg, &chosen] {
    CheckStandardInputOnce(options->files, "FILE");
    CheckListViewOptions(*options, svg->count() > 0);
    chosen = [options] { return Inspect(*options); };
  });
}

}  // namespace sheaf::tools
