#include <algorithm>
#include <cstring>

#include "array/array_data.h"
#include "builder/builder_core.h"
#include "kernels/shift_views.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/builder/list_view_builder.h"

// How a list-view builder's rows become one array: windows have widened to what they are, so every
// anchor now has a place, and offsets that counted from one move by a constant a run of rows.
namespace sheaf::inline v1 {

using internal::ElementsWindow;
using internal::KeptChunk;
using internal::KeptViews;
using internal::StagedVector;
using internal::ViewAnchor;

/// The parts of the result that differ by how the rows are stored.
template <typename Offset>
struct BasicListViewBuilder<Offset>::Built {
  static constexpr auto kWidth = static_cast<int64_t>(sizeof(Offset));
  Array elements;
  Buffer offsets;
  Buffer sizes;
  bool has_spare_offset = false;

  /// Room for n offsets and the spare one, which is set.
  StatusOr<MutableBuffer> AllocateOffsets(int64_t n, MemoryPool* pool) {
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer buffer, MutableBuffer::Allocate((n + 1) * kWidth, pool));
    buffer.as<Offset>()[n] = static_cast<Offset>(elements.length());
    has_spare_offset = true;
    return buffer;
  }
  static Buffer FinishOffsets(MutableBuffer buffer) noexcept {
    Buffer whole = std::move(buffer).Finish();
    return whole.Slice(0, whole.size_bytes() - kWidth);
  }
};

template <typename Offset>
Status BasicListViewBuilder<Offset>::SumChunks(StagedVector<int64_t>* sums) const {
  const auto& chunks = ChunksOf(*elements_);
  if (chunks.empty()) return OkStatus();
  int64_t sum = 0;
  for (const KeptChunk& chunk : chunks) {
    SHEAF_RETURN_IF_ERROR(sums->Stage(sum));
    sum += chunk.window.length();
  }
  return sums->Stage(sum);
}

/// What an offset that counts from `anchor` moves by.
template <typename Offset>
int64_t BasicListViewBuilder<Offset>::ShiftOf(const ViewAnchor& anchor,
                                              const StagedVector<int64_t>& sums) const noexcept {
  if (sums.empty()) return 0;
  if (anchor.window < 0) return sums[anchor.chunks_before];
  const ElementsWindow& window = windows_[anchor.window];
  return ChunksOf(*elements_)[window.chunk].tail_before + sums[window.chunk] +
         (window.origin - window.begin);
}

/// The statistics of all rows, where they are known: each element is reached then, and no view lies
/// outside.
template <typename Offset>
ViewStats BasicListViewBuilder<Offset>::KnownStats() const noexcept {
  ViewStats stats;
  stats.end = elements_->length();
  stats.sum_of_sizes = stats.end + committed_known_.surplus;
  stats.max_size = committed_known_.max_size;
  stats.packed = stats.zero_copy_to_list = committed_flag_;
  stats.in_order = committed_known_.in_order;
  stats.ascending = committed_known_.ascending;
  return stats;
}

template <typename Offset>
StatusOr<Array> BasicListViewBuilder<Offset>::Build(Sharing sharing) {
  Built built;
  SHEAF_ASSIGN_OR_RETURN(built.elements, BuildOf(*elements_, sharing));
  StagedVector<int64_t> sums(pool());
  SHEAF_RETURN_IF_ERROR(SumChunks(&sums));
  if (chunks_.empty()) {
    SHEAF_RETURN_IF_ERROR(BuildTailRows(sums, sharing, &built));
  } else if (OnlyChunk() != nullptr) {
    SHEAF_RETURN_IF_ERROR(BuildPassedThrough(sums, &built));
  } else {
    SHEAF_RETURN_IF_ERROR(BuildJoined(sums, &built));
  }
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, BuildValidity(sharing));
  const ViewStats stats = KnownStats();
  return internal::MakeBuilt(
      type_, length(), null_count(),
      {std::move(validity), std::move(built.offsets), std::move(built.sizes)}, {&built.elements, 1},
      pool(), built.has_spare_offset, committed_known_.known ? &stats : nullptr);
}

/// One array and nothing else: its sizes are the result's, and so are its offsets unless they move.
template <typename Offset>
Status BasicListViewBuilder<Offset>::BuildPassedThrough(const StagedVector<int64_t>& sums,
                                                        Built* built) {
  const Array& window = chunks_[0].window;
  const KeptViews& views = kept_views_[0];
  const int64_t n = window.length();
  built->sizes = window.buffer(2).Slice(window.offset() * Built::kWidth, n * Built::kWidth);
  const int64_t delta = views.placement.base - views.begin + ShiftOf(views.placement.anchor, sums);
  if (views.shift + delta == 0 && !StatsOf(window).empties_outside) {
    const internal::ArrayData& node = *window.data();
    built->offsets = window.buffer(1).Slice(window.offset() * Built::kWidth, n * Built::kWidth);
    // The source's spare slot holds the number of its elements, which must be ours.
    built->has_spare_offset = node.has_spare_offset && committed_flag_ &&
                              window.offset() + n == node.offset + node.length &&
                              window.child(0).length() == built->elements.length();
    return OkStatus();
  }
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer offsets, built->AllocateOffsets(n, pool()));
  kernels::ClampAndShift(window.slots<Offset>(1), n, views.shift, views.begin, views.end, delta,
                         offsets.as<Offset>());
  built->offsets = Built::FinishOffsets(std::move(offsets));
  return OkStatus();
}

