#pragma once

#include <cstdint>

#include "kernels/kernel_table.h"

// Hashes of contents, for tables in memory: the same in every process of one version, on every
// target, and not for keeping. The caller decides what is equal (-0.0, NaN, under nulls) before.
namespace sheaf::inline v1::kernels {

/// XXH3 of a range of bytes.
inline uint64_t HashBytes(const void* bytes, int64_t size, uint64_t seed = 0) noexcept {
  return Best().Of<HashLoops>().hash_bytes(bytes, size, seed);
}

/// Hash of a value of up to 8 bytes, widened. Two values never share one under the same seed; the
/// seed comes between two rounds, so that what clusters under one seed does not under another.
constexpr uint64_t HashWord(uint64_t value, uint64_t seed = 0) noexcept {
  value ^= value >> 32;
  value *= 0xBF58476D1CE4E5B9U;
  value ^= value >> 29;
  value += seed * 0x9E3779B97F4A7C15U;
  value ^= value >> 32;
  value *= 0x94D049BB133111EBU;
  return value ^ (value >> 31);
}

/// Hash of a value of 16 bytes; of two hashes, in this order.
constexpr uint64_t HashPair(uint64_t low, uint64_t high, uint64_t seed = 0) noexcept {
  return HashWord(low, HashWord(high, seed));
}

}  // namespace sheaf::inline v1::kernels
