#include "sheaf/base/checked.h"

#include <cstdint>

#include "base/error.h"

namespace sheaf::inline v1 {

StatusOr<int64_t> CheckedAdd(int64_t a, int64_t b, string_view what) {
  int64_t sum = 0;
  if (AddOverflows(a, b, &sum)) {
    return internal::OutOfRange(what, ": ", a, " + ", b, " exceeds 64 bits");
  }
  return sum;
}

StatusOr<int64_t> CheckedMultiply(int64_t a, int64_t b, string_view what) {
  int64_t product = 0;
  if (MultiplyOverflows(a, b, &product)) {
    return internal::OutOfRange(what, ": ", a, " x ", b, " exceeds 64 bits");
  }
  return product;
}

namespace internal {

Status NarrowError(int64_t value, int64_t least, uint64_t most, string_view what) {
  return OutOfRange(what, ": ", value, " is outside [", least, ", ", most, "]");
}

}  // namespace internal

}  // namespace sheaf
