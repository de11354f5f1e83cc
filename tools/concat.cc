// sheaf concat: the rows of all inputs, one after the other, through the builders: list-views stay
// list-views.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "sheaf/builder/array_builder.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/type/can_append.h"
#include "tools/column_path.h"
#include "tools/commands.h"
#include "tools/input.h"
#include "tools/output_options.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/usage.h"

namespace sheaf::tools {
namespace {

struct ConcatOptions {
  std::vector<std::string> inputs;
  OutputOptions output;
  int64_t batch_rows = 0;  // 0: all rows in one batch.
};

/// Whether the columns of `from` go into those of `to`, position by position.
Status CheckColumns(const Schema& to, const Schema& from) {
  if (from.num_fields() != to.num_fields()) {
    return internal::InvalidArgument(from.num_fields(), " columns, where the first input has ",
                                     to.num_fields());
  }
  const std::vector<std::string> paths = ChildPaths("$", to.fields());
  for (int i = 0; i < to.num_fields(); ++i) {
    if (from.field(i).name() != to.field(i).name()) {
      return internal::InvalidArgument(paths[static_cast<size_t>(i)], ": column ", i,
                                       " is called \"", from.field(i).name(), "\" here");
    }
    // As structs of one field, so that the message has the whole path.
    SHEAF_RETURN_IF_ERROR(CanAppend(Struct({to.field(i)}), Struct({from.field(i)})));
  }
  return OkStatus();
}

/// One run of the command. The rows are built as one struct array: its builder matches the columns
/// by position and name, checks that null-free columns stay so, and counts rows where there is no
/// column.
class Concatenation {
 public:
  explicit Concatenation(const ConcatOptions& options) : options_(options) {}

  ExitStatus Run() {
    const Status status = Concatenate();
    progress_.Wipe();
    return status.ok() ? kSuccess : ReportError(at_, status);
  }

 private:
  Status Concatenate() {
    for (size_t i = 0; i < options_.inputs.size(); ++i) {
      inputs_done_ = i;
      at_ = options_.inputs[i];
      SHEAF_ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::Open(at_));
      if (i == 0) SHEAF_RETURN_IF_ERROR(Begin(input->schema()));
      SHEAF_RETURN_IF_ERROR(CheckColumns(schema_, input->schema()));
      SHEAF_RETURN_IF_ERROR(AppendInput(*input));
    }
    // Without a limit there is one batch, even of no rows.
    if (builder_->length() > 0 || options_.batch_rows == 0) SHEAF_RETURN_IF_ERROR(WriteBatch());
    at_ = options_.output.path;
    return writer_->Close();
  }

  /// The first input says what the output is like.
  Status Begin(const Schema& schema) {
    schema_ = schema;
    SHEAF_ASSIGN_OR_RETURN(builder_, MakeBuilder(schema.struct_type()));
    at_ = options_.output.path;
    SHEAF_ASSIGN_OR_RETURN(writer_, OpenOutput(options_.output, schema));
    at_ = options_.inputs.front();
    return OkStatus();
  }

  Status AppendInput(Input& input) {
    while (true) {
      SHEAF_ASSIGN_OR_RETURN(const std::optional<RecordBatch> batch, input.NextBatch());
      if (!batch.has_value()) return OkStatus();
      if (Status status = AppendBatch(*batch); !status.ok()) {
        return at_ == options_.output.path ? status : AtBatch(status, input.batches_read() - 1);
      }
      rows_ += batch->num_rows();
      ShowProgress(input.fraction());
    }
  }

  /// Cuts the batch where an output batch is full.
  Status AppendBatch(const RecordBatch& batch) {
    SHEAF_ASSIGN_OR_RETURN(const Array rows, batch.ToStruct());
    for (int64_t done = 0; done < rows.length();) {
      const int64_t room =
          options_.batch_rows == 0 ? rows.length() : options_.batch_rows - builder_->length();
      const int64_t taken = std::min(room, rows.length() - done);
      SHEAF_RETURN_IF_ERROR(builder_->AppendArray(rows, done, taken));
      done += taken;
      if (builder_->length() == options_.batch_rows) SHEAF_RETURN_IF_ERROR(WriteBatch());
    }
    return OkStatus();
  }

  Status WriteBatch() {
    const std::string input = std::exchange(at_, options_.output.path);
    SHEAF_ASSIGN_OR_RETURN(const Array rows, builder_->Finish());
    SHEAF_ASSIGN_OR_RETURN(const RecordBatch batch,
                           RecordBatch::FromStruct(rows, schema_.metadata()));
    SHEAF_RETURN_IF_ERROR(writer_->Write(batch));
    at_ = input;
    return OkStatus();
  }

  void ShowProgress(double input_fraction) {
    const auto inputs = static_cast<double>(options_.inputs.size());
    progress_.Update(
        input_fraction < 0 ? -1 : (static_cast<double>(inputs_done_) + input_fraction) / inputs,
        rows_);
  }

  const ConcatOptions& options_;
  std::string at_;  // The file an error is about.
  Schema schema_;
  std::unique_ptr<ArrayBuilder> builder_;
  std::unique_ptr<BatchWriter> writer_;
  Progress progress_{"concat"};
  size_t inputs_done_ = 0;
  int64_t rows_ = 0;
};

}  // namespace

void AddConcat(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ConcatOptions>();
  CLI::App* command = app.add_subcommand(
      "concat",
      "Writes the rows of all inputs, one after the other; list-views keep what they share");
  command->add_option("IN", options->inputs, "Arrow IPC files or streams; - is standard input")
      ->required();
  AddOutputOptions(*command, options->output);
  command
      ->add_option(
          "--batch-rows", options->batch_rows,
          "Rows in each output batch, which bounds the memory; without it all rows are one batch")
      ->option_text("N")
      ->check(AtLeast(1));
  command->footer(
      "Columns are matched by position and must have equal names; the types are those of the first "
      "input, and\n"
      "list-like columns take every list-like type with the same elements.\n"
      "\n"
      "Example:\n"
      "  sheaf concat monday.arrow tuesday.arrows -o both.arrow --compression zstd --batch-rows "
      "65536");
  command->callback([options, &chosen] {
    CheckStandardInputOnce(options->inputs, "IN");
    chosen = [options] { return Concatenation(*options).Run(); };
  });
}

}  // namespace sheaf::tools
