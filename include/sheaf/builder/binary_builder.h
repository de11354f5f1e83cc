#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sheaf/builder/array_builder.h"
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
  /// \param validity  as many bits as values; absent: all valid. Bytes of null values are not
  /// stored.
  Status AppendValues(std::span<const std::string_view> values, BitSpan validity = {});
  /// Room for so many more bytes of values.
  Status ReserveData(int64_t additional_bytes);
  /// Bytes of all values.
  int64_t data_bytes() const noexcept { return kept_data_committed_ + data_.size_bytes(); }

 protected:
  using RowRange = internal::RowRange;
  Status StageRanges(const Array& source, std::span<const RowRange> ranges) override;
  Status StageRepeated(const Array& source, RowRange range, int64_t n) override;
  Status StageNulls(int64_t n) override;
  Status StageEmpty(int64_t n) override;
  Status StageKept(const Array& source, RowRange range) override;
  Status StageWidened(int64_t chunk, RowRange range) override;
  Status ReserveRows(int64_t rows) override;
  void Commit() noexcept override;
  void Discard() noexcept override;
  StatusOr<Array> Build() override;
  void Clear() noexcept override;
  int64_t BytesUsed() const noexcept override;

 private:
  Status CheckFits(int64_t additional_bytes) const;
  /// n empty rows.
  Status StageFlat(int64_t n);
  Status StageCopy(const Array& source, RowRange range);
  Status StageValues(std::span<const std::string_view> values, BitSpan validity);
  StatusOr<Buffer> BuildData();
  int64_t staged_data_bytes() const noexcept {
    return kept_data_staged_ + data_.staged_size_bytes();
  }

  /// Of the tail rows into `data_`: a leading 0 once there are rows, then each end.
  BufferBuilder offsets_;
  BufferBuilder data_;
  int64_t kept_data_staged_ = 0;
  int64_t kept_data_committed_ = 0;
};

using BinaryBuilder = BasicBinaryBuilder<int32_t>;
using LargeBinaryBuilder = BasicBinaryBuilder<int64_t>;
extern template class BasicBinaryBuilder<int32_t>;
extern template class BasicBinaryBuilder<int64_t>;

}  // namespace sheaf
