#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sheaf/builder/array_builder.h"
#include "sheaf/builder/binary_window.h"
#include "sheaf/memory/bit_span.h"

namespace sheaf::inline v1 {

/// Builds binary and utf8 arrays with 32-bit or (large) 64-bit offsets. UTF-8 is not checked here;
/// full validation does.
template <typename Offset>
class SHEAF_EXPORT BasicBinaryBuilder : public ArrayBuilder {
 public:
  explicit BasicBinaryBuilder(const DataType& type, const BuilderOptions& options = {});
  static Status CheckBuilds(const DataType& type);

  Status Append(std::string_view value);
  /// Room for the row and its bytes was reserved, and the offsets do not outgrow their width.
  void UnsafeAppend(std::string_view value) noexcept;
  /// Room for the rows and all bytes was reserved, and the offsets do not outgrow their width.
  void UnsafeAppendValues(std::span<const std::string_view> values) noexcept {
    for (const std::string_view value : values) UnsafeAppend(value);
  }
  /// \param validity  as many bits as values; absent: all valid. Bytes of null values are not
  /// stored.
  Status AppendValues(std::span<const std::string_view> values, BitSpan validity = {});

  /// Memory for n values of so many bytes altogether, to be written in place and taken by `Commit`.
  /// Nothing is appended before; any other change, `Reserve` or `Snapshot` closes the window.
  StatusOr<BinaryWindow<Offset>> AppendUninitialized(int64_t n, int64_t data_bytes);
  /// The first `rows` rows of the window, whose sizes and bytes are written by now; the rest is
  /// forgotten. The size of a null row counts too.
  /// \param validity  as many bits as rows; absent: all valid.
  /// \return kFailedPrecondition where no window is open; kInvalidArgument for a negative size, or
  /// sizes that add up to more than the window's bytes; else, as every append, nothing has changed,
  /// and the window is still open.
  Status Commit(int64_t rows, BitSpan validity = {});

  /// Room for so many more bytes of values in this chunk.
  Status ReserveData(int64_t additional_bytes);
  /// Bytes of all values.
  int64_t data_bytes() const noexcept;

 protected:
  using RowRange = internal::RowRange;
  Status StageRanges(const Array& source, std::span<const RowRange> ranges) override;
  Status StageRepeated(const Array& source, RowRange range, int64_t n) override;
  Status StageSparse(const internal::SparseFill& sparse) override;
  Status StageNulls(int64_t n) override;
  Status StageEmpty(int64_t n) override;
  Status StageKept(const Array& source, RowRange range) override;
  Status StageWidened(int64_t chunk, RowRange range) override;
  Status ReserveRows(int64_t rows) override;
  void Commit() noexcept override;
  void Discard() noexcept override;
  void SaveMark(internal::MarkWriter& mark) const noexcept override;
  void RestoreMark(internal::MarkReader& mark) noexcept override;
  StatusOr<Array> Build(Sharing sharing) override;
  Status BuildPieces(internal::PieceList* pieces) override;
  StatusOr<Array> BuildTail(Sharing sharing) override;
  void Clear() noexcept override;
  int64_t BytesUsed() const noexcept override;
  void AddRetained(internal::RetainedSet* retained) const override;
  Status AddNeeds(const Array& source, std::span<const RowRange> ranges) override;
  Status ReserveNeeds() override;
  std::unique_ptr<ArrayBuilder> NewEmpty() const override;
  void SwapRows(ArrayBuilder& other) noexcept override;

 private:
  Status CheckFits(int64_t additional_bytes) const;
  /// The sum of the window's first `rows` sizes, which are not negative and fit its bytes.
  StatusOr<int64_t> SumWindow(int64_t rows) const;
  /// n empty rows.
  Status StageFlat(int64_t n);
  Status StageCopy(const Array& source, RowRange range);
  Status StageValues(std::span<const std::string_view> values, BitSpan validity);
  StatusOr<Buffer> BuildData(Sharing sharing);
  int64_t staged_data_bytes() const noexcept {
    return kept_data_staged_ + data_.staged_size_bytes();
  }

  /// Of the tail rows into `data_`: a leading 0 once there are rows, then each end.
  BufferBuilder offsets_;
  BufferBuilder data_;
  int64_t window_bytes_ = 0;  ///< Of the values in the open window.
  int64_t kept_data_staged_ = 0;
  int64_t kept_data_committed_ = 0;
};

using BinaryBuilder = BasicBinaryBuilder<int32_t>;
using LargeBinaryBuilder = BasicBinaryBuilder<int64_t>;
extern template class BasicBinaryBuilder<int32_t>;
extern template class BasicBinaryBuilder<int64_t>;

}  // namespace sheaf
