#include "sheaf/builder/array_builder.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "builder/builder_core.h"
#include "kernels/fill.h"
#include "sheaf/array/chunked_array.h"
#include "sheaf/type/can_append.h"
#include "sheaf/type/field.h"

namespace sheaf::inline v1 {

using internal::InvalidArgument;
using internal::KeptChunk;
using internal::OutOfRange;
using internal::RowRange;

namespace {

/// Bits that every row of a type takes, whatever its value; as many as int64 holds where a nest of
/// fixed-size lists takes more.
int64_t RowBits(const DataType& type) noexcept {
  const Layout& layout = type.layout();
  int64_t bits = 0;
  for (int i = layout.has_validity ? 1 : 0; i < layout.num_buffers; ++i)
    bits += BufferBitWidth(type, i);
  int64_t of_fields = 0;
  const bool has_fields = layout.id == LayoutId::kStruct || layout.id == LayoutId::kFixedSizeList;
  bool overflows = false;
  for (int i = 0; has_fields && i < type.num_fields(); ++i)
    overflows |= AddOverflows(of_fields, RowBits(type.field(i).type()), &of_fields);
  if (layout.id == LayoutId::kFixedSizeList)
    overflows |= MultiplyOverflows(of_fields, type.list_size(), &of_fields);
  overflows |= AddOverflows(bits, of_fields, &bits);
  return overflows ? std::numeric_limits<int64_t>::max() : bits;
}

}  // namespace

ArrayBuilder::ArrayBuilder(DataType type, const BuilderOptions& options)
    : type_(std::move(type)),
      options_(options),
      tail_(options.pool),
      chunks_(options.pool),
      widened_(options.pool),
      full_(options.pool),
      last_source_type_(type_),
      nested_(type_.num_fields() > 0) {}

ArrayBuilder::~ArrayBuilder() { DropMarks(); }

Status ArrayBuilder::CheckRows(int64_t n) const {
  if (n < 0) return InvalidArgument(type_.ToString(), " builder: negative number of rows: ", n);
  int64_t rows = 0;
  if (AddOverflows(length(), n, &rows)) {
    return OutOfRange(type_.ToString(), " builder: ", length(), " + ", n, " rows exceed 64 bits");
  }
  return OkStatus();
}

Status ArrayBuilder::CheckValidityBits(BitSpan validity, int64_t n, const char* values) const {
  if (validity.absent() || validity.length == n) return OkStatus();
  return InvalidArgument(type_.ToString(), " builder: ", validity.length, " validity bits for ", n,
                         " ", values);
}

Status ArrayBuilder::CheckSource(const Array& source, int64_t offset, int64_t length) {
  // The type comes before emptiness: an empty array of another type is an error too.
  if (source.type().node() != last_source_type_.node()) {
    SHEAF_RETURN_IF_ERROR(CanAppend(type_, source.type()));
    last_source_type_ = source.type();
  }
  SHEAF_RETURN_IF_ERROR(CheckReady());
  if (offset < 0 || length < 0 || offset > source.length() - length) {
    return InvalidArgument(type_.ToString(), " builder: rows [", offset, ", ", offset, " + ",
                           length, ") of an array of ", source.length(), " rows");
  }
  if (length == source.length()) return source.Verify();
  return source.Slice(offset, length).Verify();
}

bool ArrayBuilder::IsChecked(const Array& source, int64_t offset, int64_t length) const noexcept {
  const internal::ArrayData& node = *source.data();
  return node.type.node() == last_source_type_.node() && offset >= 0 && length >= 0 &&
         offset <= source.length() - length && node.verified.load(std::memory_order_acquire) &&
         node.Covers(source.offset() + offset, length);
}

Status ArrayBuilder::CheckLimit(int64_t additional_bytes) const {
  if (unlimited()) [[likely]]
    return OkStatus();
  const int64_t used_bytes = full_.bytes + BytesUsed();
  if (used_bytes + additional_bytes <= byte_limit_) return OkStatus();
  return internal::ResourceExhausted(type_.ToString(), " builder: ", used_bytes + additional_bytes,
                                     " bytes would exceed the limit of ", byte_limit_, " bytes");
}

Status ArrayBuilder::CheckLimitOfRows(int64_t n) const {
  if (unlimited()) return OkStatus();
  int64_t bits = 0;
  const int64_t most = std::numeric_limits<int64_t>::max() - bytes_used();
  return CheckLimit(MultiplyOverflows(n, RowBits(type_), &bits) ? most : std::min(bits / 8, most));
}

Status ArrayBuilder::Reserve(int64_t rows) {
  SHEAF_RETURN_IF_ERROR(CheckRows(rows));
  window_ = RowWindow();  // Its memory may move.
  return AtBuilder(ReserveRows(rows));
}

Status ArrayBuilder::AppendNulls(int64_t n) {
  SHEAF_RETURN_IF_ERROR(CheckRows(n));
  SHEAF_RETURN_IF_ERROR(CheckReady());
  SHEAF_RETURN_IF_ERROR(CheckLimitOfRows(n));
  return TransactRows(n, [&](int64_t, int64_t count) { return StageNulls(count); });
}

Status ArrayBuilder::AppendEmptyValues(int64_t n) {
  SHEAF_RETURN_IF_ERROR(CheckRows(n));
  SHEAF_RETURN_IF_ERROR(CheckReady());
  SHEAF_RETURN_IF_ERROR(CheckLimitOfRows(n));
  return TransactRows(n, [&](int64_t, int64_t count) { return StageEmpty(count); });
}

Status ArrayBuilder::AppendArray(const Array& array, int64_t offset, int64_t length) {
  if (length > 0 && unlimited() && IsChecked(array, offset, length) &&
      AppendShort(array, {offset, length}))
    return OkStatus();
  SHEAF_RETURN_IF_ERROR(CheckSource(array, offset, length));
  if (length == 0) return OkStatus();
  SHEAF_RETURN_IF_ERROR(CheckRows(length));
  return TransactRows(length, [&](int64_t first, int64_t count) {
    const RowRange range{offset + first, count};
    return StageSource(array, {&range, 1});
  });
}

Status ArrayBuilder::AppendRanges(const Array& array, std::span<const RowRange> ranges) {
  SHEAF_RETURN_IF_ERROR(CheckSource(array, 0, array.length()));
  int64_t rows = 0;
  for (const RowRange& range : ranges) {
    if (range.offset < 0 || range.length < 0 || range.offset > array.length() - range.length) {
      return InvalidArgument(type_.ToString(), " builder: rows [", range.offset, ", ", range.offset,
                             " + ", range.length, ") of an array of ", array.length(), " rows");
    }
    if (AddOverflows(rows, range.length, &rows)) {
      return internal::OutOfRange(type_.ToString(), " builder: more rows than 64 bits count");
    }
  }
  if (rows == 0) return OkStatus();
  SHEAF_RETURN_IF_ERROR(CheckRows(rows));
  return TransactRows(rows, [&](int64_t first, int64_t count) {
    if (count == rows) return StageSource(array, ranges);
    internal::StagedVector<RowRange> part(pool());
    for (const RowRange& range : ranges) {
      const int64_t skipped = std::min(first, range.length);
      const int64_t taken = std::min(count, range.length - skipped);
      if (taken > 0) SHEAF_RETURN_IF_ERROR(part.Stage({range.offset + skipped, taken}));
      first -= skipped;
      count -= taken;
    }
    return StageSource(array, {part.begin(), static_cast<size_t>(part.size())});
  });
}

Status ArrayBuilder::AppendChunked(const ChunkedArray& chunks) {
  SHEAF_RETURN_IF_ERROR(CanAppend(type_, chunks.type()));
  SHEAF_RETURN_IF_ERROR(CheckRows(chunks.length()));
  for (const Array& chunk : chunks.chunks()) {
    SHEAF_RETURN_IF_ERROR(CheckSource(chunk, 0, chunk.length()));
  }
  return TransactRows(chunks.length(), [&](int64_t first, int64_t count) {
    for (const Array& chunk : chunks.chunks()) {
      const RowRange range{first, std::min(count, chunk.length() - first)};
      if (range.length > 0) SHEAF_RETURN_IF_ERROR(StageSource(chunk, {&range, 1}));
      count -= std::max<int64_t>(range.length, 0);
      first = std::max<int64_t>(first - chunk.length(), 0);
    }
    return OkStatus();
  });
}

Status ArrayBuilder::AppendRepeated(const Array& array, int64_t row, int64_t n) {
  SHEAF_RETURN_IF_ERROR(CheckRows(n));
  if (row < 0 || row >= array.length()) {
    return InvalidArgument(type_.ToString(), " builder: row ", row, " of an array of ",
                           array.length(), " rows");
  }
  SHEAF_RETURN_IF_ERROR(CheckSource(array, row, 1));
  if (n == 0) return OkStatus();
  SHEAF_RETURN_IF_ERROR(CheckLimitOfRows(n));
  return TransactRows(n, [&](int64_t, int64_t count) {
    if (array.IsNull(row)) return StageNulls(count);
    return StageSourceRepeated(array, {row, 1}, count);
  });
}

Status ArrayBuilder::AtBuilder(const Status& status) const {
  // All others name the builder's type themselves; a pool knows only of bytes.
  if (!internal::IsOutOfMemory(status)) return status;
  return internal::AtPath(internal::Concat(type_.ToString(), " builder"), status);
}

StatusOr<Array> ArrayBuilder::Finish() {
  StatusOr<Array> built = BuildOne(Sharing::kFinal);
  if (built.ok()) Clear();
  return built;
}

StatusOr<Array> ArrayBuilder::Snapshot() { return BuildOne(Sharing::kSnapshot); }

StatusOr<Array> ArrayBuilder::BuildOne(Sharing sharing) {
  SHEAF_RETURN_IF_ERROR(CheckReady());
  if (!full_.builders.empty()) {
    return internal::FailedPrecondition(type_.ToString(), " builder: ", full_.builders.size() + 1,
                                        " chunks, of ", length(),
                                        " rows in all, are not one array; use FinishChunked");
  }
  StatusOr<Array> built = Build(sharing);
  if (!built.ok()) return AtBuilder(built.status());
  return built;
}

void ArrayBuilder::Reset() noexcept {
  Discard();
  Clear();
}

// The hooks' shared part.

Status ArrayBuilder::StageKept(const Array& source, RowRange range) {
  KeptChunk chunk;
  chunk.window = source.Slice(range.offset, range.length);
  chunk.tail_before = tail_.staged_length();
  chunk.null_count = source.has_nulls() ? chunk.window.null_count() : 0;
  const int64_t null_count = chunk.null_count;
  SHEAF_RETURN_IF_ERROR(chunks_.Stage(std::move(chunk)));
  kept_.staged_rows += range.length;
  kept_.staged_nulls += null_count;
  return OkStatus();
}

Status ArrayBuilder::StageWidened(int64_t chunk_index, RowRange range) {
  KeptChunk& chunk = chunks_[chunk_index];
  const RowRange before{chunk.window.offset(), chunk.window.length()};
  SHEAF_RETURN_IF_ERROR(widened_.Stage({chunk_index, before, chunk.null_count}));
  // Only what is new is counted: a window that grows by little and often stays cheap.
  const Array left = internal::WithWindow(chunk.window, range.offset, before.offset - range.offset);
  const Array right = internal::WithWindow(chunk.window, before.end(), range.end() - before.end());
  chunk.window = internal::WithWindow(chunk.window, range.offset, range.length);
  // A window of no rows says nothing of where they would be: all of the new one is new.
  const int64_t new_nulls =
      before.length == 0 ? chunk.window.null_count() : left.null_count() + right.null_count();
  chunk.null_count += new_nulls;
  kept_.staged_rows += range.length - before.length;
  kept_.staged_nulls += new_nulls;
  return OkStatus();
}

void ArrayBuilder::Commit() noexcept {
  window_ = RowWindow();
  tail_.Commit();
  chunks_.Commit();
  CommitLog(widened_);
  kept_.committed_rows = kept_.staged_rows;
  kept_.committed_nulls = kept_.staged_nulls;
}

void ArrayBuilder::Discard() noexcept {
  window_ = RowWindow();
  UndoWidened(widened_.committed_size());
  chunks_.Discard();
  tail_.Discard();
  kept_.staged_rows = kept_.committed_rows;
  kept_.staged_nulls = kept_.committed_nulls;
}

void ArrayBuilder::Clear() noexcept {
  DropMarks();
  tail_.Reset();
  chunks_.Clear();
  widened_.Clear();
  kept_ = KeptCounts();
  window_ = RowWindow();
  full_ = FullChunks(pool());
}

int64_t ArrayBuilder::ValidityBytes() const noexcept {
  return staged_null_count() == 0 ? 0 : BytesForBits(staged_length());
}

bool ArrayBuilder::ShouldKeep(const Array& source, int64_t own_bytes) const noexcept {
  if (own_bytes < options_.min_chunk_bytes) return false;
  if (options_.max_retained_ratio == BuilderOptions::kNoRatio) return true;
  int64_t retained = 0;
  for (int i = 0; i < source.num_buffers(); ++i) retained += source.buffer(i).retained_bytes();
  return static_cast<double>(retained) <=
         options_.max_retained_ratio * static_cast<double>(own_bytes);
}

Status ArrayBuilder::StageValidity(const Array& source, std::span<const RowRange> ranges) {
  if (!source.has_nulls()) return tail_.StageValid(internal::TotalLength(ranges));
  const BitSpan validity = source.validity();
  for (const RowRange& range : ranges) {
    const BitSpan bits = validity.Slice(range.offset, range.length);
    SHEAF_RETURN_IF_ERROR(tail_.StageBits(bits, range.length - CountSet(bits)));
  }
  return OkStatus();
}

const KeptChunk* ArrayBuilder::OnlyChunk() const noexcept {
  return chunks_.committed_size() == 1 && tail_.length() == 0 ? &chunks_[0] : nullptr;
}

bool ArrayBuilder::HasNullInLast(int64_t n) const noexcept {
  if (n == 0 || null_count() == 0) return false;
  if (null_count() == length()) return true;  // Those of the null type too, which have no bits.
  int64_t tail_end = tail_.length();
  for (int64_t i = chunks_.size() - 1; n > 0; --i) {
    const int64_t tail_begin = i < 0 ? 0 : chunks_[i].tail_before;
    const int64_t of_tail = std::min(n, tail_end - tail_begin);
    const BitSpan bits = tail_.bits().Slice(tail_end - of_tail, of_tail);
    if (CountSet(bits) < of_tail) return true;
    n -= of_tail;
    if (i < 0) return false;
    const Array& window = chunks_[i].window;
    const int64_t of_window = std::min(n, window.length());
    if (window.Slice(window.length() - of_window).has_nulls()) return true;
    n -= of_window;
    tail_end = tail_begin;
  }
  return false;
}

Status ArrayBuilder::CheckNewWindow(int64_t rows) const {
  SHEAF_RETURN_IF_ERROR(CheckRows(rows));
  return CheckLimitOfRows(rows);
}

Status ArrayBuilder::CheckWindow(int64_t rows, BitSpan validity) const {
  if (window_.rows < 0 || window_.tail_before != tail_.length()) {
    return internal::FailedPrecondition(
        type_.ToString(), " builder: Commit without AppendUninitialized, or after another change");
  }
  if (rows < 0 || rows > window_.rows) {
    return InvalidArgument(type_.ToString(), " builder: Commit of ", rows, " rows of a window of ",
                           window_.rows);
  }
  return CheckValidityBits(validity, rows, "rows");
}

StatusOr<Buffer> ArrayBuilder::TailValidity(Sharing sharing) {
  window_ = RowWindow();
  return tail_.Share(sharing);
}

StatusOr<Buffer> ArrayBuilder::BuildValidity(Sharing sharing) {
  window_ = RowWindow();
  if (null_count() == 0) return Buffer();
  if (chunks_.empty()) return TailValidity(sharing);
  if (const KeptChunk* only = OnlyChunk(); only != nullptr && only->window.offset() % 8 == 0) {
    return only->window.buffer(0).Slice(only->window.offset() / 8, BytesForBits(length()));
  }
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer bits,
                         MutableBuffer::Allocate(BytesForBits(length()), pool()));
  bits.data()[bits.size_bytes() - 1] = 0;  // Bits behind the length are zero.
  int64_t row = 0;
  const BitSpan tail_bits = tail_.bits();
  VisitPieces(
      [&](int64_t begin, int64_t end) {
        CopyBits(tail_bits.Slice(begin, end - begin), bits.data(), row);
        row += end - begin;
      },
      [&](int64_t index) {
        const Array& window = chunks_[index].window;
        CopyBits(window.validity(), bits.data(), row);
        row += window.length();
      });
  return std::move(bits).Finish();
}

