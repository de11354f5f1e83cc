#pragma once

#include <span>

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// The rows of `array` over other children, and another dictionary where it has one: each has at
/// least as many slots as the one it replaces, in the same order. All buffers are shared; what is
/// known of nulls and views stays known.
///
/// The type follows from the children's: field names, nullability, metadata and the type's own
/// parameters stay. Where no child is another, the array is returned as it is.
/// \param children  moved from. \param dictionary  moved from; null for types without one.
/// \return kInvalidArgument where an extension refuses the storage; kResourceExhausted.
StatusOr<Array> WithChildren(const Array& array, std::span<Array> children, Array* dictionary,
                             MemoryPool* pool);

/// The same under a type that is given: one whose layout and children's types are these.
StatusOr<Array> WithTypeAndChildren(const Array& array, DataType type, std::span<Array> children,
                                    Array* dictionary, MemoryPool* pool);

/// Whether both are the same window of the same node.
inline bool IsSameArray(const Array& a, const Array& b) noexcept {
  return a.data() == b.data() && a.offset() == b.offset() && a.length() == b.length();
}

}  // namespace sheaf::inline v1::internal
