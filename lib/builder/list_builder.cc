#include "sheaf/builder/list_builder.h"

#include "builder/build_offsets.h"
#include "builder/builder_core.h"
#include "builder/list_source.h"
#include "kernels/fill.h"
#include "kernels/scan_sizes.h"
#include "kernels/shift_views.h"

namespace sheaf::inline v1 {

using internal::ListSource;
using internal::RangeList;
using internal::RowRange;

namespace {

template <typename Offset>
int64_t OwnBytesOf(const Array& source, int64_t rows) noexcept {
  return rows * static_cast<int64_t>(sizeof(Offset)) + internal::ValidityBytesOf(source, rows);
}

/// Calls visit(rows, the elements they bring) for all of `range`, or row by row.
template <typename Function>
Status VisitReached(const ListSource& lists, RowRange range, Function&& visit) {
  const Array& source = lists.array();
  const bool by_row =
      lists.is_view() || (lists.layout() == LayoutId::kFixedSizeList && source.has_nulls());
  if (!by_row) return visit(range, lists.Rows(range));
  // What lies under a null row stays behind: a list cannot skip it for free as a view can.
  for (int64_t row = range.offset; row < range.end(); ++row) {
    if (source.IsValid(row)) SHEAF_RETURN_IF_ERROR(visit(RowRange{row, 1}, lists.Row(row)));
  }
  return OkStatus();
}

}  // namespace

template <typename Offset>
BasicListBuilder<Offset>::BasicListBuilder(const DataType& type,
                                           std::unique_ptr<ArrayBuilder> elements,
                                           const BuilderOptions& options)
    : ListLikeBuilder(type, std::move(elements), options),
      ends_(options.pool),
      chunk_of_(options.pool) {}

template <typename Offset>
Status BasicListBuilder<Offset>::CheckBuilds(const DataType& type) {
  constexpr TypeId kBuilds = sizeof(Offset) == 4 ? TypeId::kList : TypeId::kLargeList;
  if (type.storage().id() == kBuilds) return OkStatus();
  return internal::InvalidArgument("a list builder of ", 8 * sizeof(Offset),
                                   "-bit offsets does not build ", type.ToString());
}

template <typename Offset>
Status BasicListBuilder<Offset>::CheckFits(int64_t additional_elements) const {
  return internal::CheckOffsetsFit(type_, 8 * sizeof(Offset), StagedLengthOf(*elements_),
                                   additional_elements, "elements");
}

template <typename Offset>
void BasicListBuilder<Offset>::StageEnd(int64_t size) noexcept {
  auto* out = reinterpret_cast<Offset*>(ends_.UnsafeStage(sizeof(Offset)));
  out[0] = static_cast<Offset>(out[-1] + size);
}

template <typename Offset>
Status BasicListBuilder<Offset>::StageSame(int64_t size, int64_t n) {
  SHEAF_RETURN_IF_ERROR(internal::ReserveOffsets<Offset>(ends_, n, type_));
  auto* out =
      reinterpret_cast<Offset*>(ends_.UnsafeStage(n * static_cast<int64_t>(sizeof(Offset))));
  kernels::FillSteps(out[-1] + size, size, n, out);
  return OkStatus();
}

template <typename Offset>
Status BasicListBuilder<Offset>::StageRepeatedList(const Array& elements, int64_t n) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t total, internal::ProductOf(elements.length(), n, type_));
  SHEAF_RETURN_IF_ERROR(CheckFits(total));
  SHEAF_RETURN_IF_ERROR(StageSame(elements.length(), n));
  SHEAF_RETURN_IF_ERROR(tail_.StageValid(n));
  if (n == 1) return StageElements(elements, /*borrowed=*/false);
  return StageRepeatedOf(*elements_, elements, {0, elements.length()}, n);
}

template <typename Offset>
Status BasicListBuilder<Offset>::StageUniform(const Array& values, int64_t size, int64_t n,
                                              bool borrowed) {
  SHEAF_RETURN_IF_ERROR(CheckFits(values.length()));
  SHEAF_RETURN_IF_ERROR(StageSame(size, n));
  SHEAF_RETURN_IF_ERROR(tail_.StageValid(n));
  return StageElements(values, borrowed);
}

