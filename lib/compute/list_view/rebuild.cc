#include "sheaf/compute/list_view/rebuild.h"

#include "base/error.h"
#include "compute/list_view/modes.h"
#include "compute/list_view/rewritten.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1 {
namespace {

StatusOr<Array> ZeroCopyToList(const Array& views, MemoryPool* pool) {
  const ViewStats stats = views.length() == 0 ? ViewStats() : StatsOf(views);
  return stats.packed ? internal::Trim(views, pool) : internal::Flatten(views, pool);
}

}  // namespace

StatusOr<Array> Rebuild(const Array& array, RebuildMode mode, const RebuildOptions& options) {
  if (array.layout().id != LayoutId::kListView) {
    return internal::InvalidArgument("rebuild: ", array.type().ToString(), " is no list-view");
  }
  SHEAF_RETURN_IF_ERROR(array.Verify());
  switch (mode) {
    case RebuildMode::kTrim:
      return internal::Trim(array, options.pool);
    case RebuildMode::kCompact:
      return internal::Compact(array, options.pool);
    case RebuildMode::kExact:
      return internal::Flatten(array, options.pool);
    case RebuildMode::kZeroCopyToList:
      return ZeroCopyToList(array, options.pool);
    case RebuildMode::kDeduplicate:
      return internal::Deduplicate(array, options.pool);
    case RebuildMode::kOverlap:
      return internal::Overlap(array, options.overlap_budget_bytes, options.pool);
  }
  return internal::InvalidArgument("rebuild: mode ", static_cast<int>(mode), " is none");
}

}  // namespace sheaf::inline v1
