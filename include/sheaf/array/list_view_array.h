#pragma once

#include <cstdint>
#include <span>

#include "sheaf/array/array.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// A list-view array: row i is `elements[offsets[i], offsets[i] + sizes[i])`. Views may overlap,
/// leave gaps and come in any order (Arrow columnar format, "ListView layout").
template <typename Offset>
class SHEAF_EXPORT BasicListViewArray : public Array {
 public:
  using OffsetType = Offset;

  /// An empty list-view of nulls-type elements.
  BasicListViewArray() = default;

  /// \return kInvalidArgument where `array` has another type.
  static StatusOr<BasicListViewArray> From(Array array);

  /// From elements and n offsets and sizes as integer arrays (their nulls become null rows, unless
  /// `validity` is given too: two sources of nulls are kInvalidArgument) or buffers.
  /// \param type  the list-view type; the default one has a nullable field "item".
  static StatusOr<BasicListViewArray> Make(const Array& elements, const Array& offsets,
                                           const Array& sizes, Buffer validity = {},
                                           ValidationLevel level = ValidationLevel::kFull,
                                           const DataType* type = nullptr);
  static StatusOr<BasicListViewArray> Make(const Array& elements, Buffer offsets, Buffer sizes,
                                           int64_t length, Buffer validity = {},
                                           ValidationLevel level = ValidationLevel::kFull,
                                           const DataType* type = nullptr);

  std::span<const Offset> offsets() const noexcept {
    return {slots<Offset>(1), static_cast<size_t>(length())};
  }
  std::span<const Offset> sizes() const noexcept {
    return {slots<Offset>(2), static_cast<size_t>(length())};
  }
  /// All elements, also those that no view reaches.
  const Array& elements() const noexcept { return child(0); }
  /// The elements of row i, a slice.
  Array list(int64_t i) const noexcept { return child(0).Slice(offsets()[i], sizes()[i]); }

  ViewStats stats() const noexcept { return StatsOf(*this); }
  /// Whether the offsets and sizes are also those of a plain list.
  bool zero_copy_to_list() const noexcept { return stats().zero_copy_to_list; }

 private:
  explicit BasicListViewArray(Array array) : Array(std::move(array)) {}
};

using ListViewArray = BasicListViewArray<int32_t>;
using LargeListViewArray = BasicListViewArray<int64_t>;
extern template class BasicListViewArray<int32_t>;
extern template class BasicListViewArray<int64_t>;

}  // namespace sheaf
