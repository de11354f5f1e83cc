#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sheaf/builder/list_like_builder.h"

namespace sheaf::inline v1 {

/// Builds list arrays with 32-bit or (large) 64-bit offsets. Takes every list-like array of
/// matching elements; shared views are written out, as a list cannot share.
template <typename Offset>
class SHEAF_EXPORT BasicListBuilder : public ListLikeBuilder {
 public:
  /// \param elements  a builder for the type's elements.
  BasicListBuilder(const DataType& type, std::unique_ptr<ArrayBuilder> elements,
                   const BuilderOptions& options = {});
  static Status CheckBuilds(const DataType& type);

  /// Closes it; where it outgrows a chunk (OnOverflow::kNewChunk), it is the first of the next one.
  /// \return kFailedPrecondition without an open list, kOutOfRange, kInvalidArgument for nulls in
  /// non-nullable elements; the list then stays open.
  Status EndList();

 protected:
  using RowRange = internal::RowRange;
  Status StageRepeatedList(const Array& elements, int64_t n) override;
  Status StageUniform(const Array& values, int64_t size, int64_t n, bool borrowed) override;
  Status StageEnded(int64_t size) override;
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
  void Clear() noexcept override;
  int64_t BytesUsed() const noexcept override;
  void AddRetained(internal::RetainedSet* retained) const override;
  Status AddNeeds(const Array& source, std::span<const RowRange> ranges) override;
  Status ReserveNeeds() override;
  std::unique_ptr<ArrayBuilder> NewEmpty() const override;
  void SwapRows(ArrayBuilder& other) noexcept override;

 private:
  Status StageLists(const Array& elements, int64_t n);
  Status AddPiece(const internal::PieceBits& bits, const Buffer& offsets, int64_t n, Array elements,
                  internal::PieceList* pieces);
  Status CheckFits(int64_t additional_elements) const;
  /// The next row of the tail: `size` more elements.
  void StageEnd(int64_t size) noexcept;
  /// n rows more of `size` elements each, which are staged elsewhere.
  Status StageSame(int64_t size, int64_t n);
  Status StageSizes(const Array& source, RowRange range);
  Status StageRowsRepeated(const Array& source, RowRange range, int64_t n);

  /// Sums of the sizes of the tail rows: a leading 0 once there are rows, then the sum up to each.
  BufferBuilder ends_;
  /// Kept chunk of the elements for each kept chunk here, or -1.
  internal::StagedVector<int64_t> chunk_of_;
};

using ListBuilder = BasicListBuilder<int32_t>;
using LargeListBuilder = BasicListBuilder<int64_t>;
extern template class BasicListBuilder<int32_t>;
extern template class BasicListBuilder<int64_t>;

}  // namespace sheaf
