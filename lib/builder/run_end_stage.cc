#include <algorithm>
#include <cstring>

#include "array/element_identity.h"
#include "array/range_list.h"
#include "builder/builder_core.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/builder/run_end_builder.h"

// What comes into a builder of run-ends: runs of other arrays, plain values that become runs, and
// values that count many times. Values go to their builder by ranges, ends are moved.
namespace sheaf::inline v1 {

using internal::RangeList;
using internal::RowRange;
using internal::SameRows;

namespace {

/// First row behind `row` that is not the same as the one before it, or `end`.
template <typename T>
int64_t EndOfSame(const uint8_t* values, int64_t row, int64_t end) noexcept {
  const auto at = [&](int64_t i) {
    return LoadUnaligned<T>(values + i * static_cast<int64_t>(sizeof(T)));
  };
  const T value = at(row);
  do {
    ++row;
  } while (row < end && at(row) == value);
  return row;
}

int64_t EndOfRun(const Array& source, int64_t row, int64_t end) {
  if (source.layout().id == LayoutId::kFixedWidth && !source.has_nulls()) {
    const int64_t width = source.type().byte_width();
    const uint8_t* values = source.buffer(1).data() + source.offset() * width;
    switch (width) {
      case 1:
        return EndOfSame<uint8_t>(values, row, end);
      case 2:
        return EndOfSame<uint16_t>(values, row, end);
      case 4:
        return EndOfSame<uint32_t>(values, row, end);
      case 8:
        return EndOfSame<uint64_t>(values, row, end);
      default:
        break;
    }
  }
  do {
    ++row;
  } while (row < end && SameRows(source, row - 1, source, row));
  return row;
}

}  // namespace

// ── The last run's value ──

template <typename RunEnd>
template <typename Stage>
StatusOr<Array> BasicRunEndBuilder<RunEnd>::MakeValue(Stage&& stage) {
  if (maker_ == nullptr) {
    BuilderOptions options = helper_options();
    options.min_chunk_bytes = BuilderOptions::kNeverKeep;
    SHEAF_ASSIGN_OR_RETURN(maker_, MakeBuilder(type_.value_type(), options));
  }
  if (Status status = stage(*maker_); !status.ok()) {
    DiscardOf(*maker_);
    return status;
  }
  CommitOf(*maker_);
  StatusOr<Array> value = BuildOf(*maker_, Sharing::kFinal);
  ClearOf(*maker_);
  return value;
}

template <typename RunEnd>
StatusOr<bool> BasicRunEndBuilder<RunEnd>::GoesOn(const Array& values, int64_t row) {
  if (staged_length() == 0) return false;
  const Array& last = last_.length() > 0 ? last_ : lasts_.back();
  const auto same_type = [&](const Array& array) {
    return array.type().node() == type_.value_type().node() || array.type() == type_.value_type();
  };
  if (same_type(last) && same_type(values)) return SameRows(last, 0, values, row);
  // Of another layout, or encoded otherwise: compared as what they become.
  const auto as_value = [&](const Array& array) {
    return MakeValue([&](ArrayBuilder& maker) { return StageRepeatedOf(maker, array, {0, 1}, 1); });
  };
  SHEAF_ASSIGN_OR_RETURN(const Array before, as_value(last));
  SHEAF_ASSIGN_OR_RETURN(const Array next, as_value(values.Row(row)));
  return SameRows(before, 0, next, 0);
}

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::SealLast() {
  if (last_.length() == 0) return OkStatus();
  SHEAF_ASSIGN_OR_RETURN(Array value, MakeValue([&](ArrayBuilder& maker) {
                           return StageRepeatedOf(maker, last_, {0, 1}, 1);
                         }));
  last_ = Array();
  return lasts_.Stage(std::move(value));
}

// ── One run ──

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::StageRun(const Array& values, int64_t row, int64_t n) {
  SHEAF_RETURN_IF_ERROR(CheckFits(n));
  SHEAF_ASSIGN_OR_RETURN(const bool goes_on, GoesOn(values, row));
  if (goes_on) return tail_.StageValid(n);
  SHEAF_RETURN_IF_ERROR(internal::CheckNullable(type_, type_.field(1), values.Row(row)));
  SHEAF_RETURN_IF_ERROR(ReserveEnds(1));
  EndRun();
  const RowRange value{row, 1};
  SHEAF_RETURN_IF_ERROR(StageRangesOf(*values_, values, {&value, 1}));
  SetLast(values, row);
  return tail_.StageValid(n);
}

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::StageMade(int64_t n, Status (*stage)(ArrayBuilder& values)) {
  if (n == 0) return OkStatus();
  SHEAF_ASSIGN_OR_RETURN(const Array value, MakeValue(stage));
  SHEAF_RETURN_IF_ERROR(StageRun(value, 0, n));
  if (last_.length() == 0) return OkStatus();
  last_ = Array();
  return lasts_.Stage(value);  // It is a copy of its own already.
}

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::StageNulls(int64_t n) {
  return StageMade(n, [](ArrayBuilder& values) { return StageNullsOf(values, 1); });
}

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::StageEmpty(int64_t n) {
  return StageMade(n, [](ArrayBuilder& values) { return StageEmptyOf(values, 1); });
}

// ── Ranges ──

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::StageRanges(const Array& source,
                                               std::span<const RowRange> ranges) {
  SHEAF_RETURN_IF_ERROR(StageRows(source, ranges));
  return SealLast();
}

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::StageRows(const Array& source,
                                             std::span<const RowRange> ranges) {
  SHEAF_RETURN_IF_ERROR(CheckFits(internal::TotalLength(ranges)));
  if (source.layout().id != LayoutId::kRunEndEncoded) return StagePlain(source, ranges);
  switch (source.layout().offset_bits) {
    case 16:
      return StageRuns<int16_t>(source, ranges);
    case 32:
      return StageRuns<int32_t>(source, ranges);
    default:
      return StageRuns<int64_t>(source, ranges);
  }
}

template <typename RunEnd>
template <typename SourceEnd>
Status BasicRunEndBuilder<RunEnd>::StageRuns(const Array& source,
                                             std::span<const RowRange> ranges) {
  const Array& values = source.child(1);
  const auto* source_ends = source.child(0).slots<SourceEnd>(1);
  const auto* all_end = source_ends + source.child(0).length();
  RangeList brought(pool());
  int64_t last = -1;  // Run of the source that the rows so far end in.
  for (const RowRange& range : ranges) {
    if (range.length == 0) continue;
    const int64_t begin = source.offset() + range.offset;
    const int64_t first = std::upper_bound(source_ends, all_end, begin) - source_ends;
    const int64_t before = last;
    last = std::lower_bound(source_ends + first, all_end, begin + range.length) - source_ends;
    bool goes_on = false;
    if (before >= 0) {
      goes_on = before == first || SameRows(values, before, values, first);
    } else {
      SHEAF_ASSIGN_OR_RETURN(goes_on, GoesOn(values, first));
    }
    const int64_t runs = last - first + 1;
    SHEAF_RETURN_IF_ERROR(ReserveEnds(runs));
    if (!goes_on) EndRun();
    const int64_t shift = staged_length() - begin;
    auto* ends = reinterpret_cast<RunEnd*>(ends_.UnsafeStage((runs - 1) * kWidth));
    for (int64_t run = 0; run < runs - 1; ++run) {
      ends[run] = static_cast<RunEnd>(source_ends[first + run] + shift);
    }
    SHEAF_RETURN_IF_ERROR(tail_.StageValid(range.length));
    SHEAF_RETURN_IF_ERROR(
        internal::CheckNullable(type_, type_.field(1), values.Slice(first, runs)));
    SHEAF_RETURN_IF_ERROR(brought.Add({first + (goes_on ? 1 : 0), runs - (goes_on ? 1 : 0)}));
  }
  if (brought.total() == 0) return OkStatus();
  SetLast(values, last);
  return StageRangesOf(*values_, values, brought.ranges());
}

/// Plain values, of which equal neighbours become one run.
template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::StagePlain(const Array& source,
                                              std::span<const RowRange> ranges) {
  RangeList brought(pool());
  int64_t last = -1;
  for (const RowRange& range : ranges) {
    SHEAF_RETURN_IF_ERROR(
        internal::CheckNullable(type_, type_.field(1), source.Slice(range.offset, range.length)));
    for (int64_t row = range.offset; row < range.end();) {
      const int64_t end = EndOfRun(source, row, range.end());
      bool goes_on = false;
      if (last < 0) {
        SHEAF_ASSIGN_OR_RETURN(goes_on, GoesOn(source, row));
      } else if (row == range.offset) {
        goes_on = SameRows(source, last, source, row);
      }
      if (!goes_on) {
        SHEAF_RETURN_IF_ERROR(ReserveEnds(1));
        EndRun();
        SHEAF_RETURN_IF_ERROR(brought.Add({row, 1}));
      }
      SHEAF_RETURN_IF_ERROR(tail_.StageValid(end - row));
      last = row;
      row = end;
    }
  }
  if (brought.total() == 0) return OkStatus();
  SetLast(source, last);
  return StageRangesOf(*values_, source, brought.ranges());
}

// ── Repeats ──

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::StageRepeated(const Array& source, RowRange range, int64_t n) {
  if (range.length == 0 || n == 0) return OkStatus();
  SHEAF_RETURN_IF_ERROR(StageRowsRepeated(source, range, n));
  return SealLast();
}

template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::StageRowsRepeated(const Array& source, RowRange range,
                                                     int64_t n) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, internal::ProductOf(range.length, n, type_));
  SHEAF_RETURN_IF_ERROR(CheckFits(rows));
  if (source.layout().id != LayoutId::kRunEndEncoded) {
    if (range.length == 1) return StageRun(source, range.offset, n);
    SHEAF_ASSIGN_OR_RETURN(const Array encoded,
                           AsOwnType(source.Slice(range.offset, range.length)));
    return StageRunsRepeated<RunEnd>(encoded, n);
  }
  const Array slice = source.Slice(range.offset, range.length);
  SHEAF_ASSIGN_OR_RETURN(const RunEndArray runs, RunEndArray::From(slice));
  const auto [first, last] = runs.physical_range();
  if (last - first == 1) return StageRun(runs.values(), first, rows);
  switch (source.layout().offset_bits) {
    case 16:
      return StageRunsRepeated<int16_t>(slice, n);
    case 32:
      return StageRunsRepeated<int32_t>(slice, n);
    default:
      return StageRunsRepeated<int64_t>(slice, n);
  }
}

