#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "sheaf/array/array.h"
#include "sheaf/array/row_range.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/builder/builder_mark.h"
#include "sheaf/builder/builder_options.h"
#include "sheaf/memory/buffer_builder.h"
#include "sheaf/memory/sparse_positions.h"
#include "sheaf/memory/staged_vector.h"
#include "sheaf/memory/validity_builder.h"
#include "sheaf/type/data_type.h"

namespace sheaf::inline v1 {

class ChunkedArray;

namespace internal {

class PieceCursor;
class PieceList;
class RetainedSet;
struct PieceBits;

/// An array that a builder keeps by reference until `Finish`, between its own copied rows (the
/// *tail*).
struct KeptChunk {
  Array window;             ///< The rows kept. A handle: the source stays alive.
  int64_t tail_before = 0;  ///< Rows of the tail that come before it.
  int64_t null_count = 0;
};

/// Rows of which few differ: `at.count` blocks of fill.length() rows each. A block is the next one
/// of `patches` where `at` says so, and `fill` everywhere else.
struct SparseFill {
  Array fill;
  Array patches;
  SparsePositions at;

  /// Rows of a block: 1, but for the elements of fixed-size lists.
  int64_t block() const noexcept { return fill.length(); }
  /// Whether the fill is one null, and what lies under it is nobody's.
  bool null_fill() const noexcept { return fill.length() == 1 && fill.IsNull(0); }
};

/// Rows of a builder that are stored together: kept chunk number `chunk`, or (-1) tail rows from
/// `first` on.
struct OwnRun {
  int64_t chunk = -1;
  int64_t first = 0;
  int64_t length = 0;
};

/// What arrays to come will add to a builder's own buffers where they are copied.
struct Needs {
  int64_t rows = 0;
  int64_t data_bytes = 0;  ///< Of values of variable size.
  int64_t reach = 0;       ///< What offsets will grow by: bytes or elements, copied or kept.
  int64_t chunks = 0;
  bool nulls = false;
};

/// What a kept chunk was before it was widened.
struct WidenedChunk {
  int64_t index = 0;
  RowRange before;
  int64_t null_count_before = 0;
};

}  // namespace internal

/// Builds an array by appending values, whole arrays, slices and repeats. One builder a layout; the
/// names are the same on all of them.
///
/// **A failed append changes nothing.** The outermost call *stages* the append over the whole tree
/// of builders — it may fail, reserves, and writes only beyond the marks — and then commits or
/// discards it, which cannot fail. **Long arrays are kept by reference**
/// (BuilderOptions::min_chunk_bytes) and copied once, at `Finish`; a single one is handed through.
/// **Validity** is a count until a null comes.
///
/// Errors of every append: kInvalidArgument for types that do not match (`CanAppend`), rows out of
/// range, a null in a non-nullable child, broken foreign data; kOutOfRange where offsets would
/// outgrow their width; kResourceExhausted from the pool or the byte limit; kFailedPrecondition
/// while a list is open.
///
/// Not thread-safe; different builders may be used by different threads.
class SHEAF_EXPORT ArrayBuilder {
 public:
  ArrayBuilder(const ArrayBuilder&) = delete;
  ArrayBuilder& operator=(const ArrayBuilder&) = delete;
  virtual ~ArrayBuilder();

  const DataType& type() const noexcept { return type_; }
  const BuilderOptions& options() const noexcept { return options_; }
  int64_t length() const noexcept { return full_.rows + kept_.committed_rows + tail_.length(); }
  int64_t null_count() const noexcept {
    return full_.nulls + kept_.committed_nulls + tail_.null_count();
  }

  /// Bytes of the buffers that `Finish` would give, padding apart; elements that views share count
  /// once.
  int64_t bytes_used() const noexcept { return full_.bytes + BytesUsed(); }
  /// Bytes of all allocations that the builder keeps alive, each once: what its own buffers and its
  /// children's have room for, and every allocation of the arrays kept by reference, however little
  /// of it is used; those of a list-view builder's sources too. As for `RetainedBytes`, borrowed
  /// memory, array nodes and bookkeeping are not counted.
  int64_t bytes_retained() const;
  /// Appends that would take `bytes_used` past the limit are kResourceExhausted.
  void set_byte_limit(int64_t limit_bytes) noexcept { byte_limit_ = limit_bytes; }
  int64_t byte_limit() const noexcept { return byte_limit_; }
  /// Arrays kept by reference at this builder (not at its children).
  int64_t chunk_count() const noexcept;

