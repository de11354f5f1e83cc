#include <utility>

#include "array/view_plan.h"
#include "compute/list_view/modes.h"
#include "compute/list_view/rewritten.h"

namespace sheaf::inline v1::internal {
namespace {

template <typename Offset>
StatusOr<Array> WritePlanned(const Array& views, const CompactPlan& plan, MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(Array elements, BringRanges(views.child(0), plan.ranges(), pool));
  SHEAF_ASSIGN_OR_RETURN(auto rewritten, Rewritten<Offset>::Make(views, /*with_sizes=*/true, pool));
  const RowRange rows{0, views.length()};
  plan.Write(ListSource(views), {&rows, 1}, 0, rewritten.offsets(), rewritten.sizes());
  return std::move(rewritten).Finish(std::move(elements), nullptr, pool);
}

}  // namespace

StatusOr<Array> Compact(const Array& views, MemoryPool* pool) {
  const ViewStats stats = views.length() == 0 ? ViewStats() : StatsOf(views);
  const bool nulls_reach = NullRowsReach(views);
  // Each element between the first view and the last is read, by one row.
  if (!nulls_reach && stats.ascending && stats.sum_of_sizes == stats.end - stats.begin) {
    return Trim(views, pool);
  }
  CompactPlan plan(pool);
  const RowRange rows{0, views.length()};
  SHEAF_RETURN_IF_ERROR(
      plan.Make(ListSource(views), {&rows, 1}, stats.begin, stats.end, stats.in_order));
  if (!nulls_reach && plan.num_elements() == stats.end - stats.begin) return Trim(views, pool);
  return views.layout().offset_bits == 32 ? WritePlanned<int32_t>(views, plan, pool)
                                          : WritePlanned<int64_t>(views, plan, pool);
}

}  // namespace sheaf::inline v1::internal
