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
  /// Room was reserved.
  void UnsafeAppendValues(BitSpan values) noexcept;

  /// Memory for n bits, to be written in place (`Set`, or `CopyBits` to `bytes` and `bit_offset`)
  /// and taken by `Commit`. Nothing is appended before; any other change, `Reserve` or `Snapshot`
  /// closes the window.
  StatusOr<MutableBitSpan> AppendUninitialized(int64_t n);
  /// The first `rows` rows of the window, written by now; the rest is forgotten.
  /// \param validity  as many bits as rows; absent: all valid.
  /// \return kFailedPrecondition where no window is open; else, as every append, nothing has
  /// changed, and the window is still open.
  Status Commit(int64_t rows, BitSpan validity = {});

 protected:
  Status StageRanges(const Array& source, std::span<const RowRange> ranges) override;
  Status StageRepeated(const Array& source, RowRange range, int64_t n) override;
  Status StageSparse(const internal::SparseFill& sparse) override;
  Status StageNulls(int64_t n) override;
  Status StageEmpty(int64_t n) override;
  Status ReserveRows(int64_t rows) override;
  void Commit() noexcept override;
  void Discard() noexcept override;
  StatusOr<Array> Build(Sharing sharing) override;
  Status BuildPieces(internal::PieceList* pieces) override;
  StatusOr<Array> BuildTail(Sharing sharing) override;
  void Clear() noexcept override;
  int64_t BytesUsed() const noexcept override;
  void AddRetained(internal::RetainedSet* retained) const override;
  Status AddNeeds(const Array& source, std::span<const RowRange> ranges) override;
  std::unique_ptr<ArrayBuilder> NewEmpty() const override;
  void SwapRows(ArrayBuilder& other) noexcept override;

 private:
  Status StageFill(int64_t n, bool value);
  Status EnsureBits(int64_t additional);
  static int64_t OwnBytes(const Array& source, int64_t n) noexcept;
  BufferBuilder bits_;
};

}  // namespace sheaf
