// Lists that many rows share: sources that are brought once, views of what is stored, lists of one
// size.

#include <cstdint>
#include <iostream>
#include <span>
#include <vector>

#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/make_builder.h"

sheaf::Status Run() {
  SHEAF_ASSIGN_OR_RETURN(const auto lists, sheaf::MakeBuilderAs<sheaf::ListViewBuilder>(
                                               sheaf::ListView(sheaf::Int32())));

  // [1, 2], [3, 4] and [5, 6] from plain values.
  const std::vector<int32_t> values = {1, 2, 3, 4, 5, 6};
  SHEAF_RETURN_IF_ERROR(lists->AppendUniform(std::span<const int32_t>(values), 2));
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array pairs, lists->Finish());

  // Rows of one source in many calls: its six elements are stored once.
  SHEAF_ASSIGN_OR_RETURN(const sheaf::SourceHandle source, lists->AddSource(pairs));
  for (int64_t i = 0; i < 1000; ++i) {
    SHEAF_RETURN_IF_ERROR(lists->AppendRepeated(source, 0, 3));
    SHEAF_RETURN_IF_ERROR(lists->AppendViews(source, 1, 2));
  }
  // All that is stored by now as one list more, and its middle as another.
  const std::vector<int32_t> offsets = {0, 2};
  const std::vector<int32_t> sizes = {6, 2};
  SHEAF_RETURN_IF_ERROR(lists->AppendViewsOfStored(offsets, sizes));
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array rows, lists->Finish());
  std::cout << rows.length() << " rows in " << rows.child(0).length() << " elements, the last "
            << rows.Slice(4998).ToString() << '\n';
  return sheaf::OkStatus();
}

int main() {
  const sheaf::Status status = Run();
  if (!status.ok()) std::cerr << status << '\n';
  return status.ok() ? 0 : 1;
}
