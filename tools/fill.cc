// sheaf fill: a column of one value again and again, with patches every so many rows.

#include "sheaf/compute/fill.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "sheaf/builder/array_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/type/can_append.h"
#include "tools/commands.h"
#include "tools/input.h"
#include "tools/json_array.h"
#include "tools/output_options.h"
#include "tools/report.h"
#include "tools/usage.h"

namespace sheaf::tools {
namespace {

struct FillOptions {
  std::string type_text;
  std::string value_text;
  int64_t rows = 0;
  int64_t every = 0;    // 0: no patches.
  std::string patches;  // A file.
  std::string column;   // Of it; empty: the first.
  std::string name = "value";
  OutputOptions output;

  DataType type;
  Array value;
};

/// Rows 0, every, 2 x every, … below `rows`.
int64_t PatchCount(const FillOptions& options) {
  return options.every == 0 || options.rows == 0 ? 0 : (options.rows - 1) / options.every + 1;
}

/// One run of the command.
class Fill {
 public:
  explicit Fill(const FillOptions& options) : options_(options) {}

  ExitStatus Run() {
    const Status status = Write();
    return status.ok() ? kSuccess : ReportError(at_, status);
  }

 private:
  Status Write() {
    at_ = options_.output.path;
    SHEAF_ASSIGN_OR_RETURN(const auto builder, MakeBuilder(options_.type));
    if (options_.every == 0) {
      SHEAF_RETURN_IF_ERROR(FillConstant(*builder, options_.value, options_.rows));
    } else {
      at_ = options_.patches;
      SHEAF_ASSIGN_OR_RETURN(const Array patches, ReadPatches());
      at_ = options_.output.path;
      SHEAF_ASSIGN_OR_RETURN(const Array indices, Indices());
      SHEAF_RETURN_IF_ERROR(FillSparse(*builder, options_.value, indices, patches,
                                       {.base = 0, .length = options_.rows}));
    }
    SHEAF_ASSIGN_OR_RETURN(Array column, builder->Finish());
    const Schema schema({Field(options_.name, options_.type)});
    SHEAF_ASSIGN_OR_RETURN(const RecordBatch batch,
                           RecordBatch::Make(schema, options_.rows, {std::move(column)}));
    SHEAF_ASSIGN_OR_RETURN(const auto writer, OpenOutput(options_.output, schema));
    SHEAF_RETURN_IF_ERROR(writer->Write(batch));
    return writer->Close();
  }

  StatusOr<int> PatchColumn(const Schema& schema) const {
    if (!options_.column.empty()) return schema.FieldIndex(options_.column);
    if (schema.num_fields() > 0) return 0;
    return internal::InvalidArgument("there is no column");
  }

  /// As many rows of the file as there are places for patches.
  StatusOr<Array> ReadPatches() const {
    SHEAF_ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::Open(options_.patches));
    SHEAF_ASSIGN_OR_RETURN(const int column, PatchColumn(input->schema()));
    const DataType& type = input->schema().field(column).type();
    SHEAF_RETURN_IF_ERROR(CanAppend(options_.type, type));
    SHEAF_ASSIGN_OR_RETURN(const auto builder, MakeBuilder(type));
    const int64_t wanted = PatchCount(options_);
    while (builder->length() < wanted) {
      SHEAF_ASSIGN_OR_RETURN(const std::optional<RecordBatch> batch, input->NextBatch());
      if (!batch.has_value()) {
        return internal::InvalidArgument(builder->length(), " rows, where ", wanted,
                                         " are wanted: a patch each ", options_.every, " of ",
                                         options_.rows, " rows");
      }
      const int64_t taken = std::min(batch->num_rows(), wanted - builder->length());
      if (Status status = builder->AppendArray(batch->column(column), 0, taken); !status.ok())
        return AtBatch(status, input->batches_read() - 1);
    }
    return builder->Finish();
  }

  StatusOr<Array> Indices() const {
    SHEAF_ASSIGN_OR_RETURN(const auto builder, MakeBuilderAs<Int64Builder>(Int64()));
    const int64_t count = PatchCount(options_);
    SHEAF_RETURN_IF_ERROR(builder->Reserve(count));
    for (int64_t j = 0; j < count; ++j) builder->UnsafeAppend(j * options_.every);
    return builder->Finish();
  }

  const FillOptions& options_;
  std::string at_;  // The file an error is about.
};

std::string MessageOf(const Status& status) {
  return std::string(status.message().data(), status.message().size());
}

/// Reads what is more than text. Throws what the parser throws for a wrong argument.
void Understand(FillOptions& options) {
  StatusOr<DataType> type = ParseType({options.type_text.data(), options.type_text.size()});
  if (!type.ok()) throw CLI::ValidationError("--type", MessageOf(type.status()));
  options.type = *std::move(type);
  if (const auto builder = MakeBuilder(options.type); !builder.ok())
    throw CLI::ValidationError("--type", MessageOf(builder.status()));
  StatusOr<Array> value = ArrayFromJson(options.type, options.value_text);
  if (!value.ok()) throw CLI::ValidationError("--value", MessageOf(value.status()));
  options.value = *std::move(value);
}

}  // namespace

void AddFill(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<FillOptions>();
  CLI::App* command = app.add_subcommand(
      "fill",
      "Writes one value again and again, with patches between; list-views store its elements once");
  command->add_option("--type", options->type_text, "Type of the column, as inspect prints it")
      ->option_text("TYPE REQUIRED")
      ->required();
  command->add_option("--value", options->value_text, "The value, as cat --json prints it")
      ->option_text("JSON REQUIRED")
      ->required();
  command->add_option("--rows", options->rows, "Rows to write, patches included")
      ->option_text("N REQUIRED")
      ->required()
      ->check(AtLeast(0));
  CLI::Option* every =
      command->add_option("--every", options->every, "Rows 0, K, 2K, ... are patches")
          ->option_text("K")
          ->check(AtLeast(1));
  CLI::Option* patches =
      command
          ->add_option("--patches", options->patches,
                       "File or stream whose rows are the patches; - is standard input")
          ->option_text("FILE");
  command->add_option("--column", options->column, "Column of FILE; without it the first")
      ->option_text("NAME")
      ->needs(patches);
  command->add_option("--name", options->name, "Name of the column that is written")
      ->option_text("NAME [value]");
  every->needs(patches);
  patches->needs(every);
  AddOutputOptions(*command, options->output);
  command->footer(
      "FILE must have as many rows as there are patches; rows behind those are not used. Its "
      "column "
      "may be of\n"
      "any type that goes into TYPE, such as another list-like one with the same elements.\n"
      "\n"
      "Example:\n"
      "  sheaf fill --type 'list_view<int32>' --value '[1, 2, 3]' --rows 1000000 -o "
      "constant.arrow\n"
      "  sheaf fill --type 'list_view<int32>' --value null --rows 1000000 --every 17 --patches "
      "p.arrow -o sparse.arrow");
  command->callback([options, &chosen] {
    Understand(*options);
    chosen = [options] { return Fill(*options).Run(); };
  });
}

}  // namespace sheaf::tools
