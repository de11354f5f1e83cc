// A page of a sparse column: few rows have a list of their own, all others share one.

#include <iostream>
#include <vector>

#include "sheaf/array/fixed_width_array.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/compute/fill.h"

sheaf::StatusOr<sheaf::Array> ListsOf(const std::vector<std::vector<int32_t>>& rows) {
  SHEAF_ASSIGN_OR_RETURN(
      auto lists, sheaf::MakeBuilderAs<sheaf::ListViewBuilder>(sheaf::ListView(sheaf::Int32())));
  auto& elements = static_cast<sheaf::Int32Builder&>(lists->elements());
  for (const std::vector<int32_t>& row : rows) {
    lists->BeginList();
    SHEAF_RETURN_IF_ERROR(elements.AppendValues(row));
    SHEAF_RETURN_IF_ERROR(lists->EndList());
  }
  return lists->Finish();
}

sheaf::Status Run() {
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array fill, ListsOf({{7, 8, 9}}));
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array patches, ListsOf({{1}, {2, 3}}));
  // Rows of the whole column; this page is rows [1000, 1006).
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array indices, sheaf::Int64Array::Adopt({1001, 1004}));

  SHEAF_ASSIGN_OR_RETURN(const auto column, sheaf::MakeBuilder(fill.type()));
  SHEAF_RETURN_IF_ERROR(
      sheaf::FillSparse(*column, fill, indices, patches, {.base = 1000, .length = 6}));
  SHEAF_RETURN_IF_ERROR(sheaf::FillConstant(*column, fill, 1'000'000));
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array rows, column->Finish());
  std::cout << rows.Slice(0, 6).ToString() << " ... " << rows.length() << " rows in "
            << rows.child(0).length() << " elements\n";
  return sheaf::OkStatus();
}

int main() {
  const sheaf::Status status = Run();
  if (!status.ok()) std::cerr << status << '\n';
  return status.ok() ? 0 : 1;
}
