// sheaf rebuild: the same rows with the elements of list-views packed anew, and what that saved.

#include "sheaf/compute/list_view/rebuild.h"

#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "tools/column_path.h"
#include "tools/commands.h"
#include "tools/input.h"
#include "tools/output_options.h"
#include "tools/progress.h"
#include "tools/rebuild_modes.h"
#include "tools/report.h"
#include "tools/text_table.h"
#include "tools/usage.h"
#include "tools/view_bytes.h"

namespace sheaf::tools {
namespace {

struct RebuildCommandOptions {
  std::string input;
  std::string mode;
  std::vector<std::string> columns;
  OutputOptions output;
};

/// A column that is rebuilt, with figures over all batches.
struct RebuiltColumn {
  Column column;
  ViewBytes before;
  ViewBytes after;
  // Batches that share a dictionary share its rebuilt form too.
  std::optional<Array> last;
  Array last_rebuilt;
};

bool IsSameArray(const Array& a, const Array& b) {
  return a.data() == b.data() && a.offset() == b.offset() && a.length() == b.length();
}

RebuildMode ModeCalled(const std::string& name) {
  for (const auto& [mode_name, mode] : RebuildModes()) {
    if (mode_name == name) return mode;
  }
  return RebuildMode::kTrim;  // The parser lets no other name through.
}

/// One run of the command.
class RebuildCommand {
 public:
  explicit RebuildCommand(const RebuildCommandOptions& options)
      : options_(options), mode_(ModeCalled(options.mode)) {}

  ExitStatus Run() {
    const Status status = Write();
    progress_.Wipe();
    if (!status.ok()) return ReportError(at_, status);
    // What is written to standard output must not have a table in it.
    Print(options_.output.path == "-" ? std::cerr : std::cout);
    return kSuccess;
  }

 private:
  Status Write() {
    at_ = options_.input;
    SHEAF_ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::Open(options_.input));
    SHEAF_RETURN_IF_ERROR(PickColumns(input->schema()));
    at_ = options_.output.path;
    SHEAF_ASSIGN_OR_RETURN(const auto writer, OpenOutput(options_.output, input->schema()));
    while (true) {
      at_ = options_.input;
      SHEAF_ASSIGN_OR_RETURN(std::optional<RecordBatch> batch, input->NextVerifiedBatch());
      if (!batch.has_value()) break;
      if (Status status = RebuildColumns(*batch); !status.ok())
        return AtBatch(status, input->batches_read() - 1);
      at_ = options_.output.path;
      SHEAF_RETURN_IF_ERROR(writer->Write(*batch));
      rows_ += batch->num_rows();
      progress_.Update(input->fraction(), rows_);
    }
    at_ = options_.output.path;
    return writer->Close();
  }

  Status PickColumns(const Schema& schema) {
    for (const std::string& path : options_.columns) {
      SHEAF_ASSIGN_OR_RETURN(Column column, FindListView(schema, path));
      columns_.push_back({.column = std::move(column)});
    }
    if (!options_.columns.empty()) return OkStatus();
    for (Column& column : TopListViews(schema)) columns_.push_back({.column = std::move(column)});
    return OkStatus();
  }

  Status RebuildColumns(RecordBatch& batch) {
    for (RebuiltColumn& rebuilt : columns_) {
      const auto rebuild = [&](const Array& array) -> StatusOr<Array> {
        if (rebuilt.last.has_value() && IsSameArray(array, *rebuilt.last))
          return rebuilt.last_rebuilt;
        rebuilt.last = array;
        SHEAF_RETURN_IF_ERROR(rebuilt.before.Add(array));
        SHEAF_ASSIGN_OR_RETURN(rebuilt.last_rebuilt, Rebuild(array, mode_));
        SHEAF_RETURN_IF_ERROR(rebuilt.after.Add(rebuilt.last_rebuilt));
        return rebuilt.last_rebuilt;
      };
      SHEAF_ASSIGN_OR_RETURN(batch, WithChanged(batch, rebuilt.column, rebuild));
    }
    return OkStatus();
  }

  void Print(std::ostream& out) const {
    if (columns_.empty()) {
      out << OneLine(options_.input) << ": no list-view column at the top, nothing to rebuild\n";
      return;
    }
    TextTable table({{"column"},
                     {"elements", Align::kRight},
                     {"after", Align::kRight},
                     {"bytes", Align::kRight},
                     {"after", Align::kRight},
                     {"ratio", Align::kRight}});
    for (const RebuiltColumn& rebuilt : columns_) {
      table.AddRow({rebuilt.column.path, std::to_string(rebuilt.before.elements),
                    std::to_string(rebuilt.after.elements), std::to_string(rebuilt.before.bytes),
                    std::to_string(rebuilt.after.bytes),
                    RatioText(rebuilt.after.bytes, rebuilt.before.bytes)});
    }
    table.Print(out);
  }

  const RebuildCommandOptions& options_;
  RebuildMode mode_;
  std::vector<RebuiltColumn> columns_;
  std::string at_;  // The file an error is about.
  Progress progress_{"rebuild"};
  int64_t rows_ = 0;
};

std::vector<std::string> ModeNames() {
  std::vector<std::string> names;
  for (const auto& [name, mode] : RebuildModes()) names.push_back(name);
  return names;
}

}  // namespace

void AddRebuild(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<RebuildCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "rebuild",
      "Packs the elements of list-views anew; says what that saved, in elements and bytes");
  command->add_option("IN", options->input, "Arrow IPC file or stream; - is standard input")
      ->required();
  std::string modes;
  for (const std::string& name : ModeNames()) modes += (modes.empty() ? "" : ", ") + name;
  command->add_option("--mode", options->mode, modes)
      ->option_text("MODE REQUIRED")
      ->required()
      ->check(CLI::IsMember(ModeNames()).description(""));
  command
      ->add_option("--column", options->columns,
                   "Path of a list-view, such as $.a.points, as inspect prints it; may be given "
                   "again. Without it every list-view at the top")
      ->option_text("PATH")
      ->allow_extra_args(false);
  AddOutputOptions(*command, options->output);
  command->footer(
      "Every row reads the same values. trim drops elements before the first and after the last "
      "view,\n"
      "compact all that no list reads; exact writes every list out; zero-copy-to-list does so only "
      "where\n"
      "trimming does not make plain lists of them. Each batch is rebuilt by itself. Bytes are "
      "those "
      "of offsets,\n"
      "sizes, nulls and all elements.\n"
      "\n"
      "Example:\n"
      "  sheaf rebuild --mode compact --column '$.a.points' filtered.arrow -o small.arrow");
  command->callback(
      [options, &chosen] { chosen = [options] { return RebuildCommand(*options).Run(); }; });
}

}  // namespace sheaf::tools
