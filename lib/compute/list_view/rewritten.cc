#include "compute/list_view/rewritten.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "array/array_data.h"
#include "sheaf/base/bits.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/memory/bit_span.h"

namespace sheaf::inline v1::internal {
namespace {

/// Parts of a list-view with the type, length and nulls of `views`.
NodeParts PartsLike(const Array& views, std::span<Buffer> buffers, std::span<Array> children,
                    const ViewStats* stats) {
  NodeParts parts;
  parts.type = views.type();
  parts.length = views.length();
  parts.null_count = views.null_count();
  parts.buffers = buffers;
  parts.children = children;
  parts.verified = true;
  parts.view_stats = stats;
  return parts;
}

}  // namespace

bool NullRowsReach(const Array& views) noexcept {
  if (!views.has_nulls()) return false;
  const BitSpan validity = views.validity();
  return WithViews(views, [&](const auto*, const auto* sizes) {
    int64_t row = 0;  // The first not looked at yet.
    bool reach = false;
    const auto look_until = [&](int64_t end) {
      for (; row < end; ++row) reach = reach || sizes[row] != 0;
    };
    VisitSetRuns(validity, [&](int64_t begin, int64_t end) {
      look_until(begin);
      row = end;
    });
    look_until(views.length());
    return reach;
  });
}

StatusOr<Array> BringRanges(const Array& elements, std::span<const RowRange> ranges,
                            MemoryPool* pool) {
  if (ranges.empty()) return elements.Slice(0, 0);
  if (ranges.size() == 1) return elements.Slice(ranges[0].offset, ranges[0].length);
  SHEAF_ASSIGN_OR_RETURN(std::unique_ptr<ArrayBuilder> builder,
                         MakeBuilder(elements.type(), {.pool = pool}));
  SHEAF_RETURN_IF_ERROR(builder->AppendRanges(elements, ranges));
  return builder->Finish();
}

StatusOr<Array> OverElements(const Array& views, Array elements, const ViewStats& stats,
                             MemoryPool* pool) {
  const ArrayData& data = *views.data();
  const int64_t num_elements = elements.length();
  std::array<Buffer, 3> buffers = {views.buffer(0), views.buffer(1), views.buffer(2)};
  NodeParts parts = PartsLike(views, buffers, {&elements, 1}, &stats);
  parts.offset = views.offset();
  // A slot behind the rows holds the end of what was packed there; it may still be the end.
  parts.has_spare_offset = data.has_spare_offset &&
                           data.IsPrimary(views.offset(), views.length()) &&
                           WithViews(views, [&](const auto* offsets, const auto*) {
                             return offsets[views.length()] == num_elements;
                           });
  return MakeNode(std::move(parts), pool);
}

template <typename Offset>
StatusOr<Rewritten<Offset>> Rewritten<Offset>::Make(const Array& views, bool with_sizes,
                                                    MemoryPool* pool) {
  const int64_t slots_before = views.has_nulls() ? views.offset() % 8 : 0;
  const int64_t slots = slots_before + views.length();
  constexpr int64_t kWidth = sizeof(Offset);
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer offsets,
                         MutableBuffer::Allocate((slots + 1) * kWidth, pool));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer sizes,
                         MutableBuffer::Allocate(with_sizes ? slots * kWidth : 0, pool));
  std::fill_n(offsets.as<Offset>(), slots_before, Offset{0});
  if (with_sizes) std::fill_n(sizes.as<Offset>(), slots_before, Offset{0});
  return Rewritten(views, slots_before, std::move(offsets), std::move(sizes), with_sizes);
}

template <typename Offset>
StatusOr<Array> Rewritten<Offset>::Finish(Array elements, const ViewStats* stats,
                                          MemoryPool* pool) && {
  constexpr int64_t kWidth = sizeof(Offset);
  const int64_t slots = slots_before_ + views_.length();
  const int64_t first_slot = views_.offset() - slots_before_;
  offsets()[views_.length()] = static_cast<Offset>(elements.length());
  std::array<Buffer, 3> buffers;
  if (views_.has_nulls()) buffers[0] = views_.buffer(0).Slice(first_slot / 8, BytesForBits(slots));
  buffers[1] = std::move(offsets_).Finish();
  buffers[2] = with_sizes_            ? std::move(sizes_).Finish()
               : views_.length() == 0 ? Buffer::Empty()
                                      : views_.buffer(2).Slice(first_slot * kWidth, slots * kWidth);
  NodeParts parts = PartsLike(views_, buffers, {&elements, 1}, stats);
  parts.offset = slots_before_;
  parts.has_spare_offset = true;
  return MakeNode(std::move(parts), pool);
}

template class Rewritten<int32_t>;
template class Rewritten<int64_t>;

}  // namespace sheaf::inline v1::internal
