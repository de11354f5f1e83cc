// An array handed to another library through the Arrow C data interface, and taken back: no byte is
// copied.

#include <iostream>

#include "sheaf/array/array.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/c_data/export.h"
#include "sheaf/c_data/import.h"

sheaf::Status Run() {
  SHEAF_ASSIGN_OR_RETURN(auto builder, sheaf::MakeBuilder(sheaf::ListView(sheaf::Utf8())));
  SHEAF_RETURN_IF_ERROR(builder->AppendEmptyValues(2));
  SHEAF_RETURN_IF_ERROR(builder->AppendNull());
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array array, builder->Finish());

  ArrowSchema c_schema;
  ArrowArray c_array;  // Any engine takes these two: format "+vl", 3 rows, 1 null.
  SHEAF_RETURN_IF_ERROR(sheaf::ExportArray(array, &c_array, &c_schema));
  std::cout << c_schema.format << ": " << c_array.length << " rows, " << c_array.null_count
            << " null\n";

  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array back, sheaf::ImportArray(&c_array, &c_schema));
  std::cout << back.ToString() << (back == array ? " is the same\n" : " is another\n");
  return back == array ? sheaf::OkStatus()
                       : sheaf::Status(sheaf::StatusCode::kInternal, "values changed");
}

int main() {
  const sheaf::Status status = Run();
  if (!status.ok()) std::cerr << status << '\n';
  return status.ok() ? 0 : 1;
}
