#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// Byte strings of any size: row i is `data[offsets[i], offsets[i + 1])`. Serves binary and utf8
/// alike.
template <typename Offset>
class SHEAF_EXPORT BasicBinaryArray : public Array {
 public:
  using OffsetType = Offset;

  BasicBinaryArray() = default;
  /// \return kInvalidArgument where `array` has another type.
  static StatusOr<BasicBinaryArray> From(Array array);

  /// From length + 1 offsets and the bytes they point into.
  /// \param type  (large) utf8 or binary; utf8 by default.
  static StatusOr<BasicBinaryArray> Make(Buffer offsets, Buffer data, int64_t length,
                                         Buffer validity = {},
                                         ValidationLevel level = ValidationLevel::kFull,
                                         const DataType* type = nullptr);

  /// Copies `values`; `valid`, if not empty, says which are no nulls.
  /// \return kOutOfRange where the bytes outgrow the offsets.
  static StatusOr<BasicBinaryArray> FromValues(std::span<const std::string_view> values,
                                               std::span<const bool> valid = {},
                                               const DataType* type = nullptr,
                                               MemoryPool* pool = MemoryPool::Default());

  /// length + 1 of them.
  std::span<const Offset> offsets() const noexcept {
    return {slots<Offset>(1), static_cast<size_t>(length()) + 1};
  }
  /// All bytes, also those that no row reaches.
  const Buffer& data_bytes() const noexcept { return buffer(2); }
  std::string_view view(int64_t i) const noexcept {
    const Offset* at = slots<Offset>(1) + i;
    return {buffer(2).template as<char>() + at[0], static_cast<size_t>(at[1] - at[0])};
  }

 private:
  explicit BasicBinaryArray(Array array) : Array(std::move(array)) {}
};

using BinaryArray = BasicBinaryArray<int32_t>;       ///< binary and utf8
using LargeBinaryArray = BasicBinaryArray<int64_t>;  ///< large_binary and large_utf8
using Utf8Array = BinaryArray;
using LargeUtf8Array = LargeBinaryArray;
extern template class BasicBinaryArray<int32_t>;
extern template class BasicBinaryArray<int64_t>;

}  // namespace sheaf
