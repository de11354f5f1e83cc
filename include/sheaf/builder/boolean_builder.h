#pragma once

#include <span>

#include "sheaf/builder/array_builder.h"
#include "sheaf/memory/bit_span.h"

namespace sheaf::inline v1 {

/// Builds boolean arrays.
class SHEAF_EXPORT BooleanBuilder : public ArrayBuilder {
 public:
  explicit BooleanBuilder(const DataType& type, const BuilderOptions& options = {});
  static Status CheckBuilds(const DataType& type);

  Status Append(bool value);
  /// Room was reserved.
  void UnsafeAppend(bool value) noexcept;
  /// \param validity  as many bits as values; absent: all valid.
  Status AppendValues(BitSpan values, BitSpan validity = {});

 protected:
  Status StageRanges(const Array& source, std::span<const RowRange> ranges) override;
  Status StageRepeated(const Array& source, RowRange range, int64_t n) override;
  Status StageNulls(int64_t n) override;
  Status StageEmpty(int64_t n) override;
  Status ReserveRows(int64_t rows) override;
  void Commit() noexcept override;
  void Discard() noexcept override;
  StatusOr<Array> Build() override;
  void Clear() noexcept override;
  int64_t BytesUsed() const noexcept override;

 private:
  Status StageFill(int64_t n, bool value);
  Status EnsureBits(int64_t additional);
  BufferBuilder bits_;
};

}  // namespace sheaf
