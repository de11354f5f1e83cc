#include "sheaf/builder/list_view_builder.h"

#include <algorithm>
#include <limits>

#include "builder/builder_core.h"
#include "builder/list_source.h"
#include "builder/list_view_brought.h"
#include "kernels/shift_views.h"
#include "sheaf/array/list_view_array.h"
#include "sheaf/array/view_stats.h"

// What users call and how rows are stored; where their elements go is in list_view_place.cc, and
// how the rows become one array again in list_view_build.cc.
namespace sheaf::inline v1 {

using internal::ElementsWindow;
using internal::KeptViews;
using internal::ListSource;
using internal::Placement;
using internal::RowRange;
using internal::ViewAnchor;
using internal::ViewsUndo;

template <typename Offset>
BasicListViewBuilder<Offset>::BasicListViewBuilder(const DataType& type,
                                                   std::unique_ptr<ArrayBuilder> elements,
                                                   const BuilderOptions& options)
    : ArrayBuilder(type, options),
      elements_(std::move(elements)),
      offsets_(options.pool),
      sizes_(options.pool),
      segments_(options.pool),
      windows_(options.pool),
      kept_views_(options.pool),
      undo_(options.pool) {
  Adopt(*elements_);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::CheckBuilds(const DataType& type) {
  constexpr TypeId kBuilds = sizeof(Offset) == 4 ? TypeId::kListView : TypeId::kLargeListView;
  if (type.id() == kBuilds) return OkStatus();
  return internal::InvalidArgument("a list-view builder of ", 8 * sizeof(Offset),
                                   "-bit offsets does not build ", type.ToString());
}

// ── What users call ──

template <typename Offset>
Status BasicListViewBuilder<Offset>::AppendList(const Array& elements) {
  return AppendRepeatedList(elements, 1);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::AppendRepeatedList(const Array& elements, int64_t n) {
  SHEAF_RETURN_IF_ERROR(CheckRows(n));
  SHEAF_RETURN_IF_ERROR(CheckReady());
  SHEAF_RETURN_IF_ERROR(CheckSourceOf(*elements_, elements));
  SHEAF_RETURN_IF_ERROR(internal::CheckNullable(type_, type_.field(0), elements));
  if (n == 0) return OkStatus();
  return Transact([&] {
    const Brought brought{elements, 0, elements.length(), true};
    const bool clears_flag = n > 1 && brought.size() > 0;
    SHEAF_ASSIGN_OR_RETURN(const Placement placement, Place(brought, clears_flag, /*keep=*/false));
    SHEAF_RETURN_IF_ERROR(StageSame(placement, brought.size(), n));
    return tail_.StageValid(n);
  });
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::AppendViews(const Array& elements,
                                                 std::span<const Offset> offsets,
                                                 std::span<const Offset> sizes, BitSpan validity) {
  const auto n = static_cast<int64_t>(offsets.size());
  if (offsets.size() != sizes.size() || (!validity.absent() && validity.length != n)) {
    const std::string bits =
        validity.absent() ? "" : internal::Concat(", ", validity.length, " validity bits");
    return internal::InvalidArgument(type_.ToString(), " builder: ", n, " offsets, ", sizes.size(),
                                     " sizes", bits);
  }
  // The spans are only borrowed, so views that would be kept by reference are copied first.
  const int64_t bytes = n * static_cast<int64_t>(sizeof(Offset));
  const auto* offset_bytes = reinterpret_cast<const uint8_t*>(offsets.data());
  const auto* size_bytes = reinterpret_cast<const uint8_t*>(sizes.data());
  ArrayParts parts;
  parts.type = sizeof(Offset) == 4 ? ListView(elements.type()) : LargeListView(elements.type());
  parts.length = n;
  parts.children = {elements};
  parts.buffers.resize(3);
  if (!validity.absent()) {
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer bits, MutableBuffer::Allocate(BytesForBits(n), pool()));
    if (n > 0) bits.data()[bits.size_bytes() - 1] = 0;
    CopyBits(validity, bits.data(), 0);
    parts.buffers[0] = std::move(bits).Finish();
  }
  if (2 * bytes + BytesForBits(n) >= options_.min_chunk_bytes) {
    SHEAF_ASSIGN_OR_RETURN(parts.buffers[1],
                           Buffer::Copy({offset_bytes, static_cast<size_t>(bytes)}, pool()));
    SHEAF_ASSIGN_OR_RETURN(parts.buffers[2],
                           Buffer::Copy({size_bytes, static_cast<size_t>(bytes)}, pool()));
  } else {
    parts.buffers[1] = n == 0 ? Buffer::Empty() : Buffer::Borrow(offset_bytes, bytes);
    parts.buffers[2] = n == 0 ? Buffer::Empty() : Buffer::Borrow(size_bytes, bytes);
  }
  SHEAF_ASSIGN_OR_RETURN(const Array views,
                         MakeArray(std::move(parts), ValidationLevel::kDefault, pool()));
  return AppendArray(views);
}

template <typename Offset>
void BasicListViewBuilder<Offset>::BeginList() noexcept {
  open_.Begin(*elements_);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::EndList() {
  SHEAF_RETURN_IF_ERROR(open_.CheckEnd(*elements_, type_.field(0)));
  SHEAF_RETURN_IF_ERROR(CheckReadyOf(*elements_));
  const int64_t size = open_.size(*elements_);
  SHEAF_RETURN_IF_ERROR(
      internal::CheckOffsetsFit(type_, 8 * sizeof(Offset), open_.start(), size, "elements"));
  // The list starts behind all that the elements had at the last commit, however windows widen
  // since.
  const Placement start =
      size > 0 ? Placement{{-1, elements_chunks_}, elements_tail_, true} : EndPlacement();
  SHEAF_RETURN_IF_ERROR(ReserveViews(1));
  SHEAF_RETURN_IF_ERROR(tail_.Reserve(1));
  SHEAF_RETURN_IF_ERROR(CheckLimit(2 * static_cast<int64_t>(sizeof(Offset))));
  SHEAF_RETURN_IF_ERROR(StageSegment(start.anchor));
  // Nothing fails from here on, and only this node changes: no walk over the tree for a single row.
  segments_.Commit();
  offsets_.UnsafePush(static_cast<Offset>(start.base));
  sizes_.UnsafePush(static_cast<Offset>(size));
  tail_.UnsafePushValid();
  DropMarksOf(*elements_);
  RememberElements();
  open_.End();
  return OkStatus();
}

// ── Storing rows ──

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageViews(const Array& source, RowRange range,
                                                int64_t repeats, bool keep) {
  const Brought brought = Brought::Of(source, range);
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, ListSource(source), range,
                                                        {brought.begin, brought.size()}));
  const bool clears_flag = !brought.packed || (repeats > 1 && brought.size() > 0);
  SHEAF_ASSIGN_OR_RETURN(const Placement placement, Place(brought, clears_flag, keep));
  return StageRows(source, range, repeats, keep, brought, placement);
}

/// Rows from many places of one source: what all of them reach is brought once where that is not
/// more than what each reaches by itself, so that sharing survives.
template <typename Offset>
Status BasicListViewBuilder<Offset>::StageScattered(const Array& source,
                                                    std::span<const RowRange> ranges) {
  Brought all{source.child(0)};
  int64_t sum = 0;
  for (const RowRange& range : ranges) {
    const Brought one = Brought::Of(source, range);
    if (one.size() == 0) continue;
    all.begin = sum == 0 ? one.begin : std::min(all.begin, one.begin);
    all.end = std::max(all.end, one.end);
    if (AddOverflows(sum, one.size(), &sum)) sum = std::numeric_limits<int64_t>::max();
  }
  if (all.size() > sum) {
    for (const RowRange& range : ranges) SHEAF_RETURN_IF_ERROR(StageViews(source, range, 1, false));
    return OkStatus();
  }
  SHEAF_ASSIGN_OR_RETURN(const Placement placement,
                         Place(all, /*clears_flag=*/sum > 0, /*keep=*/false));
  for (const RowRange& range : ranges) {
    SHEAF_RETURN_IF_ERROR(
        internal::CheckElementsNullable(type_, ListSource(source), range, {all.begin, all.size()}));
    SHEAF_RETURN_IF_ERROR(StageRows(source, range, 1, false, all, placement));
  }
  return OkStatus();
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageRows(const Array& source, RowRange range, int64_t repeats,
                                               bool keep, const Brought& brought,
                                               const Placement& placement) {
  constexpr auto kWidth = static_cast<int64_t>(sizeof(Offset));
  // A kept chunk of no rows is one all the same: the parent counts on it, and may widen it.
  if (range.length == 0 && !keep) return OkStatus();
  if (repeats == 1 && source.type().id() == type_.id()) {
    const int64_t own_bytes =
        2 * kWidth * range.length + (source.has_nulls() ? BytesForBits(range.length) : 0);
    if (keep || ShouldKeep(source, own_bytes))
      return StageKeptRows(source, range, brought, placement);
  }
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, internal::ProductOf(range.length, repeats, type_));
  SHEAF_RETURN_IF_ERROR(StageSegment(placement.anchor));
  SHEAF_RETURN_IF_ERROR(ReserveViews(rows));
  if (repeats == 1) {
    SHEAF_RETURN_IF_ERROR(StageValidity(source, {&range, 1}));
  } else {
    const BitSpan validity = source.validity().Slice(range.offset, range.length);
    SHEAF_RETURN_IF_ERROR(
        tail_.StageRepeated(validity, range.length - CountSet(validity), repeats));
  }
  uint8_t* offsets = offsets_.UnsafeStage(rows * kWidth);
  uint8_t* sizes = sizes_.UnsafeStage(rows * kWidth);
  WriteRows(source, range, brought, placement, reinterpret_cast<Offset*>(offsets),
            reinterpret_cast<Offset*>(sizes));
  internal::ExtendRepeated(offsets, range.length * kWidth, repeats);
  internal::ExtendRepeated(sizes, range.length * kWidth, repeats);
  return OkStatus();
}

template <typename Offset>
void BasicListViewBuilder<Offset>::WriteRows(const Array& source, RowRange range,
                                             const Brought& brought, const Placement& placement,
                                             Offset* offsets, Offset* sizes) const noexcept {
  const ListSource lists(source);
  const auto write = [&](auto* source_offsets) {
    using SourceOffset = std::remove_const_t<std::remove_pointer_t<decltype(source_offsets)>>;
    const int64_t n = range.length;
    kernels::ClampAndShift(source_offsets, n, 0, brought.begin, brought.end,
                           placement.base - brought.begin, offsets);
    if (lists.is_view()) {
      kernels::CopyIntegers(lists.template sizes<SourceOffset>() + range.offset, n, sizes);
    } else {
      kernels::SizesOfOffsets(source_offsets, n, sizes);
    }
  };
  if (lists.layout() == LayoutId::kFixedSizeList) {
    const int64_t first = lists.Row(range.offset).offset - brought.begin + placement.base;
    kernels::FillSteps(lists.list_size() == 0 ? placement.base : first, lists.list_size(),
                       range.length, offsets);
    kernels::FillSteps(lists.list_size(), 0, range.length, sizes);
  } else if (lists.wide()) {
    write(lists.template offsets<int64_t>() + range.offset);
  } else {
    write(lists.template offsets<int32_t>() + range.offset);
  }
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageKeptRows(const Array& source, RowRange range,
                                                   const Brought& brought,
                                                   const Placement& placement) {
  KeptViews views{placement, 0, 0, 0};
  if (brought.size() > 0) {
    views.begin = brought.begin_slot();
    views.end = brought.end_slot();
    views.shift = brought.elements.offset();
  }
  SHEAF_RETURN_IF_ERROR(kept_views_.Stage(views));
  return ArrayBuilder::StageKept(source, range);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageSegment(const ViewAnchor& anchor) {
  const ViewAnchor current = segments_.empty() ? ViewAnchor() : segments_.back().anchor;
  if (current == anchor) [[likely]]
    return OkStatus();
  return segments_.Stage({tail_.staged_length(), anchor});
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::ReserveViews(int64_t rows) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, internal::ProductOf(rows, sizeof(Offset), type_));
  SHEAF_RETURN_IF_ERROR(offsets_.Reserve(bytes));
  return sizes_.Reserve(bytes);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageSame(const Placement& placement, int64_t size,
                                               int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageSegment(placement.anchor));
  SHEAF_RETURN_IF_ERROR(ReserveViews(n));
  const int64_t bytes = n * static_cast<int64_t>(sizeof(Offset));
  kernels::FillSteps(placement.base, 0, n, reinterpret_cast<Offset*>(offsets_.UnsafeStage(bytes)));
  kernels::FillSteps(size, 0, n, reinterpret_cast<Offset*>(sizes_.UnsafeStage(bytes)));
  return OkStatus();
}

// ── The hooks ──

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageRanges(const Array& source,
                                                 std::span<const RowRange> ranges) {
  if (ranges.size() == 1) [[likely]]
    return StageViews(source, ranges[0], 1, /*keep=*/false);
  return StageScattered(source, ranges);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageRepeated(const Array& source, RowRange range, int64_t n) {
  return StageViews(source, range, n, /*keep=*/false);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageNulls(int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageSame(EndPlacement(), 0, n));
  return tail_.StageNull(n);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageEmpty(int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageSame(EndPlacement(), 0, n));
  return tail_.StageValid(n);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageKept(const Array& source, RowRange range) {
  return StageViews(source, range, 1, /*keep=*/true);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageWidened(int64_t chunk, RowRange range) {
  const Array widened = internal::WithWindow(chunks_[chunk].window, range.offset, range.length);
  const Brought brought = Brought::Of(widened, {0, range.length});
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(
      type_, ListSource(widened), {0, range.length}, {brought.begin, brought.size()}));
  ViewsUndo undo;
  undo.kept = chunk;
  undo.views = kept_views_[chunk];
  SHEAF_RETURN_IF_ERROR(undo_.Stage(undo));
  if (!brought.packed) flag_ = false;
  if (brought.size() > 0) {
    const KeptViews& views_before = undo.views;
    Placement placement = views_before.placement;
    // Rows behind the chunk begin where its elements ended until now.
    const bool grows =
        brought.begin_slot() != views_before.begin || brought.end_slot() != views_before.end;
    if (grows && !EndsWith(chunk)) flag_ = false;
    if (views_before.begin == views_before.end) {
      SHEAF_ASSIGN_OR_RETURN(placement, PlaceKept(brought, !brought.packed));
    } else {
      const int64_t index = placement.anchor.window;
      const ElementsWindow before = windows_[index];
      const int64_t begin = std::min(before.begin, brought.begin_slot());
      const int64_t end = std::max(before.end, brought.end_slot());
      SHEAF_RETURN_IF_ERROR(CheckFits((end - begin) - (before.end - before.begin)));
      if (!IsLast(before) || begin != brought.begin_slot() || end != brought.end_slot())
        flag_ = false;
      SHEAF_RETURN_IF_ERROR(WidenWindow(index, begin, end));
      placement.base = brought.begin_slot() - before.origin;
    }
    kept_views_[chunk] = {placement, brought.begin_slot(), brought.end_slot(),
                          brought.elements.offset()};
  }
  return ArrayBuilder::StageWidened(chunk, range);
}

template <typename Offset>
bool BasicListViewBuilder<Offset>::EndsWith(int64_t chunk) const noexcept {
  return chunk == chunks_.size() - 1 && chunks_[chunk].tail_before == tail_.staged_length();
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::ReserveRows(int64_t rows) {
  SHEAF_RETURN_IF_ERROR(ReserveViews(rows));
  return tail_.Reserve(rows);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::CheckReady() const {
  SHEAF_RETURN_IF_ERROR(open_.CheckReady(*elements_));
  return CheckReadyOf(*elements_);
}

template <typename Offset>
void BasicListViewBuilder<Offset>::RememberElements() noexcept {
  open_.Commit(*elements_);
  elements_chunks_ = ChunksOf(*elements_).size();
  elements_tail_ = StagedTailOf(*elements_);
}

template <typename Offset>
void BasicListViewBuilder<Offset>::Commit() noexcept {
  ArrayBuilder::Commit();
  offsets_.Commit();
  sizes_.Commit();
  segments_.Commit();
  windows_.Commit();
  kept_views_.Commit();
  CommitLog(undo_);
  committed_flag_ = flag_;
  CommitOf(*elements_);
  RememberElements();
}

template <typename Offset>
void BasicListViewBuilder<Offset>::Discard() noexcept {
  ArrayBuilder::Discard();
  UndoViews(undo_.committed_size());
  offsets_.Discard();
  sizes_.Discard();
  segments_.Discard();
  windows_.Discard();
  kept_views_.Discard();
  flag_ = committed_flag_;
  DiscardOf(*elements_);
}

template <typename Offset>
void BasicListViewBuilder<Offset>::UndoViews(int64_t size) noexcept {
  for (int64_t i = undo_.size() - 1; i >= size; --i) {
    const ViewsUndo& undo = undo_[i];
    if (undo.kept >= 0) {
      kept_views_[undo.kept] = undo.views;
    } else {
      windows_[undo.window].begin = undo.begin;
      windows_[undo.window].end = undo.end;
    }
  }
  undo_.TruncateTo(size);
}

template <typename Offset>
void BasicListViewBuilder<Offset>::SaveMark(internal::MarkWriter& mark) const noexcept {
  ArrayBuilder::SaveMark(mark);
  mark.Put(segments_.committed_size());
  mark.Put(windows_.size());
  mark.Put(undo_.committed_size());
  mark.Put(committed_flag_ ? 1 : 0);
  mark.Put(elements_chunks_);
  mark.Put(elements_tail_);
  open_.SaveMark(mark);
  SaveMarkOf(*elements_, mark);
}

template <typename Offset>
void BasicListViewBuilder<Offset>::RestoreMark(internal::MarkReader& mark) noexcept {
  ArrayBuilder::RestoreMark(mark);
  offsets_.TruncateTo(tail_.length() * static_cast<int64_t>(sizeof(Offset)));
  sizes_.TruncateTo(tail_.length() * static_cast<int64_t>(sizeof(Offset)));
  segments_.TruncateTo(mark.Take());
  const int64_t num_windows = mark.Take();
  UndoViews(mark.Take());  // Before what it mentions is gone.
  windows_.TruncateTo(num_windows);
  kept_views_.TruncateTo(chunks_.size());
  flag_ = committed_flag_ = mark.Take() != 0;
  elements_chunks_ = mark.Take();
  elements_tail_ = mark.Take();
  open_.RestoreMark(mark);
  RestoreMarkOf(*elements_, mark);
}

template <typename Offset>
void BasicListViewBuilder<Offset>::Clear() noexcept {
  ArrayBuilder::Clear();
  offsets_.Reset();
  sizes_.Reset();
  segments_.Clear();
  windows_.Clear();
  kept_views_.Clear();
  undo_.Clear();
  flag_ = committed_flag_ = true;
  ClearOf(*elements_);
  open_ = internal::OpenList();
  elements_chunks_ = elements_tail_ = 0;
}

template <typename Offset>
int64_t BasicListViewBuilder<Offset>::BytesUsed() const noexcept {
  return ValidityBytes() + 2 * staged_length() * static_cast<int64_t>(sizeof(Offset)) +
         BytesUsedOf(*elements_);
}

template class BasicListViewBuilder<int32_t>;
template class BasicListViewBuilder<int64_t>;

}  // namespace sheaf
