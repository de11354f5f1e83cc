#include <algorithm>

#include "builder/builder_core.h"
#include "builder/list_source.h"
#include "builder/list_view_brought.h"
#include "kernels/shift_views.h"
#include "sheaf/builder/list_view_builder.h"

// FinishChunked, ReserveFor and chunks of a list-view builder. Kept views are given as they came;
// views copied here are cut where the elements that they reach are kept apart, and share the
// builder's offsets wherever these count from the place where the elements are.
namespace sheaf::inline v1 {

using internal::KeptViews;
using internal::ListSource;
using internal::OwnRun;
using internal::PieceBits;
using internal::PieceList;
using internal::StagedVector;
using internal::ViewAnchor;

/// Rows as they are stored, from slot `bits.first` of the buffers on: an offset plus `shift` is a
/// position in all elements, whichever pieces they are in.
template <typename Offset>
struct BasicListViewBuilder<Offset>::Views {
  static constexpr auto kWidth = static_cast<int64_t>(sizeof(Offset));
  const Buffer& offset_buffer;
  const Buffer& size_buffer;
  PieceBits bits;
  int64_t length = 0;
  int64_t shift = 0;

  const Offset* offsets() const noexcept {
    return offset_buffer.template as<Offset>() + bits.first;
  }
  const Offset* sizes() const noexcept { return size_buffer.template as<Offset>() + bits.first; }
  int64_t begin(int64_t row) const noexcept { return offsets()[row] + shift; }
  int64_t end(int64_t row) const noexcept { return begin(row) + sizes()[row]; }
  Views Rows(int64_t first, int64_t n) const {
    return {offset_buffer, size_buffer, bits.From(first), n, shift};
  }
};

template <typename Offset>
Status BasicListViewBuilder<Offset>::BuildPieces(PieceList* pieces) {
  PieceList elements(pool());
  SHEAF_RETURN_IF_ERROR(BuildElementPieces(&elements));
  StagedVector<int64_t> sums(pool());
  SHEAF_RETURN_IF_ERROR(SumChunks(&sums));
  SHEAF_ASSIGN_OR_RETURN(const Buffer tail_bits, TailValidity(Sharing::kFinal));
  const Buffer offsets = offsets_.Share();
  const Buffer sizes = sizes_.Share();
  const DataType built = BuiltType();
  int64_t segment = 0;
  return VisitRuns([&](const OwnRun& run) -> Status {
    if (run.chunk >= 0) {
      const Array& window = chunks_[run.chunk].window;
      if (window.type().Identical(built)) return pieces->Add(window);
      // Names of the elements differ, so the node has to be made anew.
      const KeptViews& views = kept_views_[run.chunk];
      const int64_t shift =
          views.shift + views.placement.base - views.begin + ShiftOf(views.placement.anchor, sums);
      return AddViews(
          {window.buffer(1), window.buffer(2), {window.buffer(0), run.first}, run.length, shift},
          elements, pieces);
    }
    for (int64_t row = run.first; row < run.first + run.length;) {
      while (segment < segments_.committed_size() && segments_[segment].first_row <= row) ++segment;
      const ViewAnchor anchor = segment == 0 ? ViewAnchor() : segments_[segment - 1].anchor;
      int64_t until = run.first + run.length;
      if (segment < segments_.committed_size())
        until = std::min(until, segments_[segment].first_row);
      SHEAF_RETURN_IF_ERROR(
          AddViews({offsets, sizes, {tail_bits, row}, until - row, ShiftOf(anchor, sums)}, elements,
                   pieces));
      row = until;
    }
    return OkStatus();
  });
}

/// A piece for each run of rows whose elements are in one piece; a row across a border between two
/// of them is a piece of its own. Empty views go with what is before them.
template <typename Offset>
Status BasicListViewBuilder<Offset>::AddViews(const Views& views, const PieceList& elements,
                                              PieceList* pieces) {
  if (elements.empty()) {
    SHEAF_ASSIGN_OR_RETURN(const Array none, MakeEmptyArray(BuiltTypeOf(*elements_), pool()));
    return AddPiece(views, none, views.shift, pieces);
  }
  if (elements.size() == 1) return AddPiece(views, elements[0], 0, pieces);
  for (int64_t first = 0; first < views.length;) {
    int64_t piece = -1;
    int64_t row = first;
    const auto within = [&](int64_t i) {
      return views.begin(row) >= elements.start(i) && views.end(row) <= elements.end(i);
    };
    for (; row < views.length; ++row) {
      if (views.sizes()[row] == 0 || (piece >= 0 && within(piece))) continue;
      if (piece >= 0) break;
      const int64_t found = elements.Find(views.begin(row));
      if (!within(found)) break;
      piece = found;
    }
    if (row == first) {
      SHEAF_RETURN_IF_ERROR(AddJoined(views.Rows(first, 1), elements, pieces));
      ++first;
      continue;
    }
    if (piece < 0) piece = elements.Find(views.begin(first));  // All of them are empty.
    SHEAF_RETURN_IF_ERROR(
        AddPiece(views.Rows(first, row - first), elements[piece], elements.start(piece), pieces));
    first = row;
  }
  return OkStatus();
}

/// Rows over one piece of the elements, which starts at position `start` of all.
template <typename Offset>
Status BasicListViewBuilder<Offset>::AddPiece(const Views& views, const Array& elements,
                                              int64_t start, PieceList* pieces) {
  const int64_t n = views.length;
  const int64_t first = views.bits.first;
  SHEAF_ASSIGN_OR_RETURN(internal::PieceValidity validity,
                         internal::PlaceValidity(views.bits, n, /*room=*/first, pool()));
  const int64_t lead = validity.lead;
  // Where offset 0 is in the node of the elements, and how far from there they go.
  const int64_t origin = elements.offset() + views.shift - start;
  const int64_t reach = elements.offset() + elements.length() - origin;
  const auto [least, most] = std::minmax_element(views.offsets(), views.offsets() + n);
  Array child = elements;
  Buffer buffers[3];
  buffers[2] = views.size_buffer.Slice((first - lead) * Views::kWidth, (lead + n) * Views::kWidth);
  if (origin >= elements.data()->offset && *least >= 0 && *most <= reach) {
    child = internal::WithWindow(elements, origin, reach);
    buffers[1] =
        views.offset_buffer.Slice((first - lead) * Views::kWidth, (lead + n) * Views::kWidth);
  } else {
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer moved,
                           MutableBuffer::Allocate((lead + n) * Views::kWidth, pool()));
    auto* out = moved.as<Offset>();
    std::fill_n(out, lead, Offset{0});
    kernels::ClampAndShift(views.offsets(), n, views.shift, start, start + elements.length(),
                           -start, out + lead);
    buffers[1] = std::move(moved).Finish();
  }
  SHEAF_ASSIGN_OR_RETURN(Array piece, internal::MakePiece(type_, n, std::move(validity), buffers,
                                                          {&child, 1}, pool()));
  return pieces->Add(std::move(piece));
}

