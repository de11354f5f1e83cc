#include <limits>
#include <utility>

#include "array/view_plan.h"
#include "base/error.h"
#include "compute/list_view/modes.h"
#include "compute/list_view/rewritten.h"

namespace sheaf::inline v1::internal {
namespace {

template <typename Offset>
StatusOr<Array> WritePlanned(const Array& views, const ExactPlan& plan, MemoryPool* pool) {
  if (plan.num_elements() > std::numeric_limits<Offset>::max()) {
    return OutOfRange(views.type().ToString(), ": flattened, its rows have ", plan.num_elements(),
                      " elements, and 32-bit offsets reach ", std::numeric_limits<Offset>::max(),
                      ": use large_list_view");
  }
  SHEAF_ASSIGN_OR_RETURN(Array elements, BringRanges(views.child(0), plan.ranges(), pool));
  SHEAF_ASSIGN_OR_RETURN(auto rewritten, Rewritten<Offset>::Make(views, /*with_sizes=*/true, pool));
  const RowRange rows{0, views.length()};
  ExactPlan::Write(ListSource(views), {&rows, 1}, 0, rewritten.offsets(), rewritten.sizes());
  ViewStats stats;
  stats.end = stats.sum_of_sizes = elements.length();
  stats.max_size = StatsOf(views).max_size;
  return std::move(rewritten).Finish(std::move(elements), &stats, pool);
}

}  // namespace

StatusOr<Array> Flatten(const Array& views, MemoryPool* pool) {
  const ViewStats stats = views.length() == 0 ? ViewStats() : StatsOf(views);
  if (stats.packed && !NullRowsReach(views)) return Trim(views, pool);
  ExactPlan plan(pool);
  const RowRange rows{0, views.length()};
  SHEAF_RETURN_IF_ERROR(plan.Make(ListSource(views), {&rows, 1}));
  return views.layout().offset_bits == 32 ? WritePlanned<int32_t>(views, plan, pool)
                                          : WritePlanned<int64_t>(views, plan, pool);
}

}  // namespace sheaf::inline v1::internal
