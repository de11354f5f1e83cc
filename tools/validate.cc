// sheaf validate: says of each file whether it is sound, or what is wrong and where.

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sheaf/array/array.h"
#include "tools/commands.h"
#include "tools/input.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/usage.h"

namespace sheaf::tools {
namespace {

const std::map<std::string, ValidationLevel> kLevels = {{"none", ValidationLevel::kNone},
                                                        {"minimal", ValidationLevel::kMinimal},
                                                        {"default", ValidationLevel::kDefault},
                                                        {"full", ValidationLevel::kFull}};

struct ValidateOptions {
  std::vector<std::string> files;
  std::string level = "full";
};

struct Counts {
  int64_t batches = 0;
  int64_t rows = 0;
};

StatusOr<Counts> ValidateBatches(Input& input, ValidationLevel level) {
  Progress progress("validate");
  Counts counts;
  while (true) {
    SHEAF_ASSIGN_OR_RETURN(const std::optional<RecordBatch> batch, input.NextBatch());
    if (!batch.has_value()) return counts;
    if (Status status = batch->Validate(level); !status.ok())
      return AtBatch(status, counts.batches);
    ++counts.batches;
    counts.rows += batch->num_rows();
    progress.Update(input.fraction(), counts.rows);
  }
}

ExitStatus ValidateFile(const std::string& path, ValidationLevel level) {
  // Only what reading itself needs is checked while reading: the rest is checked once, at the level
  // asked for.
  const ipc::ReadOptions options{.validation = std::min(level, ValidationLevel::kMinimal)};
  StatusOr<std::unique_ptr<Input>> input = Input::Open(path, options);
  if (!input.ok()) return ReportError(path, input.status());
  const StatusOr<Counts> counts = ValidateBatches(**input, level);
  if (!counts.ok()) return ReportError(path, counts.status());
  std::cout << OneLine(path) << ": valid "
            << ShapeText((*input)->format(), counts->batches, counts->rows) << '\n';
  return kSuccess;
}

}  // namespace

void AddValidate(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* command = app.add_subcommand(
      "validate", "Says of each file whether it is sound, or what is wrong and where");
  command->add_option("FILE", options->files, "Arrow IPC files or streams; - is standard input")
      ->required();
  command
      ->add_option("--level", options->level,
                   "none (messages only), minimal (lengths and sizes), default (and first and last "
                   "offsets), full (every offset, view, index and UTF-8 byte)")
      ->option_text("LEVEL [full]")
      ->check(CLI::IsMember(kLevels).description(""));
  command->footer("Example:\n  sheaf validate --level full a.arrow b.arrows");
  command->callback([options, &chosen] {
    CheckStandardInputOnce(options->files, "FILE");
    chosen = [options] {
      ExitStatus worst = kSuccess;
      for (const std::string& file : options->files)
        worst = Worse(worst, ValidateFile(file, kLevels.at(options->level)));
      return worst;
    };
  });
}

}  // namespace sheaf::tools
