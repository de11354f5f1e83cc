#include "sheaf/builder/boolean_builder.h"

#include "builder/builder_core.h"
#include "memory/sparse_bits.h"

namespace sheaf::inline v1 {

BooleanBuilder::BooleanBuilder(const DataType& type, const BuilderOptions& options)
    : ArrayBuilder(type, options), bits_(options.pool) {}

Status BooleanBuilder::CheckBuilds(const DataType& type) {
  if (type.storage().id() == TypeId::kBoolean) return OkStatus();
  return internal::InvalidArgument("a boolean builder does not build ", type.ToString());
}

Status BooleanBuilder::EnsureBits(int64_t additional) {
  return bits_.ReserveBits(tail_.staged_length(), tail_.staged_length() + additional);
}

Status BooleanBuilder::Append(bool value) {
  return Transact([&] {
    SHEAF_RETURN_IF_ERROR(StageFill(1, value));
    return tail_.StageValid(1);
  });
}

void BooleanBuilder::UnsafeAppend(bool value) noexcept {
  SetBitTo(bits_.data(), tail_.length(), value);
  tail_.UnsafePushValid();
}

Status BooleanBuilder::AppendValues(BitSpan values, BitSpan validity) {
  SHEAF_RETURN_IF_ERROR(CheckValidityBits(validity, values.length));
  if (values.absent() && values.length > 0)
    return internal::InvalidArgument("bool builder: values are absent");
  SHEAF_RETURN_IF_ERROR(CheckRows(values.length));
  validity.length = values.length;
  return Transact([&] {
    SHEAF_RETURN_IF_ERROR(EnsureBits(values.length));
    if (values.length > 0) CopyBits(values, bits_.data(), tail_.staged_length());
    return tail_.StageBits(validity, validity.length - CountSet(validity));
  });
}

void BooleanBuilder::UnsafeAppendValues(BitSpan values) noexcept {
  if (values.length == 0) return;
  CopyBits(values, bits_.data(), tail_.length());
  tail_.UnsafePushValid(values.length);
}

StatusOr<MutableBitSpan> BooleanBuilder::AppendUninitialized(int64_t n) {
  SHEAF_RETURN_IF_ERROR(CheckNewWindow(n));
  SHEAF_RETURN_IF_ERROR(AtBuilder(EnsureBits(n)));
  OpenWindow(n);
  return MutableBitSpan{bits_.data(), tail_.length(), n};
}

Status BooleanBuilder::Commit(int64_t rows, BitSpan validity) {
  SHEAF_RETURN_IF_ERROR(CheckWindow(rows, validity));
  validity.length = rows;
  return TransactWindow([&] { return tail_.StageBits(validity, rows - CountSet(validity)); });
}

Status BooleanBuilder::StageFill(int64_t n, bool value) {
  SHEAF_RETURN_IF_ERROR(EnsureBits(n));
  FillBits(bits_.data(), tail_.staged_length(), n, value);
  return OkStatus();
}

int64_t BooleanBuilder::OwnBytes(const Array& source, int64_t n) noexcept {
  return BytesForBits(n) * (source.has_nulls() ? 2 : 1);
}

Status BooleanBuilder::StageRanges(const Array& source, std::span<const RowRange> ranges) {
  const int64_t total = internal::TotalLength(ranges);
  if (ranges.size() == 1 && total > 0 && ShouldKeep(source, OwnBytes(source, total)))
    return StageKept(source, ranges[0]);
  SHEAF_RETURN_IF_ERROR(EnsureBits(total));
  int64_t at = tail_.staged_length();
  for (const RowRange& range : ranges) {
    CopyBits({source.buffer(1).data(), source.offset() + range.offset, range.length}, bits_.data(),
             at);
    at += range.length;
  }
  return StageValidity(source, ranges);
}

Status BooleanBuilder::StageRepeated(const Array& source, RowRange range, int64_t n) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t total, internal::ProductOf(range.length, n, type_));
  SHEAF_RETURN_IF_ERROR(EnsureBits(total));
  const int64_t start = tail_.staged_length();
  internal::FillRepeatedBits(
      {source.buffer(1).data(), source.offset() + range.offset, range.length}, n, bits_.data(),
      start);
  const BitSpan validity = source.validity().Slice(range.offset, range.length);
  return tail_.StageRepeated(validity, range.length - CountSet(validity), n);
}