/// Rows copied here and nothing else: their buffers are the result's unless a segment moves.
template <typename Offset>
Status BasicListViewBuilder<Offset>::BuildTailRows(const StagedVector<int64_t>& sums,
                                                   Sharing sharing, Built* built) {
  const int64_t n = length();
  built->sizes = sizes_.Share(sharing);
  bool moved = ShiftOf(ViewAnchor(), sums) != 0;
  for (const auto& segment : segments_) moved = moved || ShiftOf(segment.anchor, sums) != 0;
  if (!moved) {
    built->offsets = offsets_.Share(sharing);
    if (n > 0 && sharing == Sharing::kFinal) {  // The next append would write there.
      // The slack behind a builder's buffer has room for the spare slot.
      built->has_spare_offset = offsets_.ShareSpare(static_cast<Offset>(built->elements.length()));
    }
    return OkStatus();
  }
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer offsets, built->AllocateOffsets(n, pool()));
  int64_t segment = 0;
  WriteTailOffsets(sums, 0, n, &segment, offsets.as<Offset>());
  built->offsets = Built::FinishOffsets(std::move(offsets));
  return OkStatus();
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::BuildJoined(const StagedVector<int64_t>& sums, Built* built) {
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer offsets, built->AllocateOffsets(length(), pool()));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer sizes,
                         MutableBuffer::Allocate(length() * Built::kWidth, pool()));
  auto* offsets_out = offsets.as<Offset>();
  auto* sizes_out = sizes.as<Offset>();
  int64_t segment = 0;
  VisitPieces(
      [&](int64_t begin, int64_t end) {
        WriteTailOffsets(sums, begin, end, &segment, offsets_out);
        std::memcpy(sizes_out, sizes_.as<Offset>() + begin,
                    static_cast<size_t>((end - begin) * Built::kWidth));
        offsets_out += end - begin;
        sizes_out += end - begin;
      },
      [&](int64_t index) {
        const Array& window = chunks_[index].window;
        const KeptViews& views = kept_views_[index];
        const int64_t n = window.length();
        const int64_t delta =
            views.placement.base - views.begin + ShiftOf(views.placement.anchor, sums);
        kernels::ClampAndShift(window.slots<Offset>(1), n, views.shift, views.begin, views.end,
                               delta, offsets_out);
        std::memcpy(sizes_out, window.slots<Offset>(2), static_cast<size_t>(n * Built::kWidth));
        offsets_out += n;
        sizes_out += n;
      });
  built->offsets = Built::FinishOffsets(std::move(offsets));
  built->sizes = std::move(sizes).Finish();
  return OkStatus();
}

/// Offsets of tail rows [begin, end) in their final places; `segment` is where the search goes on
/// from call to call.
template <typename Offset>
void BasicListViewBuilder<Offset>::WriteTailOffsets(const StagedVector<int64_t>& sums,
                                                    int64_t begin, int64_t end, int64_t* segment,
                                                    Offset* out) const noexcept {
  const auto* stored = reinterpret_cast<const Offset*>(offsets_.data());
  while (begin < end) {
    while (*segment < segments_.size() && segments_[*segment].first_row <= begin) ++*segment;
    const ViewAnchor anchor = *segment == 0 ? ViewAnchor() : segments_[*segment - 1].anchor;
    const int64_t until =
        *segment < segments_.size() ? std::min(end, segments_[*segment].first_row) : end;
    kernels::ShiftOffsets(stored + begin, until - begin, ShiftOf(anchor, sums), out);
    out += until - begin;
    begin = until;
  }
}

// The class itself is instantiated in list_view_builder.cc, with the members defined there.
#define SHEAF_INSTANTIATE(Offset)                                                                  \
  template Status BasicListViewBuilder<Offset>::SumChunks(StagedVector<int64_t>*) const;           \
  template int64_t BasicListViewBuilder<Offset>::ShiftOf(                                          \
      const ViewAnchor&, const StagedVector<int64_t>&) const noexcept;                             \
  template ViewStats BasicListViewBuilder<Offset>::KnownStats() const noexcept;                    \
  template StatusOr<Array> BasicListViewBuilder<Offset>::Build(Sharing);                           \
  template Status BasicListViewBuilder<Offset>::BuildPassedThrough(const StagedVector<int64_t>&,   \
                                                                   Built*);                        \
  template Status BasicListViewBuilder<Offset>::BuildTailRows(const StagedVector<int64_t>&,        \
                                                              Sharing, Built*);                    \
  template Status BasicListViewBuilder<Offset>::BuildJoined(const StagedVector<int64_t>&, Built*); \
  template void BasicListViewBuilder<Offset>::WriteTailOffsets(                                    \
      const StagedVector<int64_t>&, int64_t, int64_t, int64_t*, Offset*) const noexcept;
SHEAF_INSTANTIATE(int32_t)
SHEAF_INSTANTIATE(int64_t)
#undef SHEAF_INSTANTIATE

}  // namespace sheaf
