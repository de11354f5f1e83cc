#include <utility>

#include "compute/list_view/equal_lists.h"
#include "compute/list_view/modes.h"
#include "compute/list_view/rewritten.h"

namespace sheaf::inline v1::internal {
namespace {

template <typename Offset>
StatusOr<Array> ShareEqualAs(const Array& views, MemoryPool* pool) {
  const ViewStats stats = StatsOf(views);
  SHEAF_ASSIGN_OR_RETURN(const Buffer firsts, FirstOfEqualLists(views, stats, pool));
  const auto* first = firsts.as<int64_t>();
  const Offset* offsets = views.slots<Offset>(1);
  SHEAF_ASSIGN_OR_RETURN(auto rewritten,
                         Rewritten<Offset>::Make(views, /*with_sizes=*/false, pool));
  Offset* const out = rewritten.offsets();
  bool changed = false;
  for (int64_t i = 0; i < views.length(); ++i) {
    out[i] = offsets[first[i]];
    changed = changed || out[i] != offsets[i];
  }
  if (!changed) return views;
  return std::move(rewritten).Finish(views.child(0), nullptr, pool);
}

}  // namespace

StatusOr<Array> ShareEqual(const Array& views, MemoryPool* pool) {
  if (views.length() < 2) return views;
  return views.layout().offset_bits == 32 ? ShareEqualAs<int32_t>(views, pool)
                                          : ShareEqualAs<int64_t>(views, pool);
}

StatusOr<Array> Deduplicate(const Array& views, MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(const Array shared, ShareEqual(views, pool));
  return Compact(shared, pool);
}

}  // namespace sheaf::inline v1::internal