Status BooleanBuilder::StageSparse(const internal::SparseFill& sparse) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, RowsOf(sparse));
  SHEAF_RETURN_IF_ERROR(EnsureBits(rows));
  const auto bits_of = [](const Array& array) {
    return BitSpan{array.buffer(1).data(), array.offset(), array.length()};
  };
  internal::FillSparseBits(bits_of(sparse.fill), bits_of(sparse.patches), sparse.at, bits_.data(),
                           tail_.staged_length());
  return StageSparseValidity(sparse);
}

Status BooleanBuilder::StageNulls(int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageFill(n, false));
  return tail_.StageNull(n);
}

Status BooleanBuilder::StageEmpty(int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageFill(n, false));
  return tail_.StageValid(n);
}

Status BooleanBuilder::ReserveRows(int64_t rows) {
  SHEAF_RETURN_IF_ERROR(EnsureBits(rows));
  return tail_.Reserve(rows);
}

void BooleanBuilder::Commit() noexcept { ArrayBuilder::Commit(); }
void BooleanBuilder::Discard() noexcept { ArrayBuilder::Discard(); }

StatusOr<Array> BooleanBuilder::Build(Sharing sharing) {
  if (const internal::KeptChunk* only = OnlyChunk(); only != nullptr) return only->window;
  if (chunks_.empty()) return BuildTail(sharing);
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer joined,
                         MutableBuffer::Allocate(BytesForBits(length()), pool()));
  joined.data()[joined.size_bytes() - 1] = 0;
  int64_t row = 0;
  VisitPieces(
      [&](int64_t begin, int64_t end) {
        CopyBits({bits_.data(), begin, end - begin}, joined.data(), row);
        row += end - begin;
      },
      [&](int64_t index) {
        const Array& window = chunks_[index].window;
        CopyBits({window.buffer(1).data(), window.offset(), window.length()}, joined.data(), row);
        row += window.length();
      });
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, BuildValidity(sharing));
  return internal::MakeBuilt(type_, length(), null_count(),
                             {std::move(validity), std::move(joined).Finish()}, {}, pool());
}

StatusOr<Array> BooleanBuilder::BuildTail(Sharing sharing) {
  const int64_t n = tail_.length();
  SHEAF_ASSIGN_OR_RETURN(Buffer values, bits_.ShareBits(n, sharing));
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, TailValidity(sharing));
  return internal::MakeBuilt(type_, n, tail_.null_count(), {std::move(validity), std::move(values)},
                             {}, pool());
}

Status BooleanBuilder::BuildPieces(internal::PieceList* pieces) { return BuildFlatPieces(pieces); }

void BooleanBuilder::AddRetained(internal::RetainedSet* retained) const {
  ArrayBuilder::AddRetained(retained);
  retained->Add(bits_);
}

Status BooleanBuilder::AddNeeds(const Array& source, std::span<const RowRange> ranges) {
  if (CountKept(source, ranges, OwnBytes(source, internal::TotalLength(ranges)))) return OkStatus();
  return ArrayBuilder::AddNeeds(source, ranges);
}

std::unique_ptr<ArrayBuilder> BooleanBuilder::NewEmpty() const {
  return std::make_unique<BooleanBuilder>(type_, options_);
}

void BooleanBuilder::SwapRows(ArrayBuilder& other) noexcept {
  SwapAll(*this, static_cast<BooleanBuilder&>(other));
}

void BooleanBuilder::Clear() noexcept {
  ArrayBuilder::Clear();
  bits_.Reset();
}

int64_t BooleanBuilder::BytesUsed() const noexcept {
  return ValidityBytes() + BytesForBits(staged_length());
}

}  // namespace sheaf
