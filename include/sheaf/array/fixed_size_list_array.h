#pragma once

#include <cstdint>
#include <utility>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// Lists of one size: row i is `elements[i * list_size, (i + 1) * list_size)`, null rows too.
class SHEAF_EXPORT FixedSizeListArray : public Array {
 public:
  FixedSizeListArray() = default;
  /// \return kInvalidArgument where `array` has another type.
  static StatusOr<FixedSizeListArray> From(Array array);

  /// \param length  -1: as many rows as the elements fill; must be given where `list_size` is 0.
  /// There may be
  ///                more elements than rows use; they are never seen.
  /// \param type  the default one has a nullable field "item".
  static StatusOr<FixedSizeListArray> Make(const Array& elements, int32_t list_size,
                                           int64_t length = -1, Buffer validity = {},
                                           ValidationLevel level = ValidationLevel::kFull,
                                           const DataType* type = nullptr);

  int32_t list_size() const noexcept { return type().list_size(); }
  /// All elements of the node; row i of this window starts at (offset() + i) * list_size().
  const Array& elements() const noexcept { return child(0); }
  /// The elements of this window's rows.
  Array window_elements() const noexcept {
    const int64_t size = list_size();
    return child(0).Slice(offset() * size, length() * size);
  }
  /// The elements of row i, a slice.
  Array list(int64_t i) const noexcept {
    const int64_t size = list_size();
    return child(0).Slice((offset() + i) * size, size);
  }

 private:
  explicit FixedSizeListArray(Array array) : Array(std::move(array)) {}
};

}  // namespace sheaf
