// sheaf cat: the rows of a file, as a table for people or as JSON lines for programs.

#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "sheaf/array/print.h"
#include "tools/column_path.h"
#include "tools/commands.h"
#include "tools/input.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/text_table.h"
#include "tools/usage.h"

namespace sheaf::tools {
namespace {

/// A list of a thousand elements would push all else off every screen.
constexpr size_t kCellWidth = 64;
/// Rows whose widths are found together, and memory of the table.
constexpr size_t kTableRows = 512;

struct CatOptions {
  std::string file;
  int64_t rows = std::numeric_limits<int64_t>::max();
  bool json = false;
};

/// Prints rows one by one, of columns that have passed `Array::Verify`.
class RowPrinter {
 public:
  virtual ~RowPrinter() = default;
  virtual Status Print(const RecordBatch& batch, int64_t row) = 0;
  virtual void Finish() {}
};

/// Keys of the columns in a row's object: the names, or as in column paths `a[0]`, `a[1]`, `[2]`.
std::vector<std::string> RowKeys(const Schema& schema) {
  std::vector<std::string> keys = ChildPaths("", schema.fields());
  for (std::string& key : keys) {
    if (key.starts_with('.')) key.erase(0, 1);
  }
  return keys;
}

class JsonPrinter final : public RowPrinter {
 public:
  explicit JsonPrinter(const Schema& schema) {
    for (const std::string& key : RowKeys(schema)) {
      std::string& prefix = prefixes_.emplace_back(prefixes_.empty() ? "" : ", ");
      AppendJsonString(key, &prefix);
      prefix += ": ";
    }
  }

  /// kOutOfRange where a value is too long to be written whole.
  Status Print(const RecordBatch& batch, int64_t row) override {
    line_ = "{";
    for (int i = 0; i < batch.num_columns(); ++i) {
      line_ += prefixes_[static_cast<size_t>(i)];
      if (!AppendValue(batch.column(i), row, PrintStyle::kJson, &line_)) {
        return internal::OutOfRange("column ", i, ", row ", row,
                                    ": the value is too long to print");
      }
    }
    line_ += "}\n";
    std::cout << line_;
    return OkStatus();
  }

 private:
  std::vector<std::string> prefixes_;  ///< `, "name": ` of each column.
  std::string line_;
};

class TablePrinter final : public RowPrinter {
 public:
  explicit TablePrinter(const Schema& schema) : table_(ColumnsOf(schema), kCellWidth) {}

  Status Print(const RecordBatch& batch, int64_t row) override {
    std::vector<std::string> cells;
    for (const Array& column : batch.columns()) {
      AppendValue(column, row, PrintStyle::kText, &cells.emplace_back());
    }
    table_.AddRow(cells);
    if (table_.pending_rows() == kTableRows) table_.Print(std::cout);
    return OkStatus();
  }
  void Finish() override { table_.Print(std::cout); }

 private:
  static std::vector<TextTable::Column> ColumnsOf(const Schema& schema) {
    std::vector<TextTable::Column> columns;
    for (const Field& field : schema.fields()) {
      const TypeId id = field.type().storage().id();
      const bool number = IsInteger(id) || IsFloating(id) || IsDecimal(id);
      columns.push_back({field.name(), number ? Align::kRight : Align::kLeft});
    }
    return columns;
  }

  TextTable table_;
};

Status PrintRows(Input& input, int64_t limit, RowPrinter& printer, Progress* progress) {
  for (int64_t done = 0; done < limit;) {
    SHEAF_ASSIGN_OR_RETURN(const std::optional<RecordBatch> batch, input.NextVerifiedBatch());
    if (!batch.has_value()) break;
    const int64_t rows = std::min(batch->num_rows(), limit - done);
    for (int64_t row = 0; row < rows; ++row) {
      SHEAF_RETURN_IF_ERROR(printer.Print(*batch, row));
      if (OutputError() != 0) return OkStatus();  // Said once, by whoever called the command.
    }
    done += rows;
    if (progress != nullptr) progress->Update(input.fraction(), done);
  }
  return OkStatus();
}

ExitStatus Cat(const CatOptions& options) {
  const StatusOr<std::unique_ptr<Input>> input = Input::Open(options.file);
  if (!input.ok()) return ReportError(options.file, input.status());
  std::unique_ptr<RowPrinter> printer;
  if (options.json) {
    printer = std::make_unique<JsonPrinter>((*input)->schema());
  } else {
    printer = std::make_unique<TablePrinter>((*input)->schema());
  }
  // Rows that run over the terminal are progress enough, and the bar would tear them.
  std::optional<Progress> progress;
  if (::isatty(STDOUT_FILENO) != 1) progress.emplace("cat");
  const Status status =
      PrintRows(**input, options.rows, *printer, progress.has_value() ? &*progress : nullptr);
  progress.reset();
  printer->Finish();
  if (status.ok()) return kSuccess;
  std::cout.flush();  // The rows that came before the error.
  return ReportError(options.file, status);
}

}  // namespace

void AddCat(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<CatOptions>();
  CLI::App* command = app.add_subcommand("cat", "Prints rows, as a table or as JSON lines");
  command->add_option("FILE", options->file, "Arrow IPC file or stream; - is standard input")
      ->required();
  command->add_option("--rows", options->rows, "Print the first N rows only")
      ->option_text("N")
      ->check(AtLeast(0));
  command->add_flag("--json", options->json, "One JSON object a row, each on a line of its own");
  command->footer(
      "A table cuts long cells with …; JSON keeps every value whole: {\"f\": \"nan\"}, {\"d\": "
      "\"1.23\"} for\n"
      "decimals, {\"b\": \"hex\"} for bytes, {\"s\": [[name, value], ...]} for structs, {\"m\": "
      "[[key, value], ...]}\n"
      "for maps, stored integers for dates and times. A column whose name is empty or there twice "
      "has its\n"
      "position behind: a[0], a[1], [2].\n"
      "\n"
      "Example:\n"
      "  sheaf cat temperatures.arrow --rows 10 --json");
  command->callback([options, &chosen] { chosen = [options] { return Cat(*options); }; });
}

}  // namespace sheaf::tools
