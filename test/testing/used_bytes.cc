#include "testing/used_bytes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sheaf/base/bits.h"

namespace sheaf::testing {
namespace {

/// Offset `slot` of the window.
int64_t OffsetAt(const Array& array, int64_t slot) {
  if (array.layout().offset_bits == 64) return array.slots<int64_t>(1)[slot];
  return array.slots<int32_t>(1)[slot];
}

/// Of each data buffer, known by its address, the bytes from the first to the last of a long value.
int64_t ViewDataBytes(const Array& array) {
  std::map<const void*, std::pair<int64_t, int64_t>> reached;
  for (int64_t i = 0; i < array.length(); ++i) {
    const int32_t* view = array.buffer(1).as<int32_t>() + 4 * (array.offset() + i);
    if (array.IsNull(i) || view[0] <= 12) continue;
    const auto [place, added] =
        reached.try_emplace(array.buffer(2 + view[2]).data(), view[3], view[3] + view[0]);
    place->second.first = std::min<int64_t>(place->second.first, view[3]);
    place->second.second = std::max<int64_t>(place->second.second, view[3] + view[0]);
  }
  int64_t bytes = 0;
  for (const auto& [buffer, range] : reached) bytes += range.second - range.first;
  return bytes;
}

}  // namespace

int64_t NaiveUsedBytes(const Array& array) {
  const int64_t n = array.length();
  if (n == 0 && array.layout().id != LayoutId::kListView) return 0;
  const int64_t offset_bytes = array.layout().offset_bits / 8;
  int64_t bytes = array.layout().has_validity && array.null_count() > 0 ? BytesForBits(n) : 0;
  switch (array.layout().id) {
    case LayoutId::kNull:
      return bytes;
    case LayoutId::kBoolean:
      return bytes + BytesForBits(n);
    case LayoutId::kFixedWidth:
      return bytes + n * array.type().storage().byte_width();
    case LayoutId::kBinary:
      return bytes + (n + 1) * offset_bytes + OffsetAt(array, n) - OffsetAt(array, 0);
    case LayoutId::kBinaryView:
      return bytes + n * 16 + ViewDataBytes(array);
    case LayoutId::kList: {
      const int64_t begin = OffsetAt(array, 0);
      return bytes + (n + 1) * offset_bytes +
             NaiveUsedBytes(array.child(0).Slice(begin, OffsetAt(array, n) - begin));
    }
    case LayoutId::kListView:
      return bytes + 2 * n * offset_bytes + NaiveUsedBytes(array.child(0));
    case LayoutId::kFixedSizeList: {
      const int64_t width = array.type().storage().list_size();
      return bytes + NaiveUsedBytes(array.child(0).Slice(array.offset() * width, n * width));
    }
    case LayoutId::kStruct:
      for (int i = 0; i < array.num_children(); ++i) {
        bytes += NaiveUsedBytes(array.child(i).Slice(array.offset(), n));
      }
      return bytes;
    default:
      return bytes;  // Their builders come with a later issue.
  }
}

}  // namespace sheaf::testing
