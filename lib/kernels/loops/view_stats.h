#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/view_stats.h"

namespace sheaf::inline v1::kernels::loops {

/// The running values of a scan. Lanes are as wide as the offsets and compared as signed numbers,
/// for which every target has whole-vector instructions; sums are made unsigned, where a wrap is
/// defined. An end that does not fit the lane shows in its sign bit. The sum of sizes is kept in
/// two halves, for the same one width of lanes; a block is short enough that neither half can wrap.
///
/// Most views come packed, and packed ones need a third of the work: blocks are scanned as a chain
/// until one is none.
template <typename Target, typename Offset>
struct ViewScanner {
  using Lane = std::make_unsigned_t<Offset>;
  static constexpr Offset kMost = std::numeric_limits<Offset>::max();
  static constexpr int kHalf = sizeof(Lane) * 4;
  static constexpr Lane kLowHalf = static_cast<Lane>(~Lane{0}) >> kHalf;
  static constexpr int64_t kBlock = 1024;

  Offset signs = 0;      // Negative: some offset or size is.
  Offset end_signs = 0;  // Negative: some end outgrows the lane.
  Offset begin = kMost;
  Offset end = 0;
  Offset first_empty = kMost;
  Offset last_empty = 0;
  Offset max_size = 0;
  Offset broken = 0;  // Not zero: some view does not start where the one before ends.
  Offset falls = 0;
  Offset overlaps = 0;
  uint64_t sum_low = 0;
  uint64_t sum_high = 0;
  bool all_chained = true;

  /// Rows [0, rows), each with the offset that follows it: `offsets[rows]` is read.
  void ScanBlock(const Offset* offsets, const Offset* sizes, int64_t rows) noexcept {
    all_chained = all_chained && ScanChain(offsets, sizes, rows);
    if (!all_chained) ScanAny(offsets, sizes, rows);
  }

  /// The same for rows each of which ends where the next begins; false, and nothing done, for
  /// others, and for all that is out of bounds.
  bool ScanChain(const Offset* offsets, const Offset* sizes, int64_t rows) noexcept {
    Offset c_signs = offsets[rows], c_broken = 0, c_max = 0;
    for (int64_t i = 0; i < rows; ++i) {
      const Lane view_end = static_cast<Lane>(offsets[i]) + static_cast<Lane>(sizes[i]);
      c_signs |= offsets[i] | sizes[i];
      c_broken |= static_cast<Offset>(view_end) ^ offsets[i + 1];
      c_max = Most(c_max, sizes[i]);
    }
    if (c_signs < 0 || c_broken != 0) return false;
    const Offset first = offsets[0], last = offsets[rows];
    if (first < last) {  // Empty views lie between.
      begin = Least(begin, first);
      end = Most(end, last);
    } else {
      first_empty = Least(first_empty, first);
      last_empty = Most(last_empty, last);
    }
    max_size = Most(max_size, c_max);
    const auto sum = static_cast<Lane>(last - first);
    AddSum(sum & kLowHalf, sum >> kHalf);
    return true;
  }

  void ScanAny(const Offset* offsets, const Offset* sizes, int64_t rows) noexcept {
    // Locals: members could alias the input, which would keep the loop from being vectorised.
    Lane low = 0, high = 0;
    Offset b_signs = signs, b_end_signs = end_signs, b_begin = begin, b_end = end;
    Offset b_first = first_empty, b_last = last_empty, b_max = max_size;
    Offset b_broken = broken, b_falls = falls, b_overlaps = overlaps;
    for (int64_t i = 0; i < rows; ++i) {
      const Offset offset = offsets[i];
      const Offset next = offsets[i + 1];
      const Offset size = sizes[i];
      const Offset view_end =
          static_cast<Offset>(static_cast<Lane>(offset) + static_cast<Lane>(size));
      const Offset if_empty = static_cast<Offset>(size == 0 ? -1 : 0);
      const Offset if_full = static_cast<Offset>(~if_empty);
      b_signs |= offset | size;
      b_end_signs |= view_end;
      b_begin = Least(b_begin, offset | (if_empty & kMost));
      b_end = Most(b_end, view_end & if_full);
      b_first = Least(b_first, offset | (if_full & kMost));
      b_last = Most(b_last, offset & if_empty);
      b_max = Most(b_max, size);
      b_broken |= view_end ^ next;
      b_falls |= static_cast<Offset>(next < offset ? 1 : 0);
      b_overlaps |= static_cast<Offset>(next < view_end ? 1 : 0);
      low += static_cast<Lane>(size) & kLowHalf;
      high += static_cast<Lane>(size) >> kHalf;
    }
    signs = b_signs, end_signs = b_end_signs, begin = b_begin, end = b_end;
    first_empty = b_first, last_empty = b_last, max_size = b_max;
    broken = b_broken, falls = b_falls, overlaps = b_overlaps;
    AddSum(low, high);
  }

