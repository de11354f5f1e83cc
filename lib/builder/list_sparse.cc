#include "builder/build_offsets.h"
#include "builder/builder_core.h"
#include "builder/list_source.h"
#include "kernels/shift_views.h"
#include "sheaf/builder/list_builder.h"

// Sparse columns of lists: a list cannot share, so the elements of the fill are written out.
namespace sheaf::inline v1 {

using internal::ListSource;

template <typename Offset>
Status BasicListBuilder<Offset>::StageSparse(const internal::SparseFill& sparse) {
  SHEAF_ASSIGN_OR_RETURN(const Array fill, AsOwnType(sparse.fill));
  SHEAF_ASSIGN_OR_RETURN(const Array patches, AsOwnType(sparse.patches));
  const ListSource fills(fill);
  const ListSource lists(patches);
  const int64_t block = fill.length();
  const RowRange all_patches{0, patches.length()};
  const RowRange fill_reached = sparse.null_fill() ? RowRange{} : fills.Rows({0, block});
  const RowRange reached = lists.Rows(all_patches);
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, fills, {0, block}, fill_reached));
  SHEAF_RETURN_IF_ERROR(internal::CheckElementsNullable(type_, lists, all_patches, reached));
  SHEAF_ASSIGN_OR_RETURN(int64_t total,
                         internal::ProductOf(fill_reached.length, sparse.at.num_fills(), type_));
  if (AddOverflows(total, reached.length, &total)) {
    return internal::OutOfRange(type_.ToString(), " builder: the elements exceed 64 bits");
  }
  SHEAF_RETURN_IF_ERROR(CheckFits(total));
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, RowsOf(sparse));
  SHEAF_RETURN_IF_ERROR(internal::ReserveOffsets<Offset>(ends_, rows, type_));
  SHEAF_RETURN_IF_ERROR(StageSparseValidity(sparse));
  if (fill_reached.length > 0) SHEAF_RETURN_IF_ERROR(ReserveRowsOf(*elements_, total));

  const Offset* fill_ends = fills.template offsets<Offset>() + 1;
  const Offset* ends = lists.template offsets<Offset>() + 1;
  auto* out =
      reinterpret_cast<Offset*>(ends_.UnsafeStage(rows * static_cast<int64_t>(sizeof(Offset))));
  const bool fill_has_elements = fill_reached.length > 0;
  SHEAF_RETURN_IF_ERROR(sparse.at.VisitRuns(
      [&](int64_t n) {
        internal::WriteRepeatedEnds(fill_ends, block, fill_reached.length, n, out[-1], out);
        out += n * block;
        if (!fill_has_elements) return OkStatus();
        return StageRepeatedOf(*elements_, fills.elements(), fill_reached, n);
      },
      [&](int64_t first, int64_t n) {
        const Offset* ends_of = ends + first * block;
        kernels::ShiftOffsets(ends_of, n * block, out[-1] - ends_of[-1], out);
        out += n * block;
        const RowRange elements = lists.Rows({first * block, n * block});
        if (!fill_has_elements || elements.length == 0) return OkStatus();
        return StageRangesOf(*elements_, lists.elements(), {&elements, 1});
      }));
  // Nothing between the patches: their elements go in as one range.
  if (fill_has_elements || reached.length == 0) return OkStatus();
  return StageRangesOf(*elements_, lists.elements(), {&reached, 1});
}

template Status BasicListBuilder<int32_t>::StageSparse(const internal::SparseFill&);
template Status BasicListBuilder<int64_t>::StageSparse(const internal::SparseFill&);

}  // namespace sheaf::inline v1
