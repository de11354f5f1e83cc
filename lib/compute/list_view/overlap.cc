#include <algorithm>
#include <limits>
#include <utility>

#include "compute/list_view/modes.h"
#include "compute/list_view/rewritten.h"
#include "compute/list_view/superstring.h"
#include "compute/list_view/symbols.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/staged_vector.h"

namespace sheaf::inline v1::internal {
namespace {

/// Elements that hang together because views share them, [begin, begin + length).
struct Piece {
  RowRange elements;
  int64_t first_row = 0;
};

/// The pieces of all views, by rising elements. Views that only touch are of two pieces.
template <typename Offset>
Status FindPieces(const Array& views, StagedVector<Piece>* pieces, MemoryPool* pool) {
  const Offset* offsets = views.slots<Offset>(1);
  const Offset* sizes = views.slots<Offset>(2);
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer buffer, MutableBuffer::Allocate(views.length() * 8, pool));
  auto* const rows = buffer.as<int64_t>();
  int64_t n = 0;
  VisitSetRuns(views.validity(), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (sizes[i] != 0) rows[n++] = i;
    }
  });
  if (!StatsOf(views).in_order) {
    std::sort(rows, rows + n, [&](int64_t a, int64_t b) {
      return offsets[a] != offsets[b] ? offsets[a] < offsets[b] : a < b;
    });
  }
  for (int64_t k = 0; k < n; ++k) {
    const int64_t row = rows[k];
    const int64_t begin = offsets[row];
    const int64_t end = begin + sizes[row];
    if (pieces->empty() || begin >= pieces->back().elements.end()) {
      SHEAF_RETURN_IF_ERROR(pieces->Stage({{begin, end - begin}, row}));
      continue;
    }
    Piece& last = pieces->back();
    last.elements.length = std::max(last.elements.end(), end) - last.elements.offset;
    last.first_row = std::min(last.first_row, row);
  }
  return OkStatus();
}

/// Where old elements are now.
class Moved {
 public:
  Moved(const StagedVector<Piece>& pieces, const int64_t* begins, int64_t length) noexcept
      : pieces_(pieces), begins_(begins), length_(length) {}

  /// Of an element of a piece, or of an empty view anywhere.
  int64_t To(int64_t offset) noexcept {
    if (at_ < 0 || offset < pieces_[at_].elements.offset ||
        offset >= pieces_[at_].elements.end()) {  // Neighbouring rows are often of one piece.
      const Piece* after = std::upper_bound(
          pieces_.begin(), pieces_.end(), offset,
          [](int64_t value, const Piece& piece) { return value < piece.elements.offset; });
      at_ = after - pieces_.begin() - 1;
    }
    if (at_ < 0) return 0;
    const RowRange& elements = pieces_[at_].elements;
    return std::min(begins_[at_] + std::min(offset - elements.offset, elements.length), length_);
  }

 private:
  const StagedVector<Piece>& pieces_;
  const int64_t* begins_;
  int64_t length_;
  int64_t at_ = -1;
};

template <typename Offset>
StatusOr<Array> JoinPieces(const Array& views, int64_t budget_bytes, MemoryPool* pool) {
  StagedVector<Piece> pieces(pool);
  SHEAF_RETURN_IF_ERROR(FindPieces<Offset>(views, &pieces, pool));
  const int64_t n = pieces.size();
  if (n < 2) return views;

  // In the order of their first rows: that is how ties are decided.
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer order_buffer, MutableBuffer::Allocate(n * 8, pool));
  auto* const order = order_buffer.as<int64_t>();
  for (int64_t i = 0; i < n; ++i) order[i] = i;
  std::sort(order, order + n,
            [&](int64_t a, int64_t b) { return pieces[a].first_row < pieces[b].first_row; });
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer range_buffer,
                         MutableBuffer::Allocate(n * static_cast<int64_t>(sizeof(RowRange)), pool));
  auto* const ranges = range_buffer.as<RowRange>();
  const int64_t most_symbols =
      std::min<int64_t>(budget_bytes / kSuperstringBytes, std::numeric_limits<int32_t>::max());
  int64_t within_budget = 0;  // Elements of the pieces that come first.
  int64_t num_symbols = 0;    // Up to the last of them.
  for (int64_t i = 0; i < n; ++i) {
    ranges[i] = pieces[order[i]].elements;
    if (within_budget < 0) continue;
    within_budget += ranges[i].length;
    if (within_budget > most_symbols) {
      within_budget = -1;
    } else {
      num_symbols = std::max(num_symbols, ranges[i].end());
    }
  }
  if (num_symbols == 0) return views;
  const Array& elements = views.child(0);
  SHEAF_ASSIGN_OR_RETURN(const Buffer numbers,
                         NumberElements<uint32_t>(elements, {0, num_symbols}, pool));
  SHEAF_ASSIGN_OR_RETURN(
      const Superstring superstring,
      GreedySuperstring({numbers.as<uint32_t>(), static_cast<size_t>(num_symbols)},
                        {ranges, static_cast<size_t>(n)}, budget_bytes, pool));
  if (superstring.length() == elements.length()) return views;

  SHEAF_ASSIGN_OR_RETURN(Array joined, BringRanges(elements, superstring.ranges.ranges(), pool));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer begin_buffer, MutableBuffer::Allocate(n * 8, pool));
  auto* const begins = begin_buffer.as<int64_t>();
  for (int64_t i = 0; i < n; ++i) begins[order[i]] = superstring.begins()[static_cast<size_t>(i)];
  SHEAF_ASSIGN_OR_RETURN(auto rewritten,
                         Rewritten<Offset>::Make(views, /*with_sizes=*/false, pool));
  Moved moved(pieces, begins, joined.length());
  const Offset* offsets = views.slots<Offset>(1);
  for (int64_t i = 0; i < views.length(); ++i) {
    rewritten.offsets()[i] = static_cast<Offset>(moved.To(offsets[i]));
  }
  return std::move(rewritten).Finish(std::move(joined), nullptr, pool);
}

}  // namespace

StatusOr<Array> Overlap(const Array& views, int64_t budget_bytes, MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(const Array unique, Deduplicate(views, pool));
  return views.layout().offset_bits == 32 ? JoinPieces<int32_t>(unique, budget_bytes, pool)
                                          : JoinPieces<int64_t>(unique, budget_bytes, pool);
}

}  // namespace sheaf::inline v1::internal
