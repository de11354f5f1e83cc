#pragma once

#include <cstdint>
#include <utility>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// Runs of equal values: run r holds rows [run_ends[r - 1], run_ends[r]) of the node, of which the
/// array is the window [offset, offset + length). Nulls are in the values only.
class SHEAF_EXPORT RunEndArray : public Array {
 public:
  RunEndArray() = default;
  /// \return kInvalidArgument where `array` has another type.
  static StatusOr<RunEndArray> From(Array array);

  /// \param run_ends  int16, int32 or int64, rising. \param length  -1: up to the last run end.
  static StatusOr<RunEndArray> Make(const Array& run_ends, const Array& values, int64_t length = -1,
                                    int64_t offset = 0,
                                    ValidationLevel level = ValidationLevel::kFull);

  const Array& run_ends() const noexcept { return child(0); }
  const Array& values() const noexcept { return child(1); }
  /// End of run r in rows of the node, whatever the width.
  int64_t run_end(int64_t run) const noexcept;
  /// Which run row i is in: O(log runs).
  int64_t physical_index(int64_t i) const noexcept;
  /// The runs that this window reaches; none where it is empty (no run end is read then).
  std::pair<int64_t, int64_t> physical_range() const noexcept;
  /// Row i as an array of length 1 of the values' type.
  Array value(int64_t i) const noexcept { return values().Row(physical_index(i)); }

 private:
  explicit RunEndArray(Array array) : Array(std::move(array)) {}
};

}  // namespace sheaf
