#include <utility>

#include "compute/list_view/modes.h"
#include "compute/list_view/rewritten.h"
#include "kernels/shift_views.h"

namespace sheaf::inline v1::internal {
namespace {

/// Offsets less `stats.begin`, those of empty views outside [begin, end] from the nearer bound.
template <typename Offset>
StatusOr<Array> MoveViews(const Array& views, Array elements, const ViewStats& stats,
                          const ViewStats* moved, MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(auto rewritten,
                         Rewritten<Offset>::Make(views, /*with_sizes=*/false, pool));
  kernels::ClampAndShift(views.slots<Offset>(1), views.length(), 0, stats.begin, stats.end,
                         -stats.begin, rewritten.offsets());
  return std::move(rewritten).Finish(std::move(elements), moved, pool);
}

}  // namespace

StatusOr<Array> Trim(const Array& views, MemoryPool* pool) {
  const ViewStats stats = views.length() == 0 ? ViewStats() : StatsOf(views);
  const bool moves = stats.begin != 0 || stats.empties_outside;
  const Array& elements = views.child(0);
  if (!moves && stats.end == elements.length()) return views;

  ViewStats trimmed = stats;
  trimmed.begin = 0;
  trimmed.end = stats.end - stats.begin;
  trimmed.empties_outside = false;
  trimmed.zero_copy_to_list = stats.packed;
  Array reached = elements.Slice(stats.begin, trimmed.end);
  if (!moves) return OverElements(views, std::move(reached), trimmed, pool);
  if (trimmed.packed) trimmed.in_order = trimmed.ascending = true;
  // An empty view that moves may put the others in order.
  const ViewStats* known = stats.packed || !stats.empties_outside ? &trimmed : nullptr;
  return views.layout().offset_bits == 32
             ? MoveViews<int32_t>(views, std::move(reached), stats, known, pool)
             : MoveViews<int64_t>(views, std::move(reached), stats, known, pool);
}

}  // namespace sheaf::inline v1::internal