  /// Room for `rows` more rows of this builder's own buffers (and of children with a fixed share of
  /// each row), for `Unsafe…` appends until the next `Finish`, `Snapshot` or `RollBack`.
  Status Reserve(int64_t rows);

  /// Room for appending exactly these arrays, whole and one after the other: here and in all
  /// children, for what would be copied (arrays and elements kept by reference need none, elements
  /// that views reach are counted once an array). No value is read but offsets. Until something
  /// else is appended, appends of those arrays then allocate only where they keep by reference,
  /// convert from another layout or bring dictionaries, and while they plan what ListViewPolicy
  /// kCheapest or kExact bring.
  /// \return kInvalidArgument for a type that cannot be appended; kOutOfRange where a chunk cannot
  /// hold them (with OnOverflow::kNewChunk: OK, and nothing is reserved); kResourceExhausted.
  Status ReserveFor(std::span<const Array> arrays);
  Status ReserveFor(const Array& array) { return ReserveFor({&array, 1}); }
  Status ReserveFor(const ChunkedArray& chunks);

  Status AppendNull() { return AppendNulls(1); }
  /// n null rows.
  Status AppendNulls(int64_t n);
  Status AppendEmptyValue() { return AppendEmptyValues(1); }
  /// n valid rows of zeros, empty strings, empty lists; of nulls for the null type.
  Status AppendEmptyValues(int64_t n);

  /// All rows of `array`.
  Status AppendArray(const Array& array) { return AppendArray(array, 0, array.length()); }
  /// Rows [offset, offset + length) of `array`.
  Status AppendArray(const Array& array, int64_t offset, int64_t length);
  /// Rows of several ranges of `array`, one range after the other, in one call: what they share is
  /// brought once.
  Status AppendRanges(const Array& array, std::span<const internal::RowRange> ranges);
  /// All chunks, or none.
  Status AppendChunked(const ChunkedArray& chunks);
  /// Row `row` of `array` n times. A list-view stores its elements once; n = 0 stores nothing.
  Status AppendRepeated(const Array& array, int64_t row, int64_t n);
  /// `length` rows of a sparse column: where the column's rows start at `base`, row positions[j] is
  /// row j of `patches`, and every other row the one row of `fill` (compute/fill.h has the same for
  /// positions of any integer type). A list-view stores the elements of the fill once.
  /// \param positions  strictly ascending, each in [base, base + length).
  Status AppendSparse(const Array& fill, std::span<const int64_t> positions, const Array& patches,
                      int64_t base, int64_t length);

  /// What the builder holds now, to roll back to: a row that spans several builders is given up
  /// whole. May be taken while a list or a row is open. \return kResourceExhausted.
  StatusOr<BuilderMark> Mark();
  /// Forgets everything that came after the mark, here and in all children: rows, null counts,
  /// elements, the flag of list-views, how far windows had widened, sources brought; opens or
  /// closes lists and rows as they were. Marks made later are given up. Allocates nothing.
  /// \return kFailedPrecondition for a mark of another builder, or one that was given up.
  Status RollBack(const BuilderMark& mark);

  /// Everything appended, as one array; the builder is empty again. If it fails the builder is as
  /// it was. \return kFailedPrecondition while a list is open, or where there is more than one
  /// chunk (OnOverflow::kNewChunk).
  StatusOr<Array> Finish();
  /// Everything appended as arrays that read, one after the other, as what `Finish` would give, and
  /// share what was kept by reference instead of copying it. The builder is empty again; without a
  /// row there is no chunk. If it fails the builder is as it was.
  ///
  /// There is a border wherever kept data begins or ends. Lists and fixed-size lists have one too
  /// at the row where their elements' do, structs where any of their fields does; a row whose own
  /// elements lie in several chunks is an array of its own, its elements joined by a copy. Also
  /// copied, where sharing cannot say the same: a bitmap that begins inside a byte, and offsets of
  /// rows whose elements are kept elsewhere than they count from.
  StatusOr<ChunkedArray> FinishChunked();
  /// What `Finish` would give now, while the builder goes on as before: later appends, failed ones
  /// too, never change it, and other threads may read it meanwhile. Values and bitmaps are shared
  /// with the builder (which copies a bitmap once it goes on in its last byte), kept arrays joined
  /// as at `Finish`. Errors as for `Finish`.
  StatusOr<Array> Snapshot();
  /// Forgets everything appended.
  void Reset() noexcept;

