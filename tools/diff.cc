// sheaf diff: whether two files read the same, or the first place where they do not.

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sheaf/array/equality.h"
#include "tools/commands.h"
#include "tools/input.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/schema_differences.h"
#include "tools/usage.h"

namespace sheaf::tools {
namespace {

struct DiffOptions {
  std::string first;
  std::string second;
  EqualityOptions equality;
};

/// A file, row by row over the borders of its batches.
class Rows {
 public:
  static StatusOr<Rows> Open(const std::string& path) {
    SHEAF_ASSIGN_OR_RETURN(auto input, Input::Open(path));
    return Rows(std::move(input));
  }

  const Schema& schema() const { return input_->schema(); }
  double fraction() const { return input_->fraction(); }

  /// Rows of the current batch that are left; 0 at the end of the file only.
  StatusOr<int64_t> Available() {
    while (next_ == batch_.num_rows()) {
      SHEAF_ASSIGN_OR_RETURN(std::optional<RecordBatch> batch, input_->NextVerifiedBatch());
      if (!batch.has_value()) return int64_t{0};
      batch_ = *std::move(batch);
      next_ = 0;
    }
    return batch_.num_rows() - next_;
  }

  /// The next `count` of them, as a struct of the columns.
  StatusOr<Array> Take(int64_t count) {
    const int64_t first = next_;
    next_ += count;
    return batch_.Slice(first, count).ToStruct();
  }

  /// All rows that are left, which are read to the end.
  StatusOr<int64_t> CountRest() {
    int64_t rest = 0;
    while (true) {
      SHEAF_ASSIGN_OR_RETURN(const int64_t available, Available());
      if (available == 0) return rest;
      rest += available;
      next_ += available;
    }
  }

 private:
  explicit Rows(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  std::unique_ptr<Input> input_;
  RecordBatch batch_;
  int64_t next_ = 0;
};

/// One run of the command.
class Diff {
 public:
  explicit Diff(const DiffOptions& options) : options_(options) {}

  ExitStatus Run() {
    const StatusOr<bool> equal = Compare();
    progress_.Wipe();
    if (!equal.ok()) {
      ReportError(at_, equal.status());
      return kTrouble;
    }
    std::cout.flush();
    return OutputError() != 0 ? kTrouble : *equal ? kSuccess : kDifferent;
  }

 private:
  StatusOr<bool> Compare() {
    at_ = options_.first;
    SHEAF_ASSIGN_OR_RETURN(Rows a, Rows::Open(options_.first));
    at_ = options_.second;
    SHEAF_ASSIGN_OR_RETURN(Rows b, Rows::Open(options_.second));
    const std::vector<std::string> lines = SchemaDifferences(a.schema(), b.schema());
    for (const std::string& line : lines) std::cout << "schema: " << OneLine(line) << '\n';
    if (!lines.empty()) return false;
    return CompareRows(a, b);
  }

  StatusOr<bool> CompareRows(Rows& a, Rows& b) {
    for (int64_t done = 0;;) {
      at_ = options_.first;
      SHEAF_ASSIGN_OR_RETURN(const int64_t left_in_a, a.Available());
      at_ = options_.second;
      SHEAF_ASSIGN_OR_RETURN(const int64_t left_in_b, b.Available());
      const int64_t count = std::min(left_in_a, left_in_b);
      if (count == 0) return CompareCounts(a, b, done);
      SHEAF_ASSIGN_OR_RETURN(const Array rows_of_a, a.Take(count));
      SHEAF_ASSIGN_OR_RETURN(const Array rows_of_b, b.Take(count));
      SHEAF_ASSIGN_OR_RETURN(std::optional<ValueDifference> found,
                             FindDifference(rows_of_a, rows_of_b, options_.equality));
      if (found.has_value()) {
        found->row += done;
        Print(found->Place(), found->a, found->b);
        return false;
      }
      done += count;
      progress_.Update(std::min(a.fraction(), b.fraction()), done);
    }
  }

  StatusOr<bool> CompareCounts(Rows& a, Rows& b, int64_t done) {
    at_ = options_.first;
    SHEAF_ASSIGN_OR_RETURN(const int64_t rest_of_a, a.CountRest());
    at_ = options_.second;
    SHEAF_ASSIGN_OR_RETURN(const int64_t rest_of_b, b.CountRest());
    if (rest_of_a == rest_of_b) return true;
    Print("rows", std::to_string(done + rest_of_a), std::to_string(done + rest_of_b));
    return false;
  }

  void Print(const std::string& place, const std::string& a, const std::string& b) {
    progress_.Wipe();
    std::cout << OneLine(place) << '\n'
              << "  " << OneLine(options_.first) << ": " << OneLine(a) << '\n'
              << "  " << OneLine(options_.second) << ": " << OneLine(b) << '\n';
  }

  const DiffOptions& options_;
  std::string at_;  // The file an error is about.
  Progress progress_{"diff"};
};

}  // namespace

void AddDiff(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command = app.add_subcommand(
      "diff", "Says whether two files have the same rows, or where they first differ");
  command->add_option("A", options->first, "Arrow IPC file or stream; - is standard input")
      ->required();
  command->add_option("B", options->second, "Another one")->required();
  command->add_flag("--ieee-floats", options->equality.ieee_floats,
                    "0.0 equals -0.0, and no NaN equals another; without it bits decide");
  command->footer(
      "Values are compared, not how they lie: batches, offsets, sharing, format and compression "
      "make no\n"
      "difference, nor do metadata and the names of list elements. Nothing is printed where all "
      "rows are\n"
      "the same; else the first row that differs, down to the value, or every difference of the "
      "schemas.\n"
      "Exit status: 0 (the same), 1 (different), 2 (wrong usage, or a file that cannot be read).\n"
      "\n"
      "Example:\n"
      "  sheaf diff before.arrow after.arrows");
  command->callback([options, &chosen] {
    CheckStandardInputOnce({options->first, options->second}, "A and B");
    chosen = [options] { return Diff(*options).Run(); };
  });
}

}  // namespace sheaf::tools
