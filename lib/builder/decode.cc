#include "builder/decode.h"

#include <cstring>
#include <limits>

#include "array/range_list.h"
#include "builder/builder_core.h"
#include "builder/gather_indices.h"
#include "builder/list_source.h"
#include "memory/copy_of_bits.h"
#include "sheaf/array/logical_nulls.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1 {

using internal::ListSource;
using internal::RangeList;
using internal::RowRange;
using internal::SparseFill;

namespace internal {
namespace {

int64_t IndexAt(const Array& source, int64_t row) noexcept {
  return VisitInteger(source.type().index_type().id(), [&](auto integer) {
    return static_cast<int64_t>(source.slots<decltype(integer)>(1)[row]);
  });
}

/// Calls values(array, its rows) and nulls(how many) in the order of the rows.
template <typename Values, typename Nulls>
Status VisitDecoded(const Array& source, std::span<const RowRange> ranges, MemoryPool* pool,
                    Values&& values, Nulls&& nulls) {
  RangeList rows(pool);
  const auto flush = [&]() -> Status {
    if (rows.total() == 0) return OkStatus();
    SHEAF_RETURN_IF_ERROR(values(source.dictionary(), rows.ranges()));
    rows.Clear();
    return OkStatus();
  };
  const auto add_nulls = [&](int64_t n) -> Status {
    if (n == 0) return OkStatus();
    SHEAF_RETURN_IF_ERROR(flush());
    return nulls(n);
  };
  return VisitInteger(source.type().index_type().id(), [&](auto integer) -> Status {
    for (const RowRange& range : ranges) {
      const auto* indices = source.slots<decltype(integer)>(1) + range.offset;
      Status status;
      int64_t done = 0;
      VisitSetRuns(source.validity().Slice(range.offset, range.length),
                   [&](int64_t begin, int64_t end) {
                     if (status.ok()) status = add_nulls(begin - done);
                     for (int64_t i = begin; i < end && status.ok(); ++i)
                       status = rows.Add({static_cast<int64_t>(indices[i]), 1});
                     done = end;
                   });
      SHEAF_RETURN_IF_ERROR(status);
      SHEAF_RETURN_IF_ERROR(add_nulls(range.length - done));
    }
    return flush();
  });
}

/// Whether values can be gathered by a kernel.
bool IsGathered(const Array& dictionary) noexcept {
  if (dictionary.layout().id != LayoutId::kFixedWidth || dictionary.has_nulls()) return false;
  const int64_t width = dictionary.type().byte_width();
  return width > 0 && width <= 16 && (width & (width - 1)) == 0;
}

/// A range as an array of the values' type, of fixed width and without a null.
StatusOr<Array> Gathered(const Array& source, RowRange range, MemoryPool* pool) {
  const Array& dictionary = source.dictionary();
  const DataType& index_type = source.type().index_type();
  const int64_t width = dictionary.type().byte_width();
  const BitSpan valid = source.validity().Slice(range.offset, range.length);
  SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, ProductOf(range.length, width, dictionary.type()));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer values, MutableBuffer::Allocate(bytes, pool));
  const int64_t nulls = range.length - CountSet(valid);
  if (nulls > 0) std::memset(values.data(), 0, static_cast<size_t>(bytes));
  const uint8_t* indices =
      source.buffer(1).data() + (source.offset() + range.offset) * index_type.byte_width();
  VisitSetRuns(valid, [&](int64_t begin, int64_t end) {
    GatherAt(dictionary.buffer(1).data() + dictionary.offset() * width, width, dictionary.length(),
             index_type.id(), indices + begin * index_type.byte_width(), end - begin,
             values.data() + begin * width);
  });
  Buffer validity;
  if (nulls > 0) {
    SHEAF_ASSIGN_OR_RETURN(validity, CopyOfBits(valid, pool));
  }
  return MakeBuilt(dictionary.type(), range.length, nulls,
                   {std::move(validity), std::move(values).Finish()}, {}, pool);
}

template <typename Offset>
StatusOr<Array> ViewsOf(const Array& source, std::span<const RowRange> ranges, MemoryPool* pool) {
  const Array& dictionary = source.dictionary();
  const ListSource lists(dictionary);
  const int64_t rows = TotalLength(ranges);
  SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, ProductOf(rows, sizeof(Offset), source.type()));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer offsets, MutableBuffer::Allocate(bytes, pool));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer sizes, MutableBuffer::Allocate(bytes, pool));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer bits, MutableBuffer::Allocate(BytesForBits(rows), pool));
  if (rows > 0) std::memset(bits.data(), 0, static_cast<size_t>(bits.size_bytes()));
  int64_t to = 0;
  int64_t nulls = 0;
  for (const RowRange& range : ranges) {
    for (int64_t row = range.offset; row < range.end(); ++row, ++to) {
      const int64_t at = source.IsValid(row) ? IndexAt(source, row) : -1;
      const bool valid = at >= 0 && dictionary.IsValid(at);
      const RowRange list = valid ? lists.Row(at) : RowRange();
      offsets.as<Offset>()[to] = static_cast<Offset>(list.offset);
      sizes.as<Offset>()[to] = static_cast<Offset>(list.length);
      if (valid) SetBitTo(bits.data(), to, true);
      nulls += valid ? 0 : 1;
    }
  }
  Buffer validity;
  if (nulls > 0) validity = std::move(bits).Finish();
  const Field& item = dictionary.type().field(0);
  Array elements = lists.elements();
  return MakeBuilt(sizeof(Offset) == 4 ? ListView(item) : LargeListView(item), rows, nulls,
                   {std::move(validity), std::move(offsets).Finish(), std::move(sizes).Finish()},
                   {&elements, 1}, pool);
}

}  // namespace