 protected:
  using RowRange = internal::RowRange;

  ArrayBuilder(DataType type, const BuilderOptions& options);
  ArrayBuilder(ArrayBuilder&&) noexcept = default;
  ArrayBuilder& operator=(ArrayBuilder&&) noexcept = default;

  /// The hooks of one layout. `Stage…` may be called several times before one Commit or Discard;
  /// sources are verified, of a type that can be appended, and ranges lie within `source` (relative
  /// to its window).
  virtual Status StageRanges(const Array& source, std::span<const RowRange> ranges) = 0;
  virtual Status StageRepeated(const Array& source, RowRange range, int64_t n) = 0;
  /// By runs of fills and patches, where a layout has nothing better.
  virtual Status StageSparse(const internal::SparseFill& sparse);
  virtual Status StageNulls(int64_t n) = 0;
  virtual Status StageEmpty(int64_t n) = 0;
  /// n valid slots that take least, for what lies under a null parent.
  virtual Status StagePlaceholders(int64_t n) { return StageEmpty(n); }
  /// Keeps a range by reference, here and in all children, as chunk number `chunk_count` before the
  /// call; the source has exactly this builder's type.
  virtual Status StageKept(const Array& source, RowRange range);
  /// Widens kept chunk `chunk` to `range`, given in slots of the source's node.
  virtual Status StageWidened(int64_t chunk, RowRange range);
  virtual Status ReserveRows(int64_t rows) = 0;
  /// FailedPrecondition where a whole-array append may not come now.
  virtual Status CheckReady() const { return OkStatus(); }
  virtual void Commit() noexcept;
  virtual void Discard() noexcept;
  /// Takes down what is committed, and goes back to it: always the same numbers, in one order.
  virtual void SaveMark(internal::MarkWriter& mark) const noexcept;
  virtual void RestoreMark(internal::MarkReader& mark) noexcept;
  /// The type of what `Build` gives: the builder's own, or one with wider dictionary indices.
  virtual DataType BuiltType() const { return type_; }
  /// The committed rows as an array; changes nothing, so that it may fail and be tried again.
  /// For a snapshot, nothing that later appends write may be read through it.
  virtual StatusOr<Array> Build(Sharing sharing) = 0;
  /// The same as pieces (`FinishChunked`). Here: the one array of `Build`.
  virtual Status BuildPieces(internal::PieceList* pieces);
  /// The committed rows of the tail as one array, over this builder's memory.
  virtual StatusOr<Array> BuildTail(Sharing sharing);
  virtual void Clear() noexcept;
  virtual int64_t BytesUsed() const noexcept = 0;
  /// Adds what this builder's buffers and children keep alive to that of the kept chunks.
  virtual void AddRetained(internal::RetainedSet* retained) const;
  /// Counts what StageRanges of these rows would copy into needs_, here and in the children.
  virtual Status AddNeeds(const Array& source, std::span<const RowRange> ranges);
  /// Counts n rows of placeholders.
  virtual Status AddEmptyNeeds(int64_t n);
  /// Reserves what was counted, here and in the children, and forgets the counts.
  virtual Status ReserveNeeds();
  virtual void ForgetNeeds() noexcept { needs_ = {}; }
  /// An empty builder of the same class, type and options, children included; null for a layout
  /// that has nothing to outgrow, and is never cut.
  virtual std::unique_ptr<ArrayBuilder> NewEmpty() const { return nullptr; }
  /// Swaps everything appended with a builder that NewEmpty made. The children stay where they are,
  /// as users refer to them, and swap theirs.
  virtual void SwapRows(ArrayBuilder&) noexcept {}
  /// Appends and commits a range of at least one row where that takes no memory, is a copy of few
  /// bytes, and cannot fail; the caller knows that there is no byte limit. False: nothing was done.
  virtual bool AppendShort(const Array& /*source*/, RowRange /*range*/) noexcept { return false; }

