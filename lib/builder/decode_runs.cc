#include <algorithm>

#include "builder/builder_core.h"
#include "sheaf/array/run_end_array.h"

// Run-ends for builders of their values: each value is written as often as it counts, by the
// builder's own hooks.
namespace sheaf::inline v1 {

using internal::RowRange;

/// Runs of one row go in side by side, all others as repeats.
Status ArrayBuilder::StageDecodedRuns(const Array& source, std::span<const RowRange> ranges) {
  for (const RowRange& range : ranges) {
    SHEAF_ASSIGN_OR_RETURN(const RunEndArray runs,
                           RunEndArray::From(source.Slice(range.offset, range.length)));
    const auto [first, last] = runs.physical_range();
    int64_t begin = 0;
    RowRange single{first, 0};
    const auto stage_single = [&]() -> Status {
      return single.length == 0 ? OkStatus() : StageSource(runs.values(), {&single, 1});
    };
    for (int64_t run = first; run < last; ++run) {
      const int64_t end = std::min(runs.run_end(run) - runs.offset(), runs.length());
      if (end - begin == 1) {
        ++single.length;
      } else {
        SHEAF_RETURN_IF_ERROR(stage_single());
        SHEAF_RETURN_IF_ERROR(StageValueRepeated(runs.values(), run, end - begin));
        single = {run + 1, 0};
      }
      begin = end;
    }
    SHEAF_RETURN_IF_ERROR(stage_single());
  }
  return OkStatus();
}

Status ArrayBuilder::StageDecodedRun(const Array& source, RowRange range, int64_t n) {
  if (range.length == 0) return OkStatus();
  SHEAF_ASSIGN_OR_RETURN(const RunEndArray runs,
                         RunEndArray::From(source.Slice(range.offset, range.length)));
  const auto [first, last] = runs.physical_range();
  if (last - first == 1) {
    SHEAF_ASSIGN_OR_RETURN(const int64_t rows, internal::ProductOf(range.length, n, type_));
    return StageValueRepeated(runs.values(), first, rows);
  }
  // Decoded once, so that the cost is that of the rows, not of n rounds.
  SHEAF_ASSIGN_OR_RETURN(const Array decoded, AsOwnType(runs));
  return StageRepeated(decoded, {0, range.length}, n);
}

Status ArrayBuilder::StageValueRepeated(const Array& values, int64_t row, int64_t n) {
  if (values.layout().has_validity && values.IsNull(row)) return StageNulls(n);
  return StageSourceRepeated(values, {row, 1}, n);
}

}  // namespace sheaf::inline v1
