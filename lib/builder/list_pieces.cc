#include <algorithm>

#include "builder/builder_core.h"
#include "kernels/shift_views.h"
#include "sheaf/builder/list_builder.h"

// What a builder of lists gives without a copy, and full chunks.
namespace sheaf::inline v1 {

using internal::OwnRun;
using internal::PieceBits;
using internal::PieceCursor;
using internal::PieceList;

/// Cut at the rows where the elements are cut; a row across such a border is a piece of its own.
template <typename Offset>
Status BasicListBuilder<Offset>::BuildPieces(PieceList* pieces) {
  PieceList of_elements(pool());
  SHEAF_RETURN_IF_ERROR(BuildElementPieces(&of_elements));
  const DataType built = BuiltType();
  PieceCursor cursor(of_elements, built.field(0).type(), pool());
  SHEAF_ASSIGN_OR_RETURN(const Buffer tail_bits, TailValidity(Sharing::kFinal));
  const Buffer ends = ends_.Share();
  return VisitRuns([&](const OwnRun& run) -> Status {
    const bool kept = run.chunk >= 0;
    const Buffer& offsets = kept ? chunks_[run.chunk].window.buffer(1) : ends;
    const Offset* ends_of = offsets.template as<Offset>() + run.first;
    if (kept && chunks_[run.chunk].window.type().Identical(built)) {
      cursor.Skip(ends_of[run.length] - ends_of[0]);
      return pieces->Add(chunks_[run.chunk].window);
    }
    PieceBits bits{kept ? chunks_[run.chunk].window.buffer(0) : tail_bits, run.first};
    for (int64_t left = run.length; left > 0;) {
      const int64_t end_of_piece = int64_t{ends_of[0]} + cursor.left();
      const Offset* behind = std::upper_bound(ends_of + 1, ends_of + left + 1, end_of_piece);
      // Behind the last element all rows are empty, and the end of the piece is where they are.
      const int64_t n = std::max<int64_t>(behind - (ends_of + 1), 1);
      SHEAF_ASSIGN_OR_RETURN(Array elements, cursor.Take(ends_of[n] - ends_of[0]));
      SHEAF_RETURN_IF_ERROR(AddPiece(bits, offsets, n, std::move(elements), pieces));
      bits.first += n;
      ends_of += n;
      left -= n;
    }
    return OkStatus();
  });
}

/// Rows of `offsets` from slot `bits.first` on, whose elements are `elements`.
template <typename Offset>
Status BasicListBuilder<Offset>::AddPiece(const PieceBits& bits, const Buffer& offsets, int64_t n,
                                          Array elements, PieceList* pieces) {
  constexpr auto kWidth = static_cast<int64_t>(sizeof(Offset));
  SHEAF_ASSIGN_OR_RETURN(internal::PieceValidity validity,
                         internal::PlaceValidity(bits, n, /*room=*/bits.first, pool()));
  const int64_t lead = validity.lead;
  const Offset* ends = offsets.template as<Offset>() + bits.first;
  Buffer buffers[2];
  if (internal::SlotsBefore(elements) >= ends[0]) {
    elements = internal::WithWindow(elements, elements.offset() - ends[0], ends[n]);
    buffers[1] = offsets.Slice((bits.first - lead) * kWidth, (lead + n + 1) * kWidth);
  } else {
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer moved,
                           MutableBuffer::Allocate((lead + n + 1) * kWidth, pool()));
    auto* out = moved.as<Offset>();
    std::fill_n(out, lead + 1, Offset{0});
    kernels::ShiftOffsets(ends + 1, n, -int64_t{ends[0]}, out + lead + 1);
    buffers[1] = std::move(moved).Finish();
  }
  SHEAF_ASSIGN_OR_RETURN(Array piece, internal::MakePiece(type_, n, std::move(validity), buffers,
                                                          {&elements, 1}, pool()));
  return pieces->Add(std::move(piece));
}

template <typename Offset>
void BasicListBuilder<Offset>::AddRetained(internal::RetainedSet* retained) const {
  ArrayBuilder::AddRetained(retained);
  retained->Add(ends_);
  AddRetainedOf(*elements_, retained);
}

template <typename Offset>
std::unique_ptr<ArrayBuilder> BasicListBuilder<Offset>::NewEmpty() const {
  std::unique_ptr<ArrayBuilder> elements = NewEmptyOf(*elements_);
  if (elements == nullptr) return nullptr;
  return std::make_unique<BasicListBuilder>(type_, std::move(elements), options_);
}

template <typename Offset>
void BasicListBuilder<Offset>::SwapRows(ArrayBuilder& other) noexcept {
  ListLikeBuilder::SwapLists(*this, static_cast<BasicListBuilder&>(other));
}

// The class itself is instantiated in list_builder.cc, with the members defined there.
#define SHEAF_INSTANTIATE(Offset)                                                              \
  template Status BasicListBuilder<Offset>::BuildPieces(PieceList*);                           \
  template Status BasicListBuilder<Offset>::AddPiece(const PieceBits&, const Buffer&, int64_t, \
                                                     Array, PieceList*);                       \
  template void BasicListBuilder<Offset>::AddRetained(internal::RetainedSet*) const;           \
  template std::unique_ptr<ArrayBuilder> BasicListBuilder<Offset>::NewEmpty() const;           \
  template void BasicListBuilder<Offset>::SwapRows(ArrayBuilder&) noexcept;
SHEAF_INSTANTIATE(int32_t)
SHEAF_INSTANTIATE(int64_t)
#undef SHEAF_INSTANTIATE

}  // namespace sheaf