  /// The last row has no successor: one that chains stands in for it.
  void ScanLast(Offset offset, Offset size) noexcept {
    const Offset pair[2] = {
        offset, static_cast<Offset>(static_cast<Lane>(offset) + static_cast<Lane>(size))};
    ScanBlock(pair, &size, 1);
  }

  bool any_negative() const noexcept { return signs < 0; }
  bool ends_outgrow_lane() const noexcept { return end_signs < 0; }

  ViewScan Result(int64_t elements) const noexcept {
    ViewScan scan;
    scan.in_bounds = !any_negative() && !ends_outgrow_lane() && Most(end, last_empty) <= elements;
    if (!scan.in_bounds) {
      scan.packed = scan.chained = scan.in_order = scan.ascending = false;
      scan.empties_outside = true;
      return scan;
    }
    const bool all_empty = max_size == 0;
    scan.begin = all_empty ? 0 : begin;
    scan.end = end;
    scan.max_size = max_size;
    scan.sum_of_sizes = Sum();
    scan.packed = scan.chained = broken == 0;
    scan.in_order = falls == 0;
    scan.ascending = overlaps == 0;
    // Without an empty view these are the largest offset and 0, which lie within.
    scan.empties_outside =
        (first_empty != kMost && first_empty < scan.begin) || last_empty > scan.end;
    return scan;
  }

 private:
  static Offset Least(Offset a, Offset b) noexcept { return a < b ? a : b; }
  static Offset Most(Offset a, Offset b) noexcept { return a > b ? a : b; }

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

/// Scans all rows. \param load  gives the pointers to a block's offsets (and one more) and sizes.
template <typename Target, typename Lane, typename Load>
ViewScanner<Target, Lane> ScanBlocks(int64_t length, Load&& load) noexcept {
  ViewScanner<Target, Lane> scanner;
  constexpr int64_t kBlock = ViewScanner<Target, Lane>::kBlock;
  const Lane* offsets = nullptr;
  const Lane* sizes = nullptr;
  for (int64_t row = 0; row + 1 < length; row += kBlock) {
    const int64_t left = length - 1 - row;
    const int64_t rows = left < kBlock ? left : kBlock;
    load(row, rows + 1, &offsets, &sizes);
    scanner.ScanBlock(offsets, sizes, rows);
  }
  load(length - 1, 1, &offsets, &sizes);
  scanner.ScanLast(offsets[0], sizes[0]);
  return scanner;
}

/// 32-bit views some of which end past 2^31: scanned as 64-bit ones, a block at a time.
template <typename Target>
ViewScan ScanWidened(const int32_t* offsets, const int32_t* sizes, int64_t length,
                     int64_t elements) noexcept {
  constexpr int64_t kBlock = ViewScanner<Target, int64_t>::kBlock;
  int64_t wide_offsets[kBlock + 1];
  int64_t wide_sizes[kBlock + 1];
  return ScanBlocks<Target, int64_t>(length,
                                     [&](int64_t row, int64_t rows, const int64_t** block_offsets,
                                         const int64_t** block_sizes) {
                                       for (int64_t i = 0; i < rows; ++i) {
                                         wide_offsets[i] = offsets[row + i];
                                         wide_sizes[i] = sizes[row + i];
                                       }
                                       *block_offsets = wide_offsets;
                                       *block_sizes = wide_sizes;
                                     })
      .Result(elements);
}

/// The scan of one target. `Target` only keeps the code of different targets apart for the linker.
template <typename Target, typename Offset>
void ScanViews(const Offset* offsets, const Offset* sizes, int64_t length, int64_t elements,
               ViewScan* scan) noexcept {
  if (length == 0) {
    *scan = ViewScan{};
    return;
  }
  const auto scanner = ScanBlocks<Target, Offset>(
      length, [&](int64_t row, int64_t, const Offset** block_offsets, const Offset** block_sizes) {
        *block_offsets = offsets + row;
        *block_sizes = sizes + row;
      });
  *scan = scanner.Result(elements);
  if constexpr (sizeof(Offset) == 4) {
    if (!scanner.any_negative() && scanner.ends_outgrow_lane()) {
      *scan = ScanWidened<Target>(offsets, sizes, length, elements);
    }
  }
  if (scan->in_bounds && !scan->packed && scan->empties_outside) {
    scan->packed = PackedAfterClamping(offsets, sizes, length, scan->begin, scan->end);
  }
}

}  // namespace sheaf::inline v1::kernels::loops
