#include "testing/used_bytes.h"

#include "sheaf/base/bits.h"

namespace sheaf::testing {
namespace {

/// Offset `slot` of the window.
int64_t OffsetAt(const Array& array, int64_t slot) {
  if (array.layout().offset_bits == 64) return array.slots<int64_t>(1)[slot];
  return array.slots<int32_t>(1)[slot];
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
