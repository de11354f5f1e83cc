#include "sheaf/builder/fixed_size_list_builder.h"

#include <algorithm>

#include "builder/builder_core.h"
#include "builder/list_source.h"

namespace sheaf::inline v1 {

using internal::ListSource;
using internal::OwnRun;
using internal::PieceBits;
using internal::PieceCursor;
using internal::PieceList;

FixedSizeListBuilder::FixedSizeListBuilder(const DataType& type,
                                           std::unique_ptr<ArrayBuilder> elements,
                                           const BuilderOptions& options)
    : ListLikeBuilder(type, std::move(elements), options),
      chunk_of_(options.pool),
      list_size_(type.list_size()) {}

Status FixedSizeListBuilder::CheckBuilds(const DataType& type) {
  if (type.storage().id() == TypeId::kFixedSizeList) return OkStatus();
  return internal::InvalidArgument("a fixed-size list builder does not build ", type.ToString());
}

StatusOr<int64_t> FixedSizeListBuilder::ElementsOf(int64_t rows) const {
  SHEAF_ASSIGN_OR_RETURN(const int64_t elements, internal::ProductOf(rows, list_size_, type_));
  SHEAF_RETURN_IF_ERROR(CheckFits(elements));
  return elements;
}

Status FixedSizeListBuilder::CheckFits(int64_t additional_elements) const {
  int64_t elements = 0;
  if (!AddOverflows(StagedLengthOf(*elements_), additional_elements, &elements)) return OkStatus();
  return internal::OutOfRange(type_.ToString(), " builder: ", StagedLengthOf(*elements_), " + ",
                              additional_elements, " elements exceed 64 bits");
}

Status FixedSizeListBuilder::CheckListSize(int64_t size) const {
  if (size == list_size_) return OkStatus();
  return internal::InvalidArgument(type_.ToString(), " builder: a list of ", size, " elements");
}

Status FixedSizeListBuilder::StageRepeatedList(const Array& elements, int64_t n) {
  SHEAF_RETURN_IF_ERROR(ElementsOf(n).status());
  SHEAF_RETURN_IF_ERROR(tail_.StageValid(n));
  if (list_size_ == 0) return OkStatus();
  if (n == 1) return StageElements(elements, /*borrowed=*/false);
  return StageRepeatedOf(*elements_, elements, {0, list_size_}, n);
}

Status FixedSizeListBuilder::StageUniform(const Array& values, int64_t, int64_t n, bool borrowed) {
  SHEAF_RETURN_IF_ERROR(ElementsOf(n).status());
  SHEAF_RETURN_IF_ERROR(tail_.StageValid(n));
  return StageElements(values, borrowed);
}

Status FixedSizeListBuilder::StageEnded(int64_t) { return tail_.StageValid(1); }

Status FixedSizeListBuilder::EndList() {
  SHEAF_RETURN_IF_ERROR(open_.CheckEnd(*elements_, type_.field(0)));
  SHEAF_RETURN_IF_ERROR(CheckReadyOf(*elements_));
  SHEAF_RETURN_IF_ERROR(CheckListSize(open_.size(*elements_)));
  SHEAF_RETURN_IF_ERROR(Transact([&] { return StageEnded(list_size_); }));
  open_.End();
  return OkStatus();
}

Status FixedSizeListBuilder::StageRanges(const Array& source, std::span<const RowRange> ranges) {
  const ListSource lists(source);
  if (lists.layout() != LayoutId::kFixedSizeList || lists.list_size() != list_size_) {
    for (const RowRange& range : ranges) SHEAF_RETURN_IF_ERROR(StageOther(source, range));
    return StageValidity(source, ranges);
  }
  internal::RangeList elements(pool());
  for (const RowRange& range : ranges) {
    SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, lists, range, lists.Rows(range)));
    SHEAF_RETURN_IF_ERROR(elements.Add(lists.Rows(range)));
  }
  SHEAF_RETURN_IF_ERROR(CheckFits(elements.total()));
  const int64_t own_bytes = internal::ValidityBytesOf(source, internal::TotalLength(ranges));
  if (ranges.size() == 1 && ranges[0].length > 0 && ShouldKeep(source, own_bytes)) {
    SHEAF_RETURN_IF_ERROR(ArrayBuilder::StageKept(source, ranges[0]));
    SHEAF_RETURN_IF_ERROR(chunk_of_.Stage(-1));
  } else {
    SHEAF_RETURN_IF_ERROR(StageValidity(source, ranges));
  }
  if (elements.total() == 0) return OkStatus();
  return StageRangesOf(*elements_, lists.elements(), elements.ranges());
}

