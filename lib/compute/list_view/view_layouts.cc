#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>

#include "compute/list_view/layouts.h"
#include "compute/list_view/modes.h"
#include "compute/list_view/shared_rows.h"
#include "compute/list_view/widths.h"
#include "kernels/shift_views.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/type/field.h"

namespace sheaf::inline v1::internal {
namespace {

ViewStats KnownStats(const Array& views) noexcept {
  return views.length() == 0 ? ViewStats() : StatsOf(views);
}

/// The slots of buffer i as Out, with room for one more.
template <typename In, typename Out>
StatusOr<MutableBuffer> Copied(const Array& views, int i, const SharedRows& rows,
                               MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(
      MutableBuffer copy,
      MutableBuffer::Allocate((rows.slots() + 1) * static_cast<int64_t>(sizeof(Out)), pool));
  std::fill_n(copy.as<Out>(), rows.lead(), Out{0});
  kernels::CopyIntegers(views.slots<In>(i), rows.length(), copy.as<Out>() + rows.lead());
  return copy;
}

/// The offsets as Out, with a slot behind them that holds `end`.
template <typename In, typename Out>
StatusOr<Buffer> OffsetsUpTo(int64_t end, const Array& views, const SharedRows& rows,
                             MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer offsets, (Copied<In, Out>(views, 1, rows, pool)));
  offsets.as<Out>()[rows.slots()] = static_cast<Out>(end);
  return std::move(offsets).Finish();
}

/// Views in bounds of elements that Out counts.
template <typename In, typename Out>
StatusOr<Array> AsViews(const Array& views, const DataType& type, MemoryPool* pool) {
  const Array& elements = views.child(0);
  SHEAF_RETURN_IF_ERROR(CheckOffsetsReach<Out>(type, elements.length(), views.type()));
  const SharedRows rows(views);
  const ViewStats stats = KnownStats(views);
  std::array<Buffer, 3> buffers;
  buffers[0] = rows.Validity();
  SHEAF_ASSIGN_OR_RETURN(buffers[1], (OffsetsUpTo<In, Out>(elements.length(), views, rows, pool)));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer sizes, (Copied<In, Out>(views, 2, rows, pool)));
  buffers[2] = std::move(sizes).Finish().Slice(0, rows.slots() * int64_t{sizeof(Out)});
  return rows.Make(type, buffers, elements, views.length() == 0 ? nullptr : &stats,
                   /*has_spare_offset=*/true, pool);
}

/// Views that are zero-copy-to-list.
template <typename In, typename Out>
StatusOr<Array> AsLists(const Array& views, const DataType& type, MemoryPool* pool) {
  const int64_t end = views.child(0).length();
  SHEAF_RETURN_IF_ERROR(CheckOffsetsReach<Out>(type, end, views.type()));
  const SharedRows rows(views);
  std::array<Buffer, 2> buffers;
  buffers[0] = rows.Validity();
  if (std::is_same_v<In, Out> && SlotBehindHolds(views, end)) {
    buffers[1] = rows.Slots(1, sizeof(Out), /*more=*/1);
  } else {
    SHEAF_ASSIGN_OR_RETURN(buffers[1], (OffsetsUpTo<In, Out>(end, views, rows, pool)));
  }
  return rows.Make(type, buffers, views.child(0), nullptr, /*has_spare_offset=*/false, pool);
}

}  // namespace

StatusOr<Array> ViewsAsViews(const Array& views, const DataType& type, MemoryPool* pool) {
  const bool narrow = type.layout().offset_bits == 32;
  // Elements that no view reaches are left behind only where the offsets cannot count them.
  if (narrow && views.child(0).length() > std::numeric_limits<int32_t>::max()) {
    SHEAF_ASSIGN_OR_RETURN(const Array trimmed, Trim(views, pool));
    return AsViews<int64_t, int32_t>(trimmed, type, pool);
  }
  return narrow ? AsViews<int64_t, int32_t>(views, type, pool)
                : AsViews<int32_t, int64_t>(views, type, pool);
}

StatusOr<Array> ViewsAsLists(const Array& views, const DataType& type, MemoryPool* pool) {
  const bool packed = KnownStats(views).packed;
  const bool widens = views.layout().offset_bits < type.layout().offset_bits;
  if (!packed && widens) {
    // Rows that share elements may have more of them, flattened, than 32 bits count.
    const DataType wide_type = LargeListView(views.type().storage().field(0));
    SHEAF_ASSIGN_OR_RETURN(const Array wide, (AsViews<int32_t, int64_t>(views, wide_type, pool)));
    return ViewsAsLists(wide, type, pool);
  }
  SHEAF_ASSIGN_OR_RETURN(const Array rows, packed ? Trim(views, pool) : Flatten(views, pool));
  return WithWidths(views.layout(), type.layout(), [&]<typename In, typename Out>(In, Out) {
    return AsLists<In, Out>(rows, type, pool);
  });
}

}  // namespace sheaf::inline v1::internal
