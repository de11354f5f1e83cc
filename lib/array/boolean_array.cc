#include "sheaf/array/boolean_array.h"

#include <cstring>

#include "array/make_typed.h"
#include "sheaf/base/bits.h"

namespace sheaf::inline v1 {

StatusOr<BooleanArray> BooleanArray::From(Array array) {
  if (array.layout().id != LayoutId::kBoolean) return internal::WrongType(array, "bool");
  return BooleanArray(std::move(array));
}

StatusOr<BooleanArray> BooleanArray::Make(Buffer bits, int64_t length, Buffer validity,
                                          ValidationLevel level) {
  SHEAF_ASSIGN_OR_RETURN(Array array, MakeArray({.type = Boolean(),
                                                 .length = length,
                                                 .buffers = {std::move(validity), std::move(bits)}},
                                                level));
  return BooleanArray(std::move(array));
}

StatusOr<BooleanArray> BooleanArray::FromValues(std::span<const bool> values,
                                                std::span<const bool> valid, MemoryPool* pool) {
  const auto length = static_cast<int64_t>(values.size());
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, internal::PackValidity(valid, length, pool));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer bits, MutableBuffer::Allocate(BytesForBits(length), pool));
  if (length > 0) std::memset(bits.data(), 0, static_cast<size_t>(bits.size_bytes()));
  for (int64_t i = 0; i < length; ++i) {
    if (values[static_cast<size_t>(i)]) SetBitTo(bits.data(), i, true);
  }
  return Make(std::move(bits).Finish(), length, std::move(validity));
}

int64_t BooleanArray::true_count() const noexcept {
  if (length() == 0) return 0;
  int64_t count = 0;
  VisitSetRuns(validity(), [&](int64_t begin, int64_t end) {
    count += CountSet(bits().Slice(begin, end - begin));
  });
  return count;
}

}  // namespace sheaf
