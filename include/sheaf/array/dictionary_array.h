#pragma once

#include <cstdint>
#include <utility>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// Indices into a dictionary of values. A row is null where its index is, and reads as null where
/// the value it points to is (`LogicalNullCount` counts those too).
class SHEAF_EXPORT DictionaryArray : public Array {
 public:
  DictionaryArray() = default;
  /// \return kInvalidArgument where `array` has another type.
  static StatusOr<DictionaryArray> From(Array array);

  /// \param indices  an integer array; its nulls are the rows' nulls.
  static StatusOr<DictionaryArray> Make(const Array& indices, const Array& dictionary,
                                        bool ordered = false,
                                        ValidationLevel level = ValidationLevel::kFull);

  /// The indices as an integer array that shares the buffers. \return kResourceExhausted.
  StatusOr<Array> indices(MemoryPool* pool = MemoryPool::Default()) const;
  /// Index of row i, whatever its width; -1 where the row is null.
  int64_t index(int64_t i) const noexcept;
  /// Value of row i as an array of length 1; of length 0 where the row is null.
  Array value(int64_t i) const noexcept;

 private:
  explicit DictionaryArray(Array array) : Array(std::move(array)) {}
};

}  // namespace sheaf
