#include "sheaf/builder/list_view_builder.h"

#include <algorithm>
#include <limits>

#include "builder/builder_core.h"
#include "builder/list_source.h"
#include "builder/list_view_brought.h"
#include "kernels/fill.h"
#include "kernels/scan_sizes.h"
#include "kernels/shift_views.h"
#include "memory/copy_of_bits.h"
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

namespace {

/// Whether views lie within the type: what is kept by reference keeps them as they are.
bool HasListViews(const DataType& type) noexcept {
  if (type.layout().id == LayoutId::kListView) return true;
  for (int i = 0; i < type.num_fields(); ++i) {
    if (HasListViews(type.field(i).type())) return true;
  }
  return false;
}

/// Whether elements of the type can be kept as windows that widen: unions and run-ends write their
/// type ids, offsets and run ends anew, and keep by reference only what lies below them.
bool HasWindows(const DataType& type) noexcept {
  const LayoutId id = type.layout().id;
  if (id == LayoutId::kSparseUnion || id == LayoutId::kDenseUnion ||
      id == LayoutId::kRunEndEncoded) {
    return false;
  }
  const auto fields = type.fields();
  return std::all_of(fields.begin(), fields.end(),
                     [](const Field& field) { return HasWindows(field.type()); });
}

}  // namespace

template <typename Offset>
BasicListViewBuilder<Offset>::BasicListViewBuilder(const DataType& type,
                                                   std::unique_ptr<ArrayBuilder> elements,
                                                   const BuilderOptions& options)
    : ListLikeBuilder(type, std::move(elements), options),
      offsets_(options.pool),
      sizes_(options.pool),
      segments_(options.pool),
      windows_(options.pool),
      kept_views_(options.pool),
      undo_(options.pool),
      sources_(options.pool),
      keeps_elements_(HasWindows(type.field(0).type()) &&
                      (options.list_views.on_append != ListViewPolicy::kExact ||
                       !HasListViews(type.field(0).type()))) {}

template <typename Offset>
Status BasicListViewBuilder<Offset>::CheckBuilds(const DataType& type) {
  constexpr TypeId kBuilds = sizeof(Offset) == 4 ? TypeId::kListView : TypeId::kLargeListView;
  if (type.storage().id() == kBuilds) return OkStatus();
  return internal::InvalidArgument("a list-view builder of ", 8 * sizeof(Offset),
                                   "-bit offsets does not build ", type.ToString());
}

// ── What users call ──

template <typename Offset>
Status BasicListViewBuilder<Offset>::CheckViewCounts(std::span<const Offset> offsets,
                                                     std::span<const Offset> sizes,
                                                     BitSpan validity) const {
  const auto n = static_cast<int64_t>(offsets.size());
  if (offsets.size() == sizes.size() && (validity.absent() || validity.length == n))
    return OkStatus();
  const std::string bits =
      validity.absent() ? "" : internal::Concat(", ", validity.length, " validity bits");
  return internal::InvalidArgument(type_.ToString(), " builder: ", n, " offsets, ", sizes.size(),
                                   " sizes", bits);
}

template <typename Offset>
int64_t BasicListViewBuilder<Offset>::OwnBytes(const Array& source, int64_t rows) noexcept {
  return 2 * static_cast<int64_t>(sizeof(Offset)) * rows + internal::ValidityBytesOf(source, rows);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::AppendViews(const Array& elements,
                                                 std::span<const Offset> offsets,
                                                 std::span<const Offset> sizes, BitSpan validity) {
  SHEAF_RETURN_IF_ERROR(CheckViewCounts(offsets, sizes, validity));
  const auto n = static_cast<int64_t>(offsets.size());
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
    SHEAF_ASSIGN_OR_RETURN(parts.buffers[0], internal::CopyOfBits(validity, pool()));
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
Status BasicListViewBuilder<Offset>::EndAnyList() {
  SHEAF_RETURN_IF_ERROR(open_.CheckEnd(*elements_, type_.field(0)));
  SHEAF_RETURN_IF_ERROR(CheckReadyOf(*elements_));
  const int64_t size = open_.size(*elements_);
  const Status fits =
      internal::CheckOffsetsFit(type_, 8 * sizeof(Offset), open_.start(), size, "elements");
  if (!fits.ok()) [[unlikely]]
    return EndOutgrownList(fits);
  // The list starts behind all that the elements had at the last commit, however windows widen
  // since.
  const Placement start = size > 0 ? committed_end_ : EndPlacement();
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
  open_.Commit(*elements_);
  known_.AddList(size);
  committed_known_.max_size = known_.max_size;
  committed_end_ = BehindAll();
  open_.End();
  return OkStatus();
}

// ── Storing rows ──

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageViews(const Array& source, RowRange range,
                                                int64_t repeats, Keeping keeping) {
  const Brought brought = Brought::Of(source, range);
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, ListSource(source), range,
                                                        {brought.begin, brought.size()}));
  const bool clears_flag = !brought.packed || (repeats > 1 && brought.size() > 0);
  SHEAF_ASSIGN_OR_RETURN(const Placement placement, Place(brought, clears_flag, keeping));
  known_.Add(brought, range.length, repeats);
  return StageRows(source, range, repeats, keeping, brought, placement);
}

