#pragma once

#include <cstdint>

namespace sheaf::inline v1::internal {

/// Drawn anew for every process, so that nobody can choose values that all fall into one place of a
/// table. No result depends on it.
extern const uint64_t process_seed;

/// A hash for tables that live no longer than a call: the halves of a wide product, mixed.
inline uint64_t SeededHash(uint64_t value) noexcept {
  __extension__ using Wide = unsigned __int128;
  constexpr uint64_t kOdd = 0x9E37'79B9'7F4A'7C15;  // 2^64 over the golden ratio.
  const Wide product = Wide{value ^ process_seed} * (process_seed | kOdd);
  return static_cast<uint64_t>(product >> 64) ^ static_cast<uint64_t>(product);
}

}  // namespace sheaf::inline v1::internal
