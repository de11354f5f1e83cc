#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "array/list_source.h"
#include "array/with_children.h"
#include "compute/list_view/layouts.h"
#include "compute/list_view/shared_rows.h"
#include "compute/list_view/widths.h"
#include "kernels/scan_sizes.h"
#include "kernels/shift_views.h"

namespace sheaf::inline v1::internal {
namespace {

/// Offsets of no rows: the 64 zero bytes behind an empty buffer hold one.
template <typename Offset>
Buffer OneZeroOffset() noexcept {
  return Buffer::Borrow(Buffer::Empty().data(), sizeof(Offset));
}

/// The offsets of the rows, the end of the last one too, from 0 on: shared where they are that.
template <typename In, typename Out>
StatusOr<Buffer> OffsetsFromZero(const Array& lists, const SharedRows& rows, MemoryPool* pool) {
  if (lists.length() == 0) return OneZeroOffset<Out>();
  const In* offsets = lists.slots<In>(1);
  if constexpr (std::is_same_v<In, Out>) {
    if (offsets[0] == 0) return rows.Slots(1, sizeof(Out), /*more=*/1);
  }
  SHEAF_ASSIGN_OR_RETURN(
      MutableBuffer moved,
      MutableBuffer::Allocate((rows.slots() + 1) * static_cast<int64_t>(sizeof(Out)), pool));
  std::fill_n(moved.as<Out>(), rows.lead(), Out{0});
  kernels::ShiftOffsets(offsets, rows.length() + 1, -int64_t{offsets[0]},
                        moved.as<Out>() + rows.lead());
  return std::move(moved).Finish();
}

template <typename Size>
Size MaxOf(const Size* sizes, int64_t n) noexcept {
  // In lanes, so that a compiler makes vectors of it.
  constexpr int64_t kLanes = 8;
  Size most[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      most[lane] = sizes[i + lane] > most[lane] ? sizes[i + lane] : most[lane];
    }
  }
  for (; i < n; ++i) most[0] = std::max(most[0], sizes[i]);
  return *std::max_element(most, most + kLanes);
}

template <typename In, typename Out>
StatusOr<Array> AsViews(const Array& lists, const DataType& type, MemoryPool* pool) {
  const RowRange reached = ListSource(lists).Rows({0, lists.length()});
  SHEAF_RETURN_IF_ERROR(CheckOffsetsReach<Out>(type, reached.length, lists.type()));
  const SharedRows rows(lists);
  std::array<Buffer, 3> buffers;
  buffers[0] = rows.Validity();
  SHEAF_ASSIGN_OR_RETURN(buffers[1], (OffsetsFromZero<In, Out>(lists, rows, pool)));
  SHEAF_ASSIGN_OR_RETURN(
      MutableBuffer sizes,
      MutableBuffer::Allocate(rows.slots() * static_cast<int64_t>(sizeof(Out)), pool));
  ViewStats stats;
  if (lists.length() > 0) {
    std::fill_n(sizes.as<Out>(), rows.lead(), Out{0});
    Out* out = sizes.as<Out>() + rows.lead();
    kernels::SizesOfOffsets(lists.slots<In>(1), rows.length(), out);
    stats.end = stats.sum_of_sizes = reached.length;
    stats.max_size = MaxOf(out, rows.length());
  }
  buffers[2] = std::move(sizes).Finish();
  return rows.Make(type, buffers, lists.child(0).Slice(reached.offset, reached.length), &stats,
                   /*has_spare_offset=*/true, pool);
}

template <typename In, typename Out>
StatusOr<Array> AsLists(const Array& lists, const DataType& type, MemoryPool* pool) {
  const RowRange reached = ListSource(lists).Rows({0, lists.length()});
  SHEAF_RETURN_IF_ERROR(CheckOffsetsReach<Out>(type, reached.length, lists.type()));
  const SharedRows rows(lists);
  std::array<Buffer, 2> buffers;
  buffers[0] = rows.Validity();
  SHEAF_ASSIGN_OR_RETURN(buffers[1], (OffsetsFromZero<In, Out>(lists, rows, pool)));
  return rows.Make(type, buffers, lists.child(0).Slice(reached.offset, reached.length), nullptr,
                   /*has_spare_offset=*/false, pool);
}

}  // namespace

StatusOr<Array> ListsAsViews(const Array& lists, const DataType& type, MemoryPool* pool) {
  return WithWidths(lists.layout(), type.layout(), [&]<typename In, typename Out>(In, Out) {
    return AsViews<In, Out>(lists, type, pool);
  });
}

StatusOr<Array> ListsAsLists(const Array& lists, const DataType& type, MemoryPool* pool) {
  if (lists.layout().offset_bits == type.layout().offset_bits) {
    Array elements = lists.child(0);
    return WithTypeAndChildren(lists, type, {&elements, 1}, nullptr, pool);
  }
  return WithWidths(lists.layout(), type.layout(), [&]<typename In, typename Out>(In, Out) {
    return AsLists<In, Out>(lists, type, pool);
  });
}

StatusOr<Array> TrimList(const Array& lists, MemoryPool* pool) {
  const RowRange reached = ListSource(lists).Rows({0, lists.length()});
  if (reached.offset == 0 && reached.length == lists.child(0).length()) return lists;
  return lists.layout().offset_bits == 32 ? AsLists<int32_t, int32_t>(lists, lists.type(), pool)
                                          : AsLists<int64_t, int64_t>(lists, lists.type(), pool);
}

}  // namespace sheaf::inline v1::internal