/// Lists of any size: valid rows must have the right one, null rows get placeholders whatever they
/// had.
Status FixedSizeListBuilder::StageOther(const Array& source, RowRange range) {
  SHEAF_RETURN_IF_ERROR(ElementsOf(range.length).status());
  const ListSource lists(source);
  internal::RangeList elements(pool());
  int64_t placeholders = 0;
  for (int64_t row = range.offset; row < range.end(); ++row) {
    const RowRange list = lists.Row(row);
    if (source.IsValid(row) && list.length != list_size_) {
      return internal::InvalidArgument(type_.ToString(), " builder, row ", row, " of an array of ",
                                       source.type().ToString(), ": a list of ", list.length,
                                       " elements");
    }
    if (source.IsValid(row)) {
      SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, lists, {row, 1}, list));
      if (placeholders > 0) SHEAF_RETURN_IF_ERROR(StagePlaceholdersOf(*elements_, placeholders));
      placeholders = 0;
      SHEAF_RETURN_IF_ERROR(elements.Add(list));
      continue;
    }
    // The elements so far come before the placeholders.
    if (elements.total() > 0) {
      SHEAF_RETURN_IF_ERROR(StageRangesOf(*elements_, lists.elements(), elements.ranges()));
      elements.Clear();
    }
    placeholders += list_size_;
  }
  if (placeholders > 0) return StagePlaceholdersOf(*elements_, placeholders);
  if (elements.total() == 0) return OkStatus();
  return StageRangesOf(*elements_, lists.elements(), elements.ranges());
}

Status FixedSizeListBuilder::StageRepeated(const Array& source, RowRange range, int64_t n) {
  const ListSource lists(source);
  if (lists.layout() != LayoutId::kFixedSizeList && range.length != 1) {
    // Converted once, so that the cost is that of the rows, not of n rounds.
    SHEAF_ASSIGN_OR_RETURN(const Array converted,
                           AsOwnType(source.Slice(range.offset, range.length)));
    return StageRepeated(converted, {0, range.length}, n);
  }
  const BitSpan validity = source.validity().Slice(range.offset, range.length);
  const RowRange list = lists.Rows(range);
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, internal::ProductOf(range.length, n, type_));
  SHEAF_ASSIGN_OR_RETURN(const int64_t total, ElementsOf(rows));
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, lists, range, list));
  SHEAF_RETURN_IF_ERROR(tail_.StageRepeated(validity, range.length - CountSet(validity), n));
  if (source.IsNull(range.offset) && range.length == 1)
    return StagePlaceholdersOf(*elements_, total);
  if (list.length != range.length * list_size_) {
    return internal::InvalidArgument(type_.ToString(), " builder, row ", range.offset,
                                     " of an array of ", source.type().ToString(), ": a list of ",
                                     list.length, " elements");
  }
  return total == 0 ? OkStatus() : StageRepeatedOf(*elements_, lists.elements(), list, n);
}

Status FixedSizeListBuilder::StageSparse(const internal::SparseFill& sparse) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, RowsOf(sparse));
  SHEAF_RETURN_IF_ERROR(ElementsOf(rows).status());
  SHEAF_ASSIGN_OR_RETURN(const Array fill, sparse.null_fill() ? MakeNullArray(type_, 1, pool())
                                                              : AsOwnType(sparse.fill));
  SHEAF_ASSIGN_OR_RETURN(const Array patches, AsOwnType(sparse.patches));
  SHEAF_RETURN_IF_ERROR(StageSparseValidity({fill, patches, sparse.at}));
  const auto elements_of = [&](const Array& array) -> StatusOr<Array> {
    const ListSource lists(array);
    const RowRange rows_of{0, array.length()};
    const RowRange reached = lists.Rows(rows_of);
    SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, lists, rows_of, reached));
    return lists.elements().Slice(reached.offset, reached.length);
  };
  SHEAF_ASSIGN_OR_RETURN(Array fill_elements, elements_of(fill));
  SHEAF_ASSIGN_OR_RETURN(Array patch_elements, elements_of(patches));
  if (list_size_ == 0) return OkStatus();
  return StageSparseOf(*elements_,
                       {std::move(fill_elements), std::move(patch_elements), sparse.at});
}

