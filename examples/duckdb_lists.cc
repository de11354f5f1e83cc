// The lists of a DuckDB vector as a list-view and back: entries are taken apart and put together,
// elements stay where they are.

#include <cstdint>
#include <iostream>
#include <utility>
#include <vector>

#include "sheaf/array/fixed_width_array.h"
#include "sheaf/compute/list_view/rebuild.h"
#include "sheaf/engines/duckdb_layout.h"

/// What `duckdb::list_entry_t` looks like; in an engine it is the real one.
struct list_entry_t {
  uint64_t offset;
  uint64_t length;
};

sheaf::Status Run() {
  // FlatVector::GetData<list_entry_t>(vector), FlatVector::Validity(vector).GetData() and the child
  // of ListVector::GetEntry(vector); rows 0 and 3 share elements, and row 2 is null.
  const std::vector<list_entry_t> entries = {{0, 3}, {3, 2}, {0xBAD, 0xBAD}, {1, 2}};
  const uint64_t validity = 0b1011;
  std::vector<int64_t> child = {10, 11, 12, 13, 14};
  SHEAF_ASSIGN_OR_RETURN(sheaf::Buffer values, sheaf::Buffer::Adopt(std::move(child)));
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array elements,
                         sheaf::Int64Array::Make(std::move(values), 5));

  const sheaf::engines::DuckDbLists<list_entry_t> lists = {entries.data(), 4, &validity};
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array array,
                         sheaf::engines::ListViewFromDuckDb(lists, elements));
  std::cout << array.ToString() << " in " << array.child(0).length() << " elements\n";

  // The last two rows for another vector, whose child holds what they reach and no more.
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array part,
                         sheaf::Rebuild(array.Slice(2, 2), sheaf::RebuildMode::kTrim));
  std::vector<list_entry_t> out(2);
  uint64_t out_validity = 0;
  SHEAF_RETURN_IF_ERROR(sheaf::engines::WriteDuckDbLists(part, out.data(), &out_validity));
  std::cout << "validity " << out_validity << ", row 1: (" << out[1].offset << ", " << out[1].length
            << ") of " << part.child(0).ToString() << '\n';
  return sheaf::OkStatus();
}

int main() {
  const sheaf::Status status = Run();
  if (!status.ok()) std::cerr << status << '\n';
  return status.ok() ? 0 : 1;
}
