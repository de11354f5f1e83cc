#include "sheaf/builder/binary_builder.h"

#include <cstring>

#include "builder/build_offsets.h"
#include "builder/builder_core.h"
#include "kernels/fill.h"
#include "kernels/shift_views.h"

namespace sheaf::inline v1 {
namespace {

template <typename Offset>
int64_t DataBytesOf(const Array& source, internal::RowRange range) noexcept {
  if (range.length == 0) return 0;  // The offsets of no rows are not read.
  const Offset* offsets = source.slots<Offset>(1);
  return offsets[range.end()] - offsets[range.offset];
}

template <typename Offset>
int64_t OwnBytesOf(const Array& source, internal::RowRange range) noexcept {
  return range.length * static_cast<int64_t>(sizeof(Offset)) + DataBytesOf<Offset>(source, range) +
         internal::ValidityBytesOf(source, range.length);
}

}  // namespace

template <typename Offset>
BasicBinaryBuilder<Offset>::BasicBinaryBuilder(const DataType& type, const BuilderOptions& options)
    : ArrayBuilder(type, options), offsets_(options.pool), data_(options.pool) {}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::CheckBuilds(const DataType& type) {
  const Layout& layout = type.layout();
  if (layout.id == LayoutId::kBinary &&
      layout.offset_bits == 8 * static_cast<int>(sizeof(Offset))) {
    return OkStatus();
  }
  return internal::InvalidArgument("a binary builder of ", 8 * sizeof(Offset),
                                   "-bit offsets does not build ", type.ToString());
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::CheckFits(int64_t additional_bytes) const {
  return internal::CheckOffsetsFit(type_, 8 * sizeof(Offset), staged_data_bytes(), additional_bytes,
                                   "bytes");
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::Append(std::string_view value) {
  return AppendValues({&value, 1});
}

template <typename Offset>
void BasicBinaryBuilder<Offset>::UnsafeAppend(std::string_view value) noexcept {
  if (!value.empty()) {
    std::memcpy(data_.UnsafeStage(static_cast<int64_t>(value.size())), value.data(), value.size());
    data_.Commit();
  }
  offsets_.UnsafePush(static_cast<Offset>(data_.size_bytes()));
  tail_.UnsafePushValid();
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::AppendValues(std::span<const std::string_view> values,
                                                BitSpan validity) {
  const auto n = static_cast<int64_t>(values.size());
  SHEAF_RETURN_IF_ERROR(CheckRows(n));
  SHEAF_RETURN_IF_ERROR(CheckValidityBits(validity, n));
  validity.length = n;
  return TransactRows(n, [&](int64_t first, int64_t count) {
    return StageValues(values.subspan(static_cast<size_t>(first), static_cast<size_t>(count)),
                       validity.Slice(first, count));
  });
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::StageValues(std::span<const std::string_view> values,
                                               BitSpan validity) {
  int64_t bytes = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (validity[static_cast<int64_t>(i)] &&
        AddOverflows(bytes, static_cast<int64_t>(values[i].size()), &bytes)) {
      return internal::OutOfRange(type_.ToString(), " builder: the values exceed 64 bits of bytes");
    }
  }
  SHEAF_RETURN_IF_ERROR(CheckFits(bytes));
  SHEAF_RETURN_IF_ERROR(data_.Reserve(bytes));
  SHEAF_RETURN_IF_ERROR(internal::ReserveOffsets<Offset>(offsets_, validity.length, type_));
  SHEAF_RETURN_IF_ERROR(tail_.StageBits(validity, validity.length - CountSet(validity)));
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string_view value = values[i];
    if (validity[static_cast<int64_t>(i)] && !value.empty()) {
      std::memcpy(data_.UnsafeStage(static_cast<int64_t>(value.size())), value.data(),
                  value.size());
    }
    const auto end = static_cast<Offset>(data_.staged_size_bytes());
    std::memcpy(offsets_.UnsafeStage(sizeof(Offset)), &end, sizeof(Offset));
  }
  return OkStatus();
}

template <typename Offset>
StatusOr<BinaryWindow<Offset>> BasicBinaryBuilder<Offset>::AppendUninitialized(int64_t n,
                                                                               int64_t data_bytes) {
  SHEAF_RETURN_IF_ERROR(CheckNewWindow(n));
  SHEAF_RETURN_IF_ERROR(ReserveData(data_bytes));
  SHEAF_RETURN_IF_ERROR(AtBuilder(internal::ReserveOffsets<Offset>(offsets_, n, type_)));
  offsets_.Commit();  // The leading zero.
  OpenWindow(n);
  window_bytes_ = data_bytes;
  auto* const sizes = reinterpret_cast<Offset*>(offsets_.data() + offsets_.size_bytes());
  return BinaryWindow<Offset>{{sizes, static_cast<size_t>(n)},
                              {data_.data() + data_.size_bytes(), static_cast<size_t>(data_bytes)}};
}

template <typename Offset>
StatusOr<int64_t> BasicBinaryBuilder<Offset>::SumWindow(int64_t rows) const {
  const auto* sizes = reinterpret_cast<const Offset*>(offsets_.data() + offsets_.size_bytes());
  int64_t sum = 0;
  for (int64_t row = 0; row < rows; ++row) {
    SHEAF_RETURN_IF_ERROR(internal::CheckWindowSize(type_, row, sizes[row], sum, window_bytes_));
    sum += sizes[row];
  }
  return sum;
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::Commit(int64_t rows, BitSpan validity) {
  SHEAF_RETURN_IF_ERROR(CheckWindow(rows, validity));
  SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, SumWindow(rows));
  validity.length = rows;
  auto* const ends = reinterpret_cast<Offset*>(offsets_.data() + offsets_.size_bytes());
  auto end = static_cast<Offset>(data_.size_bytes());
  SHEAF_RETURN_IF_ERROR(TransactWindow([&] {
    SHEAF_RETURN_IF_ERROR(tail_.StageBits(validity, rows - CountSet(validity)));
    offsets_.UnsafeStage(rows * static_cast<int64_t>(sizeof(Offset)));
    data_.UnsafeStage(bytes);
    return OkStatus();
  }));
  // Only now, in place: what fails leaves the sizes as the caller wrote them.
  for (int64_t row = 0; row < rows; ++row) ends[row] = end = static_cast<Offset>(end + ends[row]);
  return OkStatus();
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::ReserveData(int64_t additional_bytes) {
  if (additional_bytes < 0)
    return internal::InvalidArgument(type_.ToString(), " builder: ", additional_bytes, " bytes");
  SHEAF_RETURN_IF_ERROR(CheckFits(additional_bytes));
  window_ = RowWindow();  // Its memory may move.
  return AtBuilder(data_.Reserve(additional_bytes));
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::StageRanges(const Array& source,
                                               std::span<const RowRange> ranges) {
  if (ranges.size() == 1 && ranges[0].length > 0 &&
      ShouldKeep(source, OwnBytesOf<Offset>(source, ranges[0]))) {
    return StageKept(source, ranges[0]);
  }
  SHEAF_RETURN_IF_ERROR(
      internal::ReserveOffsets<Offset>(offsets_, internal::TotalLength(ranges), type_));
  for (const RowRange& range : ranges) SHEAF_RETURN_IF_ERROR(StageCopy(source, range));
  return StageValidity(source, ranges);
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::StageCopy(const Array& source, RowRange range) {
  if (range.length == 0) return OkStatus();
  const Offset* offsets = source.slots<Offset>(1) + range.offset;
  const int64_t bytes = offsets[range.length] - offsets[0];
  SHEAF_RETURN_IF_ERROR(CheckFits(bytes));
  SHEAF_RETURN_IF_ERROR(data_.Reserve(bytes));
  const int64_t delta = data_.staged_size_bytes() - offsets[0];
  if (bytes > 0) {
    std::memcpy(data_.UnsafeStage(bytes), source.buffer(2).data() + offsets[0],
                static_cast<size_t>(bytes));
  }
  uint8_t* out = offsets_.UnsafeStage(range.length * static_cast<int64_t>(sizeof(Offset)));
  kernels::ShiftOffsets(offsets + 1, range.length, delta, reinterpret_cast<Offset*>(out));
  return OkStatus();
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::StageRepeated(const Array& source, RowRange range, int64_t n) {
  if (range.length == 0) return OkStatus();
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, internal::ProductOf(range.length, n, type_));
  const Offset* offsets = source.slots<Offset>(1) + range.offset;
  const int64_t bytes = offsets[range.length] - offsets[0];
  SHEAF_ASSIGN_OR_RETURN(const int64_t total_bytes, internal::ProductOf(bytes, n, type_));
  SHEAF_RETURN_IF_ERROR(CheckFits(total_bytes));
  SHEAF_RETURN_IF_ERROR(data_.Reserve(total_bytes));
  SHEAF_RETURN_IF_ERROR(internal::ReserveOffsets<Offset>(offsets_, rows, type_));
  const BitSpan validity = source.validity().Slice(range.offset, range.length);
  SHEAF_RETURN_IF_ERROR(tail_.StageRepeated(validity, range.length - CountSet(validity), n));
  const int64_t start = data_.staged_size_bytes();
  if (total_bytes > 0) {
    internal::FillRepeated(data_.UnsafeStage(total_bytes), source.buffer(2).data() + offsets[0],
                           bytes, n);
  }
  auto* out =
      reinterpret_cast<Offset*>(offsets_.UnsafeStage(rows * static_cast<int64_t>(sizeof(Offset))));
  internal::WriteRepeatedEnds(offsets + 1, range.length, bytes, n, start, out);
  return OkStatus();
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::StageFlat(int64_t n) {
  SHEAF_RETURN_IF_ERROR(internal::ReserveOffsets<Offset>(offsets_, n, type_));
  uint8_t* out = offsets_.UnsafeStage(n * static_cast<int64_t>(sizeof(Offset)));
  kernels::FillSteps(data_.staged_size_bytes(), 0, n, reinterpret_cast<Offset*>(out));
  return OkStatus();
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::StageNulls(int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageFlat(n));
  return tail_.StageNull(n);
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::StageEmpty(int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageFlat(n));
  return tail_.StageValid(n);
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::StageKept(const Array& source, RowRange range) {
  const int64_t bytes = DataBytesOf<Offset>(source, range);
  SHEAF_RETURN_IF_ERROR(CheckFits(bytes));
  SHEAF_RETURN_IF_ERROR(ArrayBuilder::StageKept(source, range));
  kept_data_staged_ += bytes;
  return OkStatus();
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::StageWidened(int64_t chunk, RowRange range) {
  const int64_t before =
      DataBytesOf<Offset>(chunks_[chunk].window, {0, chunks_[chunk].window.length()});
  const Array widened = internal::WithWindow(chunks_[chunk].window, range.offset, range.length);
  const int64_t added = DataBytesOf<Offset>(widened, {0, range.length}) - before;
  SHEAF_RETURN_IF_ERROR(CheckFits(added));
  SHEAF_RETURN_IF_ERROR(ArrayBuilder::StageWidened(chunk, range));
  kept_data_staged_ += added;
  return OkStatus();
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::ReserveRows(int64_t rows) {
  SHEAF_RETURN_IF_ERROR(internal::ReserveOffsets<Offset>(offsets_, rows, type_));
  offsets_.Commit();  // The leading zero, so that values may be pushed.
  return tail_.Reserve(rows);
}

template <typename Offset>
void BasicBinaryBuilder<Offset>::Commit() noexcept {
  ArrayBuilder::Commit();
  offsets_.Commit();
  data_.Commit();
  kept_data_committed_ = kept_data_staged_;
}

template <typename Offset>
void BasicBinaryBuilder<Offset>::Discard() noexcept {
  ArrayBuilder::Discard();
  offsets_.Discard();
  data_.Discard();
  kept_data_staged_ = kept_data_committed_;
}

template <typename Offset>
void BasicBinaryBuilder<Offset>::SaveMark(internal::MarkWriter& mark) const noexcept {
  ArrayBuilder::SaveMark(mark);
  mark.Put(offsets_.size_bytes());
  mark.Put(data_.size_bytes());
  mark.Put(kept_data_committed_);
}

template <typename Offset>
void BasicBinaryBuilder<Offset>::RestoreMark(internal::MarkReader& mark) noexcept {
  ArrayBuilder::RestoreMark(mark);
  offsets_.TruncateTo(mark.Take());
  data_.TruncateTo(mark.Take());
  kept_data_committed_ = kept_data_staged_ = mark.Take();
}

template <typename Offset>
StatusOr<Array> BasicBinaryBuilder<Offset>::Build(Sharing sharing) {
  if (const internal::KeptChunk* only = OnlyChunk(); only != nullptr) return only->window;
  SHEAF_ASSIGN_OR_RETURN(Buffer offsets, this->template BuildOffsets<Offset>(offsets_, sharing));
  SHEAF_ASSIGN_OR_RETURN(Buffer data, BuildData(sharing));
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, BuildValidity(sharing));
  return internal::MakeBuilt(type_, length(), null_count(),
                             {std::move(validity), std::move(offsets), std::move(data)}, {},
                             pool());
}

template <typename Offset>
StatusOr<Array> BasicBinaryBuilder<Offset>::BuildTail(Sharing sharing) {
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, TailValidity(sharing));
  return internal::MakeBuilt(type_, tail_.length(), tail_.null_count(),
                             {std::move(validity), offsets_.Share(sharing), data_.Share(sharing)},
                             {}, pool());
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::BuildPieces(internal::PieceList* pieces) {
  return BuildFlatPieces(pieces);
}

template <typename Offset>
StatusOr<Buffer> BasicBinaryBuilder<Offset>::BuildData(Sharing sharing) {
  if (chunks_.empty()) return data_.Share(sharing);
  const int64_t bytes = kept_data_committed_ + data_.size_bytes();
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer joined, MutableBuffer::Allocate(bytes, pool()));
  uint8_t* out = joined.data();
  const auto write = [&](const uint8_t* data, const Offset* offsets, int64_t rows) {
    const int64_t bytes = offsets[rows] - offsets[0];
    if (bytes > 0) std::memcpy(out, data + offsets[0], static_cast<size_t>(bytes));
    out += bytes;
  };
  VisitPieces(
      [&](int64_t first, int64_t last) {
        write(data_.data(), offsets_.as<Offset>() + first, last - first);
      },
      [&](int64_t index) {
        const Array& window = chunks_[index].window;
        if (window.length() > 0)
          write(window.buffer(2).data(), window.slots<Offset>(1), window.length());
      });
  return std::move(joined).Finish();
}

template <typename Offset>
void BasicBinaryBuilder<Offset>::Clear() noexcept {
  ArrayBuilder::Clear();
  offsets_.Reset();
  data_.Reset();
  kept_data_staged_ = kept_data_committed_ = 0;
}

template <typename Offset>
int64_t BasicBinaryBuilder<Offset>::BytesUsed() const noexcept {
  return ValidityBytes() + internal::OffsetBytes(staged_length(), sizeof(Offset)) +
         staged_data_bytes();
}

template <typename Offset>
int64_t BasicBinaryBuilder<Offset>::data_bytes() const noexcept {
  int64_t bytes = kept_data_committed_ + data_.size_bytes();
  for (const auto& full : full_.builders) {
    bytes += static_cast<const BasicBinaryBuilder&>(*full).data_bytes();
  }
  return bytes;
}

template <typename Offset>
void BasicBinaryBuilder<Offset>::AddRetained(internal::RetainedSet* retained) const {
  ArrayBuilder::AddRetained(retained);
  retained->Add(offsets_);
  retained->Add(data_);
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::AddNeeds(const Array& source, std::span<const RowRange> ranges) {
  int64_t bytes = 0;
  for (const RowRange& range : ranges) bytes += DataBytesOf<Offset>(source, range);
  if (AddOverflows(needs_.reach, bytes, &needs_.reach)) {
    return internal::OutOfRange(type_.ToString(), " builder: the values exceed 64 bits of bytes");
  }
  if (ranges.size() == 1 && CountKept(source, ranges, OwnBytesOf<Offset>(source, ranges[0]))) {
    return OkStatus();
  }
  needs_.data_bytes += bytes;  // At most the reach.
  return ArrayBuilder::AddNeeds(source, ranges);
}

template <typename Offset>
Status BasicBinaryBuilder<Offset>::ReserveNeeds() {
  SHEAF_RETURN_IF_ERROR(CheckFits(needs_.reach));
  SHEAF_RETURN_IF_ERROR(data_.Reserve(needs_.data_bytes));
  return ArrayBuilder::ReserveNeeds();
}

template <typename Offset>
std::unique_ptr<ArrayBuilder> BasicBinaryBuilder<Offset>::NewEmpty() const {
  return std::make_unique<BasicBinaryBuilder>(type_, options_);
}

template <typename Offset>
void BasicBinaryBuilder<Offset>::SwapRows(ArrayBuilder& other) noexcept {
  ArrayBuilder::SwapAll(*this, static_cast<BasicBinaryBuilder&>(other));
}

template class BasicBinaryBuilder<int32_t>;
template class BasicBinaryBuilder<int64_t>;

}  // namespace sheaf
