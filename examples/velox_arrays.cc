// A Velox ArrayVector as a list-view and back, both over the same memory.

#include <cstdint>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "sheaf/array/fixed_width_array.h"
#include "sheaf/engines/velox_layout.h"

/// What is needed of `facebook::velox::ArrayVector`; in an engine it is the real one.
struct ArrayVector {
  std::vector<uint64_t> nulls;
  std::vector<int32_t> offsets;
  std::vector<int32_t> sizes;

  const uint64_t* rawNulls() const { return nulls.data(); }
  const int32_t* rawOffsets() const { return offsets.data(); }
  const int32_t* rawSizes() const { return sizes.data(); }
  int32_t size() const { return static_cast<int32_t>(offsets.size()); }
};

sheaf::Status Run() {
  // Rows 0 and 2 share elements, row 1 is null.
  auto vector = std::make_shared<ArrayVector>(ArrayVector{{0b101}, {0, 0, 1}, {3, 0, 2}});
  std::vector<int32_t> values = {7, 8, 9};
  SHEAF_ASSIGN_OR_RETURN(sheaf::Buffer buffer, sheaf::Buffer::Adopt(std::move(values)));
  SHEAF_ASSIGN_OR_RETURN(const sheaf::Array elements,
                         sheaf::Int32Array::Make(std::move(buffer), 3));

  // The array holds the vector as long as any of its buffers is in use.
  const sheaf::engines::VeloxLists lists = {vector->size(), vector->rawNulls(),
                                            vector->rawOffsets(), vector->rawSizes()};
  SHEAF_ASSIGN_OR_RETURN(
      const sheaf::Array array,
      sheaf::engines::ListViewFromVelox(lists, elements, [held = std::move(vector)] {}));
  std::cout << array.ToString() << '\n';

  // Rows 1 and 2 for another ArrayVector: pointers, and the buffers that keep them alive.
  SHEAF_ASSIGN_OR_RETURN(const sheaf::engines::VeloxArray back,
                         sheaf::engines::ToVelox(array.Slice(1, 2)));
  std::cout << back.lists.length << " rows, the last (" << back.lists.offsets[1] << ", "
            << back.lists.sizes[1] << "), "
            << (back.lists.offsets == lists.offsets + 1 ? "the same memory" : "a copy") << '\n';
  return sheaf::OkStatus();
}

int main() {
  const sheaf::Status status = Run();
  if (!status.ok()) std::cerr << status << '\n';
  return status.ok() ? 0 : 1;
}
