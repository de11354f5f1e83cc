#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "sheaf/builder/list_like_builder.h"
#include "sheaf/builder/source.h"
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
class SHEAF_EXPORT BasicListViewBuilder : public ListLikeBuilder {
 public:
  /// \param elements  a builder for the type's elements.
  BasicListViewBuilder(const DataType& type, std::unique_ptr<ArrayBuilder> elements,
                       const BuilderOptions& options = {});
  static Status CheckBuilds(const DataType& type);

  /// Whether the offsets and sizes `Finish` would give now are also those of a plain list; of
  /// several chunks (OnOverflow::kNewChunk), whether those of all are.
  bool zero_copy_to_list() const noexcept;

  /// Views over `elements`, checked: as many offsets as sizes, each within the elements (null rows
  /// too).
  /// \param validity  as many bits as views; absent: all valid.
  Status AppendViews(const Array& elements, std::span<const Offset> offsets,
                     std::span<const Offset> sizes, BitSpan validity = {});
  /// Views over the elements that are stored already, counted as `elements().length()` does;
  /// checked as those of `AppendViews` are. A view that is not empty clears `zero_copy_to_list`.
  /// Windows that are kept by now widen no more. After a cut (OnOverflow::kNewChunk) only the
  /// elements of the chunk being built are there to be viewed.
  Status AppendViewsOfStored(std::span<const Offset> offsets, std::span<const Offset> sizes,
                             BitSpan validity = {});

  /// Prepares `array`, list-like and of matching elements, to be referred to by row: whatever the
  /// order and number of calls, the elements that its rows use are brought once, at the first row
  /// that refers to them, and however few they are.
  ///
  ///   fill = AddSource([[7 8]]), other = AddSource([[1] [2]])
  ///   AppendRepeated(fill, 0, 2), AppendViews(other, 1, 1), AppendRepeated(fill, 0, 1)
  ///   elements 7 8 1 2   offsets 0 0 3 0   sizes 2 2 1 2
  ///
  /// The builder holds on to the array (`bytes_retained`), and brings it again in each chunk whose
  /// rows refer to it (OnOverflow::kNewChunk). The handle is good until `Finish` or `Reset`; used
  /// later, or with another builder, it is kFailedPrecondition. Costs a pass over the rows where
  /// their statistics are not known, and converted views where they are not of this builder's form.
  /// \return as an append of all of `array`: kInvalidArgument, kOutOfRange, kResourceExhausted.
  StatusOr<SourceHandle> AddSource(const Array& array);
  /// Rows [row, row + n) of a source, null ones with the views they have.
  Status AppendViews(SourceHandle source, int64_t row, int64_t n) {
    if (n <= kInlineRows && IsWarm(source, row, n, n)) [[likely]] {
      UnsafeAppendViews(source, row, n);
      return OkStatus();
    }
    return AppendFromSource(source, {row, n}, 1, /*repeated=*/false);
  }
  /// Row `row` of a source n times.
  Status AppendRepeated(SourceHandle source, int64_t row, int64_t n) {
    if (IsWarm(source, row, 1, n) && sources_.Find(source)->validity[row]) [[likely]] {
      UnsafeAppendRepeated(source, row, n);
      return OkStatus();
    }
    return AppendFromSource(source, {row, 1}, n, /*repeated=*/true);
  }
  using ArrayBuilder::AppendRepeated;
  /// The same without a check: the rows exist, a checked append has brought the source, and
  /// `Reserve` made room since the last append that was neither of this kind nor of single rows. No
  /// row may be null unless it is for `AppendViews` and the builder had a null before `Reserve`.
  void UnsafeAppendViews(SourceHandle source, int64_t row, int64_t n) noexcept {
    const internal::ViewSource<Offset>& views = *sources_.Find(source);
    const Rows rows = UnsafePushRows(views, n);
    if (tail_.has_bitmap() && !views.validity.absent()) {
      tail_.UnsafePushBits(views.validity.Slice(row, n));
    } else {
      tail_.UnsafePushValid(n);
    }
    if (n > kInlineRows) return CopyViews(views, row, n, rows);
    for (int64_t i = 0; i < n; ++i) {
      rows.offsets[i] = static_cast<Offset>(views.offsets[row + i] + views.shift);
      rows.sizes[i] = views.sizes[row + i];
    }
  }
  void UnsafeAppendRepeated(SourceHandle source, int64_t row, int64_t n) noexcept {
    const internal::ViewSource<Offset>& views = *sources_.Find(source);
    const Rows rows = UnsafePushRows(views, n);
    tail_.UnsafePushValid(n);
    FillVectors(static_cast<Offset>(views.offsets[row] + views.shift), n, rows.offsets);
    FillVectors(views.sizes[row], n, rows.sizes);
  }