namespace internal {

void ExtendRepeated(uint8_t* target, int64_t size, int64_t n) noexcept {
  if (n > 1) kernels::FillPattern(target, size, n - 1, target + size);
}

void FillRepeated(uint8_t* target, const uint8_t* source, int64_t size, int64_t n) noexcept {
  kernels::FillPattern(source, size, n, target);
}

Status CheckOffsetsFit(const DataType& type, int64_t offset_bits, int64_t current,
                       int64_t additional, const char* what) {
  const int64_t most =
      offset_bits == 32 ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int64_t>::max();
  if (additional <= most - current) [[likely]]
    return OkStatus();
  const std::string name = type.ToString();
  const std::string larger = offset_bits == 64 ? "" : Concat("; use large_", name);
  return OutOfRange(name, " builder: ", current, " + ", additional, " ", what, " outgrow ",
                    offset_bits, "-bit offsets (at most ", most, ")", larger);
}

Status CheckWindowSize(const DataType& type, int64_t row, int64_t size, int64_t used_bytes,
                       int64_t window_bytes) {
  if (size >= 0 && size <= window_bytes - used_bytes) [[likely]]
    return OkStatus();
  return InvalidArgument(type.ToString(), " builder, row ", row, " of the window: a size of ", size,
                         ", with ", used_bytes, " of its ", window_bytes, " bytes used before");
}

DataType TypeOver(const DataType& type, std::span<const Array> children) {
  const auto same = [&](const Array& child) {
    return child.type() == type.field(static_cast<int>(&child - children.data())).type();
  };
  if (std::all_of(children.begin(), children.end(), same)) [[likely]]
    return type;
  std::vector<DataType> types;
  for (const Array& child : children) types.push_back(child.type());
  return WithFieldTypes(type, types);
}

Status CheckNullable(const DataType& parent, const Field& field, const Array& values) {
  if (field.nullable() || !BringsNulls(field.type(), values)) return OkStatus();
  return InvalidArgument("field ", field.ToString(), " of ", parent.ToString(),
                         ": a null in a field that is not nullable");
}

Status CheckElements(const DataType& lists, const Array& elements) {
  if (lists.storage().id() != TypeId::kMap) {
    return CheckNullable(lists, lists.field(0), elements);
  }
  const Field entries = lists.field(0).WithNullable(false);
  const Field key = entries.type().field(0).WithNullable(false);
  SHEAF_RETURN_IF_ERROR(CheckNullable(lists, entries, elements));
  return CheckNullable(lists, key, elements.child(0).Slice(elements.offset(), elements.length()));
}

}  // namespace internal

}  // namespace sheaf