StatusOr<Array> DictionaryViews(const Array& source, std::span<const RowRange> ranges, bool wide,
                                MemoryPool* pool) {
  return wide ? ViewsOf<int64_t>(source, ranges, pool) : ViewsOf<int32_t>(source, ranges, pool);
}

bool BringsNulls(const DataType& to, const Array& values) {
  const LayoutId id = values.layout().id;
  const bool decodes =
      id != to.layout().id && (id == LayoutId::kDictionary || id == LayoutId::kRunEndEncoded);
  if (!decodes) return values.has_nulls();
  const StatusOr<int64_t> count = LogicalNullCount(values);
  return !count.ok() || *count > 0;
}

bool BringsNull(const DataType& to, const Array& values, int64_t row) {
  return BringsNulls(to, values.Row(row));
}

}  // namespace internal

bool ArrayBuilder::DecodesLayout(LayoutId id) const noexcept {
  const LayoutId own = type_.layout().id;
  if (own == id) return false;
  // A dictionary of runs takes runs as they are.
  const bool encodes = own == LayoutId::kDictionary || own == LayoutId::kRunEndEncoded;
  return !encodes || type_.value_type().layout().id != id;
}

Status ArrayBuilder::StageDecoded(const Array& source, std::span<const RowRange> ranges) {
  if (source.layout().id == LayoutId::kRunEndEncoded) return StageDecodedRuns(source, ranges);
  const Array& dictionary = source.dictionary();
  constexpr int64_t kShortRange = 64;  // An array of its own costs more than so many copies.
  const auto least_rows = kShortRange * static_cast<int64_t>(ranges.size());
  if (internal::IsGathered(dictionary) && type_.layout().id == LayoutId::kFixedWidth &&
      internal::TotalLength(ranges) >= least_rows) {
    for (const RowRange& range : ranges) {
      SHEAF_ASSIGN_OR_RETURN(const Array values, internal::Gathered(source, range, pool()));
      const RowRange all{0, range.length};
      SHEAF_RETURN_IF_ERROR(StageRanges(values, {&all, 1}));
    }
    return OkStatus();
  }
  if (DecodesToViews(source)) {
    const bool wide = type_.layout().offset_bits == 64;
    SHEAF_ASSIGN_OR_RETURN(const Array views,
                           internal::DictionaryViews(source, ranges, wide, pool()));
    const RowRange all{0, views.length()};
    return StageRanges(views, {&all, 1});
  }
  return internal::VisitDecoded(
      source, ranges, pool(),
      [&](const Array& values, std::span<const RowRange> rows) {
        return StageSource(values, rows);
      },
      [&](int64_t n) { return StageNulls(n); });
}

bool ArrayBuilder::DecodesToViews(const Array& source) const noexcept {
  if (type_.layout().id != LayoutId::kListView || !source.has_dictionary()) return false;
  const Array& dictionary = source.dictionary();
  return IsListLike(dictionary.type().id()) &&
         (type_.layout().offset_bits == 64 ||
          dictionary.child(0).length() <= std::numeric_limits<int32_t>::max());
}

StatusOr<Array> ArrayBuilder::DecodedRows(const Array& array) const {
  if (!DecodesToViews(array)) return AsOwnType(array);
  const RowRange all{0, array.length()};
  const bool wide = type_.layout().offset_bits == 64;
  return internal::DictionaryViews(array, {&all, 1}, wide, pool());
}

Status ArrayBuilder::StageDecodedRepeated(const Array& source, RowRange range, int64_t n) {
  if (source.layout().id == LayoutId::kRunEndEncoded) return StageDecodedRun(source, range, n);
  if (range.length == 1) {
    if (source.IsNull(range.offset)) return StageNulls(n);
    const RowRange value{internal::IndexAt(source, range.offset), 1};
    if (source.dictionary().IsNull(value.offset)) return StageNulls(n);
    return StageSourceRepeated(source.dictionary(), value, n);
  }
  // Decoded once, so that the cost is that of the rows, not of n rounds.
  SHEAF_ASSIGN_OR_RETURN(const Array decoded, AsOwnType(source.Slice(range.offset, range.length)));
  return StageRepeated(decoded, {0, range.length}, n);
}

Status ArrayBuilder::StageSourceSparse(const SparseFill& sparse) {
  if (!Decodes(sparse.fill) && !Decodes(sparse.patches)) return StageSparse(sparse);
  SHEAF_ASSIGN_OR_RETURN(Array fill, AsOwnType(sparse.fill));
  SHEAF_ASSIGN_OR_RETURN(Array patches, AsOwnType(sparse.patches));
  return StageSparse({std::move(fill), std::move(patches), sparse.at});
}

Status ArrayBuilder::AddDecodedNeeds(const Array& source, std::span<const RowRange> ranges) {
  // Runs are written value by value: only their rows are known without a look at the values.
  if (source.layout().id == LayoutId::kRunEndEncoded) return ArrayBuilder::AddNeeds(source, ranges);
  return internal::VisitDecoded(
      source, ranges, pool(),
      [&](const Array& values, std::span<const RowRange> rows) {
        return AddSourceNeeds(values, rows);
      },
      [&](int64_t n) {
        needs_.nulls = true;
        return AddEmptyNeeds(n);
      });
}

}  // namespace sheaf::inline v1