  // What all layouts share.
  /// Committed rows of the chunk being built: those that the children have rows for.
  int64_t rows_of_chunk() const noexcept { return kept_.committed_rows + tail_.length(); }
  int64_t staged_length() const noexcept { return kept_.staged_rows + tail_.staged_length(); }
  int64_t staged_null_count() const noexcept {
    return kept_.staged_nulls + tail_.staged_null_count();
  }
  /// Bytes of the validity bitmap that Finish would give.
  int64_t ValidityBytes() const noexcept;
  /// Whether one range of `source`, which gives this builder `own_bytes`, is kept by reference.
  bool ShouldKeep(const Array& source, int64_t own_bytes) const noexcept;
  /// Counts a chunk to be kept, where StageRanges would keep these rows.
  bool CountKept(const Array& source, std::span<const RowRange> ranges, int64_t own_bytes) noexcept;
  /// Stages the validity of the ranges into the tail.
  Status StageValidity(const Array& source, std::span<const RowRange> ranges);
  Status StageSparseValidity(const internal::SparseFill& sparse);
  /// Rows of all blocks. \return kOutOfRange where they exceed 64 bits.
  StatusOr<int64_t> RowsOf(const internal::SparseFill& sparse) const;
  // Sources of any type that can be appended: the hooks of builders that hold values themselves get
  // dictionaries and run-ends decoded (lib/builder/decode.cc).
  Status StageSource(const Array& source, std::span<const RowRange> ranges) {
    return Decodes(source) ? StageDecoded(source, ranges) : StageRanges(source, ranges);
  }
  Status StageSourceRepeated(const Array& source, RowRange range, int64_t n) {
    return Decodes(source) ? StageDecodedRepeated(source, range, n)
                           : StageRepeated(source, range, n);
  }
  Status StageSourceSparse(const internal::SparseFill& sparse);
  Status AddSourceNeeds(const Array& source, std::span<const RowRange> ranges) {
    return Decodes(source) ? AddDecodedNeeds(source, ranges) : AddNeeds(source, ranges);
  }
  /// Whether the source holds values of this builder's type behind indices or run ends.
  bool Decodes(const Array& source) const noexcept {
    const LayoutId id = source.layout().id;
    return (id == LayoutId::kDictionary || id == LayoutId::kRunEndEncoded) && DecodesLayout(id);
  }
  bool DecodesLayout(LayoutId id) const noexcept;
  Status StageDecoded(const Array& source, std::span<const RowRange> ranges);
  Status StageDecodedRepeated(const Array& source, RowRange range, int64_t n);
  Status StageDecodedRuns(const Array& source, std::span<const RowRange> ranges);
  Status StageDecodedRun(const Array& source, RowRange range, int64_t n);
  Status StageValueRepeated(const Array& values, int64_t row, int64_t n);
  Status AddDecodedNeeds(const Array& source, std::span<const RowRange> ranges);
  /// An array that `Decodes`, as rows of this builder's layout; views over a dictionary's own
  /// elements where it builds list-views.
  StatusOr<Array> DecodedRows(const Array& array) const;
  bool DecodesToViews(const Array& source) const noexcept;
  /// The array as this builder's own type: itself, or rows that went through a builder of it.
  StatusOr<Array> AsOwnType(const Array& array) const;
  /// kOutOfRange where `n` more rows do not fit 64 bits, kInvalidArgument where n is negative.
  Status CheckRows(int64_t n) const;
  /// kInvalidArgument unless there is no bitmap, or one of a bit for each of n values.
  Status CheckValidityBits(BitSpan validity, int64_t n, const char* values = "values") const;
  /// A refusal of the pool with the builder's type in front; any other status as it is.
  Status AtBuilder(const Status& status) const;
  /// kResourceExhausted where what is staged, and so many bytes more, exceed the byte limit.
  Status CheckLimit(int64_t additional_bytes) const;
  /// The same for the least that n more rows take, so that a huge repeat is refused before it is
  /// written.
  Status CheckLimitOfRows(int64_t n) const;
  /// Type, readiness, structure of a source, and that the range lies within it.
  Status CheckSource(const Array& source, int64_t offset, int64_t length);
  /// Whether it finds all well, readiness apart; may say no where it would.
  bool IsChecked(const Array& source, int64_t offset, int64_t length) const noexcept;
  /// The single chunk that is the whole content, or null.
  const internal::KeptChunk* OnlyChunk() const noexcept;
  /// The validity of all committed rows as one buffer, absent without nulls.
  StatusOr<Buffer> BuildValidity(Sharing sharing);
  /// The validity of the tail; a window to write in place is closed, as what is shared has its
  /// padding there.
  StatusOr<Buffer> TailValidity(Sharing sharing);
  /// BuildPieces of a layout without children: slices of BuildTail, and the kept chunks.
  Status BuildFlatPieces(internal::PieceList* pieces);
  /// The offsets of all committed rows, from 0 on (lib/builder/build_offsets.h). `tail_offsets` are
  /// those of the tail: a leading 0 once there are rows, then the end of each.
  template <typename Offset>
  StatusOr<Buffer> BuildOffsets(BufferBuilder& tail_offsets, Sharing sharing);
  /// Calls tail(begin, end) and chunk(index) in the order of the rows.
  template <typename Tail, typename Chunk>
  void VisitPieces(Tail&& tail, Chunk&& chunk) const {
    int64_t done = 0;
    for (int64_t i = 0; i < chunks_.committed_size(); ++i) {
      const int64_t before = chunks_[i].tail_before;
      if (before > done) tail(done, before);
      done = before;
      chunk(i);
    }
    if (tail_.length() > done) tail(done, tail_.length());
  }
  /// Calls visit(OwnRun) in the order of the rows, until one fails.
  template <typename Function>
  Status VisitRuns(Function&& visit) const {
    Status status;
    VisitPieces(
        [&](int64_t begin, int64_t end) {
          if (status.ok()) status = visit(internal::OwnRun{-1, begin, end - begin});
        },
        [&](int64_t index) {
          const Array& window = chunks_[index].window;
          if (status.ok())
            status = visit(internal::OwnRun{index, window.offset(), window.length()});
        });
    return status;
  }
  MemoryPool* pool() const noexcept { return options_.pool; }
  bool unlimited() const noexcept { return byte_limit_ == std::numeric_limits<int64_t>::max(); }

