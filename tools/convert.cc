// sheaf convert: the same rows with columns of another layout.

#include "sheaf/compute/convert.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "sheaf/compute/list_view/convert.h"
#include "tools/column_path.h"
#include "tools/commands.h"
#include "tools/input.h"
#include "tools/output_options.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/usage.h"
#include "type/with_fields.h"

namespace sheaf::tools {
namespace {

struct ConvertOptions {
  std::string input;
  std::string to;
  std::string column;  // Empty: all.
  bool nested = false;
  OutputOptions output;

  std::optional<TypeId> layout;  // Where `to` names a layout of lists.
  DataType type;                 // Where it is a type.
};

const std::vector<std::pair<std::string, TypeId>> kLayouts = {
    {"list", TypeId::kList},
    {"large-list", TypeId::kLargeList},
    {"list-view", TypeId::kListView},
    {"large-list-view", TypeId::kLargeListView}};

bool IsListOfAnySize(const DataType& type) {
  return IsListLike(type.storage().id()) && type.storage().id() != TypeId::kFixedSizeList;
}

/// The lists of `type` in the layout `id`.
StatusOr<DataType> InLayout(const DataType& type, TypeId id) {
  return internal::WithStorage(type, internal::ListTypeOf(id, type.storage().field(0)));
}

/// Whether `below` may be the type of child i: entries of maps and run ends are not any type.
bool CanBeBelow(const DataType& type, int i, const DataType& below) {
  if (type.storage().id() == TypeId::kMap)
    return below.id() == TypeId::kStruct && below.num_fields() == 2;
  if (type.storage().id() != TypeId::kRunEndEncoded || i != 0) return true;
  return below.id() == TypeId::kInt16 || below.id() == TypeId::kInt32 ||
         below.id() == TypeId::kInt64;
}

/// `type` with another type at `steps` below it.
StatusOr<DataType> WithTypeAt(const DataType& type, std::span<const int> steps,
                              const DataType& replacement) {
  if (steps.empty()) return replacement;
  std::vector<Field> fields(type.fields().begin(), type.fields().end());
  if (steps[0] == kDictionary) {
    SHEAF_ASSIGN_OR_RETURN(const DataType values,
                           WithTypeAt(type.storage().value_type(), steps.subspan(1), replacement));
    return internal::WithFields(type, std::move(fields), values);
  }
  Field& field = fields[static_cast<size_t>(steps[0])];
  SHEAF_ASSIGN_OR_RETURN(DataType below, WithTypeAt(field.type(), steps.subspan(1), replacement));
  if (!CanBeBelow(type, steps[0], below)) {
    return internal::InvalidArgument(below.ToString(), " cannot be the ", field.name(), " of ",
                                     type.ToString());
  }
  field = field.WithType(std::move(below));
  if (type.id() == TypeId::kRunEndEncoded)  // Its layout follows the run ends.
    return RunEndEncodedOf(std::move(fields[0]), std::move(fields[1]));
  return internal::WithFields(type, std::move(fields));
}

/// One run of the command. Batches are converted as structs of their columns, so that an error has
/// the whole path.
class ConvertCommand {
 public:
  explicit ConvertCommand(const ConvertOptions& options) : options_(options) {}

  ExitStatus Run() {
    const Status status = Write();
    progress_.Wipe();
    return status.ok() ? kSuccess : ReportError(at_, status);
  }

 private:
  Status Write() {
    at_ = options_.input;
    SHEAF_ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::Open(options_.input));
    SHEAF_RETURN_IF_ERROR(DecideTypes(input->schema()));
    // No rows tell what the schema becomes as well as any.
    SHEAF_ASSIGN_OR_RETURN(const Array no_rows, MakeEmptyArray(input->schema().struct_type()));
    SHEAF_ASSIGN_OR_RETURN(const Array none, Converted(no_rows));
    SHEAF_ASSIGN_OR_RETURN(const Schema schema,
                           Schema::FromStruct(none.type(), input->schema().metadata()));
    at_ = options_.output.path;
    SHEAF_ASSIGN_OR_RETURN(const auto writer, OpenOutput(options_.output, schema));
    while (true) {
      at_ = options_.input;
      SHEAF_ASSIGN_OR_RETURN(const std::optional<RecordBatch> batch, input->NextVerifiedBatch());
      if (!batch.has_value()) break;
      SHEAF_ASSIGN_OR_RETURN(const Array rows, batch->ToStruct());
      const StatusOr<Array> converted = Converted(rows);
      if (!converted.ok()) return AtBatch(converted.status(), input->batches_read() - 1);
      at_ = options_.output.path;
      SHEAF_ASSIGN_OR_RETURN(const RecordBatch result,
                             RecordBatch::FromStruct(*converted, schema.metadata()));
      SHEAF_RETURN_IF_ERROR(writer->Write(result));
      rows_ += batch->num_rows();
      progress_.Update(input->fraction(), rows_);
    }
    at_ = options_.output.path;
    return writer->Close();
  }

