#include "array/make_typed.h"

#include <algorithm>
#include <cstring>

#include "array/with_children.h"
#include "sheaf/base/bits.h"

namespace sheaf::inline v1::internal {

StatusOr<Buffer> PackValidity(std::span<const bool> valid, int64_t length, MemoryPool* pool) {
  if (valid.empty()) return Buffer();
  if (static_cast<int64_t>(valid.size()) != length) {
    return InvalidArgument("validity has ", valid.size(), " entries for ", length, " rows");
  }
  if (std::find(valid.begin(), valid.end(), false) == valid.end()) return Buffer();
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer bits, MutableBuffer::Allocate(BytesForBits(length), pool));
  std::memset(bits.data(), 0, static_cast<size_t>(bits.size_bytes()));
  for (int64_t i = 0; i < length; ++i) {
    if (valid[static_cast<size_t>(i)]) SetBitTo(bits.data(), i, true);
  }
  return std::move(bits).Finish();
}

StatusOr<Buffer> WindowValidity(const Array& array, MemoryPool* pool) {
  const BitSpan bits = array.validity();
  if (bits.absent()) return Buffer();
  const int64_t size_bytes = BytesForBits(bits.length);
  if (bits.bit_offset % 8 == 0) return array.buffer(0).Slice(bits.bit_offset / 8, size_bytes);
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer copy, MutableBuffer::Allocate(size_bytes, pool));
  std::memset(copy.data(), 0, static_cast<size_t>(size_bytes));
  CopyBits(bits, copy.data(), 0);
  return std::move(copy).Finish();
}

Buffer WindowValues(const Array& array) {
  const int64_t width = array.type().byte_width();
  return array.buffer(1).Slice(array.offset() * width, array.length() * width);
}

StatusOr<Buffer> OneSourceOfNulls(const Array& integers, Buffer validity, std::string_view what) {
  if (!integers.has_nulls()) return validity;
  if (!validity.absent()) {
    return InvalidArgument("two sources of nulls: the ", what,
                           " have nulls, and a bitmap is given too");
  }
  return WindowValidity(integers);
}

StatusOr<Array> WithType(const Array& array, DataType type, MemoryPool* pool) {
  std::vector<Array> children;
  for (int i = 0; i < array.num_children(); ++i) children.push_back(array.child(i));
  Array dictionary;
  if (array.has_dictionary()) dictionary = array.dictionary();
  return WithTypeAndChildren(array, std::move(type), children,
                             array.has_dictionary() ? &dictionary : nullptr, pool);
}

}  // namespace sheaf::inline v1::internal
