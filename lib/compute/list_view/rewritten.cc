#include "compute/list_view/rewritten.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "array/array_data.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/memory/bit_span.h"

namespace sheaf::inline v1::internal {

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
  std::array<Buffer, 3> buffers = {views.buffer(0), views.buffer(1), views.buffer(2)};
  // A slot behind the rows holds the end of what was packed there; it may still be the end.
  const bool has_spare_offset = SlotBehindHolds(views, elements.length());
  return MakeNode({.type = views.type(),
                   .offset = views.offset(),
                   .length = views.length(),
                   .null_count = views.null_count(),
                   .buffers = buffers,
                   .children = {&elements, 1},
                   .verified = true,
                   .has_spare_offset = has_spare_offset,
                   .view_stats = &stats},
                  pool);
}

template <typename Offset>
StatusOr<Rewritten<Offset>> Rewritten<Offset>::Make(const Array& views, bool with_sizes,
                                                    MemoryPool* pool) {
  const SharedRows rows(views);
  constexpr int64_t kWidth = sizeof(Offset);
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer offsets,
                         MutableBuffer::Allocate((rows.slots() + 1) * kWidth, pool));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer sizes,
                         MutableBuffer::Allocate(with_sizes ? rows.slots() * kWidth : 0, pool));
  std::fill_n(offsets.as<Offset>(), rows.lead(), Offset{0});
  if (with_sizes) std::fill_n(sizes.as<Offset>(), rows.lead(), Offset{0});
  return Rewritten(views, std::move(offsets), std::move(sizes), with_sizes);
}

template <typename Offset>
StatusOr<Array> Rewritten<Offset>::Finish(Array elements, const ViewStats* stats,
                                          MemoryPool* pool) && {
  offsets()[views_.length()] = static_cast<Offset>(elements.length());
  std::array<Buffer, 3> buffers;
  buffers[0] = rows_.Validity();
  buffers[1] = std::move(offsets_).Finish();
  buffers[2] = with_sizes_            ? std::move(sizes_).Finish()
               : views_.length() == 0 ? Buffer::Empty()
                                      : rows_.Slots(2, sizeof(Offset));
  return rows_.Make(views_.type(), buffers, std::move(elements), stats, /*has_spare_offset=*/true,
                    pool);
}

template class Rewritten<int32_t>;
template class Rewritten<int64_t>;

}  // namespace sheaf::inline v1::internal