/// All rows of an array n times over: once as they are, and then the same runs again and again. The
/// last run of a round goes on with the first of the next one if both are the same.
template <typename RunEnd>
template <typename SourceEnd>
Status BasicRunEndBuilder<RunEnd>::StageRunsRepeated(const Array& source, int64_t n) {
  const RowRange all{0, source.length()};
  SHEAF_RETURN_IF_ERROR(StageRows(source, {&all, 1}));
  if (n == 1) return OkStatus();
  SHEAF_ASSIGN_OR_RETURN(const RunEndArray runs, RunEndArray::From(source));
  const auto [first, behind] = runs.physical_range();
  const int64_t count = behind - first;
  if (count == 1) return tail_.StageValid((n - 1) * source.length());
  const bool wraps = SameRows(runs.values(), behind - 1, runs.values(), first);
  const RowRange round{first + (wraps ? 1 : 0), count - (wraps ? 1 : 0)};
  SHEAF_ASSIGN_OR_RETURN(const int64_t more_runs, internal::ProductOf(n - 1, count, type_));
  SHEAF_RETURN_IF_ERROR(ReserveEnds(more_runs));
  SHEAF_RETURN_IF_ERROR(StageRepeatedOf(*values_, runs.values(), round, n - 1));
  const auto* source_ends = runs.run_ends().template slots<SourceEnd>(1) + first;
  for (int64_t i = 1; i < n; ++i) {
    if (!wraps) EndRun();
    const int64_t shift = staged_length() - source.offset();
    auto* ends = reinterpret_cast<RunEnd*>(ends_.UnsafeStage((count - 1) * kWidth));
    for (int64_t run = 0; run < count - 1; ++run) {
      ends[run] = static_cast<RunEnd>(source_ends[run] + shift);
    }
    SHEAF_RETURN_IF_ERROR(tail_.StageValid(source.length()));
  }
  SetLast(runs.values(), behind - 1);
  return OkStatus();
}

