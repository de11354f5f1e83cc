#pragma once

#include <cstdint>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/array/record_batch.h"

namespace sheaf::workloads {

/// first, first + 1, ... as int32.
Array Iota(int64_t length, int32_t first = 0);

/// `lists` views of `list_size` int32 each; view i starts at element i * step, so that a step below
/// the size overlaps. With nulls every fifth row is null.
Array ListViews(int64_t lists, int64_t list_size, int64_t step, bool nulls, int32_t first = 0);
Array LargeListViews(int64_t lists, int64_t list_size, int64_t step, bool nulls, int32_t first = 0);

/// `columns` columns c0, c1, ... of `rows` lists of `list_size` int32 each.
RecordBatch WideLists(int64_t columns, int64_t rows, int64_t list_size);

/// The same list-view under a fresh node: its statistics are not known yet.
Array WithUnknownStatistics(const Array& list_view);

/// Bytes of all buffers that the array refers to, each allocation's used part once.
int64_t BufferBytes(const Array& array);

}  // namespace sheaf::workloads
