#include <atomic>
#include <utility>

#include "builder/builder_core.h"
#include "builder/list_source.h"
#include "builder/list_view_brought.h"
#include "kernels/fill.h"
#include "kernels/shift_views.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/type/can_append.h"

// Sources: arrays whose elements are brought once, however many rows refer to them.
namespace sheaf::inline v1 {

using internal::ListSource;
using internal::Placement;
using internal::RowRange;
using internal::ViewSource;

namespace internal {
namespace {

/// A number for each builder and each time it begins anew, so that one comparison tells a handle's
/// builder and its age.
uint64_t NextRound() noexcept {
  static std::atomic<uint64_t> rounds{0};
  return rounds.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

template <typename Offset>
StatusOr<SourceHandle> ViewSources<Offset>::Add(ViewSource<Offset> source) {
  SHEAF_RETURN_IF_ERROR(sources_.Stage(std::move(source)));
  sources_.Commit();
  if (round_ == 0) round_ = NextRound();
  return SourceHandle(round_, sources_.size() - 1);
}

template <typename Offset>
Status ViewSources<Offset>::StageBrought(ViewSource<Offset>* source, const Placement& placement) {
  source->anchor = placement.anchor;
  source->shift = placement.base - source->first;
  SHEAF_RETURN_IF_ERROR(brought_.Stage({source - sources_.begin(), source->anchor, source->shift}));
  source->brought = true;
  return OkStatus();
}

template <typename Offset>
bool ViewSources<Offset>::CountFromOtherThan(const ViewAnchor& anchor) const noexcept {
  for (const BroughtSource& brought : brought_) {
    if (!(brought.anchor == anchor)) return true;
  }
  return false;
}

template <typename Offset>
void ViewSources<Offset>::RollBack(int64_t num_brought) noexcept {
  for (int64_t i = num_brought; i < brought_.size(); ++i)
    sources_[brought_[i].index].brought = false;
  brought_.TruncateTo(num_brought);
}

template <typename Offset>
void ViewSources<Offset>::SwapBrought(ViewSources& other) noexcept {
  for (const BroughtSource& brought : brought_) sources_[brought.index].brought = false;
  std::swap(brought_, other.brought_);
  for (const BroughtSource& brought : brought_) {
    ViewSource<Offset>& source = sources_[brought.index];
    source.brought = true;
    source.anchor = brought.anchor;
    source.shift = brought.shift;
  }
}

template <typename Offset>
void ViewSources<Offset>::Clear() noexcept {
  sources_.Clear();
  brought_.Clear();
  round_ = 0;
}

template <typename Offset>
void ViewSources<Offset>::AddRetained(RetainedSet* retained) const {
  for (const ViewSource<Offset>& source : sources_) {
    retained->Add(source.array);
    retained->Add(source.converted_offsets);
    retained->Add(source.converted_sizes);
  }
}

template class ViewSources<int32_t>;
template class ViewSources<int64_t>;

}  // namespace internal

template <typename Offset>
StatusOr<SourceHandle> BasicListViewBuilder<Offset>::AddSource(const Array& array) {
  SHEAF_RETURN_IF_ERROR(CanAppend(type_, array.type()));
  SHEAF_RETURN_IF_ERROR(array.Verify());
  if (Decodes(array)) {
    const StatusOr<Array> decoded = DecodedRows(array);
    return decoded.ok() ? AddSource(*decoded) : AtBuilder(decoded.status());
  }
  const RowRange all{0, array.length()};
  const Brought brought = Brought::Of(array, all);
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, ListSource(array), all,
                                                        {brought.begin, brought.size()}));
  SHEAF_RETURN_IF_ERROR(
      internal::CheckOffsetsFit(type_, 8 * sizeof(Offset), 0, brought.size(), "elements"));
  ViewSource<Offset> source;
  source.array = array;
  source.begin = brought.begin;
  source.end = brought.end;
  if (array.null_count() > 0) source.validity = array.validity();
  const Status status = PrepareViews(brought, &source);
  if (!status.ok()) return AtBuilder(status);
  StatusOr<SourceHandle> handle = sources_.Add(std::move(source));
  if (!handle.ok()) return AtBuilder(handle.status());
  return handle;
}

/// Views of the builder's own form are read where they are, all others are converted once.
template <typename Offset>
Status BasicListViewBuilder<Offset>::PrepareViews(const Brought& brought,
                                                  ViewSource<Offset>* source) {
  const Array& array = source->array;
  const int64_t bytes = array.length() * static_cast<int64_t>(sizeof(Offset));
  if (internal::SameStorage(array.type(), type_) && !brought.empties_outside) {
    source->offsets = array.slots<Offset>(1);
    source->sizes = array.slots<Offset>(2);
    source->first = brought.begin;
    return OkStatus();
  }
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer offsets, MutableBuffer::Allocate(bytes, pool()));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer sizes, MutableBuffer::Allocate(bytes, pool()));
  source->offsets = offsets.as<Offset>();
  source->sizes = sizes.as<Offset>();
  WriteRows(array, {0, array.length()}, brought, Placement(), offsets.as<Offset>(),
            sizes.as<Offset>());
  source->converted_offsets = std::move(offsets).Finish();
  source->converted_sizes = std::move(sizes).Finish();
  return OkStatus();
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::AppendFromSource(SourceHandle handle, RowRange rows,
                                                      int64_t repeats, bool repeated) {
  ViewSource<Offset>* source = sources_.Find(handle);
  if (source == nullptr) {
    return internal::FailedPrecondition(
        type_.ToString(),
        " builder: the source is not this builder's, or was added before its last Finish or Reset");
  }
  SHEAF_RETURN_IF_ERROR(CheckRows(rows.length));
  SHEAF_RETURN_IF_ERROR(CheckRows(repeats));
  if (rows.offset < 0 || rows.offset > source->length() - rows.length) {
    return internal::InvalidArgument(type_.ToString(), " builder: rows [", rows.offset, ", ",
                                     rows.offset, " + ", rows.length, ") of a source of ",
                                     source->length(), " rows");
  }
  SHEAF_RETURN_IF_ERROR(CheckReady());
  if (rows.length == 0 || repeats == 0) return OkStatus();
  SHEAF_RETURN_IF_ERROR(CheckLimitOfRows(rows.length * repeats));  // One of both is 1.
  return TransactRows(rows.length * repeats, [&](int64_t first, int64_t n) {
    if (!repeated) return StageFromSource(source, {rows.offset + first, n}, 1);
    if (source->array.IsNull(rows.offset)) return StageNulls(n);
    return StageFromSource(source, rows, n);
  });
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageFromSource(ViewSource<Offset>* source, RowRange rows,
                                                     int64_t repeats) {
  constexpr auto kWidth = static_cast<int64_t>(sizeof(Offset));
  Placement placement;
  if (source->begin == source->end) {  // Nothing to bring; empty rows sit at the running end.
    if (!source->brought) SHEAF_RETURN_IF_ERROR(sources_.StageBrought(source, Placement()));
    placement = EndPlacement();
  } else {
    if (!source->brought) {
      SHEAF_RETURN_IF_ERROR(Bring(source, rows, repeats));
    } else {
      flag_ = known_.known = false;
    }
    placement.anchor = source->anchor;
  }
  SHEAF_RETURN_IF_ERROR(StageSegment(placement.anchor));
  SHEAF_RETURN_IF_ERROR(ReserveViews(rows.length * repeats));
  const BitSpan validity = source->validity.Slice(rows.offset, rows.length);
  SHEAF_RETURN_IF_ERROR(tail_.StageRepeated(validity, rows.length - CountSet(validity), repeats));
  auto* offsets = reinterpret_cast<Offset*>(offsets_.UnsafeStage(rows.length * repeats * kWidth));
  auto* sizes = reinterpret_cast<Offset*>(sizes_.UnsafeStage(rows.length * repeats * kWidth));
  if (source->begin == source->end) {
    kernels::FillSteps(placement.base, 0, rows.length * repeats, offsets);
    kernels::FillSteps(0, 0, rows.length * repeats, sizes);
  } else if (repeats == 1) {
    kernels::ShiftOffsets(source->offsets + rows.offset, rows.length, source->shift, offsets);
    kernels::CopyIntegers(source->sizes + rows.offset, rows.length, sizes);
  } else {
    kernels::FillSteps(source->offsets[rows.offset] + source->shift, 0, repeats, offsets);
    kernels::FillSteps(source->sizes[rows.offset], 0, repeats, sizes);
  }
  return OkStatus();
}

/// All that the source's rows use, for these of its rows: the flag stays where they are all of it
/// and packed, as in an append of the array.
template <typename Offset>
Status BasicListViewBuilder<Offset>::Bring(ViewSource<Offset>* source, RowRange rows,
                                           int64_t repeats) {
  const Brought used = Brought::Of(source->array, rows);
  const bool all = used.begin == source->begin && used.end == source->end;
  const bool clears_flag = !all || !used.packed || repeats > 1;
  const Brought brought = Brought::Lists(ListSource(source->array).elements(),
                                         {source->begin, source->end - source->begin}, 0);
  SHEAF_ASSIGN_OR_RETURN(const Placement placement,
                         Place(brought, clears_flag, internal::Keeping::kFixed));
  known_.Add(used, rows.length, repeats);
  if (!all) known_.known = false;
  return sources_.StageBrought(source, placement);
}

template <typename Offset>
void BasicListViewBuilder<Offset>::UnsafePushSegment(const internal::ViewAnchor& anchor) noexcept {
  [[maybe_unused]] const Status staged = StageSegment(anchor);
  SHEAF_DCHECK(staged.ok());  // `Reserve` made room.
  segments_.Commit();
}

template <typename Offset>
void BasicListViewBuilder<Offset>::CopyViews(const ViewSource<Offset>& source, int64_t row,
                                             int64_t n, Rows rows) noexcept {
  kernels::ShiftOffsets(source.offsets + row, n, source.shift, rows.offsets);
  kernels::CopyIntegers(source.sizes + row, n, rows.sizes);
}

// The class itself is instantiated in list_view_builder.cc, with the members defined there.
#define SHEAF_INSTANTIATE(Offset)                                                                  \
  template StatusOr<SourceHandle> BasicListViewBuilder<Offset>::AddSource(const Array&);           \
  template Status BasicListViewBuilder<Offset>::PrepareViews(const Brought&, ViewSource<Offset>*); \
  template Status BasicListViewBuilder<Offset>::AppendFromSource(SourceHandle, RowRange, int64_t,  \
                                                                 bool);                            \
  template Status BasicListViewBuilder<Offset>::StageFromSource(ViewSource<Offset>*, RowRange,     \
                                                                int64_t);                          \
  template Status BasicListViewBuilder<Offset>::Bring(ViewSource<Offset>*, RowRange, int64_t);     \
  template void BasicListViewBuilder<Offset>::UnsafePushSegment(                                   \
      const internal::ViewAnchor&) noexcept;                                                       \
  template void BasicListViewBuilder<Offset>::CopyViews(const ViewSource<Offset>&, int64_t,        \
                                                        int64_t, Rows) noexcept;
SHEAF_INSTANTIATE(int32_t)
SHEAF_INSTANTIATE(int64_t)
#undef SHEAF_INSTANTIATE

}  // namespace sheaf
