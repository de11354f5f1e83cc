#include <algorithm>

#include "array/view_plan.h"
#include "builder/builder_core.h"
#include "builder/given_bytes.h"
#include "builder/list_source.h"
#include "builder/list_view_brought.h"
#include "kernels/view_stats.h"
#include "sheaf/builder/list_view_builder.h"

// Appends by a policy other than to keep the views as they come: plans are made from the views
// (array/view_plan.h), compared in bytes of elements, and carried out.
namespace sheaf::inline v1 {

using internal::CompactPlan;
using internal::ExactPlan;
using internal::ListSource;
using internal::Placement;
using internal::RowRange;

template <typename Offset>
template <typename AsTheyAre, typename Planned>
Status BasicListViewBuilder<Offset>::VisitPlan(const Array& source,
                                               std::span<const RowRange> ranges,
                                               AsTheyAre&& as_they_are, Planned&& planned) {
  const bool no_nulls = !source.has_nulls();
  if (options_.list_views.on_append == ListViewPolicy::kExact) {
    if (ranges.size() == 1 && no_nulls && Brought::Of(source, ranges[0]).packed)
      return as_they_are();
    ExactPlan plan(pool());
    SHEAF_RETURN_IF_ERROR(plan.Make(ListSource(source), ranges));
    return planned(Reached::Of(source, ranges), plan);
  }
  const Reached reached = Reached::Of(source, ranges);
  if (reached.without_gaps && no_nulls) return as_they_are();
  CompactPlan plan(pool());
  SHEAF_RETURN_IF_ERROR(plan.Make(ListSource(source), ranges, reached.hull.offset,
                                  reached.hull.end(), reached.in_order));
  const Array& elements = source.child(0);
  int64_t compact_bits = 0;
  for (const RowRange& range : plan.ranges()) {
    compact_bits += internal::ReadBits(elements.Slice(range.offset, range.length));
  }
  if (compact_bits >= BitsIfKept(source, ranges, reached)) return as_they_are();
  return planned(reached, plan);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageByPolicy(const Array& source,
                                                   std::span<const RowRange> ranges) {
  return VisitPlan(
      source, ranges, [&] { return StageAsTheyAre(source, ranges); },
      [&](const Reached& reached, const auto& plan) {
        return StagePlanned(source, ranges, reached, plan);
      });
}

/// What StageByPolicy would copy, with the windows that are kept now.
template <typename Offset>
Status BasicListViewBuilder<Offset>::AddNeedsByPolicy(const Array& source,
                                                      std::span<const RowRange> ranges) {
  return VisitPlan(
      source, ranges, [&] { return AddNeedsAsTheyAre(source, ranges); },
      [&](const Reached&, const auto& plan) -> Status {
        SHEAF_RETURN_IF_ERROR(ArrayBuilder::AddNeeds(source, ranges));
        if (plan.num_elements() == 0) return OkStatus();
        return AddElementNeeds(ListSource(source).elements(), plan.ranges(), plan.num_elements());
      });
}

/// Bits of elements that the rows would bring with their views as they are: less what a kept window
/// of their source has already.
template <typename Offset>
int64_t BasicListViewBuilder<Offset>::BitsIfKept(const Array& source,
                                                 std::span<const RowRange> ranges,
                                                 const Reached& reached) const noexcept {
  const Array& elements = source.child(0);
  const auto bits = [&](int64_t begin, int64_t end) {
    return begin < end ? internal::ReadBits(elements.Slice(begin, end - begin)) : 0;
  };
  if (!reached.at_once) {
    int64_t sum = 0;
    for (const RowRange& range : ranges) {
      const Brought one = Brought::Of(source, range);
      sum += bits(one.begin, one.end);
    }
    return sum;
  }
  const Brought brought = Brought::Lists(elements, reached.hull, 0);
  const int64_t window = KeepsElements(brought, Keeping::kWhereItPays)
                             ? FindWindow(brought, /*clears_flag=*/true)
                             : -1;
  if (window < 0) return bits(brought.begin, brought.end);
  const int64_t kept_begin = windows_[window].begin - elements.offset();
  const int64_t kept_end = windows_[window].end - elements.offset();
  return bits(brought.begin, std::min(brought.end, kept_begin)) +
         bits(std::max(brought.begin, kept_end), brought.end);
}

template <typename Offset>
template <typename Plan>
Status BasicListViewBuilder<Offset>::StagePlanned(const Array& source,
                                                  std::span<const RowRange> ranges,
                                                  const Reached& reached, const Plan& plan) {
  const ListSource lists(source);
  for (const RowRange& range : ranges) {
    SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, lists, range, reached.hull));
  }
  SHEAF_RETURN_IF_ERROR(CheckFits(plan.num_elements()));
  const Placement placement = plan.num_elements() == 0 ? EndPlacement() : BehindAll();
  if (plan.num_elements() > 0) {
    SHEAF_RETURN_IF_ERROR(StageRangesOf(*elements_, lists.elements(), plan.ranges()));
  }
  const int64_t rows = internal::TotalLength(ranges);
  const int64_t bytes = rows * static_cast<int64_t>(sizeof(Offset));
  SHEAF_RETURN_IF_ERROR(StageSegment(placement.anchor));
  SHEAF_RETURN_IF_ERROR(ReserveViews(rows));
  SHEAF_RETURN_IF_ERROR(StageValidity(source, ranges));
  auto* offsets = reinterpret_cast<Offset*>(offsets_.UnsafeStage(bytes));
  auto* sizes = reinterpret_cast<Offset*>(sizes_.UnsafeStage(bytes));
  plan.Write(lists, ranges, placement.base, offsets, sizes);
  NoteWritten(offsets, sizes, rows, placement.base, plan.num_elements());
  return OkStatus();
}

/// The flag and what is known, from views just written over `num_elements` elements at the end.
template <typename Offset>
void BasicListViewBuilder<Offset>::NoteWritten(const Offset* offsets, const Offset* sizes,
                                               int64_t rows, int64_t base,
                                               int64_t num_elements) noexcept {
  kernels::ViewScan scan;
  kernels::ScanViews(offsets, sizes, rows, base + num_elements, &scan);
  ViewStats stats;
  stats.end = num_elements;
  stats.sum_of_sizes = scan.sum_of_sizes;
  stats.max_size = scan.max_size;
  stats.packed = scan.packed;
  stats.in_order = scan.in_order;
  stats.ascending = scan.ascending;
  if (!scan.packed) flag_ = false;
  known_.Add(stats, rows, 1);
}

// The class itself is instantiated in list_view_builder.cc, with the members defined there.
#define SHEAF_INSTANTIATE(Offset)                                                                \
  template Status BasicListViewBuilder<Offset>::StageByPolicy(const Array&,                      \
                                                              std::span<const RowRange>);        \
  template Status BasicListViewBuilder<Offset>::AddNeedsByPolicy(const Array&,                   \
                                                                 std::span<const RowRange>);     \
  template int64_t BasicListViewBuilder<Offset>::BitsIfKept(                                     \
      const Array&, std::span<const RowRange>, const Reached&) const noexcept;                   \
  template void BasicListViewBuilder<Offset>::NoteWritten(const Offset*, const Offset*, int64_t, \
                                                          int64_t, int64_t) noexcept;
SHEAF_INSTANTIATE(int32_t)
SHEAF_INSTANTIATE(int64_t)
#undef SHEAF_INSTANTIATE

}  // namespace sheaf
