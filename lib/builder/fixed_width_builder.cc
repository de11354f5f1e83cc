#include "sheaf/builder/fixed_width_builder.h"

#include <cstring>

#include "builder/builder_core.h"
#include "builder/sparse_fill.h"

namespace sheaf::inline v1 {

FixedWidthBuilderBase::FixedWidthBuilderBase(const DataType& type, const BuilderOptions& options)
    : ArrayBuilder(type, options), width_(type.byte_width()), values_(options.pool) {}

Status FixedWidthBuilderBase::ReserveValues(int64_t n) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, internal::ProductOf(n, width_, type_));
  return values_.Reserve(bytes);
}

Status FixedWidthBuilderBase::AppendBytes(const void* value) { return AppendBytes(value, 1); }

Status FixedWidthBuilderBase::AppendBytes(const void* values, int64_t n, BitSpan validity) {
  SHEAF_RETURN_IF_ERROR(CheckRows(n));
  SHEAF_RETURN_IF_ERROR(CheckValidityBits(validity, n));
  validity.length = n;
  return Transact([&] {
    SHEAF_RETURN_IF_ERROR(ReserveValues(n));
    SHEAF_RETURN_IF_ERROR(tail_.StageBits(validity, n - CountSet(validity)));
    const int64_t bytes = n * width_;
    if (bytes > 0) std::memcpy(values_.UnsafeStage(bytes), values, static_cast<size_t>(bytes));
    return OkStatus();
  });
}

StatusOr<uint8_t*> FixedWidthBuilderBase::OpenValues(int64_t n) {
  SHEAF_RETURN_IF_ERROR(CheckNewWindow(n));
  SHEAF_RETURN_IF_ERROR(AtBuilder(ReserveValues(n)));
  OpenWindow(n);
  return values_.data() + values_.size_bytes();
}

Status FixedWidthBuilderBase::Commit(int64_t rows, BitSpan validity) {
  SHEAF_RETURN_IF_ERROR(CheckWindow(rows, validity));
  validity.length = rows;
  return TransactWindow([&] {
    SHEAF_RETURN_IF_ERROR(tail_.StageBits(validity, rows - CountSet(validity)));
    values_.UnsafeStage(rows * width_);
    return OkStatus();
  });
}

int64_t FixedWidthBuilderBase::OwnBytes(const Array& source, int64_t n) const noexcept {
  return n * width_ + internal::ValidityBytesOf(source, n);
}

Status FixedWidthBuilderBase::StageRanges(const Array& source, std::span<const RowRange> ranges) {
  const int64_t total = internal::TotalLength(ranges);
  if (ranges.size() == 1 && total > 0 && ShouldKeep(source, OwnBytes(source, total)))
    return StageKept(source, ranges[0]);
  SHEAF_RETURN_IF_ERROR(ReserveValues(total));
  SHEAF_RETURN_IF_ERROR(StageValidity(source, ranges));
  const uint8_t* values = source.buffer(1).data() + source.offset() * width_;
  for (const RowRange& range : ranges) {
    const int64_t bytes = range.length * width_;
    if (bytes == 0) continue;
    std::memcpy(values_.UnsafeStage(bytes), values + range.offset * width_,
                static_cast<size_t>(bytes));
  }
  return OkStatus();
}

Status FixedWidthBuilderBase::StageRepeated(const Array& source, RowRange range, int64_t n) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t total, internal::ProductOf(range.length, n, type_));
  SHEAF_RETURN_IF_ERROR(ReserveValues(total));
  const BitSpan validity = source.validity().Slice(range.offset, range.length);
  SHEAF_RETURN_IF_ERROR(tail_.StageRepeated(validity, range.length - CountSet(validity), n));
  if (total * width_ == 0) return OkStatus();
  const uint8_t* values = source.buffer(1).data() + (source.offset() + range.offset) * width_;
  internal::FillRepeated(values_.UnsafeStage(total * width_), values, range.length * width_, n);
  return OkStatus();
}

Status FixedWidthBuilderBase::StageSparse(const internal::SparseFill& sparse) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, RowsOf(sparse));
  SHEAF_RETURN_IF_ERROR(ReserveValues(rows));
  SHEAF_RETURN_IF_ERROR(StageSparseValidity(sparse));
  const auto first_of = [&](const Array& array) {
    return array.buffer(1).data() + array.offset() * width_;
  };
  internal::WriteSparseBytes(sparse.at, first_of(sparse.fill), first_of(sparse.patches),
                             sparse.block() * width_, values_.UnsafeStage(rows * width_));
  return OkStatus();
}

Status FixedWidthBuilderBase::StageNulls(int64_t n) {
  SHEAF_RETURN_IF_ERROR(ReserveValues(n));
  SHEAF_RETURN_IF_ERROR(tail_.StageNull(n));
  if (n * width_ > 0)
    std::memset(values_.UnsafeStage(n * width_), 0, static_cast<size_t>(n * width_));
  return OkStatus();
}

Status FixedWidthBuilderBase::StageEmpty(int64_t n) {
  SHEAF_RETURN_IF_ERROR(ReserveValues(n));
  SHEAF_RETURN_IF_ERROR(tail_.StageValid(n));
  if (n * width_ > 0)
    std::memset(values_.UnsafeStage(n * width_), 0, static_cast<size_t>(n * width_));
  return OkStatus();
}

Status FixedWidthBuilderBase::ReserveRows(int64_t rows) {
  SHEAF_RETURN_IF_ERROR(ReserveValues(rows));
  return tail_.Reserve(rows);
}

void FixedWidthBuilderBase::Commit() noexcept {
  ArrayBuilder::Commit();
  values_.Commit();
}

