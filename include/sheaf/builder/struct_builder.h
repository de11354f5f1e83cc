#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sheaf/builder/array_builder.h"

namespace sheaf::inline v1 {

/// What `EndRow` makes of fields that got no value.
enum class MissingFields : uint8_t { kError, kNull };

/// Builds struct arrays: its own validity, and a builder a field. Rows come as whole struct arrays
/// (`AppendArray`, `AppendRepeated`), nulls or empty values, or value by value:
///
///     builder.field(0) <- 7, builder.field(1) <- "seven", builder.EndRow()
///
/// A row is open from its first value on until `EndRow`. Meanwhile all other appends to the struct,
/// and `Finish`, are kFailedPrecondition; `RollBack` to a mark made before gives the row up.
class SHEAF_EXPORT StructBuilder : public ArrayBuilder {
 public:
  /// \param fields  a builder for each field of the type.
  StructBuilder(const DataType& type, std::vector<std::unique_ptr<ArrayBuilder>> fields,
                const BuilderOptions& options = {});
  static Status CheckBuilds(const DataType& type);

  int num_fields() const noexcept { return static_cast<int>(fields_.size()); }

  /// The builder of field i, for one value before each `EndRow`.
  ArrayBuilder& field(int i) noexcept { return *fields_[static_cast<size_t>(i)]; }
  const ArrayBuilder& field(int i) const noexcept { return *fields_[static_cast<size_t>(i)]; }
  /// The same as its own class, such as `field_as<Int32Builder>(0)`; it lives as long as this
  /// builder. \return kInvalidArgument where there is no such field, or the class does not build
  /// it.
  template <typename Builder>
  StatusOr<Builder*> field_as(int i) {
    SHEAF_RETURN_IF_ERROR(CheckField(i));
    SHEAF_RETURN_IF_ERROR(Builder::CheckBuilds(field(i).type()));
    return static_cast<Builder*>(&field(i));
  }

  /// A valid row of the values that its fields got since the last one: one each.
  /// \param missing  what becomes of fields that got none.
  /// \return kFailedPrecondition naming a field that got none (kError) or more than one, or has a
  /// list or row open itself; kInvalidArgument naming a non-nullable field that got a null, or
  /// nothing; kResourceExhausted, also past the byte limit. The row then stays open.
  Status EndRow(MissingFields missing = MissingFields::kError);
  /// n valid rows at once, of the n values that each field got since the last one.
  /// \return as EndRow; kFailedPrecondition naming a field that got more or fewer values.
  Status EndRows(int64_t n);

 protected:
  Status StageRanges(const Array& source, std::span<const RowRange> ranges) override;
  Status StageRepeated(const Array& source, RowRange range, int64_t n) override;
  Status StageSparse(const internal::SparseFill& sparse) override;
  Status StageNulls(int64_t n) override;
  Status StageEmpty(int64_t n) override;
  Status StagePlaceholders(int64_t n) override;
  Status StageKept(const Array& source, RowRange range) override;
  Status StageWidened(int64_t chunk, RowRange range) override;
  Status ReserveRows(int64_t rows) override;
  Status CheckReady() const override;
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
  Status AddEmptyNeeds(int64_t n) override;
  Status ReserveNeeds() override;
  void ForgetNeeds() noexcept override;
  std::unique_ptr<ArrayBuilder> NewEmpty() const override;
  void SwapRows(ArrayBuilder& other) noexcept override;

 private:
  Status CheckField(int i) const;
  /// What EndRow checks of one field, whose rows are `ahead` more than this builder's.
  Status CheckFieldOfRow(int i, int64_t ahead, MissingFields missing) const;
  Status CommitRows(int64_t n);
  /// EndRow where some fields got no value.
  Status EndRowWithNulls();
  /// A piece of the next n rows of all fields.
  Status AddPiece(const internal::PieceBits& bits, int64_t n,
                  std::span<internal::PieceCursor> cursors, internal::PieceList* pieces);

  std::vector<std::unique_ptr<ArrayBuilder>> fields_;
  bool has_checked_fields_ = false;  ///< Some are not nullable, or may have lists or rows open.
  internal::StagedVector<int64_t>
      chunks_of_;  ///< Kept chunk of each field, num_fields for each kept chunk here.
};

}  // namespace sheaf
