#pragma once

#include <cstdint>

#include "kernels/kernel_table.h"

namespace sheaf::inline v1::kernels {

/// What one pass over n offsets and n sizes finds; the array layer turns it into `ViewStats`.
struct ViewScan {
  int64_t begin = 0;         ///< Least offset over non-empty views, 0 where there is none.
  int64_t end = 0;           ///< Greatest end over non-empty views, 0 where there is none.
  int64_t sum_of_sizes = 0;  ///< Saturates at the largest int64.
  int64_t max_size = 0;
  bool in_bounds = true;  ///< If false, only that is meaningful, and the rest says the least.
  bool packed = true;     ///< Once empty views outside [begin, end] are moved to the nearer bound.
  bool chained = true;    ///< Packed on the buffers as they are.
  bool in_order = true;
  bool ascending = true;
  bool empties_outside = false;
};

/// Whether views chain once empty views outside [begin, end] are moved to the nearer bound: the
/// rare second pass, for views that are in bounds and not packed as they are.
bool PackedAfterClamping(const int32_t* offsets, const int32_t* sizes, int64_t length,
                         int64_t begin, int64_t end) noexcept;
bool PackedAfterClamping(const int64_t* offsets, const int64_t* sizes, int64_t length,
                         int64_t begin, int64_t end) noexcept;

/// Vectors pay for their reductions only from more views than this on.
inline constexpr int64_t kFewViews = 16;

/// The scan of at least one view that starts where the one before ends, and in bounds; false, and
/// nothing said, of others.
template <typename Offset>
bool ScanFewChained(const Offset* offsets, const Offset* sizes, int64_t length, int64_t elements,
                    ViewScan* scan) noexcept {
  auto at = static_cast<uint64_t>(int64_t{offsets[0]});
  uint64_t signs = at;
  Offset max_size = 0;
  for (int64_t i = 0; i < length; ++i) {
    const Offset size = sizes[i];
    if (at != static_cast<uint64_t>(int64_t{offsets[i]})) return false;
    at += static_cast<uint64_t>(int64_t{size});
    signs |= at | static_cast<uint64_t>(int64_t{size});
    max_size = size > max_size ? size : max_size;
  }
  const auto end = static_cast<int64_t>(at);
  if (static_cast<int64_t>(signs) < 0 || end > elements) return false;
  *scan = ViewScan{};
  scan->max_size = max_size;
  if (end > offsets[0]) {
    scan->begin = offsets[0];
    scan->end = end;
    scan->sum_of_sizes = end - offsets[0];
  } else {
    scan->empties_outside = end != 0;
  }
  return true;
}

/// Scans n views over so many elements.
template <typename Offset>
void ScanViews(const Offset* offsets, const Offset* sizes, int64_t length, int64_t elements,
               ViewScan* scan) noexcept {
  if (length > 0 && length <= kFewViews && ScanFewChained(offsets, sizes, length, elements, scan)) {
    return;
  }
  Best().Of<ViewLoops<Offset>>().scan_views(offsets, sizes, length, elements, scan);
}

}  // namespace sheaf::inline v1::kernels