void FixedWidthBuilderBase::Discard() noexcept {
  ArrayBuilder::Discard();
  values_.Discard();
}

void FixedWidthBuilderBase::RestoreMark(internal::MarkReader& mark) noexcept {
  ArrayBuilder::RestoreMark(mark);
  values_.TruncateTo(tail_.length() * width_);
}

StatusOr<Array> FixedWidthBuilderBase::Build(Sharing sharing) {
  if (const internal::KeptChunk* only = OnlyChunk(); only != nullptr) return only->window;
  if (chunks_.empty()) return BuildTail(sharing);
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer joined, MutableBuffer::Allocate(length() * width_, pool()));
  uint8_t* out = joined.data();
  const auto copy = [&](const uint8_t* from, int64_t bytes) {
    if (bytes > 0) std::memcpy(out, from, static_cast<size_t>(bytes));
    out += bytes;
  };
  VisitPieces([&](int64_t begin,
                  int64_t end) { copy(values_.data() + begin * width_, (end - begin) * width_); },
              [&](int64_t index) {
                const Array& window = chunks_[index].window;
                copy(window.buffer(1).data() + window.offset() * width_, window.length() * width_);
              });
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, BuildValidity(sharing));
  return internal::MakeBuilt(type_, length(), null_count(),
                             {std::move(validity), std::move(joined).Finish()}, {}, pool());
}

StatusOr<Array> FixedWidthBuilderBase::BuildTail(Sharing sharing) {
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, TailValidity(sharing));
  return internal::MakeBuilt(type_, tail_.length(), tail_.null_count(),
                             {std::move(validity), values_.Share(sharing)}, {}, pool());
}

Status FixedWidthBuilderBase::BuildPieces(internal::PieceList* pieces) {
  return BuildFlatPieces(pieces);
}

void FixedWidthBuilderBase::AddRetained(internal::RetainedSet* retained) const {
  ArrayBuilder::AddRetained(retained);
  retained->Add(values_);
}

Status FixedWidthBuilderBase::AddNeeds(const Array& source, std::span<const RowRange> ranges) {
  if (CountKept(source, ranges, OwnBytes(source, internal::TotalLength(ranges)))) return OkStatus();
  return ArrayBuilder::AddNeeds(source, ranges);
}

std::unique_ptr<ArrayBuilder> FixedWidthBuilderBase::NewEmpty() const {
  return std::make_unique<FixedWidthBuilderBase>(type_, options_);
}

void FixedWidthBuilderBase::SwapRows(ArrayBuilder& other) noexcept {
  SwapAll(*this, static_cast<FixedWidthBuilderBase&>(other));
}

void FixedWidthBuilderBase::Clear() noexcept {
  ArrayBuilder::Clear();
  values_.Reset();
}

int64_t FixedWidthBuilderBase::BytesUsed() const noexcept {
  return ValidityBytes() + staged_length() * width_;
}

namespace {

/// Whether values of the type are one C++ number; the others (fixed-size binary, wide decimals,
/// intervals of several parts) are bytes.
bool IsNumber(const DataType& type) noexcept {
  const TypeId id = type.storage().id();
  return type.layout().id == LayoutId::kFixedWidth && type.byte_width() <= 8 &&
         id != TypeId::kFixedSizeBinary && id != TypeId::kIntervalDayTime;
}

template <typename T>
bool IsNumberOf(const DataType& type) noexcept {
  const TypeId id = type.storage().id();
  const bool floating = id == TypeId::kFloat32 || id == TypeId::kFloat64;
  const bool without_sign = id == TypeId::kUInt8 || id == TypeId::kUInt16 ||
                            id == TypeId::kUInt32 || id == TypeId::kUInt64 ||
                            id == TypeId::kFloat16;
  return IsNumber(type) && type.byte_width() == static_cast<int32_t>(sizeof(T)) &&
         floating == std::is_floating_point_v<T> && without_sign == std::is_unsigned_v<T>;
}

}  // namespace

template <typename T>
Status FixedWidthBuilder<T>::CheckBuilds(const DataType& type) {
  if (IsNumberOf<T>(type)) return OkStatus();
  return internal::InvalidArgument("a builder of ", sizeof(T), "-byte ",
                                   std::is_floating_point_v<T> ? "floats" : "integers",
                                   " does not build ", type.ToString());
}

Status FixedSizeBinaryBuilder::CheckBuilds(const DataType& type) {
  if (type.layout().id == LayoutId::kFixedWidth && !IsNumber(type)) return OkStatus();
  return internal::InvalidArgument("a fixed-size binary builder does not build ", type.ToString());
}

Status FixedSizeBinaryBuilder::Append(std::span<const uint8_t> value) {
  if (static_cast<int64_t>(value.size()) != width_) {
    return internal::InvalidArgument(type_.ToString(), " builder: a value of ", value.size(),
                                     " bytes");
  }
  return AppendBytes(value.data());
}

void FixedSizeBinaryBuilder::UnsafeAppend(const void* value) noexcept {
  if (width_ > 0) std::memcpy(values_.UnsafeStage(width_), value, static_cast<size_t>(width_));
  values_.Commit();
  tail_.UnsafePushValid();
}

template class FixedWidthBuilder<int8_t>;
template class FixedWidthBuilder<uint8_t>;
template class FixedWidthBuilder<int16_t>;
template class FixedWidthBuilder<uint16_t>;
template class FixedWidthBuilder<int32_t>;
template class FixedWidthBuilder<uint32_t>;
template class FixedWidthBuilder<int64_t>;
template class FixedWidthBuilder<uint64_t>;
template class FixedWidthBuilder<float>;
template class FixedWidthBuilder<double>;

}  // namespace sheaf
