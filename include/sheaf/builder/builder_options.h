#pragma once

#include <cstdint>
#include <limits>

#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1 {

/// How a builder and all its children work.
struct BuilderOptions {
  static constexpr int64_t kAlwaysKeep = 0;
  static constexpr int64_t kNeverKeep = std::numeric_limits<int64_t>::max();
  static constexpr double kNoRatio = std::numeric_limits<double>::infinity();

  MemoryPool* pool = MemoryPool::Default();

  /// An appended array that gives a builder at least so many bytes is kept by reference and copied
  /// once, at `Finish`; a shorter one is copied at once. 16 KiB: below it, making and dropping
  /// references costs more than the copy.
  int64_t min_chunk_bytes = 16 * 1024;

  /// A long array whose allocations hold more than so many times the bytes that the append uses is
  /// copied at once all the same, so that a small slice does not pin a large array.
  double max_retained_ratio = kNoRatio;
};

}  // namespace sheaf
