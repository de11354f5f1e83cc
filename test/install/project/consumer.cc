#include <cstdio>

#include "sheaf/sheaf.h"

// Two list views, one appended twice: its elements are stored once.
sheaf::StatusOr<sheaf::ListViewArray> Build() {
  SHEAF_ASSIGN_OR_RETURN(auto elements,
                         sheaf::MakeBuilderAs<sheaf::FixedWidthBuilder<int32_t>>(sheaf::Int32()));
  for (const int32_t value : {1, 2, 3}) SHEAF_RETURN_IF_ERROR(elements->Append(value));
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array list, elements->Finish());

  SHEAF_ASSIGN_OR_RETURN(
      auto views, sheaf::MakeBuilderAs<sheaf::ListViewBuilder>(sheaf::ListView(sheaf::Int32())));
  SHEAF_RETURN_IF_ERROR(views->AppendRepeatedList(list, 2));
  SHEAF_ASSIGN_OR_RETURN(sheaf::Array array, views->Finish());
  return sheaf::ListViewArray::From(std::move(array));
}

int main() {
  const sheaf::StatusOr<sheaf::ListViewArray> views = Build();
  if (!views.ok()) return std::fprintf(stderr, "%s\n", views.status().ToString().c_str()), 1;
  std::printf("sheaf %s: %lld lists, %lld elements\n", SHEAF_VERSION_STRING,
              static_cast<long long>(views->length()),
              static_cast<long long>(views->elements().length()));
  return views->length() == 2 && views->elements().length() == 3 ? 0 : 1;
}
