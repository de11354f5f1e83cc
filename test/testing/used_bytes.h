#pragma once

#include <cstdint>

#include "sheaf/array/array.h"

namespace sheaf::testing {

/// Logical bytes of an array's buffers, found the slow way: what its windows need at every level, a
/// bitmap only where there is a null, a list-view's elements from the first to the last as its
/// child has them; padding and spare slots apart.
int64_t NaiveUsedBytes(const Array& array);

}  // namespace sheaf::testing
