#include "sheaf/array/bytes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "array/retained.h"
#include "array/string_view_slot.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/base/bits.h"
#include "sheaf/type/layout.h"
#include "sheaf/type/visit_layout.h"

namespace sheaf::inline v1 {
namespace {

int64_t Used(const Array& array);

/// Of a child that no row reaches nothing is used, not its dictionary either.
int64_t UsedSlice(const Array& child, int64_t begin, int64_t length) {
  return length == 0 ? 0 : Used(child.Slice(begin, length));
}

/// Bytes of the buffers that have a slot a row (offsets: and one).
int64_t SlotBytes(const Array& array) {
  const Layout& layout = array.layout();
  int64_t bytes = 0;
  for (int i = 0; i < layout.num_buffers; ++i) {
    const BufferRole role = layout.buffers[static_cast<size_t>(i)].role;
    if (role == BufferRole::kValidity && !array.has_nulls()) continue;
    const int64_t bits = BufferBitWidth(array.type(), i);
    const int64_t slots = role == BufferRole::kOffsets ? array.length() + 1 : array.length();
    bytes += bits == 1 ? BytesForBits(slots) : slots * (bits / 8);
  }
  return bytes;
}

/// Of each data buffer the bytes from the first to the last in use. Buffers that are the same bytes
/// count as one.
int64_t StringDataBytes(const Array& array) {
  struct Hull {
    int64_t begin = std::numeric_limits<int64_t>::max();
    int64_t end = 0;
  };
  std::map<std::pair<const uint8_t*, int64_t>, Hull> hulls;
  const auto* slots = array.slots<internal::StringViewSlot>(1);
  int32_t current = -1;
  Hull* hull = nullptr;
  VisitSetRuns(array.validity(), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const internal::StringViewSlot& slot = slots[i];
      if (slot.is_inline()) continue;
      if (slot.buffer_index != current) {
        current = slot.buffer_index;
        const Buffer& buffer = array.buffer(2 + current);
        hull = &hulls[{buffer.data(), buffer.size_bytes()}];
      }
      hull->begin = std::min<int64_t>(hull->begin, slot.offset);
      hull->end = std::max<int64_t>(hull->end, int64_t{slot.offset} + slot.size);
    }
  });
  int64_t bytes = 0;
  for (const auto& [buffer, used] : hulls) bytes += used.end - used.begin;
  return bytes;
}

/// Of each child the slots from the first to the last that a row is in.
int64_t DenseChildBytes(const Array& array) {
  const auto* ids = array.slots<int8_t>(0);
  const auto* offsets = array.slots<int32_t>(1);
  int64_t bytes = 0;
  for (int child = 0; child < array.num_children(); ++child) {
    const int8_t code = array.type().type_codes()[static_cast<size_t>(child)];
    int64_t first = std::numeric_limits<int64_t>::max();
    int64_t end = 0;
    for (int64_t i = 0; i < array.length(); ++i) {
      if (ids[i] != code) continue;
      first = std::min<int64_t>(first, offsets[i]);
      end = std::max<int64_t>(end, int64_t{offsets[i]} + 1);
    }
    if (first < end) bytes += UsedSlice(array.child(child), first, end - first);
  }
  return bytes;
}

int64_t ParallelChildBytes(const Array& array) {
  int64_t bytes = 0;
  for (int i = 0; i < array.num_children(); ++i) {
    bytes += UsedSlice(array.child(i), array.offset(), array.length());
  }
  return bytes;
}

int64_t RunBytes(const Array& array) {
  const auto [begin, end] = RunEndArray::From(array)->physical_range();
  return UsedSlice(array.child(0), begin, end - begin) +
         UsedSlice(array.child(1), begin, end - begin);
}

int64_t Used(const Array& array) {
  const int64_t n = array.length();
  const int64_t dictionary = array.has_dictionary() ? Used(array.dictionary()) : 0;
  if (n == 0) return dictionary;
  const int64_t below = VisitLayout(
      array.layout(), Overloaded{
                          [&]<BinaryLike L>(L) -> int64_t {
                            const auto* offsets = array.slots<typename L::Offset>(1);
                            return offsets[n] - offsets[0];
                          },
                          [&](BinaryViewLayout) { return StringDataBytes(array); },
                          [&]<ListLike L>(L) {
                            const auto* offsets = array.slots<typename L::Offset>(1);
                            return UsedSlice(array.child(0), offsets[0], offsets[n] - offsets[0]);
                          },
                          [&](ViewLike auto) {
                            const ViewStats stats = StatsOf(array);
                            return UsedSlice(array.child(0), stats.begin, stats.end - stats.begin);
                          },
                          [&](FixedSizeListLayout) {
                            const int64_t size = array.type().list_size();
                            return UsedSlice(array.child(0), array.offset() * size, n * size);
                          },
                          [&](StructLayout) { return ParallelChildBytes(array); },
                          [&](SparseUnionLayout) { return ParallelChildBytes(array); },
                          [&](DenseUnionLayout) { return DenseChildBytes(array); },
                          [&](RunEndLike auto) { return RunBytes(array); },
                          [](auto) -> int64_t { return 0; },
                      });
  return SlotBytes(array) + below + dictionary;
}

}  // namespace

StatusOr<int64_t> UsedBytes(const Array& array) {
  SHEAF_RETURN_IF_ERROR(array.Verify());
  return Used(array);
}

void internal::RetainedSet::Add(const Array& array) {
  for (int i = 0; i < array.num_buffers(); ++i) Add(array.buffer(i));
  for (int i = 0; i < array.num_children(); ++i) Add(array.child(i));
  if (array.has_dictionary()) Add(array.dictionary());
}

int64_t RetainedBytes(const Array& array) {
  internal::RetainedSet retained;
  retained.Add(array);
  return retained.bytes();
}

}  // namespace sheaf