template <typename Offset>
Status BasicListBuilder<Offset>::EndList() {
  SHEAF_RETURN_IF_ERROR(open_.CheckEnd(*elements_, type_.field(0)));
  SHEAF_RETURN_IF_ERROR(CheckReadyOf(*elements_));
  const int64_t size = open_.size(*elements_);
  const Status fits =
      internal::CheckOffsetsFit(type_, 8 * sizeof(Offset), open_.start(), size, "elements");
  if (!fits.ok()) [[unlikely]]
    return EndOutgrownList(fits);
  SHEAF_RETURN_IF_ERROR(tail_.Reserve(1));
  SHEAF_RETURN_IF_ERROR(CheckLimit(sizeof(Offset)));
  SHEAF_RETURN_IF_ERROR(internal::ReserveOffsets<Offset>(ends_, 1, type_));
  // Nothing fails from here on, and only this node changes: no walk over the tree for a single row.
  StageEnd(size);
  ends_.Commit();
  tail_.UnsafePushValid();
  DropMarksOf(*elements_);
  open_.Commit(*elements_);
  open_.End();
  return OkStatus();
}

template <typename Offset>
Status BasicListBuilder<Offset>::StageEnded(int64_t size) {
  SHEAF_RETURN_IF_ERROR(internal::CheckOffsetsFit(
      type_, 8 * sizeof(Offset), StagedLengthOf(*elements_) - size, size, "elements"));
  SHEAF_RETURN_IF_ERROR(StageSame(size, 1));
  return tail_.StageValid(1);
}

template <typename Offset>
Status BasicListBuilder<Offset>::StageRanges(const Array& source,
                                             std::span<const RowRange> ranges) {
  const ListSource lists(source);
  const int64_t rows = internal::TotalLength(ranges);
  const bool same_layout = internal::SameStorage(source.type(), type_);
  const bool keep = same_layout && ranges.size() == 1 && rows > 0 &&
                    ShouldKeep(source, OwnBytesOf<Offset>(source, rows));

  RangeList elements(pool());
  for (const RowRange& range : ranges) {
    SHEAF_RETURN_IF_ERROR(VisitReached(lists, range, [&](RowRange rows, RowRange reached) {
      SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, lists, rows, reached));
      return elements.Add(reached);
    }));
  }
  SHEAF_RETURN_IF_ERROR(CheckFits(elements.total()));
  if (keep) {
    SHEAF_RETURN_IF_ERROR(ArrayBuilder::StageKept(source, ranges[0]));
    SHEAF_RETURN_IF_ERROR(chunk_of_.Stage(-1));
  } else {
    SHEAF_RETURN_IF_ERROR(internal::ReserveOffsets<Offset>(ends_, rows, type_));
    for (const RowRange& range : ranges) SHEAF_RETURN_IF_ERROR(StageSizes(source, range));
    SHEAF_RETURN_IF_ERROR(StageValidity(source, ranges));
  }
  if (elements.total() == 0) return OkStatus();
  return StageRangesOf(*elements_, lists.elements(), elements.ranges());
}

namespace {

/// The ends, behind the one before `out`, of rows none of which is null, of views or a fixed size.
template <typename Offset>
void WriteEnds(const ListSource& lists, internal::RowRange range, Offset* out) noexcept {
  const int64_t start = out[-1];
  [[maybe_unused]] int64_t end = 0;  // All of them fit: it was checked.
  if (lists.layout() == LayoutId::kFixedSizeList) {
    kernels::FillSteps(start + lists.list_size(), lists.list_size(), range.length, out);
  } else if (lists.wide()) {
    end = kernels::EndsOfSizes(lists.template sizes<int64_t>() + range.offset, range.length, start,
                               out);
  } else {
    end = kernels::EndsOfSizes(lists.template sizes<int32_t>() + range.offset, range.length, start,
                               out);
  }
  SHEAF_DCHECK(end >= 0);
}

}  // namespace

