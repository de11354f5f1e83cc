#include <algorithm>

#include "builder/builder_core.h"
#include "builder/list_source.h"
#include "builder/list_view_brought.h"
#include "builder/sparse_fill.h"
#include "kernels/fill.h"
#include "kernels/shift_views.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/make_builder.h"

// Sparse columns of list-views: the elements of the fill are stored once, those of each patch once,
// and then all rows are views over them.
//
//   fill [7 8], patches [1] [2 3] at rows 0 and 2 of 4
//   elements 7 8 1 2 3   offsets 2 0 3 0   sizes 1 2 2 2
namespace sheaf::inline v1 {

using internal::ListSource;
using internal::Placement;
using internal::SparseFill;
using internal::SparsePositions;

namespace {

/// Calls function(offset, size), each of which gives those of row j.
template <typename Function>
void WithRows(const ListSource& lists, Function&& function) noexcept {
  const auto views = [&](const auto* offsets, const auto* sizes) {
    function([=](int64_t j) -> int64_t { return offsets[j]; },
             [=](int64_t j) -> int64_t { return sizes[j]; });
  };
  const auto ends = [&](const auto* offsets) {
    function([=](int64_t j) -> int64_t { return offsets[j]; },
             [=](int64_t j) -> int64_t { return offsets[j + 1] - offsets[j]; });
  };
  if (lists.layout() == LayoutId::kFixedSizeList) {
    const int64_t size = lists.list_size();
    const int64_t first = lists.Row(0).offset;
    function([=](int64_t j) { return first + j * size; }, [=](int64_t) { return size; });
  } else if (lists.is_view() && lists.wide()) {
    views(lists.template offsets<int64_t>(), lists.template sizes<int64_t>());
  } else if (lists.is_view()) {
    views(lists.template offsets<int32_t>(), lists.template sizes<int32_t>());
  } else if (lists.wide()) {
    ends(lists.template offsets<int64_t>());
  } else {
    ends(lists.template offsets<int32_t>());
  }
}

/// Offsets where empty rows lie between patches: each row up to a patch has the patch's, where the
/// running end is if patches are packed; rows behind the last have `end`. Writes whole vectors,
/// past `at.count` slots into the slack of a builder's buffer.
template <typename Offset, typename OffsetOf>
void WriteRunningEnds(const SparsePositions& at, Offset end, Offset* out,
                      OffsetOf&& offset_of) noexcept {
  constexpr auto kSlots = BufferBuilder::kSlackBytes / static_cast<int64_t>(sizeof(Offset));
  int64_t row = 0;
  const auto fill_up_to = [&](int64_t next, Offset offset) {
    for (; row < next; row += kSlots) {
      for (int64_t k = 0; k < kSlots; ++k) out[row + k] = offset;
    }
    row = next;
  };
  for (int64_t j = 0; j < at.num_patches(); ++j) fill_up_to(at[j] + 1, offset_of(j));
  fill_up_to(at.count, end);
}

}  // namespace

/// A fill of a sparse column on its way in.
template <typename Offset>
struct BasicListViewBuilder<Offset>::Sparse {
  const SparseFill& rows;
  const Brought& fill;
  const Brought& patches;
  Placement fill_at;
  Placement patches_at;
  Offset* offsets = nullptr;
  Offset* sizes = nullptr;

  Offset Moved(int64_t offset) const noexcept {
    return static_cast<Offset>(std::clamp(offset, patches.begin, patches.end) - patches.begin +
                               patches_at.base);
  }
  Offset patches_end() const noexcept {
    return static_cast<Offset>(patches_at.base + patches.size());
  }

