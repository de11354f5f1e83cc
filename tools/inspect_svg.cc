#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/error.h"
#include "tools/column_path.h"
#include "tools/input.h"
#include "tools/inspect_views.h"
#include "tools/output_file.h"
#include "tools/progress.h"
#include "tools/svg.h"
#include "tools/view_layout.h"
#include "tools/view_picture.h"

namespace sheaf::tools {
namespace {

using internal::Concat;

std::string Several(int64_t count, const char* one, const char* more) {
  return Concat(CountText(count), " ", count == 1 ? one : more);
}

StatusOr<std::string> Draw(const std::string& file, const std::string& path) {
  SHEAF_ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::Open(file));
  SHEAF_ASSIGN_OR_RETURN(const Column column, path.empty() ? FirstListView(input->schema())
                                                           : FindListView(input->schema(), path));
  ViewLayout layout;
  Progress progress("inspect");
  while (true) {
    SHEAF_ASSIGN_OR_RETURN(const std::optional<RecordBatch> batch, input->NextVerifiedBatch());
    if (!batch.has_value()) break;
    layout.Add(ArrayAt(*batch, column));
    progress.Update(input->fraction(), layout.rows());
  }
  const int64_t batches = input->batches_read();
  return DrawViews(layout, Concat(column.path, ": ", column.field.type().ToString()),
                   Concat(file, ", ", Several(layout.rows(), "row", "rows"), " over ",
                          Several(layout.elements, "element", "elements"), " in ",
                          Several(batches, "batch", "batches")));
}

Status WriteWhole(const std::string& path, const std::string& text) {
  SHEAF_ASSIGN_OR_RETURN(const auto file, OutputFile::Create(path));
  SHEAF_RETURN_IF_ERROR(file->Write({reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
  return file->Commit();
}

}  // namespace

ExitStatus InspectSvg(const std::string& file, const std::string& column, const std::string& svg) {
  const StatusOr<std::string> picture = Draw(file, column);
  if (!picture.ok()) return ReportError(file, picture.status());
  const Status status = WriteWhole(svg, *picture);
  return status.ok() ? kSuccess : ReportError(svg, status);
}

}  // namespace sheaf::tools
