#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// Byte strings as views: up to 12 bytes lie in the view itself, longer ones in one of any number
/// of data buffers. Serves binary_view and utf8_view alike.
class SHEAF_EXPORT BinaryViewArray : public Array {
 public:
  BinaryViewArray() = default;
  /// \return kInvalidArgument where `array` has another type.
  static StatusOr<BinaryViewArray> From(Array array);

  /// From `length` views of 16 bytes and the buffers they point into.
  /// \param type  utf8_view by default.
  static StatusOr<BinaryViewArray> Make(Buffer views, std::vector<Buffer> data, int64_t length,
                                        Buffer validity = {},
                                        ValidationLevel level = ValidationLevel::kFull,
                                        const DataType* type = nullptr);

  /// Copies `values`; `valid`, if not empty, says which are no nulls.
  /// \return kOutOfRange where one value or the bytes of all long ones exceed 2 GiB.
  static StatusOr<BinaryViewArray> FromValues(std::span<const std::string_view> values,
                                              std::span<const bool> valid = {},
                                              const DataType* type = nullptr,
                                              MemoryPool* pool = MemoryPool::Default());

  int num_data_buffers() const noexcept { return num_buffers() - 2; }
  const Buffer& data_buffer(int i) const noexcept { return buffer(2 + i); }
  /// Row i; empty where it is null. It points into the array, so it lives as long as that.
  std::string_view view(int64_t i) const noexcept;

  /// The same rows over data buffers that hold just what the rows use: for a few rows that keep
  /// large buffers alive. Long values that share bytes go on sharing them; bytes that no valid row
  /// reaches go. Data buffers whose allocations would not become smaller are shared, and the array
  /// is returned as it is where none would. Costs n log n for n long values that are out of order.
  /// \return the structural error of an array that must not be followed; kResourceExhausted.
  StatusOr<BinaryViewArray> Compact(MemoryPool* pool = MemoryPool::Default()) const;

 private:
  explicit BinaryViewArray(Array array) : Array(std::move(array)) {}
};

using Utf8ViewArray = BinaryViewArray;

}  // namespace sheaf
