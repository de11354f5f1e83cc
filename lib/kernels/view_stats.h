#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace sheaf::inline v1::kernels {

/// What one pass over n offsets and n sizes finds; the array layer turns it into `ViewStats`.
struct ViewScan {
  int64_t begin = 0;         ///< Least offset over non-empty views, 0 where there is none.
  int64_t end = 0;           ///< Greatest end over non-empty views, 0 where there is none.
  int64_t sum_of_sizes = 0;  ///< Saturates at the largest int64.
  int64_t max_size = 0;
  bool in_bounds = true;  ///< If false, only that is meaningful, and the rest says the least.
  bool packed = true;     ///< Once empty views outside [begin, end] are moved to the nearer bound.
  bool chained = true;    ///< Packed on the buffers as they are.
  bool in_order = true;
  bool ascending = true;
  bool empties_outside = false;
};

/// Whether views chain once empty views outside [begin, end] are moved to the nearer bound: the
/// rare second pass, for views that are in bounds and not packed as they are.
bool PackedAfterClamping(const int32_t* offsets, const int32_t* sizes, int64_t length,
                         int64_t begin, int64_t end) noexcept;
bool PackedAfterClamping(const int64_t* offsets, const int64_t* sizes, int64_t length,
                         int64_t begin, int64_t end) noexcept;

/// The running values of a scan. All are unsigned and as wide as the offsets: an offset and a size
/// that are not negative add up without a wrap there, and one lane width keeps the loop in whole
/// vectors. The sum is kept in two halves for the same reason; a block is short enough that neither
/// half can wrap.
template <typename Target, typename Offset>
struct ViewScanner {
  using Lane = std::make_unsigned_t<Offset>;
  static constexpr Lane kMost = std::numeric_limits<Lane>::max();
  static constexpr int kHalf = sizeof(Lane) * 4;
  static constexpr Lane kLowHalf = kMost >> kHalf;
  static constexpr int64_t kBlock = 1024;

  Lane signs = 0;  // Sign bits of all offsets and sizes.
  Lane begin = kMost;
  Lane end = 0;
  Lane first_empty = kMost;
  Lane last_empty = 0;
  Lane max_size = 0;
  Lane broken = 0;  // Not zero: some view does not start where the one before ends.
  Lane falls = 0;
  Lane overlaps = 0;
  uint64_t sum_low = 0;
  uint64_t sum_high = 0;

  /// Rows [0, rows), each with the offset that follows it: `offsets[rows]` is read.
  void ScanBlock(const Offset* offsets, const Offset* sizes, int64_t rows) noexcept {
    Lane low = 0;
    Lane high = 0;
    // Locals: members could alias the input, which would keep the loop from being vectorised.
    Lane b_signs = signs, b_begin = begin, b_end = end, b_first = first_empty, b_last = last_empty;
    Lane b_max = max_size, b_broken = broken, b_falls = falls, b_overlaps = overlaps;
    for (int64_t i = 0; i < rows; ++i) {
      const Lane offset = static_cast<Lane>(offsets[i]);
      const Lane next = static_cast<Lane>(offsets[i + 1]);
      const Lane size = static_cast<Lane>(sizes[i]);
      const Lane view_end = static_cast<Lane>(offset + size);
      const Lane if_empty = static_cast<Lane>(size == 0 ? kMost : 0);
      const Lane if_full = static_cast<Lane>(~if_empty);
      b_signs |= offset | size;
      b_begin = Least(b_begin, static_cast<Lane>(offset | if_empty));
      b_end = Most(b_end, static_cast<Lane>(view_end & if_full));
      b_first = Least(b_first, static_cast<Lane>(offset | if_full));
      b_last = Most(b_last, static_cast<Lane>(offset & if_empty));
      b_max = Most(b_max, size);
      b_broken |= view_end ^ next;
      b_falls |= static_cast<Lane>(next < offset ? 1 : 0);
      b_overlaps |= static_cast<Lane>(next < view_end ? 1 : 0);
      low += size & kLowHalf;
      high += size >> kHalf;
    }
    signs = b_signs, begin = b_begin, end = b_end, first_empty = b_first, last_empty = b_last;
    max_size = b_max, broken = b_broken, falls = b_falls, overlaps = b_overlaps;
    AddSum(low, high);
  }

  void Scan(const Offset* offsets, const Offset* sizes, int64_t length) noexcept {
    int64_t row = 0;
    for (; row + 1 < length; row += kBlock) {
      const int64_t rows = length - 1 - row;
      ScanBlock(offsets + row, sizes + row, rows < kBlock ? rows : kBlock);
    }
    // The last row has no successor: one that chains stands in for it.
    const Offset last_size = sizes[length - 1];
    const Offset last[2] = {
        offsets[length - 1],
        static_cast<Offset>(static_cast<Lane>(offsets[length - 1]) + static_cast<Lane>(last_size))};
    ScanBlock(last, &last_size, 1);
  }

  ViewScan Result(int64_t elements) const noexcept {
    constexpr Lane kSign = Lane{1} << (sizeof(Lane) * 8 - 1);
    ViewScan scan;
    const uint64_t furthest = Most(end, last_empty);
    scan.in_bounds = (signs & kSign) == 0 && furthest <= static_cast<uint64_t>(elements);
    if (!scan.in_bounds) {
      scan.packed = scan.chained = scan.in_order = scan.ascending = false;
      scan.empties_outside = true;
      return scan;
    }
    const bool all_empty = begin == kMost;
    scan.begin = all_empty ? 0 : static_cast<int64_t>(begin);
    scan.end = static_cast<int64_t>(end);
    scan.max_size = static_cast<int64_t>(max_size);
    scan.sum_of_sizes = Sum();
    scan.packed = scan.chained = broken == 0;
    scan.in_order = falls == 0;
    scan.ascending = overlaps == 0;
    scan.empties_outside =
        first_empty != kMost && (static_cast<int64_t>(first_empty) < scan.begin ||
                                 static_cast<int64_t>(last_empty) > scan.end);
    return scan;
  }

 private:
  static Lane Least(Lane a, Lane b) noexcept { return a < b ? a : b; }
  static Lane Most(Lane a, Lane b) noexcept { return a > b ? a : b; }

  void AddSum(Lane low, Lane high) noexcept {
    sum_low += low;
    sum_high += high + (sum_low >> kHalf);
    sum_low &= kLowHalf;
  }
  int64_t Sum() const noexcept {
    constexpr uint64_t kLargest = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    if (sum_high > (kLargest >> kHalf)) return static_cast<int64_t>(kLargest);
    return static_cast<int64_t>((sum_high << kHalf) | sum_low);
  }
};

/// The scan of one target. `Target` only keeps the code of different targets apart for the linker.
template <typename Target, typename Offset>
void ScanViews(const Offset* offsets, const Offset* sizes, int64_t length, int64_t elements,
               ViewScan* scan) noexcept {
  if (length == 0) {
    *scan = ViewScan{};
    return;
  }
  ViewScanner<Target, Offset> scanner;
  scanner.Scan(offsets, sizes, length);
  *scan = scanner.Result(elements);
  if (scan->in_bounds && !scan->packed && scan->empties_outside) {
    scan->packed = PackedAfterClamping(offsets, sizes, length, scan->begin, scan->end);
  }
}

}  // namespace sheaf::inline v1::kernels
