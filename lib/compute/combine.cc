#include "sheaf/compute/combine.h"

#include "sheaf/compute/concatenate.h"

namespace sheaf::inline v1 {

StatusOr<Array> Combine(const ChunkedArray& chunked, MemoryPool* pool) {
  if (chunked.num_chunks() == 0) return MakeEmptyArray(chunked.type(), pool);
  return Concatenate(chunked.chunks(), pool);
}

}  // namespace sheaf::inline v1