Status FixedSizeListBuilder::StageNulls(int64_t n) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t elements, ElementsOf(n));
  SHEAF_RETURN_IF_ERROR(tail_.StageNull(n));
  return elements == 0 ? OkStatus() : StagePlaceholdersOf(*elements_, elements);
}

Status FixedSizeListBuilder::StagePlaceholders(int64_t n) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t elements, ElementsOf(n));
  SHEAF_RETURN_IF_ERROR(tail_.StageValid(n));
  return elements == 0 ? OkStatus() : StagePlaceholdersOf(*elements_, elements);
}

Status FixedSizeListBuilder::StageEmpty(int64_t n) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t elements, ElementsOf(n));
  SHEAF_RETURN_IF_ERROR(tail_.StageValid(n));
  return elements == 0 ? OkStatus() : StageEmptyOf(*elements_, elements);
}

Status FixedSizeListBuilder::StageKept(const Array& source, RowRange range) {
  const ListSource lists(source);
  const RowRange list = lists.Rows(range);
  SHEAF_RETURN_IF_ERROR(ElementsOf(range.length).status());
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, lists, range, list));
  SHEAF_RETURN_IF_ERROR(chunk_of_.Stage(ChunksOf(*elements_).size()));
  SHEAF_RETURN_IF_ERROR(ArrayBuilder::StageKept(source, range));
  return StageKeptOf(*elements_, lists.elements(), list);
}

Status FixedSizeListBuilder::StageWidened(int64_t chunk, RowRange range) {
  const Array widened = internal::WithWindow(chunks_[chunk].window, range.offset, range.length);
  const ListSource lists(widened);
  const RowRange list = lists.Rows({0, range.length});
  SHEAF_RETURN_IF_ERROR(ElementsOf(range.length - chunks_[chunk].window.length()).status());
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, lists, {0, range.length}, list));
  SHEAF_RETURN_IF_ERROR(ArrayBuilder::StageWidened(chunk, range));
  return StageWidenedOf(*elements_, chunk_of_[chunk],
                        {lists.elements().offset() + list.offset, list.length});
}

Status FixedSizeListBuilder::ReserveRows(int64_t rows) {
  SHEAF_RETURN_IF_ERROR(tail_.Reserve(rows));
  SHEAF_ASSIGN_OR_RETURN(const int64_t elements, ElementsOf(rows));
  return ReserveRowsOf(*elements_, elements);
}

void FixedSizeListBuilder::Commit() noexcept {
  ListLikeBuilder::Commit();
  chunk_of_.Commit();
}

void FixedSizeListBuilder::Discard() noexcept {
  ListLikeBuilder::Discard();
  chunk_of_.Discard();
}

void FixedSizeListBuilder::RestoreMark(internal::MarkReader& mark) noexcept {
  ListLikeBuilder::RestoreMark(mark);
  chunk_of_.TruncateTo(chunks_.size());
}

StatusOr<Array> FixedSizeListBuilder::Build(Sharing sharing) {
  SHEAF_ASSIGN_OR_RETURN(Array elements, BuildOf(*elements_, sharing));
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, BuildValidity(sharing));
  return internal::MakeBuilt(type_, length(), null_count(), {std::move(validity)}, {&elements, 1},
                             pool());
}

/// Cut at the rows where the elements are cut; a row across such a border is a piece of its own.
Status FixedSizeListBuilder::BuildPieces(PieceList* pieces) {
  PieceList of_elements(pool());
  SHEAF_RETURN_IF_ERROR(BuildPiecesOf(*elements_, &of_elements));
  const DataType built = BuiltType();
  PieceCursor cursor(of_elements, built.field(0).type(), pool());
  SHEAF_ASSIGN_OR_RETURN(const Buffer tail_bits, TailValidity(Sharing::kFinal));
  return VisitRuns([&](const OwnRun& run) -> Status {
    const bool kept = run.chunk >= 0;
    if (kept && chunks_[run.chunk].window.type().Identical(built)) {
      cursor.Skip(run.length * list_size_);
      return pieces->Add(chunks_[run.chunk].window);
    }
    PieceBits bits{kept ? chunks_[run.chunk].window.buffer(0) : tail_bits, run.first};
    for (int64_t left = run.length; left > 0;) {
      const int64_t whole = list_size_ == 0 ? left : cursor.left() / list_size_;
      const int64_t n = std::clamp<int64_t>(whole, 1, left);
      SHEAF_ASSIGN_OR_RETURN(Array elements, cursor.Take(n * list_size_));
      SHEAF_RETURN_IF_ERROR(AddPiece(bits, n, std::move(elements), pieces));
      bits.first += n;
      left -= n;
    }
    return OkStatus();
  });
}

