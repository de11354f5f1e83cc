#include "compute/list_view/equal_lists.h"

#include <utility>

#include "compute/list_view/group_equal.h"
#include "compute/list_view/rewritten.h"
#include "kernels/hash.h"
#include "sheaf/memory/bit_span.h"

namespace sheaf::inline v1::internal {
namespace {

/// Rows that take part, as numbers, and the hashes of their lists.
struct Lists {
  MutableBuffer rows;
  MutableBuffer hashes;
  int64_t count = 0;
};

template <typename Offset>
StatusOr<Lists> HashLists(const Array& views, const Symbols& symbols, uint64_t hash_mask,
                          MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer rows, MutableBuffer::Allocate(views.length() * 8, pool));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer hashes, MutableBuffer::Allocate(views.length() * 8, pool));
  auto* const row_out = rows.as<int64_t>();
  auto* const hash_out = hashes.as<uint64_t>();
  const Offset* offsets = views.slots<Offset>(1);
  const Offset* sizes = views.slots<Offset>(2);
  int64_t count = 0;
  VisitSetRuns(views.validity(), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (sizes[i] == 0) continue;
      row_out[count] = i;
      const int64_t before = count - 1;
      // Repeats of one view come in runs: their hash is known.
      const bool repeats =
          count > 0 && offsets[row_out[before]] == offsets[i] && sizes[row_out[before]] == sizes[i];
      hash_out[count] =
          repeats ? hash_out[before]
                  : kernels::HashBytes(symbols.at(offsets[i]), symbols.size_bytes(sizes[i]),
                                       static_cast<uint64_t>(sizes[i])) &
                        hash_mask;
      ++count;
    }
  });
  return Lists{std::move(rows), std::move(hashes), count};
}

template <typename Offset>
StatusOr<Buffer> FirstOf(const Array& views, const Symbols& symbols, uint64_t hash_mask,
                         MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(Lists lists, HashLists<Offset>(views, symbols, hash_mask, pool));
  const auto* rows = lists.rows.as<int64_t>();
  const Offset* offsets = views.slots<Offset>(1);
  const Offset* sizes = views.slots<Offset>(2);
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer groups, MutableBuffer::Allocate(lists.count * 8, pool));
  auto* const first = groups.as<int64_t>();
  const auto same = [&](int64_t a, int64_t b) {
    const int64_t i = rows[a], k = rows[b];
    if (sizes[i] != sizes[k]) return false;
    return offsets[i] == offsets[k] || symbols.Same(offsets[i], offsets[k], sizes[i]);
  };
  const auto order = [&](int64_t a, int64_t b) {
    const int64_t i = rows[a], k = rows[b];
    if (sizes[i] != sizes[k]) return sizes[i] < sizes[k] ? -1 : 1;
    return offsets[i] == offsets[k] ? 0 : symbols.Order(offsets[i], offsets[k], sizes[i]);
  };
  SHEAF_RETURN_IF_ERROR(
      GroupEqual(lists.count, lists.hashes.as<uint64_t>(), first, same, order, pool));

  SHEAF_ASSIGN_OR_RETURN(MutableBuffer result, MutableBuffer::Allocate(views.length() * 8, pool));
  auto* const out = result.as<int64_t>();
  for (int64_t i = 0; i < views.length(); ++i) out[i] = i;
  for (int64_t k = 0; k < lists.count; ++k) out[rows[k]] = rows[first[k]];
  return std::move(result).Finish();
}

}  // namespace

StatusOr<Buffer> FirstOfEqualLists(const Array& views, const ViewStats& stats, MemoryPool* pool,
                                   uint64_t hash_mask) {
  SHEAF_ASSIGN_OR_RETURN(const Symbols symbols,
                         Symbols::Of(views.child(0), {stats.begin, stats.end - stats.begin}, pool));
  return views.layout().offset_bits == 32 ? FirstOf<int32_t>(views, symbols, hash_mask, pool)
                                          : FirstOf<int64_t>(views, symbols, hash_mask, pool);
}

}  // namespace sheaf::inline v1::internal