/// The ends of a range's rows; null rows that come from views or fixed-size lists are empty.
template <typename Offset>
Status BasicListBuilder<Offset>::StageSizes(const Array& source, RowRange range) {
  if (range.length == 0) return OkStatus();
  const ListSource lists(source);
  auto* out = reinterpret_cast<Offset*>(
      ends_.UnsafeStage(range.length * static_cast<int64_t>(sizeof(Offset))));
  if (lists.layout() == LayoutId::kList) {
    const int64_t delta = out[-1] - lists.Row(range.offset).offset;
    if (lists.wide()) {
      kernels::ShiftOffsets(lists.template offsets<int64_t>() + range.offset + 1, range.length,
                            delta, out);
    } else {
      kernels::ShiftOffsets(lists.template offsets<int32_t>() + range.offset + 1, range.length,
                            delta, out);
    }
    return OkStatus();
  }
  if (!source.has_nulls()) {
    WriteEnds(lists, range, out);
    return OkStatus();
  }
  Offset end = out[-1];
  for (int64_t i = 0; i < range.length; ++i) {
    if (source.IsValid(range.offset + i))
      end = static_cast<Offset>(end + lists.Row(range.offset + i).length);
    out[i] = end;
  }
  return OkStatus();
}

template <typename Offset>
Status BasicListBuilder<Offset>::StageRepeated(const Array& source, RowRange range, int64_t n) {
  const ListSource lists(source);
  if (range.length == 1 && source.IsNull(range.offset)) return StageNulls(n);
  if (range.length != 1) return StageRowsRepeated(source, range, n);
  const RowRange list = lists.Row(range.offset);
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, lists, range, list));
  SHEAF_ASSIGN_OR_RETURN(const int64_t total, internal::ProductOf(list.length, n, type_));
  SHEAF_RETURN_IF_ERROR(CheckFits(total));
  SHEAF_RETURN_IF_ERROR(StageSame(list.length, n));
  SHEAF_RETURN_IF_ERROR(tail_.StageValid(n));
  return total == 0 ? OkStatus() : StageRepeatedOf(*elements_, lists.elements(), list, n);
}

/// Several rows n times over, one pass over what they become: n rounds of appends of few rows would
/// take seconds where a caller asks for many.
template <typename Offset>
Status BasicListBuilder<Offset>::StageRowsRepeated(const Array& source, RowRange range, int64_t n) {
  if (range.length == 0) return OkStatus();
  if (!internal::SameStorage(source.type(), type_)) {  // Converted once.
    SHEAF_ASSIGN_OR_RETURN(const Array converted,
                           AsOwnType(source.Slice(range.offset, range.length)));
    return StageRowsRepeated(converted, {0, range.length}, n);
  }
  const ListSource lists(source);
  const RowRange reached = lists.Rows(range);
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, lists, range, reached));
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, internal::ProductOf(range.length, n, type_));
  SHEAF_ASSIGN_OR_RETURN(const int64_t total, internal::ProductOf(reached.length, n, type_));
  SHEAF_RETURN_IF_ERROR(CheckFits(total));
  SHEAF_RETURN_IF_ERROR(internal::ReserveOffsets<Offset>(ends_, rows, type_));
  const BitSpan validity = source.validity().Slice(range.offset, range.length);
  SHEAF_RETURN_IF_ERROR(tail_.StageRepeated(validity, range.length - CountSet(validity), n));
  const Offset* ends = lists.template offsets<Offset>() + range.offset + 1;
  auto* out =
      reinterpret_cast<Offset*>(ends_.UnsafeStage(rows * static_cast<int64_t>(sizeof(Offset))));
  internal::WriteRepeatedEnds(ends, range.length, reached.length, n, out[-1], out);
  return total == 0 ? OkStatus() : StageRepeatedOf(*elements_, lists.elements(), reached, n);
}

template <typename Offset>
Status BasicListBuilder<Offset>::StageNulls(int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageSame(0, n));
  return tail_.StageNull(n);
}

template <typename Offset>
Status BasicListBuilder<Offset>::StageEmpty(int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageSame(0, n));
  return tail_.StageValid(n);
}

template <typename Offset>
Status BasicListBuilder<Offset>::StageKept(const Array& source, RowRange range) {
  const ListSource lists(source);
  const RowRange list = lists.Rows(range);
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, lists, range, list));
  SHEAF_RETURN_IF_ERROR(CheckFits(list.length));
  SHEAF_RETURN_IF_ERROR(chunk_of_.Stage(ChunksOf(*elements_).size()));
  SHEAF_RETURN_IF_ERROR(ArrayBuilder::StageKept(source, range));
  return StageKeptOf(*elements_, lists.elements(), list);
}

