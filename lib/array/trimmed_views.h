#pragma once

#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1::internal {

/// Adds the views of a verified binary-view array's window and the data that they use to `buffers`.
/// Null rows' views are zero: some readers follow them.
Status TrimStringViews(const Array& array, std::vector<Buffer>* buffers, MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
