#pragma once

#include <bit>
#include <cstdint>

namespace sheaf::inline v1::internal {

/// Sizes of small blocks: multiples of 64 up to 1 KiB, then four in each doubling up to 32 KiB.
class SizeClass {
 public:
  static constexpr int64_t kLargestBytes = int64_t{32} << 10;
  static constexpr int kCount = 16 + 4 * 5;

  /// The class of the smallest blocks that hold `size_bytes` (1 to kLargestBytes).
  static constexpr int Of(int64_t size_bytes) noexcept {
    const auto lines = static_cast<uint64_t>(size_bytes - 1) / 64;  // Whole lines of 64, less one.
    if (lines < 16) return static_cast<int>(lines);
    const int doubling = std::bit_width(lines) - 5;  // 0 for 1 KiB to 2 KiB.
    return 16 + 4 * doubling + static_cast<int>((lines >> (doubling + 2)) & 3);
  }

  static constexpr int64_t BytesOf(int size_class) noexcept {
    if (size_class < 16) return 64 * (size_class + 1);
    const int doubling = (size_class - 16) / 4;
    return int64_t{256} * (5 + (size_class - 16) % 4) << doubling;
  }
};

}  // namespace sheaf::inline v1::internal
