#include "builder/given_bytes.h"

#include "array/string_view_slot.h"
#include "builder/builder_core.h"
#include "builder/list_source.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1::internal {
namespace {

int64_t DataBytes(const Array& array) noexcept {
  const int64_t n = array.length();
  if (n == 0) return 0;
  return array.layout().offset_bits == 64 ? array.slots<int64_t>(1)[n] - array.slots<int64_t>(1)[0]
                                          : array.slots<int32_t>(1)[n] - array.slots<int32_t>(1)[0];
}

/// The part of child i that the rows reach.
Array ReachedChild(const Array& array, int i) noexcept {
  switch (array.layout().id) {
    case LayoutId::kList:
    case LayoutId::kFixedSizeList: {
      const RowRange reached = ListSource(array).Rows({0, array.length()});
      return array.child(i).Slice(reached.offset, reached.length);
    }
    case LayoutId::kStruct:
    case LayoutId::kSparseUnion:
      return array.child(i).Slice(array.offset(), array.length());
    default:
      return array.child(i);
  }
}

/// Bytes of long values in data buffers; views that share some count each.
int64_t LongBytes(const Array& array) noexcept {
  if (array.length() == 0) return 0;
  const auto* slots = array.slots<StringViewSlot>(1);
  int64_t bytes = 0;
  VisitSetRuns(array.validity(), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) bytes += slots[i].is_inline() ? 0 : slots[i].size;
  });
  return bytes;
}

/// The part of child i that the rows read, list-views' too.
Array ReadChild(const Array& array, int i) noexcept {
  if (array.layout().id != LayoutId::kListView) return ReachedChild(array, i);
  const ViewStats stats = StatsOf(array);
  return array.child(i).Slice(stats.begin, stats.end - stats.begin);
}

}  // namespace

int64_t GivenBytes(const Array& array) noexcept {
  const Layout& layout = array.layout();
  int64_t bytes = layout.has_validity && array.has_nulls() ? BytesForBits(array.length()) : 0;
  for (int i = layout.has_validity ? 1 : 0; i < layout.num_buffers; ++i) {
    const BufferRole role = layout.buffers[static_cast<size_t>(i)].role;
    bytes += role == BufferRole::kData
                 ? DataBytes(array)
                 : BytesForBits(array.length() * BufferBitWidth(array.type(), i));
  }
  if (layout.has_variadic_buffers) bytes += LongBytes(array);
  for (int i = 0; i < array.num_children(); ++i) bytes += GivenBytes(ReachedChild(array, i));
  return bytes;
}

int64_t ReadBits(const Array& array) noexcept {
  const Layout& layout = array.layout();
  int64_t bits = layout.has_validity && array.has_nulls() ? array.length() : 0;
  for (int i = layout.has_validity ? 1 : 0; i < layout.num_buffers; ++i) {
    const BufferRole role = layout.buffers[static_cast<size_t>(i)].role;
    bits += role == BufferRole::kData ? 8 * DataBytes(array)
                                      : array.length() * BufferBitWidth(array.type(), i);
  }
  if (layout.has_variadic_buffers) bits += 8 * LongBytes(array);
  for (int i = 0; i < array.num_children(); ++i) bits += ReadBits(ReadChild(array, i));
  return bits;
}

}  // namespace sheaf::inline v1::internal