Status FixedSizeListBuilder::AddPiece(const PieceBits& bits, int64_t n, Array elements,
                                      PieceList* pieces) {
  const int64_t room = list_size_ == 0 ? bits.first : internal::SlotsBefore(elements) / list_size_;
  SHEAF_ASSIGN_OR_RETURN(internal::PieceValidity validity,
                         internal::PlaceValidity(bits, n, room, pool()));
  const int64_t lead = validity.lead * list_size_;
  elements = internal::WithWindow(elements, elements.offset() - lead, elements.length() + lead);
  Buffer buffers[1];
  SHEAF_ASSIGN_OR_RETURN(Array piece, internal::MakePiece(type_, n, std::move(validity), buffers,
                                                          {&elements, 1}, pool()));
  return pieces->Add(std::move(piece));
}

void FixedSizeListBuilder::AddRetained(internal::RetainedSet* retained) const {
  ArrayBuilder::AddRetained(retained);
  AddRetainedOf(*elements_, retained);
}

Status FixedSizeListBuilder::AddNeeds(const Array& source, std::span<const RowRange> ranges) {
  const ListSource lists(source);
  const bool same = lists.layout() == LayoutId::kFixedSizeList && lists.list_size() == list_size_;
  internal::RangeList elements(pool());
  int64_t placeholders = 0;
  for (const RowRange& range : ranges) {
    if (same) {
      SHEAF_RETURN_IF_ERROR(elements.Add(lists.Rows(range)));
      continue;
    }
    for (int64_t row = range.offset; row < range.end(); ++row) {
      if (source.IsNull(row)) {
        placeholders += list_size_;
      } else {
        SHEAF_RETURN_IF_ERROR(elements.Add(lists.Row(row)));
      }
    }
  }
  const int64_t own_bytes = internal::ValidityBytesOf(source, internal::TotalLength(ranges));
  if (!same || !CountKept(source, ranges, own_bytes)) {
    SHEAF_RETURN_IF_ERROR(ArrayBuilder::AddNeeds(source, ranges));
  }
  if (placeholders > 0) SHEAF_RETURN_IF_ERROR(AddEmptyNeedsOf(*elements_, placeholders));
  if (elements.total() == 0) return OkStatus();
  return AddNeedsOf(*elements_, lists.elements(), elements.ranges());
}

Status FixedSizeListBuilder::AddEmptyNeeds(int64_t n) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t elements, internal::ProductOf(n, list_size_, type_));
  SHEAF_RETURN_IF_ERROR(AddEmptyNeedsOf(*elements_, elements));
  return ArrayBuilder::AddEmptyNeeds(n);
}

Status FixedSizeListBuilder::ReserveNeeds() {
  SHEAF_RETURN_IF_ERROR(chunks_.Reserve(needs_.chunks));
  SHEAF_RETURN_IF_ERROR(chunk_of_.Reserve(needs_.chunks));
  SHEAF_RETURN_IF_ERROR(CheckRows(needs_.rows));
  if (needs_.nulls) SHEAF_RETURN_IF_ERROR(tail_.ReserveBitmap(needs_.rows));
  SHEAF_RETURN_IF_ERROR(tail_.Reserve(needs_.rows));
  return ReserveNeedsOf(*elements_);
}

std::unique_ptr<ArrayBuilder> FixedSizeListBuilder::NewEmpty() const {
  std::unique_ptr<ArrayBuilder> elements = NewEmptyOf(*elements_);
  if (elements == nullptr) return nullptr;
  return std::make_unique<FixedSizeListBuilder>(type_, std::move(elements), options_);
}

void FixedSizeListBuilder::SwapRows(ArrayBuilder& other) noexcept {
  SwapLists(*this, static_cast<FixedSizeListBuilder&>(other));
}

void FixedSizeListBuilder::Clear() noexcept {
  ListLikeBuilder::Clear();
  chunk_of_.Clear();
}

int64_t FixedSizeListBuilder::BytesUsed() const noexcept {
  return ValidityBytes() + BytesUsedOf(*elements_);
}

}  // namespace sheaf