/// Each stretch of fills is one run, however many rows it has.
template <typename RunEnd>
Status BasicRunEndBuilder<RunEnd>::StageSparse(const internal::SparseFill& sparse) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t total, RowsOf(sparse));
  SHEAF_RETURN_IF_ERROR(CheckFits(total));
  const int64_t block = sparse.block();
  if (sparse.null_fill()) return ArrayBuilder::StageSparse(sparse);
  SHEAF_RETURN_IF_ERROR(
      sparse.at.VisitRuns([&](int64_t n) { return StageRowsRepeated(sparse.fill, {0, block}, n); },
                          [&](int64_t first, int64_t n) {
                            const RowRange rows{first * block, n * block};
                            return StageRows(sparse.patches, {&rows, 1});
                          }));
  return SealLast();
}

#define SHEAF_INSTANTIATE(RunEnd)                                                                  \
  template StatusOr<bool> BasicRunEndBuilder<RunEnd>::GoesOn(const Array&, int64_t);               \
  template Status BasicRunEndBuilder<RunEnd>::SealLast();                                          \
  template Status BasicRunEndBuilder<RunEnd>::StageRun(const Array&, int64_t, int64_t);            \
  template Status BasicRunEndBuilder<RunEnd>::StageMade(int64_t, Status (*)(ArrayBuilder&));       \
  template Status BasicRunEndBuilder<RunEnd>::StageRows(const Array&, std::span<const RowRange>);  \
  template Status BasicRunEndBuilder<RunEnd>::StagePlain(const Array&, std::span<const RowRange>); \
  template Status BasicRunEndBuilder<RunEnd>::StageRowsRepeated(const Array&, RowRange, int64_t);  \
  template Status BasicRunEndBuilder<RunEnd>::StageNulls(int64_t);                                 \
  template Status BasicRunEndBuilder<RunEnd>::StageEmpty(int64_t);                                 \
  template Status BasicRunEndBuilder<RunEnd>::StageRanges(const Array&,                            \
                                                          std::span<const RowRange>);              \
  template Status BasicRunEndBuilder<RunEnd>::StageRepeated(const Array&, RowRange, int64_t);      \
  template Status BasicRunEndBuilder<RunEnd>::StageSparse(const internal::SparseFill&);
SHEAF_INSTANTIATE(int16_t)
SHEAF_INSTANTIATE(int32_t)
SHEAF_INSTANTIATE(int64_t)
#undef SHEAF_INSTANTIATE

}  // namespace sheaf::inline v1
