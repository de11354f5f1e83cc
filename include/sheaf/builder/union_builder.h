#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sheaf/array/row_range.h"
#include "sheaf/builder/array_builder.h"

namespace sheaf::inline v1 {

namespace internal {
struct DenseChild;  // lib/builder/dense_child.h
}

/// Builds union arrays, sparse and dense: type ids, offsets where it is dense, and a builder a
/// child. Rows come as whole union arrays of matching children (some may be missing there), nulls
/// or empty values, or value by value:
///
///     builder.child(0) <- 7, builder.Append(type_id_of_child_0)
///
/// A row is open from its value on until `Append`. Meanwhile all other appends to the union, and
/// `Finish`, are kFailedPrecondition; `RollBack` to a mark made before gives the row up.
///
/// A union has no validity: `null_count` is 0, and nulls are those of the children. `AppendNulls`
/// goes to the first child that can hold a null, `AppendEmptyValues` to the first one that is not
/// of the null type. In a sparse union the other children get placeholders.
///
/// **Dense offsets** of one child rise in the result. Where those of a source do, the child's slots
/// from the first to the last come as they are; where they do not, or several rows share a slot,
/// the slots are gathered in the order of the rows. Slots that outgrow 32-bit offsets are
/// kOutOfRange.
class SHEAF_EXPORT UnionBuilder : public ArrayBuilder {
 public:
  /// \param children  a builder for each child of the type.
  UnionBuilder(const DataType& type, std::vector<std::unique_ptr<ArrayBuilder>> children,
               const BuilderOptions& options = {});
  UnionBuilder(UnionBuilder&&) noexcept;
  UnionBuilder& operator=(UnionBuilder&&) noexcept;
  ~UnionBuilder() override;
  static Status CheckBuilds(const DataType& type);

  bool dense() const noexcept { return dense_; }
  int num_children() const noexcept { return static_cast<int>(children_.size()); }
  /// The builder of child i, for the value before `Append` of its type id.
  ArrayBuilder& child(int i) noexcept { return *children_[static_cast<size_t>(i)]; }
  const ArrayBuilder& child(int i) const noexcept { return *children_[static_cast<size_t>(i)]; }
  /// The same as its own class, such as `child_as<Int32Builder>(0)`; it lives as long as this
  /// builder. \return kInvalidArgument where there is no such child, or the class does not build
  /// it.
  template <typename Builder>
  StatusOr<Builder*> child_as(int i) {
    SHEAF_RETURN_IF_ERROR(CheckChild(i));
    SHEAF_RETURN_IF_ERROR(Builder::CheckBuilds(child(i).type()));
    return static_cast<Builder*>(&child(i));
  }

  /// A row of the value that the child of this type id got since the last one.
  /// \return kInvalidArgument naming the row and an id that no child has, or a null in a child that
  /// is not nullable; kFailedPrecondition naming a child that got no value, more than one, or one
  /// that belongs to no row; kOutOfRange; kResourceExhausted. The row then stays open.
  Status Append(int type_id);

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
  Status StagePlaceholders(int64_t n) override;
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
  /// Stages n rows of one kind into a child.
  using Filler = Status (*)(ArrayBuilder& child, int64_t n);

  Status CheckChild(int i) const;
  Status CheckRowOfChild(int i, int64_t ahead) const;
  /// kOutOfRange where a dense child does not hold so many slots more than it has staged.
  Status CheckFits(int i, int64_t staged, int64_t additional) const;
  Status ReserveSlots(int64_t rows);
  /// Which child of a source is child i here, or -1.
  int ChildOfSource(const Array& source, int i) const noexcept;
  /// kInvalidArgument where rows of child i bring it a null that it may not hold.
  Status CheckChildNullable(int i, const Array& source, std::span<const RowRange> ranges) const;
  /// n rows of child i, which `fill` stages; sparse unions' other children get placeholders.
  Status StageFilled(int i, int64_t n, Filler fill);
  Status StageTypeIds(const Array& source, std::span<const RowRange> ranges);
  Status StageSparseRanges(const Array& source, std::span<const RowRange> ranges);
  Status StageDenseRanges(const Array& source, std::span<const RowRange> ranges);
  Status StageDenseRepeated(const Array& source, RowRange range, int64_t n);
  /// Finds which slots of the children the ranges bring, into scratch_.
  Status PlanDense(const Array& source, std::span<const RowRange> ranges);
  /// The same for one range; \param offsets  where its rows' offsets go, or null.
  Status PlanDenseRange(const Array& source, RowRange range, int32_t* offsets);

  std::vector<std::unique_ptr<ArrayBuilder>> children_;
  bool dense_;
  BufferBuilder type_ids_;
  BufferBuilder offsets_;         ///< Of dense unions.
  std::vector<int64_t> lengths_;  ///< Of the children at the last commit.
  int null_child_ = -1;           ///< The first that can hold a null, or -1.
  int empty_child_ = 0;
  internal::StagedVector<internal::DenseChild> scratch_;
};

}  // namespace sheaf
