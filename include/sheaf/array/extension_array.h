#pragma once

#include <utility>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

/// An array of an extension type, stored as another. The typed arrays' `From` take it as its
/// storage.
class SHEAF_EXPORT ExtensionArray : public Array {
 public:
  ExtensionArray() = default;
  /// \return kInvalidArgument where `array` has another type.
  static StatusOr<ExtensionArray> From(Array array);

  /// \param storage  an array of the type's storage type; its buffers are shared.
  static StatusOr<ExtensionArray> Make(DataType type, const Array& storage,
                                       MemoryPool* pool = MemoryPool::Default());

  /// The same slots as what they are stored as; buffers are shared. \return kResourceExhausted.
  StatusOr<Array> storage(MemoryPool* pool = MemoryPool::Default()) const;

 private:
  explicit ExtensionArray(Array array) : Array(std::move(array)) {}
};

}  // namespace sheaf