  /// Closes the list that `BeginList` opened; where it outgrows a chunk (OnOverflow::kNewChunk), it
  /// is the first of the next one. \return kFailedPrecondition without an open list or after
  /// elements were written outside of one; kOutOfRange; kInvalidArgument for nulls in non-nullable
  /// elements. The list then stays open.
  Status EndList() {
    if (EndPlainList()) [[likely]]
      return OkStatus();
    return EndAnyList();
  }

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
  bool AppendShort(const Array& source, RowRange range) noexcept override;

 private:
  /// Up to so many rows, a loop in place costs less than a call.
  static constexpr int64_t kInlineRows = 32;

  struct Rows {
    Offset* offsets;
    Offset* sizes;
  };
  const internal::ViewAnchor& current_anchor() const noexcept {
    static constexpr internal::ViewAnchor kFirst;
    return segments_.empty() ? kFirst : segments_.back().anchor;
  }
  /// Whether `n` rows made from `rows` rows of a source can be stored without anything that may
  /// fail.
  bool IsWarm(SourceHandle source, int64_t row, int64_t rows, int64_t n) noexcept {
    const internal::ViewSource<Offset>* views = sources_.Find(source);
    return views != nullptr && views->brought && row >= 0 && rows >= 0 &&
           row <= views->length() - rows && !committed_flag_ && HasRoom(n) &&
           NeedsNoBitmap(*views, row, rows) && unlimited() && open_.Ready(elements_->length()) &&
           views->anchor == current_anchor() && CheckReadyOf(*elements_).ok();
  }
  /// Whether no bitmap has to be made for these rows.
  bool NeedsNoBitmap(const internal::ViewSource<Offset>& source, int64_t row,
                     int64_t rows) const noexcept {
    return tail_.has_bitmap() || source.validity.absent() || (rows == 1 && source.validity[row]);
  }
  bool HasRoom(int64_t rows) const noexcept {
    constexpr int64_t kMostRows = int64_t{1} << 58;  // Whose bytes an int64 counts.
    if (rows < 0 || rows > kMostRows) return false;
    const int64_t bytes = rows * static_cast<int64_t>(sizeof(Offset));
    return offsets_.HasRoom(bytes) && sizes_.HasRoom(bytes) && tail_.HasRoom(rows);
  }
  /// Closes a list where nothing is kept by reference, no null came, and no memory is taken: row by
  /// row, calls and statuses are most of the cost.
  bool EndPlainList() noexcept {
    const int64_t end = elements_->length();
    if (!open_.Ends(elements_->null_count()) || !segments_.empty() ||
        !ChunksOf(*elements_).empty() || end > std::numeric_limits<Offset>::max() || !HasRoom(1) ||
        !unlimited() || !CheckReadyOf(*elements_).ok()) [[unlikely]]
      return false;
    const int64_t size = end - open_.start();
    offsets_.UnsafePush(static_cast<Offset>(committed_end_.base));
    sizes_.UnsafePush(static_cast<Offset>(size));
    tail_.UnsafePushValid();
    DropMarksOf(*elements_);
    open_.EndAt(end);
    known_.AddList(size);
    committed_known_.max_size = known_.max_size;
    committed_end_.base = end;
    return true;
  }
  Status EndAnyList();
  /// Views of n rows of a source, staged and committed, for the caller to write.
  Rows UnsafePushRows(const internal::ViewSource<Offset>& source, int64_t n) noexcept {
    if (!(source.anchor == current_anchor())) [[unlikely]]
      UnsafePushSegment(source.anchor);
    const int64_t bytes = n * static_cast<int64_t>(sizeof(Offset));
    const Rows rows = {reinterpret_cast<Offset*>(offsets_.UnsafeStage(bytes)),
                       reinterpret_cast<Offset*>(sizes_.UnsafeStage(bytes))};
    offsets_.Commit();
    sizes_.Commit();
    flag_ = committed_flag_ = false;
    known_.known = committed_known_.known = false;
    return rows;
  }
  /// Whole vectors, the last one into the buffer's slack.
  static void FillVectors(Offset value, int64_t n, Offset* out) noexcept {
    constexpr int64_t kLanes = 64 / sizeof(Offset);
    static_assert(BufferBuilder::kSlackBytes >= 64);
    for (int64_t i = 0; i < n; i += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane) out[i + lane] = value;
    }
  }
  void UnsafePushSegment(const internal::ViewAnchor& anchor) noexcept;
  static void CopyViews(const internal::ViewSource<Offset>& source, int64_t row, int64_t n,
                        Rows rows) noexcept;

  using Keeping = internal::Keeping;
  struct Brought;  // What an append brings; in the source, like the rest of the workings.
  struct Reached;
  struct Sparse;

  static int64_t OwnBytes(const Array& source, int64_t rows) noexcept;
  Status PrepareViews(const Brought& brought, internal::ViewSource<Offset>* source);
  Status AppendFromSource(SourceHandle handle, RowRange rows, int64_t repeats, bool repeated);
  Status StageFromSource(internal::ViewSource<Offset>* source, RowRange rows, int64_t repeats);
  Status Bring(internal::ViewSource<Offset>* source, RowRange rows, int64_t repeats);

  Status StageViews(const Array& source, RowRange range, int64_t repeats, Keeping keeping);
  Status StageByPolicy(const Array& source, std::span<const RowRange> ranges);
  Status StageAsTheyAre(const Array& source, std::span<const RowRange> ranges);
  /// Makes the plan that the policy asks for and calls planned(reached, plan), or as_they_are()
  /// where the views come as they are.
  template <typename AsTheyAre, typename Planned>
  Status VisitPlan(const Array& source, std::span<const RowRange> ranges, AsTheyAre&& as_they_are,
                   Planned&& planned);
  template <typename Plan>
  Status StagePlanned(const Array& source, std::span<const RowRange> ranges, const Reached& reached,
                      const Plan& plan);
  void NoteWritten(const Offset* offsets, const Offset* sizes, int64_t rows, int64_t base,
                   int64_t num_elements) noexcept;
  Status AddNeedsByPolicy(const Array& source, std::span<const RowRange> ranges);
  Status AddNeedsAsTheyAre(const Array& source, std::span<const RowRange> ranges);
  Status AddElementNeeds(const Array& elements, std::span<const RowRange> ranges,
                         int64_t num_elements);
  int64_t BitsIfKept(const Array& source, std::span<const RowRange> ranges,
                     const Reached& reached) const noexcept;
  Status CheckViewCounts(std::span<const Offset> offsets, std::span<const Offset> sizes,
                         BitSpan validity) const;
  Status CheckStored(std::span<const Offset> offsets, std::span<const Offset> sizes) const;
  Status CheckStoredNullable(std::span<const Offset> offsets, std::span<const Offset> sizes,
                             BitSpan validity);
  void FixWindows() noexcept;
  Status StageScattered(const Array& source, std::span<const RowRange> ranges);
  Status StageRows(const Array& source, RowRange range, int64_t repeats, Keeping keeping,
                   const Brought& brought, const internal::Placement& placement);
  Status PlaceSparse(Sparse* views);
  Status WriteBlocks(const Sparse& views);
  Status StageKeptRows(const Array& source, RowRange range, const Brought& brought,
                       const internal::Placement& placement);
  void WriteRows(const Array& source, RowRange range, const Brought& brought,
                 const internal::Placement& placement, Offset* offsets,
                 Offset* sizes) const noexcept;
  struct Views;  // Rows as they are stored.
  Status AddViews(const Views& views, const internal::PieceList& elements,
                  internal::PieceList* pieces);
  Status AddPiece(const Views& views, const Array& elements, int64_t start,
                  internal::PieceList* pieces);
  Status AddJoined(const Views& views, const internal::PieceList& elements,
                   internal::PieceList* pieces);
  StatusOr<internal::Placement> Place(const Brought& brought, bool clears_flag, Keeping keeping);
  bool KeepsElements(const Brought& brought, Keeping keeping) const noexcept;
  StatusOr<internal::Placement> PlaceCopied(const Brought& brought);
  StatusOr<internal::Placement> PlaceKept(const Brought& brought, bool clears_flag, bool fixed);
  StatusOr<internal::Placement> PlaceJoined(int64_t window, const Brought& brought);
  int64_t FindWindow(const Brought& brought, bool clears_flag) const noexcept;
  Status WidenWindow(int64_t window, int64_t begin, int64_t end);
  /// Whether the elements end with the window.
  bool IsLast(const internal::ElementsWindow& window) const noexcept;
  /// Whether the rows end with the kept chunk.
  bool EndsWith(int64_t chunk) const noexcept;
  internal::Placement BehindAll() const noexcept;
  bool IsFixed(int64_t window) const noexcept;
  internal::Placement EndPlacement() const noexcept;
  Status CheckFits(int64_t additional_elements) const;
  Status StageSegment(const internal::ViewAnchor& anchor);
  Status ReserveViews(int64_t rows);
  /// n views of one size, each `step` behind the one before.
  Status StageSteps(const internal::Placement& placement, int64_t step, int64_t size, int64_t n);
  /// Undoes what widened windows and kept views since the log had `size` entries.
  void UndoViews(int64_t size) noexcept;

  /// Sums of the lengths of the elements' kept chunks before each; none where there is no chunk.
  Status SumChunks(internal::StagedVector<int64_t>* sums) const;
  int64_t ShiftOf(const internal::ViewAnchor& anchor,
                  const internal::StagedVector<int64_t>& sums) const noexcept;
  ViewStats KnownStats() const noexcept;
  struct Built;
  Status BuildPassedThrough(const internal::StagedVector<int64_t>& sums, Built* built);
  Status BuildTailRows(const internal::StagedVector<int64_t>& sums, Sharing sharing, Built* built);
  Status BuildJoined(const internal::StagedVector<int64_t>& sums, Built* built);
  void WriteTailOffsets(const internal::StagedVector<int64_t>& sums, int64_t begin, int64_t end,
                        int64_t* segment, Offset* out) const noexcept;

  BufferBuilder offsets_;  ///< Of the tail rows, each counted from its segment's anchor.
  BufferBuilder sizes_;
  /// Of the tail rows; those before the first segment count from anchor {-1, 0}.
  internal::StagedVector<internal::ViewSegment> segments_;
  internal::WindowList windows_;
  internal::StagedVector<internal::KeptViews> kept_views_;
  internal::StagedVector<internal::ViewsUndo> undo_;
  internal::ViewSources<Offset> sources_;
  internal::FixedRun fixed_run_;
  /// Behind all elements that there were at the last commit.
  internal::Placement committed_end_;
  internal::KnownViews known_;
  internal::KnownViews committed_known_;
  int64_t fixed_windows_ = 0;  ///< Windows before it widen no more.
  int64_t committed_fixed_windows_ = 0;
  bool keeps_elements_;  ///< Whether elements may be kept by reference.
  bool flag_ = true;     ///< zero_copy_to_list with what is staged.
  bool committed_flag_ = true;
};

using ListViewBuilder = BasicListViewBuilder<int32_t>;
using LargeListViewBuilder = BasicListViewBuilder<int64_t>;
extern template class BasicListViewBuilder<int32_t>;
extern template class BasicListViewBuilder<int64_t>;

}  // namespace sheaf
