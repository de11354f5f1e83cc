#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sheaf/builder/array_builder.h"
#include "sheaf/memory/bit_span.h"

namespace sheaf::inline v1 {

namespace internal {

/// Elements of a source kept by reference as chunk `chunk` of the elements builder.
struct ElementsWindow {
  Array source;        ///< The elements; the window is [begin, end) in slots of its node.
  int64_t begin = 0;
  int64_t end = 0;
  int64_t origin = 0;  ///< Where `begin` was when the window was made: tail offsets count from there.
  int64_t chunk = 0;
};

struct WidenedWindow {
  int64_t index = 0;
  int64_t begin = 0;
  int64_t end = 0;
};

/// Tail rows from `first_row` on whose offsets count from one place of the elements: the origin of a window, or
/// the tail of the elements (window -1) of which `chunks_before` kept chunks lie in front.
struct ViewSegment {
  int64_t first_row = 0;
  int64_t window = -1;
  int64_t chunks_before = 0;
};

/// What goes with a kept chunk of views: where its elements are and to which bounds its empty views move.
struct KeptViews {
  int64_t window = -1;  ///< -1: no view has an element.
  int64_t begin = 0;    ///< Bounds in slots of the elements' node.
  int64_t end = 0;
  int64_t shift = 0;    ///< Slot in the elements' node of the source's element 0.
  ViewSegment end_anchor;  ///< Where its empty views go if it brings no element.
  int64_t end_offset = 0;
};

}  // namespace internal

/// Builds list-view arrays (32-bit or, large, 64-bit offsets and sizes). Appended views are kept as they are —
/// overlaps, order, gaps between — and only elements before the first and after the last referenced one stay
/// behind. Takes every list-like array of matching elements.
///
///   ListViewBuilder: AppendArray([[1 2] [2 3]] over 9 1 2 3 9), twice
///   elements 1 2 3 1 2 3   offsets 0 1 3 4   sizes 2 2 2 2
///
/// Long element arrays are kept by reference, and windows of one source are brought once (definitions.md,
/// "Sharing windows of one source").
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
  /// Views over `elements`, checked: as many offsets as sizes, each within the elements (null rows too).
  /// \param validity  as many bits as views; absent: all valid.
  Status AppendViews(const Array& elements, std::span<const Offset> offsets, std::span<const Offset> sizes,
                     BitSpan validity = {});
  /// Opens a list: what is appended to `elements()` until `EndList` is its content.
  void BeginList() noexcept;
  /// Closes it. \return kFailedPrecondition without an open list or after elements were written outside of one;
  /// kOutOfRange; kInvalidArgument for nulls in non-nullable elements. The list then stays open.
  Status EndList();

 protected:
  using RowRange = internal::RowRange;
  Status StageRanges(const Array& source, std::span<const RowRange> ranges) override;
  Status StageRepeated(const Array& source, RowRange range, int64_t n) override;
  Status StageNulls(int64_t n) override;
  Status StageEmpty(int64_t n) override;
  Status StageKept(const Array& source, RowRange range) override;
  Status StageWidened(int64_t chunk, RowRange range) override;
  Status ReserveRows(int64_t rows) override;
  Status CheckReady() const override;
  void Commit() noexcept override;
  void Discard() noexcept override;
  StatusOr<Array> Build() override;
  void Clear() noexcept override;
  int64_t BytesUsed() const noexcept override;

 private:
  struct Views;     // What an append brings: see the source.
  struct Placement; // Where its elements went.

  Status StageViews(const Array& source, RowRange range, int64_t repeats, bool keep);
  StatusOr<Placement> PlaceElements(const Array& elements, int64_t begin, int64_t end, bool clears_flag,
                                    bool keep);
  StatusOr<int64_t> FindWindow(const Array& elements, int64_t begin, int64_t end, bool clears_flag) const;
  Status WidenWindow(int64_t window, int64_t begin, int64_t end);
  Status CheckFits(int64_t additional_elements) const;
  Placement EndPlacement() const noexcept;
  Status StageSegment(const Placement& placement);
  Status StageFlat(int64_t n);
  StatusOr<Array> BuildPassThrough(const Array& elements);
  Status BuildViews(const Array& elements, Buffer* offsets, Buffer* sizes);

  std::unique_ptr<ArrayBuilder> elements_;
  BufferBuilder offsets_;  ///< Of the tail rows, each counted from its segment's place.
  BufferBuilder sizes_;
  internal::StagedVector<internal::ViewSegment> segments_;
  internal::StagedVector<internal::ElementsWindow> windows_;
  internal::StagedVector<internal::WidenedWindow> widened_windows_;
  internal::StagedVector<internal::KeptViews> kept_views_;
  int64_t elements_length_ = 0;  ///< Length the elements had at the last commit.
  int64_t open_nulls_ = 0;       ///< Nulls among the elements when the list was opened.
  bool open_ = false;
  bool flag_ = true;             ///< zero_copy_to_list with what is staged.
  bool committed_flag_ = true;
};

using ListViewBuilder = BasicListViewBuilder<int32_t>;
using LargeListViewBuilder = BasicListViewBuilder<int64_t>;
extern template class BasicListViewBuilder<int32_t>;
extern template class BasicListViewBuilder<int64_t>;

}  // namespace sheaf
