#pragma once

#include <cstdint>

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"
#include "sheaf/type/data_type.h"

// One list-like layout as another. Each function takes verified rows of its layout and the type to
// make of them, whose elements have the rows' own type. Neither is an extension.
namespace sheaf::inline v1::internal {

/// Lists and maps. Elements that no row reaches go, but where only the type is another.
StatusOr<Array> ListsAsLists(const Array& lists, const DataType& type, MemoryPool* pool);
StatusOr<Array> ListsAsViews(const Array& lists, const DataType& type, MemoryPool* pool);
StatusOr<Array> ViewsAsViews(const Array& views, const DataType& type, MemoryPool* pool);
StatusOr<Array> ViewsAsLists(const Array& views, const DataType& type, MemoryPool* pool);
/// Lists or list-views; null rows keep their elements.
StatusOr<Array> FixedAsLists(const Array& lists, const DataType& type, MemoryPool* pool);
/// Rows of any list-like layout.
StatusOr<Array> RowsAsFixed(const Array& lists, const DataType& type, MemoryPool* pool);

/// Any of these, by the layouts.
StatusOr<Array> WithListLayout(const Array& lists, const DataType& type, MemoryPool* pool);

/// The same rows of a verified list (or map) over the part of its elements that they reach: the
/// first one's begin at 0. The array itself where that is all of them.
StatusOr<Array> TrimList(const Array& lists, MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
