#include "sheaf/compute/list_view/plan.h"

#include <limits>
#include <span>

#include "array/view_plan.h"
#include "base/error.h"
#include "builder/given_bytes.h"
#include "compute/list_view/modes.h"
#include "compute/list_view/rewritten.h"
#include "sheaf/base/checked.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1 {
namespace {

using internal::RowRange;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

RebuildSize SizeOf(const Array& elements, std::span<const RowRange> ranges) {
  RebuildSize size;
  int64_t bits = 0;
  bool overflows = false;
  for (const RowRange& range : ranges) {
    const Array part = elements.Slice(range.offset, range.length);
    overflows = overflows || AddOverflows(size.elements, range.length, &size.elements) ||
                AddOverflows(bits, internal::ReadBits(part), &bits);
  }
  if (overflows) return {kMost, kMost};
  size.element_bytes = bits / 8 + (bits % 8 != 0);
  return size;
}

RebuildSize SizeOf(const Array& elements, RowRange range) { return SizeOf(elements, {&range, 1}); }

StatusOr<RebuildSize> CompactSize(const Array& views, MemoryPool* pool) {
  const ViewStats stats = StatsOf(views);
  const RowRange rows{0, views.length()};
  internal::CompactPlan plan(pool);
  SHEAF_RETURN_IF_ERROR(
      plan.Make(internal::ListSource(views), {&rows, 1}, stats.begin, stats.end, stats.in_order));
  return SizeOf(views.child(0), plan.ranges());
}

StatusOr<RebuildSize> ExactSize(const Array& views, MemoryPool* pool) {
  const RowRange rows{0, views.length()};
  internal::ExactPlan plan(pool);
  const Status made = plan.Make(internal::ListSource(views), {&rows, 1});
  if (made.code() == StatusCode::kOutOfRange) return RebuildSize{kMost, kMost};
  SHEAF_RETURN_IF_ERROR(made);
  return SizeOf(views.child(0), plan.ranges());
}

}  // namespace

const RebuildSize& RebuildPlan::of(RebuildMode mode) const noexcept {
  switch (mode) {
    case RebuildMode::kTrim:
      return trim;
    case RebuildMode::kCompact:
      return compact;
    case RebuildMode::kExact:
      return exact;
    case RebuildMode::kZeroCopyToList:
      return zero_copy_to_list;
    case RebuildMode::kDeduplicate:
      return deduplicate;
    case RebuildMode::kOverlap:
      break;
  }
  return overlap;
}

StatusOr<RebuildPlan> Plan(const Array& array, MemoryPool* pool) {
  SHEAF_RETURN_IF_ERROR(internal::CheckListView(array));
  const Array& elements = array.child(0);
  RebuildPlan plan;
  plan.now = SizeOf(elements, {0, elements.length()});
  if (array.length() == 0) {
    plan.overlap.at_most = true;
    return plan;
  }
  const ViewStats stats = StatsOf(array);
  plan.trim = SizeOf(elements, {stats.begin, stats.end - stats.begin});
  SHEAF_ASSIGN_OR_RETURN(plan.compact, CompactSize(array, pool));
  SHEAF_ASSIGN_OR_RETURN(plan.exact, ExactSize(array, pool));
  plan.zero_copy_to_list = stats.packed ? plan.trim : plan.exact;
  SHEAF_ASSIGN_OR_RETURN(const Array shared, internal::ShareEqual(array, pool));
  SHEAF_ASSIGN_OR_RETURN(plan.deduplicate, CompactSize(shared, pool));
  plan.overlap = plan.deduplicate;
  plan.overlap.at_most = true;
  return plan;
}

}  // namespace sheaf::inline v1
