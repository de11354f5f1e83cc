#include "sheaf/builder/list_like_builder.h"

#include "builder/builder_core.h"
#include "builder/pieces.h"

namespace sheaf::inline v1 {

using internal::RowRange;

Status ListLikeBuilder::AppendList(const Array& elements) {
  return AppendRepeatedList(elements, 1);
}

Status ListLikeBuilder::AppendRepeatedList(const Array& elements, int64_t n) {
  SHEAF_RETURN_IF_ERROR(CheckRows(n));
  SHEAF_RETURN_IF_ERROR(CheckReady());
  SHEAF_RETURN_IF_ERROR(CheckSourceOf(*elements_, elements));
  SHEAF_RETURN_IF_ERROR(internal::CheckElements(type_, elements));
  SHEAF_RETURN_IF_ERROR(CheckListSize(elements.length()));
  if (n == 0) return OkStatus();
  return TransactRows(n,
                      [&](int64_t, int64_t count) { return StageRepeatedList(elements, count); });
}

Status ListLikeBuilder::AppendUniform(const Array& values, int64_t size) {
  return AppendLists(values, size, /*borrowed=*/false);
}

Status ListLikeBuilder::AppendUniformValues(const void* values, int64_t count, int64_t size) {
  const int64_t bytes = count * elements_->type().byte_width();
  ArrayParts parts;
  parts.type = elements_->type();
  parts.length = count;
  parts.buffers.resize(2);
  parts.buffers[1] = count == 0 ? Buffer::Empty()
                                : Buffer::Borrow(reinterpret_cast<const uint8_t*>(values), bytes);
  SHEAF_ASSIGN_OR_RETURN(const Array array,
                         MakeArray(std::move(parts), ValidationLevel::kMinimal, pool()));
  return AppendLists(array, size, /*borrowed=*/true);
}

Status ListLikeBuilder::AppendLists(const Array& values, int64_t size, bool borrowed) {
  SHEAF_RETURN_IF_ERROR(CheckReady());
  SHEAF_RETURN_IF_ERROR(CheckSourceOf(*elements_, values));
  SHEAF_RETURN_IF_ERROR(internal::CheckElements(type_, values));
  if (size <= 0 || values.length() % size != 0) {
    return internal::InvalidArgument(type_.ToString(), " builder: ", values.length(),
                                     " values as lists of ", size,
                                     " elements: the size must be positive and divide them");
  }
  SHEAF_RETURN_IF_ERROR(CheckListSize(size));
  const int64_t n = values.length() / size;
  if (n == 0) return OkStatus();
  SHEAF_RETURN_IF_ERROR(CheckRows(n));
  return TransactRows(n, [&](int64_t first, int64_t count) {
    return StageUniform(values.Slice(first * size, count * size), size, count, borrowed);
  });
}

Status ListLikeBuilder::EndOutgrownList(const Status& outgrown) {
  if (options_.on_overflow == OnOverflow::kError) return outgrown;
  const int64_t size = open_.size(*elements_);
  SHEAF_RETURN_IF_ERROR(TransactRows(1, [&](int64_t, int64_t) -> Status {
    // Once cut, the list is open where the rows before it are.
    if (!open_.is_open()) {
      SHEAF_RETURN_IF_ERROR(TakeListOf(static_cast<ListLikeBuilder*>(full_.builders.back().get())));
    }
    return StageEnded(size);
  }));
  open_.End();
  return OkStatus();
}

/// Stages the elements of the list that was open when `full` was cut: long ones by reference.
Status ListLikeBuilder::TakeListOf(ListLikeBuilder* full) {
  internal::PieceList pieces(pool());
  SHEAF_RETURN_IF_ERROR(BuildPiecesOf(*full->elements_, &pieces));
  int64_t begin = full->open_.start();
  for (int64_t i = 0; i < pieces.size(); ++i) {
    if (pieces.end(i) <= begin) continue;
    const RowRange rest{begin - pieces.start(i), pieces.end(i) - begin};
    SHEAF_RETURN_IF_ERROR(StageRangesOf(*elements_, pieces[i], {&rest, 1}));
    begin = pieces.end(i);
  }
  full_.bytes -= BytesUsedOf(*full);
  full->list_has_left_ = true;
  full_.bytes += BytesUsedOf(*full);
  return OkStatus();
}

Status ListLikeBuilder::BuildElementPieces(internal::PieceList* pieces) {
  SHEAF_RETURN_IF_ERROR(BuildPiecesOf(*elements_, pieces));
  if (list_has_left_) pieces->TruncateTo(open_.start());
  return OkStatus();
}

Status ListLikeBuilder::StageElements(const Array& values, bool borrowed) {
  const RowRange all{0, values.length()};
  // Repeats are copied at once: nothing is kept of memory that is gone after the call.
  if (borrowed) return StageRepeatedOf(*elements_, values, all, 1);
  return StageRangesOf(*elements_, values, {&all, 1});
}

Status ListLikeBuilder::CheckReady() const {
  SHEAF_RETURN_IF_ERROR(open_.CheckReady(*elements_));
  return CheckReadyOf(*elements_);
}

DataType ListLikeBuilder::BuiltType() const {
  const DataType elements = BuiltTypeOf(*elements_);
  return internal::WithFieldTypes(type_, {&elements, 1});
}

void ListLikeBuilder::Commit() noexcept {
  ArrayBuilder::Commit();
  CommitOf(*elements_);
  open_.Commit(*elements_);
}

void ListLikeBuilder::Discard() noexcept {
  ArrayBuilder::Discard();
  list_has_left_ = false;
  DiscardOf(*elements_);
}

void ListLikeBuilder::SaveMark(internal::MarkWriter& mark) const noexcept {
  ArrayBuilder::SaveMark(mark);
  open_.SaveMark(mark);
  SaveMarkOf(*elements_, mark);
}

void ListLikeBuilder::RestoreMark(internal::MarkReader& mark) noexcept {
  ArrayBuilder::RestoreMark(mark);
  list_has_left_ = false;
  open_.RestoreMark(mark);
  RestoreMarkOf(*elements_, mark);
}

void ListLikeBuilder::ForgetNeeds() noexcept {
  ArrayBuilder::ForgetNeeds();
  ForgetNeedsOf(*elements_);
}

void ListLikeBuilder::Clear() noexcept {
  ArrayBuilder::Clear();
  ClearOf(*elements_);
  open_ = internal::OpenList();
  list_has_left_ = false;
}

}  // namespace sheaf
