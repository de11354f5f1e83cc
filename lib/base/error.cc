#include "base/error.h"

#include <cstdio>

#include "sheaf/base/checked.h"

namespace sheaf::inline v1 {
namespace internal {

Part::Part(double value) {
  const int size = std::snprintf(digits_, sizeof(digits_), "%.17g", value);
  text_ = {digits_, static_cast<size_t>(size)};
}

void Part::SetSigned(int64_t value) {
  const int size = std::snprintf(digits_, sizeof(digits_), "%lld", static_cast<long long>(value));
  text_ = {digits_, static_cast<size_t>(size)};
}

void Part::SetUnsigned(uint64_t value) {
  const int size =
      std::snprintf(digits_, sizeof(digits_), "%llu", static_cast<unsigned long long>(value));
  text_ = {digits_, static_cast<size_t>(size)};
}

std::string ConcatParts(Parts parts) {
  size_t size = 0;
  for (const Part& part : parts) size += part.text().size();
  std::string text;
  text.reserve(size);
  for (const Part& part : parts) text.append(part.text());
  return text;
}

Status ErrorOf(StatusCode code, Parts parts) {
  const std::string message = ConcatParts(parts);
  return Status(code, string_view(message.data(), message.size()));
}

Status OutOfMemory(int64_t size_bytes) {
  return ResourceExhausted("the memory pool refused ", size_bytes, " bytes");
}

Status AtPath(std::string_view path, const Status& status) {
  if (status.ok()) return status;
  return ErrorOf(status.code(), {Part(path), Part(": "), Part(status.message())});
}

Status NarrowError(int64_t value, int64_t least, int64_t most, string_view what) {
  return OutOfRange(what, ": ", value, " is outside [", least, ", ", most, "]");
}

}  // namespace internal

StatusOr<int64_t> CheckedAdd(int64_t a, int64_t b, string_view what) {
  int64_t sum = 0;
  if (AddOverflows(a, b, &sum)) return internal::OutOfRange(what, ": ", a, " + ", b, " exceeds 64 bits");
  return sum;
}

StatusOr<int64_t> CheckedMultiply(int64_t a, int64_t b, string_view what) {
  int64_t product = 0;
  if (MultiplyOverflows(a, b, &product)) {
    return internal::OutOfRange(what, ": ", a, " x ", b, " exceeds 64 bits");
  }
  return product;
}

}  // namespace sheaf
