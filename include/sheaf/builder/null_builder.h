#pragma once

#include <span>

#include "sheaf/builder/array_builder.h"

namespace sheaf::inline v1 {

/// Builds arrays of the null type: a count.
class SHEAF_EXPORT NullBuilder : public ArrayBuilder {
 public:
  explicit NullBuilder(const DataType& type, const BuilderOptions& options = {});
  static Status CheckBuilds(const DataType& type);

 protected:
  Status StageRanges(const Array& source, std::span<const RowRange> ranges) override;
  Status StageRepeated(const Array& source, RowRange range, int64_t n) override;
  Status StageSparse(const internal::SparseFill& sparse) override;
  Status StageNulls(int64_t n) override;
  Status StageEmpty(int64_t n) override;
  Status ReserveRows(int64_t rows) override;
  StatusOr<Array> Build(Sharing sharing) override;
  Status BuildPieces(internal::PieceList* pieces) override;
  StatusOr<Array> BuildTail(Sharing sharing) override;
  int64_t BytesUsed() const noexcept override { return 0; }
  std::unique_ptr<ArrayBuilder> NewEmpty() const override;
  void SwapRows(ArrayBuilder& other) noexcept override;

 private:
  StatusOr<Array> BuildRows(int64_t n);
};

}  // namespace sheaf
