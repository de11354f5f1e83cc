#pragma once

#include <cstdint>
#include <utility>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// `length` nulls and no memory for them.
class SHEAF_EXPORT NullArray : public Array {
 public:
  NullArray() = default;
  /// \return kInvalidArgument where `array` has another type.
  static StatusOr<NullArray> From(Array array);
  /// \return kInvalidArgument where `length` is negative; kResourceExhausted.
  static StatusOr<NullArray> Make(int64_t length, MemoryPool* pool = MemoryPool::Default());

 private:
  explicit NullArray(Array array) : Array(std::move(array)) {}
};

}  // namespace sheaf
