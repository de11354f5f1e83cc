#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sheaf/builder/list_like_builder.h"

namespace sheaf::inline v1 {

/// Builds fixed-size lists; a null row has its placeholders in the elements. Takes every list-like
/// array of matching elements whose valid rows have the right size; lists of another size are
/// kInvalidArgument.
class SHEAF_EXPORT FixedSizeListBuilder : public ListLikeBuilder {
 public:
  FixedSizeListBuilder(const DataType& type, std::unique_ptr<ArrayBuilder> elements,
                       const BuilderOptions& options = {});
  static Status CheckBuilds(const DataType& type);
  /// \return kInvalidArgument unless `list_size` elements were appended; the list then stays open.
  Status EndList();

 protected:
  Status CheckListSize(int64_t size) const override;
  Status StageRepeatedList(const Array& elements, int64_t n) override;
  Status StageUniform(const Array& values, int64_t size, int64_t n, bool borrowed) override;
  Status StageEnded(int64_t size) override;
  Status StageRanges(const Array& source, std::span<const RowRange> ranges) override;
  Status StageRepeated(const Array& source, RowRange range, int64_t n) override;
  Status StageSparse(const internal::SparseFill& sparse) override;
  Status StageNulls(int64_t n) override;
  Status StageEmpty(int64_t n) override;
  Status StagePlaceholders(int64_t n) override;
  Status StageKept(const Array& source, RowRange range) override;
  Status StageWidened(int64_t chunk, RowRange range) override;
  Status ReserveRows(int64_t rows) override;
  void Commit() noexcept override;
  void Discard() noexcept override;
  void RestoreMark(internal::MarkReader& mark) noexcept override;
  StatusOr<Array> Build(Sharing sharing) override;
  Status BuildPieces(internal::PieceList* pieces) override;
  void Clear() noexcept override;
  int64_t BytesUsed() const noexcept override;
  void AddRetained(internal::RetainedSet* retained) const override;
  Status AddNeeds(const Array& source, std::span<const RowRange> ranges) override;
  Status AddEmptyNeeds(int64_t n) override;
  Status ReserveNeeds() override;
  std::unique_ptr<ArrayBuilder> NewEmpty() const override;
  void SwapRows(ArrayBuilder& other) noexcept override;

 private:
  /// Elements of so many rows more, which fit.
  StatusOr<int64_t> ElementsOf(int64_t rows) const;
  Status CheckFits(int64_t additional_elements) const;
  Status StageOther(const Array& source, RowRange range);
  /// A piece of n rows over their elements.
  Status AddPiece(const internal::PieceBits& bits, int64_t n, Array elements,
                  internal::PieceList* pieces);

  internal::StagedVector<int64_t>
      chunk_of_;  ///< Kept chunk of the elements for each kept chunk here, or -1.
  int64_t list_size_;
};

}  // namespace sheaf
