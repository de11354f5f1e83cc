#include <algorithm>
#include <cstring>

#include "builder/builder_core.h"
#include "kernels/view_stats.h"
#include "sheaf/builder/list_view_builder.h"

// Views over elements that the builder has stored already.
namespace sheaf::inline v1 {

using internal::ViewAnchor;

template <typename Offset>
Status BasicListViewBuilder<Offset>::AppendViewsOfStored(std::span<const Offset> offsets,
                                                         std::span<const Offset> sizes,
                                                         BitSpan validity) {
  const auto n = static_cast<int64_t>(offsets.size());
  SHEAF_RETURN_IF_ERROR(CheckViewCounts(offsets, sizes, validity));
  SHEAF_RETURN_IF_ERROR(CheckRows(n));
  SHEAF_RETURN_IF_ERROR(CheckReady());
  SHEAF_RETURN_IF_ERROR(CheckStored(offsets, sizes));
  SHEAF_RETURN_IF_ERROR(CheckStoredNullable(offsets, sizes, validity));
  if (n == 0) return OkStatus();
  SHEAF_RETURN_IF_ERROR(CheckLimitOfRows(n));
  validity.length = n;
  const bool all_empty = std::all_of(sizes.begin(), sizes.end(), [](Offset s) { return s == 0; });
  return Transact([&] {
    const int64_t null_count = n - CountSet(validity);
    if (all_empty) {
      SHEAF_RETURN_IF_ERROR(StageSteps(EndPlacement(), 0, 0, n));
      return tail_.StageBits(validity, null_count);
    }
    FixWindows();
    flag_ = known_.known = false;
    SHEAF_RETURN_IF_ERROR(StageSegment(ViewAnchor{-1, 0}));
    SHEAF_RETURN_IF_ERROR(ReserveViews(n));
    SHEAF_RETURN_IF_ERROR(tail_.StageBits(validity, null_count));
    const auto bytes = static_cast<int64_t>(offsets.size_bytes());
    std::memcpy(offsets_.UnsafeStage(bytes), offsets.data(), offsets.size_bytes());
    std::memcpy(sizes_.UnsafeStage(bytes), sizes.data(), sizes.size_bytes());
    return OkStatus();
  });
}

/// kInvalidArgument naming the first view that does not lie within the elements.
template <typename Offset>
Status BasicListViewBuilder<Offset>::CheckStored(std::span<const Offset> offsets,
                                                 std::span<const Offset> sizes) const {
  const auto n = static_cast<int64_t>(offsets.size());
  const int64_t stored = elements_->length();
  kernels::ViewScan scan;
  kernels::ScanViews(offsets.data(), sizes.data(), n, stored, &scan);
  if (scan.in_bounds) return OkStatus();
  for (size_t i = 0; i < offsets.size(); ++i) {
    const int64_t offset = offsets[i];
    const int64_t size = sizes[i];
    if (offset >= 0 && offset <= stored && size >= 0 && size <= stored - offset) continue;
    return internal::InvalidArgument(type_.ToString(), " builder, row ", i,
                                     ": a view of what is stored: offset ", offset, ", size ", size,
                                     " of ", stored, " elements");
  }
  return OkStatus();
}

/// Nulls that came in under null rows must not be read by valid ones where elements are not
/// nullable.
template <typename Offset>
Status BasicListViewBuilder<Offset>::CheckStoredNullable(std::span<const Offset> offsets,
                                                         std::span<const Offset> sizes,
                                                         BitSpan validity) {
  if (type_.field(0).nullable() || elements_->null_count() == 0) return OkStatus();
  SHEAF_ASSIGN_OR_RETURN(
      const Array stored,
      BuildOf(*elements_, Sharing::kSnapshot));  // Rare: nothing keeps them apart.
  for (size_t i = 0; i < offsets.size(); ++i) {
    if (!validity.absent() && !validity[static_cast<int64_t>(i)]) continue;
    SHEAF_RETURN_IF_ERROR(
        internal::CheckNullable(type_, type_.field(0), stored.Slice(offsets[i], sizes[i])));
  }
  return OkStatus();
}

/// Places as they are now stay what they are only if nothing in front of them grows: from here on
/// they count from the first element.
template <typename Offset>
void BasicListViewBuilder<Offset>::FixWindows() noexcept {
  fixed_windows_ = windows_.size();
  fixed_run_ = {0, ChunksOf(*elements_).size(),
                StagedLengthOf(*elements_) - StagedTailOf(*elements_)};
}

// The class itself is instantiated in list_view_builder.cc, with the members defined there.
#define SHEAF_INSTANTIATE(Offset)                                                           \
  template Status BasicListViewBuilder<Offset>::AppendViewsOfStored(                        \
      std::span<const Offset>, std::span<const Offset>, BitSpan);                           \
  template Status BasicListViewBuilder<Offset>::CheckStored(std::span<const Offset>,        \
                                                            std::span<const Offset>) const; \
  template Status BasicListViewBuilder<Offset>::CheckStoredNullable(                        \
      std::span<const Offset>, std::span<const Offset>, BitSpan);                           \
  template void BasicListViewBuilder<Offset>::FixWindows() noexcept;
SHEAF_INSTANTIATE(int32_t)
SHEAF_INSTANTIATE(int64_t)
#undef SHEAF_INSTANTIATE

}  // namespace sheaf
