#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// Lists one behind the other: row i is `elements[offsets[i], offsets[i + 1])`.
template <typename Offset>
class SHEAF_EXPORT BasicListArray : public Array {
 public:
  using OffsetType = Offset;

  BasicListArray() = default;
  /// \return kInvalidArgument where `array` has another type.
  static StatusOr<BasicListArray> From(Array array);

  /// From elements and length + 1 offsets, as an integer array of the offsets' width or as a
  /// buffer. A null among the offsets makes its row null (the offsets are then copied); the last
  /// must not be one.
  /// \param type  the list type; the default one has a nullable field "item".
  /// \return kInvalidArgument, also for two sources of nulls and for an array without any offset.
  static StatusOr<BasicListArray> Make(const Array& elements, const Array& offsets,
                                       Buffer validity = {},
                                       ValidationLevel level = ValidationLevel::kFull,
                                       const DataType* type = nullptr);
  static StatusOr<BasicListArray> Make(const Array& elements, Buffer offsets, int64_t length,
                                       Buffer validity = {},
                                       ValidationLevel level = ValidationLevel::kFull,
                                       const DataType* type = nullptr);

  /// length + 1 of them.
  std::span<const Offset> offsets() const noexcept {
    return {slots<Offset>(1), static_cast<size_t>(length()) + 1};
  }
  /// All elements, also those that no row reaches.
  const Array& elements() const noexcept { return child(0); }
  /// The elements of row i, a slice.
  Array list(int64_t i) const noexcept {
    const Offset* at = slots<Offset>(1) + i;
    return child(0).Slice(at[0], at[1] - at[0]);
  }

 private:
  explicit BasicListArray(Array array) : Array(std::move(array)) {}
};

using ListArray = BasicListArray<int32_t>;
using LargeListArray = BasicListArray<int64_t>;
extern template class BasicListArray<int32_t>;
extern template class BasicListArray<int64_t>;

}  // namespace sheaf
