#include "sheaf/compute/concatenate.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "sheaf/builder/make_builder.h"

namespace sheaf::inline v1 {
namespace {

/// kInvalidArgument naming each type once, in the order of the arrays.
Status DifferentTypes(std::span<const Array> arrays) {
  std::vector<DataType> types;
  std::string names;
  for (const Array& array : arrays) {
    if (std::find(types.begin(), types.end(), array.type()) != types.end()) continue;
    types.push_back(array.type());
    names += (names.empty() ? "" : ", ") + array.type().ToString();
  }
  return internal::InvalidArgument("concatenate: arrays of different types: ", names);
}

}  // namespace

StatusOr<Array> Concatenate(std::span<const Array> arrays, MemoryPool* pool) {
  if (arrays.empty()) return internal::InvalidArgument("concatenate: no array, so no type");
  const DataType& type = arrays.front().type();
  for (const Array& array : arrays) {
    if (array.type() != type) return DifferentTypes(arrays);
  }
  if (arrays.size() == 1) return arrays.front();
  // All arrays stay until Finish, which then knows every size.
  SHEAF_ASSIGN_OR_RETURN(
      std::unique_ptr<ArrayBuilder> builder,
      MakeBuilder(type, {.pool = pool, .min_chunk_bytes = BuilderOptions::kAlwaysKeep}));
  for (const Array& array : arrays) SHEAF_RETURN_IF_ERROR(builder->AppendArray(array));
  return builder->Finish();
}

}  // namespace sheaf::inline v1
