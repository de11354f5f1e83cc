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

Status internal::CheckListView(const Array& array) {
  if (array.layout().id != LayoutId::kListView) {
    return InvalidArgument("rebuild: ", array.type().ToString(), " is no list-view");
  }
  return array.Verify();
}

StatusOr<Array> Rebuild(const Array& array, RebuildMode mode, const RebuildOptions& options) {
  SHEAF_RETURN_IF_ERROR(internal::CheckListView(array));
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