/// One row, whose elements lie in several pieces.
template <typename Offset>
Status BasicListViewBuilder<Offset>::AddJoined(const Views& views, const PieceList& elements,
                                               PieceList* pieces) {
  const int64_t begin = views.begin(0);
  SHEAF_ASSIGN_OR_RETURN(const Array joined,
                         elements.Range(begin, views.sizes()[0], BuiltTypeOf(*elements_), pool()));
  return AddPiece(views, joined, begin, pieces);
}

template <typename Offset>
bool BasicListViewBuilder<Offset>::zero_copy_to_list() const noexcept {
  bool all = committed_flag_;
  for (const auto& full : full_.builders) {
    all = all && static_cast<const BasicListViewBuilder&>(*full).committed_flag_;
  }
  return all;
}

template <typename Offset>
void BasicListViewBuilder<Offset>::AddRetained(internal::RetainedSet* retained) const {
  ArrayBuilder::AddRetained(retained);
  retained->Add(offsets_);
  retained->Add(sizes_);
  sources_.AddRetained(retained);
  AddRetainedOf(*elements_, retained);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::AddNeeds(const Array& source,
                                              std::span<const RowRange> ranges) {
  if (options_.list_views.on_append == ListViewPolicy::kKeep)
    return AddNeedsAsTheyAre(source, ranges);
  return AddNeedsByPolicy(source, ranges);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::AddNeedsAsTheyAre(const Array& source,
                                                       std::span<const RowRange> ranges) {
  const auto add_elements = [&](const Brought& brought) -> Status {
    if (brought.size() == 0 || KeepsElements(brought, internal::Keeping::kWhereItPays))
      return OkStatus();
    const RowRange reached{brought.begin, brought.size()};
    return AddElementNeeds(brought.elements, {&reached, 1}, brought.size());
  };
  const Reached reached = Reached::Of(source, ranges);
  const bool at_once = ranges.size() != 1 && reached.at_once;
  if (at_once) {
    SHEAF_RETURN_IF_ERROR(add_elements(Brought::Lists(source.child(0), reached.hull, 0)));
  }
  for (const RowRange& range : ranges) {
    if (!internal::SameStorage(source.type(), type_) ||
        !CountKept(source, {&range, 1}, OwnBytes(source, range.length))) {
      SHEAF_RETURN_IF_ERROR(ArrayBuilder::AddNeeds(source, {&range, 1}));
    }
    if (!at_once) SHEAF_RETURN_IF_ERROR(add_elements(Brought::Of(source, range)));
  }
  return OkStatus();
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::AddElementNeeds(const Array& elements,
                                                     std::span<const RowRange> ranges,
                                                     int64_t num_elements) {
  if (AddOverflows(needs_.reach, num_elements, &needs_.reach)) {
    return internal::OutOfRange(type_.ToString(), " builder: the elements exceed 64 bits");
  }
  return AddNeedsOf(*elements_, elements, ranges);
}

template <typename Offset>
Status BasicListViewBuilder<Offset>::ReserveNeeds() {
  SHEAF_RETURN_IF_ERROR(CheckFits(needs_.reach));
  SHEAF_RETURN_IF_ERROR(kept_views_.Reserve(needs_.chunks));
  SHEAF_RETURN_IF_ERROR(ArrayBuilder::ReserveNeeds());
  return ReserveNeedsOf(*elements_);
}

template <typename Offset>
std::unique_ptr<ArrayBuilder> BasicListViewBuilder<Offset>::NewEmpty() const {
  std::unique_ptr<ArrayBuilder> elements = NewEmptyOf(*elements_);
  if (elements == nullptr) return nullptr;
  return std::make_unique<BasicListViewBuilder>(type_, std::move(elements), options_);
}

template <typename Offset>
void BasicListViewBuilder<Offset>::SwapRows(ArrayBuilder& other_builder) noexcept {
  auto& other = static_cast<BasicListViewBuilder&>(other_builder);
  ListLikeBuilder::SwapLists(*this, other);
  std::swap(sources_, other.sources_);  // Handles name this builder's.
  sources_.SwapBrought(other.sources_);
}

// The class itself is instantiated in list_view_builder.cc, with the members defined there.
#define SHEAF_INSTANTIATE(Offset)                                                                  \
  template Status BasicListViewBuilder<Offset>::BuildPieces(PieceList*);                           \
  template Status BasicListViewBuilder<Offset>::AddViews(const Views&, const PieceList&,           \
                                                         PieceList*);                              \
  template Status BasicListViewBuilder<Offset>::AddPiece(const Views&, const Array&, int64_t,      \
                                                         PieceList*);                              \
  template Status BasicListViewBuilder<Offset>::AddJoined(const Views&, const PieceList&,          \
                                                          PieceList*);                             \
  template bool BasicListViewBuilder<Offset>::zero_copy_to_list() const noexcept;                  \
  template void BasicListViewBuilder<Offset>::AddRetained(internal::RetainedSet*) const;           \
  template Status BasicListViewBuilder<Offset>::AddNeeds(const Array&, std::span<const RowRange>); \
  template Status BasicListViewBuilder<Offset>::AddNeedsAsTheyAre(const Array&,                    \
                                                                  std::span<const RowRange>);      \
  template Status BasicListViewBuilder<Offset>::AddElementNeeds(                                   \
      const Array&, std::span<const RowRange>, int64_t);                                           \
  template Status BasicListViewBuilder<Offset>::ReserveNeeds();                                    \
  template std::unique_ptr<ArrayBuilder> BasicListViewBuilder<Offset>::NewEmpty() const;           \
  template void BasicListViewBuilder<Offset>::SwapRows(ArrayBuilder&) noexcept;
SHEAF_INSTANTIATE(int32_t)
SHEAF_INSTANTIATE(int64_t)
#undef SHEAF_INSTANTIATE

}  // namespace sheaf::inline v1