  /// Whether a mark of this builder or of one above it is alive.
  bool IsMarked() const noexcept;
  void DropMarks() noexcept;
  /// Undoes what widened kept chunks since the log had `size` entries.
  void UndoWidened(int64_t size) noexcept;
  /// Ends an append's entries in a log of changes below the marks: only marks need them longer.
  template <typename T>
  void CommitLog(internal::StagedVector<T>& log) noexcept {
    if (log.empty()) [[likely]]
      return;
    if (IsMarked()) {
      log.Commit();
    } else {
      log.Clear();
    }
  }

  /// Whether one of the last n rows is null; there are as many.
  bool HasNullInLast(int64_t n) const noexcept;

  // Windows of rows that a caller writes in place (`AppendUninitialized`): they lie behind the
  // committed rows, and any other change of the builder closes them.
  /// kOutOfRange, kResourceExhausted, kInvalidArgument where a window of so many rows cannot be.
  Status CheckNewWindow(int64_t rows) const;
  void OpenWindow(int64_t rows) noexcept { window_ = {rows, tail_.length()}; }
  /// kFailedPrecondition without an open window, kInvalidArgument where the first `rows` of it, or
  /// as many bits, cannot be committed.
  Status CheckWindow(int64_t rows, BitSpan validity) const;
  /// Transact; if it fails the window stays open.
  template <typename Function>
  Status TransactWindow(Function&& stage);