template <typename Offset>
Status BasicListBuilder<Offset>::StageWidened(int64_t chunk, RowRange range) {
  const Array before = chunks_[chunk].window;
  const Array widened = internal::WithWindow(before, range.offset, range.length);
  const ListSource lists(widened);
  const RowRange list = lists.Rows({0, range.length});
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, lists, {0, range.length}, list));
  SHEAF_RETURN_IF_ERROR(
      CheckFits(list.length - ListSource(before).Rows({0, before.length()}).length));
  SHEAF_RETURN_IF_ERROR(ArrayBuilder::StageWidened(chunk, range));
  return StageWidenedOf(*elements_, chunk_of_[chunk],
                        {lists.elements().offset() + list.offset, list.length});
}

template <typename Offset>
Status BasicListBuilder<Offset>::ReserveRows(int64_t rows) {
  SHEAF_RETURN_IF_ERROR(internal::ReserveOffsets<Offset>(ends_, rows, type_));
  return tail_.Reserve(rows);
}

template <typename Offset>
void BasicListBuilder<Offset>::Commit() noexcept {
  ListLikeBuilder::Commit();
  ends_.Commit();
  chunk_of_.Commit();
}

template <typename Offset>
void BasicListBuilder<Offset>::Discard() noexcept {
  ListLikeBuilder::Discard();
  ends_.Discard();
  chunk_of_.Discard();
}

template <typename Offset>
void BasicListBuilder<Offset>::SaveMark(internal::MarkWriter& mark) const noexcept {
  ListLikeBuilder::SaveMark(mark);
  mark.Put(ends_.size_bytes());
}

template <typename Offset>
void BasicListBuilder<Offset>::RestoreMark(internal::MarkReader& mark) noexcept {
  ListLikeBuilder::RestoreMark(mark);
  ends_.TruncateTo(mark.Take());
  chunk_of_.TruncateTo(chunks_.size());
}

template <typename Offset>
StatusOr<Array> BasicListBuilder<Offset>::Build(Sharing sharing) {
  SHEAF_ASSIGN_OR_RETURN(Array elements, BuildOf(*elements_, sharing));
  SHEAF_ASSIGN_OR_RETURN(Buffer offsets, this->template BuildOffsets<Offset>(ends_, sharing));
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, BuildValidity(sharing));
  return internal::MakeBuilt(type_, length(), null_count(),
                             {std::move(validity), std::move(offsets)}, {&elements, 1}, pool());
}

template <typename Offset>
Status BasicListBuilder<Offset>::AddNeeds(const Array& source, std::span<const RowRange> ranges) {
  const ListSource lists(source);
  RangeList elements(pool());
  for (const RowRange& range : ranges) {
    SHEAF_RETURN_IF_ERROR(VisitReached(
        lists, range, [&](RowRange, RowRange reached) { return elements.Add(reached); }));
  }
  if (AddOverflows(needs_.reach, elements.total(), &needs_.reach)) {
    return internal::OutOfRange(type_.ToString(), " builder: the elements exceed 64 bits");
  }
  const int64_t own_bytes = OwnBytesOf<Offset>(source, internal::TotalLength(ranges));
  if (!internal::SameStorage(source.type(), type_) || !CountKept(source, ranges, own_bytes)) {
    SHEAF_RETURN_IF_ERROR(ArrayBuilder::AddNeeds(source, ranges));
  }
  if (elements.total() == 0) return OkStatus();
  return AddNeedsOf(*elements_, lists.elements(), elements.ranges());
}

template <typename Offset>
Status BasicListBuilder<Offset>::ReserveNeeds() {
  SHEAF_RETURN_IF_ERROR(CheckFits(needs_.reach));
  SHEAF_RETURN_IF_ERROR(chunk_of_.Reserve(needs_.chunks));
  SHEAF_RETURN_IF_ERROR(ArrayBuilder::ReserveNeeds());
  return ReserveNeedsOf(*elements_);
}

template <typename Offset>
void BasicListBuilder<Offset>::Clear() noexcept {
  ListLikeBuilder::Clear();
  ends_.Reset();
  chunk_of_.Clear();
}

template <typename Offset>
int64_t BasicListBuilder<Offset>::BytesUsed() const noexcept {
  return ValidityBytes() + internal::OffsetBytes(staged_length(), sizeof(Offset)) +
         BytesOfElements();
}

template class BasicListBuilder<int32_t>;
template class BasicListBuilder<int64_t>;

}  // namespace sheaf