  Status DecideTypes(const Schema& schema) {
    target_ = schema.struct_type();
    if (options_.nested) return OkStatus();
    if (!options_.column.empty()) {
      SHEAF_ASSIGN_OR_RETURN(const Column column, FindColumn(schema, options_.column));
      return Replace(column);
    }
    for (int i = 0; i < schema.num_fields(); ++i) {
      if (IsListOfAnySize(schema.field(i).type()))
        SHEAF_RETURN_IF_ERROR(Replace({.path = "", .steps = {i}, .field = schema.field(i)}));
    }
    return OkStatus();
  }

  Status Replace(const Column& column) {
    DataType type = options_.type;
    if (options_.layout.has_value()) {
      if (!IsListLike(column.field.type().storage().id())) {
        return internal::InvalidArgument(column.path, ": ", column.field.type().ToString(),
                                         " has no lists");
      }
      SHEAF_ASSIGN_OR_RETURN(type, InLayout(column.field.type(), *options_.layout));
    }
    SHEAF_ASSIGN_OR_RETURN(target_, WithTypeAt(target_, column.steps, type));
    return OkStatus();
  }

  StatusOr<Array> Converted(const Array& rows) const {
    return options_.nested ? ConvertNested(rows, *options_.layout) : Convert(rows, target_);
  }

  const ConvertOptions& options_;
  DataType target_;  // Of the columns, as a struct.
  std::string at_;   // The file an error is about.
  Progress progress_{"convert"};
  int64_t rows_ = 0;
};

/// Reads what is more than text. Throws what the parser throws for a wrong argument.
void Understand(ConvertOptions& options) {
  std::string names;
  for (const auto& [name, id] : kLayouts) {
    if (options.to == name) options.layout = id;
    names += (names.empty() ? "" : ", ") + name;
  }
  if (options.layout.has_value()) return;
  if (options.column.empty())
    throw CLI::ValidationError("--to",
                               options.to + " is none of " + names + "; a type needs --column");
  StatusOr<DataType> type = ParseType({options.to.data(), options.to.size()});
  if (!type.ok()) {
    const string_view message = type.status().message();
    throw CLI::ValidationError("--to", std::string(message.data(), message.size()));
  }
  options.type = *std::move(type);
}

}  // namespace

void AddConvert(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand(
      "convert", "Writes the same rows with lists, or one column, of another layout");
  command->add_option("IN", options->input, "Arrow IPC file or stream; - is standard input")
      ->required();
  command
      ->add_option("--to", options->to,
                   "list, large-list, list-view or large-list-view; with --column also any type "
                   "that can hold the same values, as inspect prints it")
      ->option_text("LAYOUT|TYPE REQUIRED")
      ->required();
  CLI::Option* column =
      command
          ->add_option("--column", options->column,
                       "Path of the one column to convert, such as $.a.points; without it every "
                       "list at the top")
          ->option_text("PATH");
  command
      ->add_flag("--nested", options->nested,
                 "List-views (or lists) at every depth; large ones stay large")
      ->excludes(column);
  AddOutputOptions(*command, options->output);
  command->footer(
      "Values stay the same: what the other type does not hold is an error, never another value. "
      "Elements are\n"
      "shared where the layout allows, else copied once. With --nested to list or large-list every "
      "list-view\n"
      "becomes a list, for engines that know none, and to list-view or large-list-view every list "
      "a "
      "list-view;\n"
      "maps and fixed-size lists stay.\n"
      "\n"
      "Example:\n"
      "  sheaf convert --to list --nested views.arrow -o lists.arrow\n"
      "  sheaf convert --column '$.city' --to 'dictionary<int8, utf8>' a.arrow -o b.arrow");
  command->callback([options, &chosen] {
    Understand(*options);
    chosen = [options] { return ConvertCommand(*options).Run(); };
  });
}

}  // namespace sheaf::tools
