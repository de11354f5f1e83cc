#pragma once

#include <cstdint>
#include <span>

#include "array/range_list.h"
#include "sheaf/array/row_range.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/buffer.h"

namespace sheaf::inline v1::internal {

/// One string of symbols that has every piece in it.
struct Superstring {
  explicit Superstring(MemoryPool* pool) noexcept : ranges(pool) {}
  RangeList ranges;        ///< Of the symbols given, in the order they come in the superstring.
  Buffer positions;        ///< int64 a piece: where it begins there.
  int64_t num_pieces = 0;  ///< Pieces that were looked at; the rest are laid end to end.

  int64_t length() const noexcept { return ranges.total(); }
  std::span<const int64_t> begins() const noexcept {
    return {positions.as<int64_t>(), static_cast<size_t>(positions.size_bytes()) / 8};
  }
};

/// A short superstring of `pieces`, which are ranges of `symbols`: those that lie within another go
/// there, and the others are joined greedily, always the two with the longest overlap of one's end
/// and the other's beginning; of equal ones those of the lowest pieces.
///
/// In time and memory linear in the symbols of all pieces (expected, as edges are hashed): an
/// Aho-Corasick automaton of the pieces, whose states are visited from the deepest up. E. Ukkonen,
/// "A linear-time algorithm for finding approximate shortest common superstrings", Algorithmica 5
/// (1990); A. V. Aho, M. J. Corasick, "Efficient string matching", CACM 18 (1975).
///
/// \param symbols     below 2^32 - 1.
/// \param most_bytes  pieces are taken in order until they would need more than so many bytes
///                    (kSuperstringBytes a symbol). None is empty.
/// \return kResourceExhausted.
StatusOr<Superstring> GreedySuperstring(std::span<const uint32_t> symbols,
                                        std::span<const RowRange> pieces, int64_t most_bytes,
                                        MemoryPool* pool);

/// What all of it takes a symbol, at most: a piece has at least one.
inline constexpr int64_t kSuperstringBytes = 128;

}  // namespace sheaf::inline v1::internal