/// Rows from many places of one source: what all of them reach is brought once where that is not
/// more than what each reaches by itself, so that sharing survives.
template <typename Offset>
Status BasicListViewBuilder<Offset>::StageScattered(const Array& source,
                                                    std::span<const RowRange> ranges) {
  const Reached reached = Reached::Of(source, ranges);
  if (!reached.at_once) {
    for (const RowRange& range : ranges)
      SHEAF_RETURN_IF_ERROR(StageViews(source, range, 1, Keeping::kWhereItPays));
    return OkStatus();
  }
  const Brought all = Brought::Lists(source.child(0), reached.hull, 0);
  const bool brings = all.size() > 0;
  SHEAF_ASSIGN_OR_RETURN(const Placement placement,
                         Place(all, /*clears_flag=*/brings, Keeping::kWhereItPays));
  if (brings) known_.known = false;
  for (const RowRange& range : ranges) {
    SHEAF_RETURN_IF_ERROR(
        internal::CheckElementsNullable(type_, ListSource(source), range, {all.begin, all.size()}));
    SHEAF_RETURN_IF_ERROR(StageRows(source, range, 1, Keeping::kWhereItPays, all, placement));
  }
  return OkStatus();
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageRows(const Array& source, RowRange range, int64_t repeats,
                                               Keeping keeping, const Brought& brought,
                                               const Placement& placement) {
  constexpr auto kWidth = static_cast<int64_t>(sizeof(Offset));
  // A kept chunk of no rows is one all the same: the parent counts on it, and may widen it.
  const bool always = keeping == Keeping::kAlways;
  if (range.length == 0 && !always) return OkStatus();
  if (repeats == 1 && internal::SameStorage(source.type(), type_)) {
    if (always || ShouldKeep(source, OwnBytes(source, range.length)))
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
  if (current_anchor() == anchor) [[likely]]
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
Status BasicListViewBuilder<Offset>::StageSteps(const Placement& placement, int64_t step,
                                                int64_t size, int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageSegment(placement.anchor));
  SHEAF_RETURN_IF_ERROR(ReserveViews(n));
  const int64_t bytes = n * static_cast<int64_t>(sizeof(Offset));
  kernels::FillSteps(placement.base, step, n,
                     reinterpret_cast<Offset*>(offsets_.UnsafeStage(bytes)));
  kernels::FillSteps(size, 0, n, reinterpret_cast<Offset*>(sizes_.UnsafeStage(bytes)));
  return OkStatus();
}

// ── The hooks ──

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageRepeatedList(const Array& elements, int64_t n) {
  const Brought brought = Brought::Lists(elements, {0, elements.length()}, elements.length());
  const bool clears_flag = n > 1 && brought.size() > 0;
  SHEAF_ASSIGN_OR_RETURN(const Placement placement,
                         Place(brought, clears_flag, Keeping::kWhereItPays));
  known_.Add(brought, 1, n);
  SHEAF_RETURN_IF_ERROR(StageSteps(placement, 0, brought.size(), n));
  return tail_.StageValid(n);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageUniform(const Array& values, int64_t size, int64_t n,
                                                  bool borrowed) {
  const Brought brought = Brought::Lists(values, {0, values.length()}, size);
  Placement placement = BehindAll();
  if (borrowed) {
    SHEAF_RETURN_IF_ERROR(CheckFits(values.length()));
    SHEAF_RETURN_IF_ERROR(StageElements(values, borrowed));
  } else {
    SHEAF_ASSIGN_OR_RETURN(placement, Place(brought, /*clears_flag=*/false, Keeping::kWhereItPays));
  }
  known_.Add(brought, n, 1);
  SHEAF_RETURN_IF_ERROR(StageSteps(placement, size, size, n));
  return tail_.StageValid(n);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageEnded(int64_t size) {
  SHEAF_RETURN_IF_ERROR(internal::CheckOffsetsFit(
      type_, 8 * sizeof(Offset), StagedLengthOf(*elements_) - size, size, "elements"));
  known_.AddList(size);
  SHEAF_RETURN_IF_ERROR(StageSteps(committed_end_, 0, size, 1));
  return tail_.StageValid(1);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageRanges(const Array& source,
                                                 std::span<const RowRange> ranges) {
  if (options_.list_views.on_append == ListViewPolicy::kKeep) [[likely]]
    return StageAsTheyAre(source, ranges);
  return StageByPolicy(source, ranges);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageAsTheyAre(const Array& source,
                                                    std::span<const RowRange> ranges) {
  if (ranges.size() == 1) [[likely]]
    return StageViews(source, ranges[0], 1, Keeping::kWhereItPays);
  return StageScattered(source, ranges);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageRepeated(const Array& source, RowRange range, int64_t n) {
  return StageViews(source, range, n, Keeping::kWhereItPays);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageNulls(int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageSteps(EndPlacement(), 0, 0, n));
  return tail_.StageNull(n);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageEmpty(int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageSteps(EndPlacement(), 0, 0, n));
  return tail_.StageValid(n);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageKept(const Array& source, RowRange range) {
  return StageViews(source, range, 1, Keeping::kAlways);
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
  known_.known = false;
  if (brought.size() > 0) {
    const KeptViews& views_before = undo.views;
    Placement placement = views_before.placement;
    // Rows behind the chunk begin where its elements ended until now.
    const bool grows =
        brought.begin_slot() != views_before.begin || brought.end_slot() != views_before.end;
    if (grows && !EndsWith(chunk)) flag_ = false;
    // A fixed window stays what it is: what is wider is brought anew.
    const bool anew =
        views_before.begin == views_before.end || (grows && IsFixed(placement.anchor.window));
    if (anew) {
      if (views_before.begin != views_before.end) flag_ = false;
      SHEAF_ASSIGN_OR_RETURN(placement, PlaceKept(brought, !brought.packed, /*fixed=*/false));
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
  // Rows of sources that count from different places may begin a segment each.
  if (sources_.CountFromOtherThan(current_anchor())) SHEAF_RETURN_IF_ERROR(segments_.Reserve(rows));
  return tail_.Reserve(rows);
}

template <typename Offset>
void BasicListViewBuilder<Offset>::Commit() noexcept {
  ListLikeBuilder::Commit();
  offsets_.Commit();
  sizes_.Commit();
  segments_.Commit();
  windows_.Commit();
  kept_views_.Commit();
  CommitLog(undo_);
  sources_.Commit();
  committed_flag_ = flag_;
  committed_known_ = known_;
  committed_fixed_windows_ = fixed_windows_;
  committed_end_ = BehindAll();
}

template <typename Offset>
void BasicListViewBuilder<Offset>::Discard() noexcept {
  ListLikeBuilder::Discard();
  UndoViews(undo_.committed_size());
  offsets_.Discard();
  sizes_.Discard();
  segments_.Discard();
  windows_.Discard();
  kept_views_.Discard();
  sources_.Discard();
  fixed_run_ = {};
  flag_ = committed_flag_;
  known_ = committed_known_;
  fixed_windows_ = committed_fixed_windows_;
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
  ListLikeBuilder::SaveMark(mark);
  mark.Put(segments_.committed_size());
  mark.Put(windows_.size());
  mark.Put(undo_.committed_size());
  mark.Put(sources_.num_brought());
  mark.Put(committed_flag_ ? 1 : 0);
  mark.Put(committed_known_.known ? 1 : 0);
  mark.Put(committed_known_.in_order ? 1 : 0);
  mark.Put(committed_known_.ascending ? 1 : 0);
  mark.Put(committed_known_.surplus);
  mark.Put(committed_known_.max_size);
  mark.Put(committed_fixed_windows_);
  mark.Put(committed_end_.anchor.chunks_before);
  mark.Put(committed_end_.base);
}

template <typename Offset>
void BasicListViewBuilder<Offset>::RestoreMark(internal::MarkReader& mark) noexcept {
  ListLikeBuilder::RestoreMark(mark);
  offsets_.TruncateTo(tail_.length() * static_cast<int64_t>(sizeof(Offset)));
  sizes_.TruncateTo(tail_.length() * static_cast<int64_t>(sizeof(Offset)));
  segments_.TruncateTo(mark.Take());
  const int64_t num_windows = mark.Take();
  UndoViews(mark.Take());  // Before what it mentions is gone.
  windows_.TruncateTo(num_windows);
  kept_views_.TruncateTo(chunks_.size());
  sources_.RollBack(mark.Take());
  fixed_run_ = {};
  flag_ = committed_flag_ = mark.Take() != 0;
  known_.known = mark.Take() != 0;
  known_.in_order = mark.Take() != 0;
  known_.ascending = mark.Take() != 0;
  known_.surplus = mark.Take();
  known_.max_size = mark.Take();
  committed_known_ = known_;
  fixed_windows_ = committed_fixed_windows_ = mark.Take();
  committed_end_.anchor = {-1, mark.Take()};
  committed_end_.base = mark.Take();
}

template <typename Offset>
void BasicListViewBuilder<Offset>::Clear() noexcept {
  ListLikeBuilder::Clear();
  offsets_.Reset();
  sizes_.Reset();
  segments_.Clear();
  windows_.Clear();
  kept_views_.Clear();
  undo_.Clear();
  sources_.Clear();
  fixed_run_ = {};
  committed_end_ = {};
  flag_ = committed_flag_ = true;
  known_ = committed_known_ = {};
  fixed_windows_ = committed_fixed_windows_ = 0;
}

template <typename Offset>
int64_t BasicListViewBuilder<Offset>::BytesUsed() const noexcept {
  return ValidityBytes() + 2 * staged_length() * static_cast<int64_t>(sizeof(Offset)) +
         BytesOfElements();
}

template class BasicListViewBuilder<int32_t>;
template class BasicListViewBuilder<int64_t>;

}  // namespace sheaf
