#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>

#include "compute/list_view/seeded_hash.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/buffer.h"

namespace sheaf::inline v1::internal {

/// first[i] = the least item that is the same as item i, for items 0 to n - 1.
///
/// Expected O(n): items are found by hash and compared where hashes are equal. Where many different
/// items have one hash, they are sorted instead: O(n log n) comparisons whatever the hashes are.
///
/// \param same   `same(i, k)`: whether two items of one hash are the same.
/// \param order  `order(i, k)`: less than 0, 0 where they are the same, or more: a total order.
/// \return kResourceExhausted.
template <typename Index, typename Same, typename Order>
Status GroupEqual(int64_t n, const uint64_t* hashes, Index* first, Same&& same, Order&& order,
                  MemoryPool* pool) {
  constexpr Index kNobody = static_cast<Index>(-1);
  const uint64_t capacity = std::bit_ceil(static_cast<uint64_t>(n) * 3 / 2 + 1);
  SHEAF_ASSIGN_OR_RETURN(
      MutableBuffer buffer,
      MutableBuffer::Allocate(static_cast<int64_t>(capacity * sizeof(Index)), pool));
  auto* const slots = buffer.as<Index>();
  std::fill_n(slots, capacity, kNobody);

  // Two hashes that meet by chance are rarer than one in 2^32 pairs: so many were made to meet.
  int64_t collisions_left = 64 + n / 64;
  for (int64_t i = 0; i < n && collisions_left > 0; ++i) {
    uint64_t slot = SeededHash(hashes[i]) & (capacity - 1);
    for (;; slot = (slot + 1) & (capacity - 1)) {
      const Index other = slots[slot];
      if (other == kNobody) {
        slots[slot] = first[i] = static_cast<Index>(i);
        break;
      }
      if (hashes[other] != hashes[i]) continue;
      if (same(i, static_cast<int64_t>(other))) {
        first[i] = other;
        break;
      }
      if (--collisions_left == 0) break;
    }
  }
  if (collisions_left > 0) return OkStatus();

  SHEAF_ASSIGN_OR_RETURN(buffer,
                         MutableBuffer::Allocate(n * static_cast<int64_t>(sizeof(Index)), pool));
  auto* const sorted = buffer.as<Index>();
  std::iota(sorted, sorted + n, Index{0});
  std::sort(sorted, sorted + n, [&](Index a, Index b) {
    if (hashes[a] != hashes[b]) return hashes[a] < hashes[b];
    const int sign = order(static_cast<int64_t>(a), static_cast<int64_t>(b));
    return sign != 0 ? sign < 0 : a < b;
  });
  for (int64_t i = 0; i < n; ++i) {
    const Index item = sorted[i];
    const bool goes_on = i > 0 && hashes[sorted[i - 1]] == hashes[item] &&
                         same(static_cast<int64_t>(sorted[i - 1]), static_cast<int64_t>(item));
    first[item] = goes_on ? first[sorted[i - 1]] : item;
  }
  return OkStatus();
}

}  // namespace sheaf::inline v1::internal