  /// Blocks of one view.
  void WriteSingle() const noexcept {
    const auto size_of_fill = static_cast<Offset>(fill.size());
    WithRows(ListSource(rows.patches), [&](auto offset_of, auto size_of) {
      const auto moved = [&](int64_t j) { return Moved(offset_of(j)); };
      if (size_of_fill > 0) {
        internal::WriteSparse(rows.at, static_cast<Offset>(fill_at.base), offsets, moved);
      } else {
        WriteRunningEnds(rows.at, patches_end(), offsets, moved);
      }
      internal::WriteSparse(rows.at, size_of_fill, sizes,
                            [&](int64_t j) { return static_cast<Offset>(size_of(j)); });
    });
  }
};

template <typename Offset>
Status BasicListViewBuilder<Offset>::StageSparse(const SparseFill& sparse) {
  const Brought patches = Brought::Of(sparse.patches, {0, sparse.patches.length()});
  if (ListSource(sparse.patches).is_view() &&
      patches.size() > StatsOf(sparse.patches).sum_of_sizes) {
    // The patches share less than lies between them: each is stored by itself.
    SHEAF_ASSIGN_OR_RETURN(
        const auto lists,
        MakeBuilder(sizeof(Offset) == 4 ? List(type_.field(0)) : LargeList(type_.field(0)),
                    helper_options()));
    SHEAF_RETURN_IF_ERROR(lists->AppendArray(sparse.patches));
    SHEAF_ASSIGN_OR_RETURN(Array packed, lists->Finish());
    return StageSparse({sparse.fill, std::move(packed), sparse.at});
  }
  const RowRange fill_rows{0, sparse.block()};
  const Brought fill =
      sparse.null_fill() ? Brought(sparse.fill.child(0), {}) : Brought::Of(sparse.fill, fill_rows);
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, ListSource(sparse.fill), fill_rows,
                                                        {fill.begin, fill.size()}));
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, ListSource(sparse.patches),
                                                        {0, sparse.patches.length()},
                                                        {patches.begin, patches.size()}));
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, RowsOf(sparse));
  SHEAF_RETURN_IF_ERROR(ReserveViews(rows));
  Sparse views{sparse, fill, patches, {}, {}};
  SHEAF_RETURN_IF_ERROR(PlaceSparse(&views));
  known_.Add(patches, rows, 1);
  if (fill.size() > 0 || !patches.packed) known_.known = false;
  SHEAF_RETURN_IF_ERROR(StageSegment(views.patches_at.anchor));
  SHEAF_RETURN_IF_ERROR(StageSparseValidity(sparse));
  const int64_t bytes = rows * static_cast<int64_t>(sizeof(Offset));
  views.offsets = reinterpret_cast<Offset*>(offsets_.UnsafeStage(bytes));
  views.sizes = reinterpret_cast<Offset*>(sizes_.UnsafeStage(bytes));
  if (sparse.block() == 1) {
    views.WriteSingle();
    return OkStatus();
  }
  return WriteBlocks(views);
}

/// Brings the elements so that all rows count from one anchor.
template <typename Offset>
Status BasicListViewBuilder<Offset>::PlaceSparse(Sparse* views) {
  const Brought& fill = views->fill;
  const Brought& patches = views->patches;
  if (fill.size() == 0) {
    SHEAF_ASSIGN_OR_RETURN(views->patches_at,
                           Place(patches, !patches.packed, Keeping::kWhereItPays));
    views->fill_at = views->patches_at;
    return OkStatus();
  }
  // Packed only where the fill is read once, in front of all patches.
  const SparsePositions& at = views->rows.at;
  if (at.num_fills() > 1 || at[0] == 0 || !fill.packed || !patches.packed) flag_ = false;
  // Both are copied: where one were kept by reference, its window could widen and move away from
  // the other, with rows of both side by side.
  SHEAF_RETURN_IF_ERROR(CheckFits(fill.size() + patches.size()));
  SHEAF_ASSIGN_OR_RETURN(views->fill_at, PlaceCopied(fill));
  views->patches_at = views->fill_at;
  if (patches.size() == 0) {
    views->patches_at.base += fill.size();
    return OkStatus();
  }
  SHEAF_RETURN_IF_ERROR(PlaceCopied(patches).status());
  views->patches_at.base += fill.size();
  return OkStatus();
}

/// Blocks of several views, as fixed-size lists have them.
template <typename Offset>
Status BasicListViewBuilder<Offset>::WriteBlocks(const Sparse& views) {
  const int64_t block = views.rows.block();
  Offset* offsets = views.offsets;
  Offset* sizes = views.sizes;
  int64_t end = views.patches_at.base;
  return views.rows.at.VisitRuns(
      [&](int64_t n) {
        if (views.fill.size() == 0) {
          kernels::FillSteps(end, 0, n * block, offsets);
          kernels::FillSteps(0, 0, n * block, sizes);
        } else {
          constexpr auto kWidth = static_cast<int64_t>(sizeof(Offset));
          WriteRows(views.rows.fill, {0, block}, views.fill, views.fill_at, offsets, sizes);
          internal::ExtendRepeated(reinterpret_cast<uint8_t*>(offsets), block * kWidth, n);
          internal::ExtendRepeated(reinterpret_cast<uint8_t*>(sizes), block * kWidth, n);
        }
        offsets += n * block;
        sizes += n * block;
        return OkStatus();
      },
      [&](int64_t first, int64_t n) {
        WriteRows(views.rows.patches, {first * block, n * block}, views.patches, views.patches_at,
                  offsets, sizes);
        offsets += n * block;
        sizes += n * block;
        end = int64_t{offsets[-1]} + sizes[-1];
        return OkStatus();
      });
}

#define SHEAF_INSTANTIATE(Offset)                                                         \
  template Status BasicListViewBuilder<Offset>::StageSparse(const internal::SparseFill&); \
  template Status BasicListViewBuilder<Offset>::PlaceSparse(Sparse*);                     \
  template Status BasicListViewBuilder<Offset>::WriteBlocks(const Sparse&);
SHEAF_INSTANTIATE(int32_t)
SHEAF_INSTANTIATE(int64_t)
#undef SHEAF_INSTANTIATE

}  // namespace sheaf::inline v1
