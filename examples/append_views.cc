// Whole list-view arrays appended: rows that share elements go on sharing them.

#include <cstdint>
#include <iostream>
#include <vector>

#include "sheaf/array/list_view_array.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/make_builder.h"

sheaf::Status Run() {
  SHEAF_ASSIGN_OR_RETURN(auto values, sheaf::MakeBuilderAs<sheaf::Int32Builder>(sheaf::Int32()));
  SHEAF_RETURN_IF_ERROR(values->AppendValues(std::vector<int32_t>{9, 9, 1, 2, 3, 9}));
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array elements, values->Finish());

  const sheaf::DataType type = sheaf::ListView(sheaf::Int32());
  SHEAF_ASSIGN_OR_RETURN(auto lists, sheaf::MakeBuilderAs<sheaf::ListViewBuilder>(type));
  SHEAF_RETURN_IF_ERROR(
      lists->AppendViews(elements, std::vector<int32_t>{2, 3}, std::vector<int32_t>{2, 2}));
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array views, lists->Finish());

  // All rows, a slice, and row 0 three times: the repeats store its elements once.
  SHEAF_RETURN_IF_ERROR(lists->AppendArray(views));
  SHEAF_RETURN_IF_ERROR(lists->AppendArray(views, 1, 1));
  SHEAF_RETURN_IF_ERROR(lists->AppendRepeated(views, 0, 3));
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array result, lists->Finish());
  std::cout << result.ToString() << " in " << result.child(0).length() << " elements\n";
  return sheaf::OkStatus();
}

int main() {
  const sheaf::Status status = Run();
  if (!status.ok()) std::cerr << status << '\n';
  return status.ok() ? 0 : 1;
}
