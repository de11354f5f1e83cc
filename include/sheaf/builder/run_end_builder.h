#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sheaf/builder/array_builder.h"

namespace sheaf::inline v1 {

/// Builds run-end encoded arrays with run ends of 16, 32 or 64 bits, and values of any type.
///
/// Takes run-end arrays of matching values, whatever the width of their run ends, and plain arrays
/// of the values' type, which are encoded. n repeats, nulls or empty values are one run. **Equal
/// neighbouring runs merge**, across appends too, where their values are the same by element
/// identity (same bits for fixed width). What an array holds as several runs of one value stays as
/// it is.
///
/// Nulls are in the values: `null_count` is 0. Rows that outgrow the run ends are kOutOfRange,
/// naming the wider type.
///
/// Costs O(runs), not O(rows), but for plain arrays; and a copy of one value an append (that of the
/// last run, so that the next append can be compared with it, whoever still holds the source).
template <typename RunEnd>
class SHEAF_EXPORT BasicRunEndBuilder : public ArrayBuilder {
 public:
  /// \param values  a builder for the type's values.
  BasicRunEndBuilder(const DataType& type, std::unique_ptr<ArrayBuilder> values,
                     const BuilderOptions& options = {});
  static Status CheckBuilds(const DataType& type);

  /// Runs so far.
  int64_t run_count() const noexcept;
  const ArrayBuilder& values() const noexcept { return *values_; }

 protected:
  using RowRange = internal::RowRange;
  Status StageRanges(const Array& source, std::span<const RowRange> ranges) override;
  Status StageRepeated(const Array& source, RowRange range, int64_t n) override;
  Status StageSparse(const internal::SparseFill& sparse) override;
  Status StageNulls(int64_t n) override;
  Status StageEmpty(int64_t n) override;
  /// Copies what is its own: no parent widens such rows (see `HasWindows` of list-views).
  Status StageKept(const Array& source, RowRange range) override {
    return StageRanges(source, {&range, 1});
  }
  Status ReserveRows(int64_t rows) override;
  void Commit() noexcept override;
  void Discard() noexcept override;
  void SaveMark(internal::MarkWriter& mark) const noexcept override;
  void RestoreMark(internal::MarkReader& mark) noexcept override;
  DataType BuiltType() const override;
  StatusOr<Array> Build(Sharing sharing) override;
  Status BuildPieces(internal::PieceList* pieces) override;
  void Clear() noexcept override;
  int64_t BytesUsed() const noexcept override;
  void AddRetained(internal::RetainedSet* retained) const override;
  Status AddNeeds(const Array& source, std::span<const RowRange> ranges) override;
  Status ReserveNeeds() override;
  void ForgetNeeds() noexcept override;
  std::unique_ptr<ArrayBuilder> NewEmpty() const override;
  void SwapRows(ArrayBuilder& other) noexcept override;

 private:
  static constexpr auto kWidth = static_cast<int64_t>(sizeof(RunEnd));

  int64_t staged_runs() const noexcept {
    return staged_length() == 0 ? 0 : ends_.staged_size_bytes() / kWidth + 1;
  }
  Status CheckFits(int64_t additional_rows) const;
  /// Room for the ends of n more runs, and of the last one, which `Build` writes.
  Status ReserveEnds(int64_t n);
  /// Ends the last run, if there is one: the rows staged next are another. Room was reserved.
  void EndRun() noexcept;

  // Sources (lib/builder/run_end_stage.cc).
  /// The stages of sources, but for the copy of the last run's value.
  Status StageRows(const Array& source, std::span<const RowRange> ranges);
  Status StageRowsRepeated(const Array& source, RowRange range, int64_t n);
  template <typename SourceEnd>
  Status StageRuns(const Array& source, std::span<const RowRange> ranges);
  Status StagePlain(const Array& source, std::span<const RowRange> ranges);
  template <typename SourceEnd>
  Status StageRunsRepeated(const Array& source, int64_t n);
  /// One run of n > 0 rows.
  Status StageRun(const Array& values, int64_t row, int64_t n);
  /// One run of n rows of a value that `stage` writes into a builder of values.
  Status StageMade(int64_t n, Status (*stage)(ArrayBuilder& values));
  /// Whether a row of `values` goes on with the last run.
  StatusOr<bool> GoesOn(const Array& values, int64_t row);
  /// Notes which value the last run now has.
  void SetLast(const Array& values, int64_t row) { last_ = values.Row(row); }
  /// Makes a copy of it: what was staged may be gone when the next append comes.
  Status SealLast();
  /// What `stage` writes into an empty builder of the values' type.
  template <typename Stage>
  StatusOr<Array> MakeValue(Stage&& stage);

  StatusOr<Array> MakeRuns(const DataType& type, Array values, Buffer ends, int64_t rows);
  StatusOr<Buffer> TailEnds(Sharing sharing);

  std::unique_ptr<ArrayBuilder> values_;
  std::unique_ptr<ArrayBuilder> maker_;  ///< Of single values; made when first needed.
  /// Ends of all runs but the last, which is open: it ends where the rows do. So a run that goes on
  /// edits nothing, and a failed append has not lengthened it.
  BufferBuilder ends_;
  /// Values of the last run, each an array of one row: the last of them is that of now, those
  /// before it are there for marks.
  internal::StagedVector<Array> lasts_;
  Array last_;  ///< Of what is being staged: a row of a source; of length 0 where it is lasts_'.
};

using RunEnd16Builder = BasicRunEndBuilder<int16_t>;
using RunEnd32Builder = BasicRunEndBuilder<int32_t>;
using RunEnd64Builder = BasicRunEndBuilder<int64_t>;
extern template class BasicRunEndBuilder<int16_t>;
extern template class BasicRunEndBuilder<int32_t>;
extern template class BasicRunEndBuilder<int64_t>;

}  // namespace sheaf
