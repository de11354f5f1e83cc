#include "testing/used_bytes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sheaf/array/run_end_array.h"
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

/// The part of a list-view's elements from the first that a row reaches to the last.
Array ReachedElements(const Array& array) {
  int64_t begin = 0;
  int64_t end = 0;
  for (int64_t i = 0; i < array.length(); ++i) {
    const bool wide = array.layout().offset_bits == 64;
    const int64_t size = wide ? array.slots<int64_t>(2)[i] : array.slots<int32_t>(2)[i];
    if (size == 0) continue;
    begin = end == 0 ? OffsetAt(array, i) : std::min(begin, OffsetAt(array, i));
    end = std::max(end, OffsetAt(array, i) + size);
  }
  return array.child(0).Slice(begin, end - begin);
}

int64_t Used(const Array& array, bool as_it_came);

/// Of a child that no row reaches nothing is used.
int64_t UsedChild(const Array& child, bool as_it_came) {
  return child.length() == 0 ? 0 : Used(child, as_it_came);
}

/// The slots of a dense union's child from the first that a row is in to the last.
Array ReachedSlots(const Array& array, int child) {
  const int8_t code = array.type().storage().type_codes()[static_cast<size_t>(child)];
  int64_t begin = 0;
  int64_t end = 0;
  for (int64_t i = 0; i < array.length(); ++i) {
    if (array.slots<int8_t>(0)[i] != code) continue;
    const int64_t slot = array.slots<int32_t>(1)[i];
    begin = end == 0 ? slot : std::min(begin, slot);
    end = std::max(end, slot + 1);
  }
  return array.child(child).Slice(begin, end - begin);
}

/// The values of the runs that rows are in.
Array ReachedRuns(const Array& array) {
  const RunEndArray runs = *RunEndArray::From(array);
  int64_t begin = 0;
  while (runs.run_end(begin) <= array.offset()) ++begin;
  int64_t end = begin;
  while (runs.run_end(end) < array.offset() + array.length()) ++end;
  return runs.values().Slice(begin, end + 1 - begin);
}

/// \param as_it_came  whether the array may be one that was given to a builder: a dictionary is
/// handed through, and its list-views may have elements that no row reaches.
int64_t Used(const Array& array, bool as_it_came) {
  const int64_t n = array.length();
  if (array.layout().id == LayoutId::kDictionary) {
    const int64_t values = Used(array.dictionary(), /*as_it_came=*/true);
    const int64_t validity = array.null_count() > 0 ? BytesForBits(n) : 0;
    return values + validity + n * array.type().storage().index_type().byte_width();
  }
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
             UsedChild(array.child(0).Slice(begin, OffsetAt(array, n) - begin), as_it_came);
    }
    case LayoutId::kListView:
      return bytes + 2 * n * offset_bytes +
             UsedChild(as_it_came ? ReachedElements(array) : array.child(0), as_it_came);
    case LayoutId::kFixedSizeList: {
      const int64_t width = array.type().storage().list_size();
      return bytes + UsedChild(array.child(0).Slice(array.offset() * width, n * width), as_it_came);
    }
    case LayoutId::kStruct:
      for (int i = 0; i < array.num_children(); ++i) {
        bytes += UsedChild(array.child(i).Slice(array.offset(), n), as_it_came);
      }
      return bytes;
    case LayoutId::kSparseUnion:
      for (int i = 0; i < array.num_children(); ++i) {
        bytes += UsedChild(array.child(i).Slice(array.offset(), n), as_it_came);
      }
      return bytes + n;
    case LayoutId::kDenseUnion:
      for (int i = 0; i < array.num_children(); ++i) {
        bytes += UsedChild(ReachedSlots(array, i), as_it_came);
      }
      return bytes + 5 * n;
    case LayoutId::kRunEndEncoded: {
      const Array runs = ReachedRuns(array);
      return runs.length() * array.child(0).type().byte_width() + Used(runs, as_it_came);
    }
    case LayoutId::kDictionary:
      break;
  }
  return bytes;
}

}  // namespace

int64_t NaiveUsedBytes(const Array& array) { return Used(array, /*as_it_came=*/false); }

}  // namespace sheaf::testing
