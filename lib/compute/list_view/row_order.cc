#include "compute/list_view/row_order.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "array/list_source.h"
#include "array/string_view_slot.h"
#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/type/visit_layout.h"

namespace sheaf::inline v1::internal {
namespace {

int OrderOf(int64_t a, int64_t b) noexcept { return a < b ? -1 : a > b ? 1 : 0; }

int OrderOfBytes(std::string_view a, std::string_view b) noexcept {
  const int sign = a.compare(b);
  return sign < 0 ? -1 : sign > 0 ? 1 : 0;
}

template <typename Offset>
std::string_view BinaryAt(const Array& array, int64_t i) noexcept {
  const Offset* offsets = array.slots<Offset>(1) + i;
  return {array.buffer(2).as<char>() + offsets[0], static_cast<size_t>(offsets[1] - offsets[0])};
}

/// Lists by their elements, a shorter one before those it begins.
int OrderOfLists(const Array& elements, RowRange a, RowRange b) {
  for (int64_t i = 0; i < std::min(a.length, b.length); ++i) {
    if (const int sign = OrderOfRows(elements, a.offset + i, b.offset + i); sign != 0) return sign;
  }
  return OrderOf(a.length, b.length);
}

int OrderOfFields(const Array& array, int64_t a, int64_t b) {
  for (int i = 0; i < array.num_children(); ++i) {
    const int sign = OrderOfRows(array.child(i), array.offset() + a, array.offset() + b);
    if (sign != 0) return sign;
  }
  return 0;
}

int OrderOfUnions(const Array& array, int64_t a, int64_t b, bool dense) {
  const auto* ids = array.slots<int8_t>(0);
  if (ids[a] != ids[b]) return OrderOf(ids[a], ids[b]);
  const Array& child =
      array.child(array.type().storage().child_of_type_code()[static_cast<size_t>(ids[a])]);
  if (!dense) return OrderOfRows(child, array.offset() + a, array.offset() + b);
  const auto* offsets = array.slots<int32_t>(1);
  return OrderOfRows(child, offsets[a], offsets[b]);
}

/// Whether the value that the row leads to is null.
bool LeadsToNull(const Array& array, int64_t i) {
  const LayoutId layout = array.layout().id;
  if (layout == LayoutId::kRunEndEncoded) {
    const auto runs = *RunEndArray::From(array);
    return LeadsToNull(runs.values(), runs.physical_index(i));
  }
  if (array.IsNull(i)) return true;
  if (layout != LayoutId::kDictionary) return false;
  return LeadsToNull(array.dictionary(), DictionaryArray::From(array)->index(i));
}

}  // namespace

int OrderOfRows(const Array& array, int64_t a, int64_t b) {
  if (a == b) return 0;
  const bool a_null = LeadsToNull(array, a);
  const bool b_null = LeadsToNull(array, b);
  if (a_null || b_null) return OrderOf(!a_null, !b_null);
  return VisitLayout(
      array.layout(),
      Overloaded{
          [](NullLayout) { return 0; },
          [&](BooleanLayout) {
            const uint8_t* bits = array.buffer(1).data();
            return OrderOf(BitAt(bits, array.offset() + a), BitAt(bits, array.offset() + b));
          },
          [&](FixedWidthLayout) {
            const auto width = static_cast<size_t>(array.type().storage().byte_width());
            const auto at = [&](int64_t i) {
              return array.buffer(1).data() + static_cast<size_t>(array.offset() + i) * width;
            };
            return width == 0 ? 0 : std::memcmp(at(a), at(b), width);
          },
          [&]<BinaryLike L>(L) {
            using Offset = typename L::Offset;
            return OrderOfBytes(BinaryAt<Offset>(array, a), BinaryAt<Offset>(array, b));
          },
          [&](BinaryViewLayout) {
            const auto* slots = array.slots<StringViewSlot>(1);
            return OrderOfBytes(BytesOf(array, slots[a]), BytesOf(array, slots[b]));
          },
          [&](StructLayout) { return OrderOfFields(array, a, b); },
          [&](SparseUnionLayout) { return OrderOfUnions(array, a, b, /*dense=*/false); },
          [&](DenseUnionLayout) { return OrderOfUnions(array, a, b, /*dense=*/true); },
          [&](DictionaryLayout) {
            const auto indices = *DictionaryArray::From(array);
            return OrderOfRows(array.dictionary(), indices.index(a), indices.index(b));
          },
          [&](RunEndLike auto) {
            const auto runs = *RunEndArray::From(array);
            return OrderOfRows(runs.values(), runs.physical_index(a), runs.physical_index(b));
          },
          [&](auto) {  // Lists of every layout.
            const ListSource lists(array);
            return OrderOfLists(lists.elements(), lists.Row(a), lists.Row(b));
          },
      });
}

}  // namespace sheaf::inline v1::internal
