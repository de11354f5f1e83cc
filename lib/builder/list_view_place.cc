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
                                                        Keeping keeping) {
  if (clears_flag) flag_ = false;
  if (brought.size() == 0) return EndPlacement();
  if (!KeepsElements(brought, keeping)) return PlaceCopied(brought);
  return PlaceKept(brought, clears_flag, keeping == Keeping::kFixed);
}

/// Whether an append keeps the elements by reference.
template <typename Offset>
bool BasicListViewBuilder<Offset>::KeepsElements(const Brought& brought,
                                                 Keeping keeping) const noexcept {
  if (keeping == Keeping::kAlways) return true;
  if (brought.elements.layout().id == LayoutId::kFixedWidth) {  // The common case without a walk.
    const int64_t bytes = brought.size() * brought.elements.type().byte_width();
    if (bytes + BytesForBits(brought.size()) < options_.min_chunk_bytes) return false;
  }
  if (!keeps_elements_ || brought.elements.type() != elements_->type()) return false;
  return ShouldKeep(brought.elements,
                    internal::GivenBytes(brought.elements.Slice(brought.begin, brought.size())));
}

template <typename Offset>
StatusOr<Placement> BasicListViewBuilder<Offset>::PlaceCopied(const Brought& brought) {
  SHEAF_RETURN_IF_ERROR(CheckFits(brought.size()));
  const Placement placement = BehindAll();
  const RowRange range{brought.begin, brought.size()};
  SHEAF_RETURN_IF_ERROR(StageRangesOf(*elements_, brought.elements, {&range, 1}));
  return placement;
}

template <typename Offset>
StatusOr<Placement> BasicListViewBuilder<Offset>::PlaceKept(const Brought& brought,
                                                            bool clears_flag, bool fixed) {
  if (const int64_t joined = FindWindow(brought, clears_flag); joined >= 0) {
    return PlaceJoined(joined, brought);
  }
  SHEAF_RETURN_IF_ERROR(CheckFits(brought.size()));
  const Placement behind = BehindAll();
  const int64_t begin = brought.begin_slot();
  const int64_t chunk = ChunksOf(*elements_).size();
  SHEAF_RETURN_IF_ERROR(StageKeptOf(*elements_, brought.elements, {brought.begin, brought.size()}));
  SHEAF_RETURN_IF_ERROR(windows_.Stage(
      {brought.elements.data(), begin, brought.end_slot(), begin, chunk, -1, fixed}));
  if (!fixed) return Placement{{windows_.size() - 1, 0}, 0, true};
  if (fixed_run_.chunks_end != chunk) fixed_run_ = {chunk, chunk, 0};
  fixed_run_.chunks_end = chunk + 1;
  fixed_run_.elements += brought.size();
  return behind;
}

template <typename Offset>
StatusOr<Placement> BasicListViewBuilder<Offset>::PlaceJoined(int64_t joined,
                                                              const Brought& brought) {
  const int64_t begin = brought.begin_slot();
  const int64_t end = brought.end_slot();
  const ElementsWindow& window = windows_[joined];
  const bool at_end = begin == window.end && IsLast(window);
  const int64_t wider_begin = std::min(begin, window.begin);
  const int64_t wider_end = std::max(end, window.end);
  SHEAF_RETURN_IF_ERROR(CheckFits((wider_end - wider_begin) - (window.end - window.begin)));
  SHEAF_RETURN_IF_ERROR(WidenWindow(joined, wider_begin, wider_end));
  if (!at_end) flag_ = known_.known = false;
  return Placement{{joined, 0}, begin - windows_[joined].origin, at_end};
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
    if (window.source != brought.elements.data()) return false;
    if (IsFixed(&window - &windows_[0])) return begin >= window.begin && end <= window.end;
    return begin <= window.end && end >= window.begin;
  };
  const ListViewPolicy policy = options_.list_views.on_append;
  const bool keeps_flag = flag_ && !clears_flag && policy != ListViewPolicy::kCheapest;
  if (keeps_flag || policy == ListViewPolicy::kExact) {
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

template <typename Offset>
bool BasicListViewBuilder<Offset>::IsFixed(int64_t window) const noexcept {
  return window < fixed_windows_ || windows_[window].fixed;
}

/// Behind all elements, in front of what is copied or kept next. Fixed windows at the end need no
/// anchor of their own, so that rows of sources and others count from one place.
template <typename Offset>
Placement BasicListViewBuilder<Offset>::BehindAll() const noexcept {
  const int64_t chunks = ChunksOf(*elements_).size();
  const int64_t tail = StagedTailOf(*elements_);
  if (fixed_run_.chunks_end != chunks) return {{-1, chunks}, tail, true};
  return {{-1, fixed_run_.chunks_before}, tail + fixed_run_.elements, true};
}

/// The running end: of the last window if it is what the elements end with, as that may widen.
template <typename Offset>
Placement BasicListViewBuilder<Offset>::EndPlacement() const noexcept {
  if (!windows_.empty() && IsLast(windows_.back()) && !IsFixed(windows_.size() - 1)) {
    return {{windows_.size() - 1, 0}, windows_.back().end - windows_.back().origin, true};
  }
  return BehindAll();
}

// The class itself is instantiated in list_view_builder.cc, with the members defined there.
#define SHEAF_INSTANTIATE(Offset)                                                                  \
  template Status BasicListViewBuilder<Offset>::CheckFits(int64_t) const;                          \
  template StatusOr<Placement> BasicListViewBuilder<Offset>::Place(const Brought&, bool, Keeping); \
  template bool BasicListViewBuilder<Offset>::KeepsElements(const Brought&, Keeping)               \
      const noexcept;                                                                              \
  template StatusOr<Placement> BasicListViewBuilder<Offset>::PlaceCopied(const Brought&);          \
  template StatusOr<Placement> BasicListViewBuilder<Offset>::PlaceKept(const Brought&, bool,       \
                                                                       bool);                      \
  template StatusOr<Placement> BasicListViewBuilder<Offset>::PlaceJoined(int64_t, const Brought&); \
  template bool BasicListViewBuilder<Offset>::IsFixed(int64_t) const noexcept;                     \
  template int64_t BasicListViewBuilder<Offset>::FindWindow(const Brought&, bool) const noexcept;  \
  template Status BasicListViewBuilder<Offset>::WidenWindow(int64_t, int64_t, int64_t);            \
  template bool BasicListViewBuilder<Offset>::IsLast(const ElementsWindow&) const noexcept;        \
  template Placement BasicListViewBuilder<Offset>::BehindAll() const noexcept;                     \
  template Placement BasicListViewBuilder<Offset>::EndPlacement() const noexcept;
SHEAF_INSTANTIATE(int32_t)
SHEAF_INSTANTIATE(int64_t)
#undef SHEAF_INSTANTIATE

}  // namespace sheaf::inline v1
