#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "sheaf/type/schema.h"

namespace sheaf::tools {

/// Figures about the views of a list-view column, over all batches.
struct ViewSummary {
  int64_t elements = 0;             ///< Stored, summed.
  int64_t referenced_elements = 0;  ///< Covered by the view of a valid row, summed.
  int64_t sum_of_sizes = 0;  ///< Of valid rows, summed: elements that a plain list would store.
  bool packed = true;        ///< In every batch.
  bool overlapping = false;  ///< In some batch.
  bool zero_copy_to_list = true;  ///< In every batch.
};

/// A column, or a column below one, over all batches.
struct ColumnSummary {
  std::string path;
  std::string type;
  int64_t length = 0;
  int64_t null_count = 0;  ///< By the bitmaps.
  int64_t bytes = 0;       ///< That the rows use, all below included.
  std::optional<ViewSummary> views;
  std::vector<ColumnSummary> children;  ///< Of a dictionary column: its values.
  std::optional<Array> dictionary;      ///< The last one that was counted.
};

/// A summary of no batch for each column of `schema`, in order.
std::vector<ColumnSummary> EmptySummaries(const Schema& schema);

/// Adds one batch's array, which has passed `Array::Verify`. \return kResourceExhausted.
Status AddArray(const Array& array, ColumnSummary& summary);

}  // namespace sheaf::tools
