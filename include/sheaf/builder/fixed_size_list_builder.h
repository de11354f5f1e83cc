#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sheaf/builder/array_builder.h"
#include "sheaf/builder/open_list.h"

namespace sheaf::inline v1 {

/// Builds fixed-size lists; a null row has its placeholders in the elements. Takes every list-like
/// array of matching elements whose valid rows have the right size.
class SHEAF_EXPORT FixedSizeListBuilder : public ArrayBuilder {
 public:
  FixedSizeListBuilder(const DataType& type, std::unique_ptr<ArrayBuilder> elements,
                       const BuilderOptions& options = {});
  static Status CheckBuilds(const DataType& type);

  ArrayBuilder& elements() noexcept { return *elements_; }
  const ArrayBuilder& elements() const noexcept { return *elements_; }

  /// One array of `list_size` elements as one list.
  Status AppendList(const Array& elements);
  /// The same n times.
  Status AppendRepeatedList(const Array& elements, int64_t n);
  void BeginList() noexcept;
  /// \return kInvalidArgument unless `list_size` elements were appended; the list then stays open.
  Status EndList();

 protected:
  Status StageRanges(const Array& source, std::span<const RowRange> ranges) override;
  Status StageRepeated(const Array& source, RowRange range, int64_t n) override;
  Status StageSparse(const internal::SparseFill& sparse) override;
  Status StageNulls(int64_t n) override;
  Status StageEmpty(int64_t n) override;
  Status StageKept(const Array& source, RowRange range) override;
  Status StageWidened(int64_t chunk, RowRange range) override;
  Status ReserveRows(int64_t rows) override;
  Status CheckReady() const override;
  void Commit() noexcept override;
  void Discard() noexcept override;
  void SaveMark(internal::MarkWriter& mark) const noexcept override;
  void RestoreMark(internal::MarkReader& mark) noexcept override;
  StatusOr<Array> Build() override;
  void Clear() noexcept override;
  int64_t BytesUsed() const noexcept override;

 private:
  /// Elements of so many rows more, which fit.
  StatusOr<int64_t> ElementsOf(int64_t rows) const;
  Status CheckFits(int64_t additional_elements) const;
  Status StageOther(const Array& source, RowRange range);

  std::unique_ptr<ArrayBuilder> elements_;
  internal::StagedVector<int64_t>
      chunk_of_;  ///< Kept chunk of the elements for each kept chunk here, or -1.
  int64_t list_size_;
  internal::OpenList open_;
};

}  // namespace sheaf
