#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sheaf/builder/array_builder.h"
#include "sheaf/builder/open_list.h"
#include "sheaf/builder/view_windows.h"
#include "sheaf/memory/bit_span.h"

namespace sheaf::inline v1 {

/// Builds list-view arrays (32-bit or, large, 64-bit offsets and sizes). Appended views are kept as
/// they are — overlaps, order, gaps between — and only elements before the first and after the last
/// referenced one stay behind. Takes every list-like array of matching elements.
///
///   ListViewBuilder: AppendArray([[1 2] [2 3]] over 9 1 2 3 9), twice
///   elements 1 2 3 1 2 3   offsets 0 1 3 4   sizes 2 2 2 2
///
/// Long element arrays are kept by reference, and windows of one source are brought once
/// (docs/list_views.md, "Appending").
template <typename Offset>
class SHEAF_EXPORT BasicListViewBuilder : public ArrayBuilder {
 public:
  /// \param elements  a builder for the type's elements.
  BasicListViewBuilder(const DataType& type, std::unique_ptr<ArrayBuilder> elements,
                       const BuilderOptions& options = {});
  static Status CheckBuilds(const DataType& type);

  /// Whether the offsets and sizes `Finish` would give now are also those of a plain list.
  bool zero_copy_to_list() const noexcept { return committed_flag_; }

  /// For building value by value between `BeginList` and `EndList`.
  ArrayBuilder& elements() noexcept { return *elements_; }
  const ArrayBuilder& elements() const noexcept { return *elements_; }

  /// One array as one list.
  Status AppendList(const Array& elements);
  /// One array as n lists that share one copy. n = 0 stores nothing.
  Status AppendRepeatedList(const Array& elements, int64_t n);
  /// Views over `elements`, checked: as many offsets as sizes, each within the elements (null rows
  /// too).
  /// \param validity  as many bits as views; absent: all valid.
  Status AppendViews(const Array& elements, std::span<const Offset> offsets,
                     std::span<const Offset> sizes, BitSpan validity = {});
  /// Opens a list: what is appended to `elements()` until `EndList` is its content.
  void BeginList() noexcept;
  /// Closes it. \return kFailedPrecondition without an open list or after elements were written
  /// outside of one; kOutOfRange; kInvalidArgument for nulls in non-nullable elements. The list
  /// then stays open.
  Status EndList();

 protected:
  using RowRange = internal::RowRange;
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
  struct Brought;  // What an append brings; in the source, like the rest of the workings.
  struct Sparse;

  Status StageViews(const Array& source, RowRange range, int64_t repeats, bool keep);
  Status StageScattered(const Array& source, std::span<const RowRange> ranges);
  Status StageRows(const Array& source, RowRange range, int64_t repeats, bool keep,
                   const Brought& brought, const internal::Placement& placement);
  Status PlaceSparse(Sparse* views);
  Status WriteBlocks(const Sparse& views);
  Status StageKeptRows(const Array& source, RowRange range, const Brought& brought,
                       const internal::Placement& placement);
  void WriteRows(const Array& source, RowRange range, const Brought& brought,
                 const internal::Placement& placement, Offset* offsets,
                 Offset* sizes) const noexcept;
  StatusOr<internal::Placement> Place(const Brought& brought, bool clears_flag, bool keep);
  StatusOr<internal::Placement> PlaceCopied(const Brought& brought);
  StatusOr<internal::Placement> PlaceKept(const Brought& brought, bool clears_flag);
  int64_t FindWindow(const Brought& brought, bool clears_flag) const noexcept;
  Status WidenWindow(int64_t window, int64_t begin, int64_t end);
  /// Whether the elements end with the window.
  bool IsLast(const internal::ElementsWindow& window) const noexcept;
  /// Whether the rows end with the kept chunk.
  bool EndsWith(int64_t chunk) const noexcept;
  internal::Placement EndPlacement() const noexcept;
  Status CheckFits(int64_t additional_elements) const;
  Status StageSegment(const internal::ViewAnchor& anchor);
  Status ReserveViews(int64_t rows);
  /// n views of one place and size.
  Status StageSame(const internal::Placement& placement, int64_t size, int64_t n);
  void RememberElements() noexcept;
  /// Undoes what widened windows and kept views since the log had `size` entries.
  void UndoViews(int64_t size) noexcept;

  /// Sums of the lengths of the elements' kept chunks before each; none where there is no chunk.
  Status SumChunks(internal::StagedVector<int64_t>* sums) const;
  int64_t ShiftOf(const internal::ViewAnchor& anchor,
                  const internal::StagedVector<int64_t>& sums) const noexcept;
  struct Built;
  Status BuildPassedThrough(const internal::StagedVector<int64_t>& sums, Built* built);
  Status BuildTail(const internal::StagedVector<int64_t>& sums, Built* built);
  Status BuildJoined(const internal::StagedVector<int64_t>& sums, Built* built);
  void WriteTailOffsets(const internal::StagedVector<int64_t>& sums, int64_t begin, int64_t end,
                        int64_t* segment, Offset* out) const noexcept;

  std::unique_ptr<ArrayBuilder> elements_;
  BufferBuilder offsets_;  ///< Of the tail rows, each counted from its segment's anchor.
  BufferBuilder sizes_;
  /// Of the tail rows; those before the first segment count from anchor {-1, 0}.
  internal::StagedVector<internal::ViewSegment> segments_;
  internal::WindowList windows_;
  internal::StagedVector<internal::KeptViews> kept_views_;
  internal::StagedVector<internal::ViewsUndo> undo_;
  internal::OpenList open_;
  /// Kept chunks and copied rows that the elements had at the last commit.
  int64_t elements_chunks_ = 0;
  int64_t elements_tail_ = 0;
  bool flag_ = true;  ///< zero_copy_to_list with what is staged.
  bool committed_flag_ = true;
};

using ListViewBuilder = BasicListViewBuilder<int32_t>;
using LargeListViewBuilder = BasicListViewBuilder<int64_t>;
extern template class BasicListViewBuilder<int32_t>;
extern template class BasicListViewBuilder<int64_t>;

}  // namespace sheaf