  /// Runs `stage`, then commits or discards the whole tree.
  template <typename Function>
  Status Transact(Function&& stage);
  /// The same for an append of rows that can be told apart: `stage(first, n)` stages n of them from
  /// `first` on. Where they outgrow a chunk and the options say so, it begins new ones.
  template <typename Function>
  Status TransactRows(int64_t rows, Function&& stage);
  /// Makes the committed rows a full chunk of their own, and this builder empty.
  Status Cut();
  /// For builders that help this one with a part of an append.
  BuilderOptions helper_options() const noexcept {
    BuilderOptions options = options_;
    options.on_overflow = OnOverflow::kError;
    return options;
  }

  // Parents reach their children's hooks through these.
  static Status StageRangesOf(ArrayBuilder& child, const Array& source,
                              std::span<const RowRange> ranges) {
    return child.StageSource(source, ranges);
  }
  static Status StageRepeatedOf(ArrayBuilder& child, const Array& source, RowRange range,
                                int64_t n) {
    return child.StageSourceRepeated(source, range, n);
  }
  static Status StageSparseOf(ArrayBuilder& child, const internal::SparseFill& sparse) {
    return child.StageSourceSparse(sparse);
  }
  static Status StageNullsOf(ArrayBuilder& child, int64_t n) { return child.StageNulls(n); }
  static Status StageEmptyOf(ArrayBuilder& child, int64_t n) { return child.StageEmpty(n); }
  static Status StagePlaceholdersOf(ArrayBuilder& child, int64_t n) {
    return child.StagePlaceholders(n);
  }
  static Status StageKeptOf(ArrayBuilder& child, const Array& source, RowRange range) {
    return child.StageKept(source, range);
  }
  static Status StageWidenedOf(ArrayBuilder& child, int64_t chunk, RowRange range) {
    return child.StageWidened(chunk, range);
  }
  static Status ReserveRowsOf(ArrayBuilder& child, int64_t rows) { return child.ReserveRows(rows); }
  static Status CheckSourceOf(ArrayBuilder& child, const Array& source) {
    return child.CheckSource(source, 0, source.length());
  }
  static Status CheckReadyOf(const ArrayBuilder& child) {
    return child.nested_ ? child.CheckReady() : OkStatus();
  }
  static bool HasNullInLastOf(const ArrayBuilder& child, int64_t n) noexcept {
    return child.HasNullInLast(n);
  }
  static void CommitOf(ArrayBuilder& child) noexcept {
    DropMarksOf(child);
    child.Commit();
  }
  static void SaveMarkOf(const ArrayBuilder& child, internal::MarkWriter& mark) noexcept {
    child.SaveMark(mark);
  }
  static void RestoreMarkOf(ArrayBuilder& child, internal::MarkReader& mark) noexcept {
    DropMarksOf(child);
    child.RestoreMark(mark);
  }
  /// What the child has by now is this builder's: its own marks do not go back behind that.
  static void DropMarksOf(ArrayBuilder& child) noexcept {
    if (child.place_.newest_mark != nullptr) [[unlikely]]
      child.DropMarks();
  }
  /// Takes a child: what outgrows its width there is the root's to cut.
  void Adopt(ArrayBuilder& child) noexcept {
    child.place_.parent = this;
    child.options_.on_overflow = OnOverflow::kError;
  }
  static void DiscardOf(ArrayBuilder& child) noexcept { child.Discard(); }
  static DataType BuiltTypeOf(const ArrayBuilder& child) { return child.BuiltType(); }
  static StatusOr<Array> BuildOf(ArrayBuilder& child, Sharing sharing) {
    return child.Build(sharing);
  }
  static Status BuildPiecesOf(ArrayBuilder& child, internal::PieceList* pieces) {
    return child.BuildPieces(pieces);
  }
  static void AddRetainedOf(const ArrayBuilder& child, internal::RetainedSet* retained) {
    child.AddRetained(retained);
  }
  static Status AddNeedsOf(ArrayBuilder& child, const Array& source,
                           std::span<const RowRange> ranges) {
    return child.AddSourceNeeds(source, ranges);
  }
  static Status AddEmptyNeedsOf(ArrayBuilder& child, int64_t n) { return child.AddEmptyNeeds(n); }
  static Status ReserveNeedsOf(ArrayBuilder& child) { return child.ReserveNeeds(); }
  static void ForgetNeedsOf(ArrayBuilder& child) noexcept { child.ForgetNeeds(); }
  static std::unique_ptr<ArrayBuilder> NewEmptyOf(const ArrayBuilder& child) {
    return child.NewEmpty();
  }
  /// SwapRows of a class without children.
  template <typename Builder>
  static void SwapAll(Builder& a, Builder& b) noexcept {
    Builder held(std::move(a));
    a = std::move(b);
    b = std::move(held);
    // These are the root's, whatever it holds.
    std::swap(a.full_, b.full_);
    std::swap(a.byte_limit_, b.byte_limit_);
  }
  static void SwapRowsOf(ArrayBuilder& a, ArrayBuilder& b) noexcept { a.SwapRows(b); }
  static void ClearOf(ArrayBuilder& child) noexcept { child.Clear(); }
  static int64_t BytesUsedOf(const ArrayBuilder& child) noexcept { return child.BytesUsed(); }
  static bool AppendShortOf(ArrayBuilder& child, const Array& source, RowRange range) noexcept {
    return child.AppendShort(source, range);
  }
  static int64_t StagedLengthOf(const ArrayBuilder& child) noexcept {
    return child.staged_length();
  }
  static int64_t StagedTailOf(const ArrayBuilder& child) noexcept {
    return child.tail_.staged_length();
  }
  static const internal::StagedVector<internal::KeptChunk>& ChunksOf(
      const ArrayBuilder& child) noexcept {
    return child.chunks_;
  }

