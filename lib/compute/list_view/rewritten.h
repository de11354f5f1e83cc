#pragma once

#include <cstdint>
#include <span>

#include "compute/list_view/shared_rows.h"
#include "sheaf/array/array.h"
#include "sheaf/array/row_range.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/buffer.h"

// What the modes of `Rebuild` make their results of.
namespace sheaf::inline v1::internal {

/// Calls `function(offsets, sizes)` with the rows' offsets and sizes.
template <typename Function>
auto WithViews(const Array& views, Function&& function) {
  if (views.layout().offset_bits == 32) {
    return function(views.slots<int32_t>(1), views.slots<int32_t>(2));
  }
  return function(views.slots<int64_t>(1), views.slots<int64_t>(2));
}

/// Whether some null row has a view that is not empty.
bool NullRowsReach(const Array& views) noexcept;

/// The elements of these ranges, in order: a slice where there is one range, else one copy, sized
/// exactly but for what the elements themselves share.
StatusOr<Array> BringRanges(const Array& elements, std::span<const RowRange> ranges,
                            MemoryPool* pool);

/// The rows with their views as they are, over a part of the elements that begins where they do.
StatusOr<Array> OverElements(const Array& views, Array elements, const ViewStats& stats,
                             MemoryPool* pool);

/// Offsets, and sizes if asked for, that are written anew for the rows of a list-view. Its validity
/// is shared: slots in front of the rows make up for bits in front of them in their byte.
template <typename Offset>
class Rewritten {
 public:
  /// \param with_sizes  whether the sizes are new too. \return kResourceExhausted.
  static StatusOr<Rewritten> Make(const Array& views, bool with_sizes, MemoryPool* pool);

  Offset* offsets() noexcept { return offsets_.as<Offset>() + rows_.lead(); }
  Offset* sizes() noexcept { return sizes_.as<Offset>() + rows_.lead(); }

  /// The list-view of what was written, over `elements`. Its spare slot holds their number.
  /// \param stats  of the new views, where they are known.
  StatusOr<Array> Finish(Array elements, const ViewStats* stats, MemoryPool* pool) &&;

 private:
  Rewritten(const Array& views, MutableBuffer offsets, MutableBuffer sizes,
            bool with_sizes) noexcept
      : views_(views),
        rows_(views),
        offsets_(std::move(offsets)),
        sizes_(std::move(sizes)),
        with_sizes_(with_sizes) {}

  const Array& views_;
  SharedRows rows_;
  MutableBuffer offsets_;
  MutableBuffer sizes_;
  bool with_sizes_;
};

}  // namespace sheaf::inline v1::internal
