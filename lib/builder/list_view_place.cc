#include <algorithm>

#include "builder/builder_core.h"
#include "builder/given_bytes.h"
#include "builder/list_view_brought.h"
#include "sheaf/builder/list_view_builder.h"

// Where the elements of an append go: copied behind those that are there, kept by reference as a
// window of their source, or into a window that is kept already (docs/list_views.md,
// "Appending").
namespace sheaf::inline v1 {

using internal::ElementsWindow;
using internal::Placement;
using internal::RowRange;
using internal::ViewsUndo;

template <typename Offset>
Status BasicListViewBuilder<Offset>::CheckFits(int64_t additional_elements) const {
  return internal::CheckOffsetsFit(type_, 8 * sizeof(Offset), StagedLengthOf(*elements_),
                                   additional_elements, "elements");
}

template <typename Offset>
StatusOr<Placement> BasicListViewBuilder<Offset>::Place(const Brought& brought, bool clears_flag,
                                                        bool keep) {
  if (clears_flag) flag_ = false;
  if (brought.size() == 0) return EndPlacement();
  if (!keep && brought.elements.layout().id == LayoutId::kFixedWidth) {
    // The common case without a walk.
    const int64_t bytes = brought.size() * brought.elements.type().byte_width();
    if (bytes + BytesForBits(brought.size()) < options_.min_chunk_bytes)
      return PlaceCopied(brought);
  }
  if (brought.elements.type() == elements_->type()) {
    if (keep) return PlaceKept(brought, clears_flag);
    const int64_t bytes =
        internal::GivenBytes(brought.elements.Slice(brought.begin, brought.size()));
    if (ShouldKeep(brought.elements, bytes)) return PlaceKept(brought, clears_flag);
  }
  return PlaceCopied(brought);
}

template <typename Offset>
StatusOr<Placement> BasicListViewBuilder<Offset>::PlaceCopied(const Brought& brought) {
  SHEAF_RETURN_IF_ERROR(CheckFits(brought.size()));
  const Placement placement{{-1, ChunksOf(*elements_).size()}, StagedTailOf(*elements_), true};
  const RowRange range{brought.begin, brought.size()};
  SHEAF_RETURN_IF_ERROR(StageRangesOf(*elements_, brought.elements, {&range, 1}));
  return placement;
}

template <typename Offset>
StatusOr<Placement> BasicListViewBuilder<Offset>::PlaceKept(const Brought& brought,
                                                            bool clears_flag) {
  const int64_t begin = brought.begin_slot();
  const int64_t end = brought.end_slot();
  const int64_t joined = FindWindow(brought, clears_flag);
  if (joined >= 0) {
    const ElementsWindow& window = windows_[joined];
    const bool at_end = begin == window.end && IsLast(window);
    const int64_t wider_begin = std::min(begin, window.begin);
    const int64_t wider_end = std::max(end, window.end);
    SHEAF_RETURN_IF_ERROR(CheckFits((wider_end - wider_begin) - (window.end - window.begin)));
    SHEAF_RETURN_IF_ERROR(WidenWindow(joined, wider_begin, wider_end));
    if (!at_end) flag_ = false;
    return Placement{{joined, 0}, begin - windows_[joined].origin, at_end};
  }
  SHEAF_RETURN_IF_ERROR(CheckFits(brought.size()));
  const int64_t chunk = ChunksOf(*elements_).size();
  SHEAF_RETURN_IF_ERROR(StageKeptOf(*elements_, brought.elements, {brought.begin, brought.size()}));
  SHEAF_RETURN_IF_ERROR(windows_.Stage({brought.elements.data(), begin, end, begin, chunk}));
  return Placement{{windows_.size() - 1, 0}, 0, true};
}

/// The window that the elements join, or -1: one of the same source that they overlap or touch, if
/// that cannot clear a true flag (docs/list_views.md, "Appending"). The one that grows
/// least.
template <typename Offset>
int64_t BasicListViewBuilder<Offset>::FindWindow(const Brought& brought,
                                                 bool clears_flag) const noexcept {
  const int64_t begin = brought.begin_slot();
  const int64_t end = brought.end_slot();
  const auto near = [&](const ElementsWindow& window) {
    return window.source == brought.elements.data() && begin <= window.end && end >= window.begin;
  };
  if (flag_ && !clears_flag) {
    // Only what goes on exactly where the elements end leaves the views packed.
    const bool goes_on = !windows_.empty() && near(windows_.back()) &&
                         begin == windows_.back().end && IsLast(windows_.back());
    return goes_on ? windows_.size() - 1 : -1;
  }
  int64_t best = -1;
  int64_t best_growth = 0;
  for (int64_t i = windows_.Newest(brought.elements.data()); i >= 0; i = windows_[i].previous) {
    const ElementsWindow& window = windows_[i];
    if (!near(window)) continue;
    const int64_t growth =
        std::max(end, window.end) - std::min(begin, window.begin) - (window.end - window.begin);
    if (best < 0 || growth < best_growth) {
      best = i;
      best_growth = growth;
    }
    if (growth == 0) break;
  }
  return best;
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::WidenWindow(int64_t index, int64_t begin, int64_t end) {
  ElementsWindow& window = windows_[index];
  if (begin == window.begin && end == window.end) return OkStatus();
  ViewsUndo undo;
  undo.window = index;
  undo.begin = window.begin;
  undo.end = window.end;
  SHEAF_RETURN_IF_ERROR(undo_.Stage(undo));
  window.begin = begin;
  window.end = end;
  return StageWidenedOf(*elements_, window.chunk, {begin, end - begin});
}

template <typename Offset>
bool BasicListViewBuilder<Offset>::IsLast(const ElementsWindow& window) const noexcept {
  const auto& chunks = ChunksOf(*elements_);
  return window.chunk == chunks.size() - 1 && chunks.back().tail_before == StagedTailOf(*elements_);
}

/// The running end: of the last window if it is what the elements end with, as that may widen.
template <typename Offset>
Placement BasicListViewBuilder<Offset>::EndPlacement() const noexcept {
  if (!windows_.empty() && IsLast(windows_.back())) {
    return {{windows_.size() - 1, 0}, windows_.back().end - windows_.back().origin, true};
  }
  return {{-1, ChunksOf(*elements_).size()}, StagedTailOf(*elements_), true};
}

// The class itself is instantiated in list_view_builder.cc, with the members defined there.
#define SHEAF_INSTANTIATE(Offset)                                                                 \
  template Status BasicListViewBuilder<Offset>::CheckFits(int64_t) const;                         \
  template StatusOr<Placement> BasicListViewBuilder<Offset>::Place(const Brought&, bool, bool);   \
  template StatusOr<Placement> BasicListViewBuilder<Offset>::PlaceCopied(const Brought&);         \
  template StatusOr<Placement> BasicListViewBuilder<Offset>::PlaceKept(const Brought&, bool);     \
  template int64_t BasicListViewBuilder<Offset>::FindWindow(const Brought&, bool) const noexcept; \
  template Status BasicListViewBuilder<Offset>::WidenWindow(int64_t, int64_t, int64_t);           \
  template bool BasicListViewBuilder<Offset>::IsLast(const ElementsWindow&) const noexcept;       \
  template Placement BasicListViewBuilder<Offset>::EndPlacement() const noexcept;
SHEAF_INSTANTIATE(int32_t)
SHEAF_INSTANTIATE(int64_t)
#undef SHEAF_INSTANTIATE

}  // namespace sheaf::inline v1