  struct KeptCounts {
    int64_t committed_rows = 0;
    int64_t committed_nulls = 0;
    int64_t staged_rows = 0;
    int64_t staged_nulls = 0;
  };

  struct RowWindow {
    int64_t rows = -1;        ///< None is open.
    int64_t tail_before = 0;  ///< Tail rows in front of it.
  };
  /// Chunks that are complete (OnOverflow::kNewChunk): each a builder of this one's class, with all
  /// that was appended to it. Those of an append that goes on are staged.
  struct FullChunks {
    explicit FullChunks(MemoryPool* pool) noexcept : builders(pool) {}
    internal::StagedVector<std::unique_ptr<ArrayBuilder>> builders;
    int64_t rows = 0;
    int64_t nulls = 0;
    int64_t bytes = 0;
  };

  DataType type_;
  BuilderOptions options_;
  ValidityBuilder tail_;  ///< Rows copied here: their validity, and how many there are.
  internal::StagedVector<internal::KeptChunk> chunks_;
  /// Of the append being staged, and since the oldest mark that is alive.
  internal::StagedVector<internal::WidenedChunk> widened_;
  KeptCounts kept_;
  RowWindow window_;
  internal::Needs needs_;  ///< While ReserveFor counts.
  FullChunks full_;
  int64_t byte_limit_ = std::numeric_limits<int64_t>::max();
  /// The last source type found appendable, so that the common case is one comparison of pointers.
  DataType last_source_type_;

 private:
  friend class BuilderMark;
  internal::BuilderPlace place_;
  int64_t mark_words_ = 0;  ///< Numbers that a mark takes, once the first was made.
  bool nested_;             ///< Whether there are children, which may have lists or rows open.
  /// `stage(context, first, n)` of an append of rows.
  struct RowStager {
    void* context;
    Status (*stage)(void* context, int64_t first, int64_t n);
    Status operator()(int64_t first, int64_t n) const { return stage(context, first, n); }
  };
  Status TransactInChunks(int64_t rows, RowStager stage);
  Status StageInChunks(int64_t rows, RowStager stage);
  StatusOr<int64_t> StageMostRows(int64_t first, int64_t rows, RowStager stage);
  void UndoCuts() noexcept;
  /// Gives up full chunks from number `size` on, and goes on with the rows of that one.
  void UncutTo(int64_t size) noexcept;
  StatusOr<Array> BuildOne(Sharing sharing);
  Status BuildAllPieces(internal::PieceList* pieces);
};

}  // namespace sheaf
