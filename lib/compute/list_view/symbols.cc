#include "compute/list_view/symbols.h"

#include <limits>
#include <utility>

#include "array/element_identity.h"
#include "compute/list_view/group_equal.h"
#include "compute/list_view/row_order.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1::internal {
namespace {

bool HasNullWithin(const Array& elements, RowRange range) noexcept {
  return elements.has_nulls() &&
         FindBit(elements.validity().Slice(range.offset, range.length), 0, false) < range.length;
}

}  // namespace

template <typename Number>
StatusOr<Buffer> NumberElements(const Array& elements, RowRange range, MemoryPool* pool,
                                uint64_t hash_mask) {
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer hash_buffer,
                         MutableBuffer::Allocate(range.length * 8, pool));
  auto* const hashes = hash_buffer.as<uint64_t>();
  SHEAF_RETURN_IF_ERROR(HashRows(elements, range, hashes, pool));
  if (hash_mask != ~uint64_t{0}) {
    for (int64_t i = 0; i < range.length; ++i) hashes[i] &= hash_mask;
  }
  SHEAF_ASSIGN_OR_RETURN(
      MutableBuffer number_buffer,
      MutableBuffer::Allocate(range.length * static_cast<int64_t>(sizeof(Number)), pool));
  auto* const numbers = number_buffer.as<Number>();
  const auto same = [&](int64_t a, int64_t b) {
    return SameRows(elements, range.offset + a, elements, range.offset + b);
  };
  const auto order = [&](int64_t a, int64_t b) {
    return OrderOfRows(elements, range.offset + a, range.offset + b);
  };
  SHEAF_RETURN_IF_ERROR(GroupEqual(range.length, hashes, numbers, same, order, pool));
  Number next = 0;
  for (int64_t i = 0; i < range.length; ++i) {  // From the first element's place to its number.
    numbers[i] = numbers[i] == static_cast<Number>(i) ? next++ : numbers[numbers[i]];
  }
  return std::move(number_buffer).Finish();
}

StatusOr<Symbols> Symbols::Of(const Array& elements, RowRange range, MemoryPool* pool) {
  const LayoutId layout = elements.layout().id;
  if (layout == LayoutId::kNull) return Symbols(Buffer(), nullptr, 0, range.offset);
  if (layout == LayoutId::kFixedWidth && !HasNullWithin(elements, range)) {
    const int64_t width = elements.type().storage().byte_width();
    const uint8_t* data = elements.buffer(1).data() + (elements.offset() + range.offset) * width;
    return Symbols(elements.buffer(1), data, width, range.offset);
  }
  const bool wide = range.length >= std::numeric_limits<uint32_t>::max();
  SHEAF_ASSIGN_OR_RETURN(Buffer numbers, wide ? NumberElements<uint64_t>(elements, range, pool)
                                              : NumberElements<uint32_t>(elements, range, pool));
  const uint8_t* data = numbers.data();
  return Symbols(std::move(numbers), data, wide ? sizeof(uint64_t) : sizeof(uint32_t),
                 range.offset);
}

template StatusOr<Buffer> NumberElements<uint32_t>(const Array&, RowRange, MemoryPool*, uint64_t);
template StatusOr<Buffer> NumberElements<uint64_t>(const Array&, RowRange, MemoryPool*, uint64_t);

}  // namespace sheaf::inline v1::internal
