#pragma once

#include <cstdint>
#include <span>

#include "array/list_source.h"
#include "array/range_list.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/staged_vector.h"

// What a rewrite of views brings and where the views then lie: pure arithmetic on offsets, made
// from any verified list-like array. Builders and rebuilds bring the ranges and write the views.
// Only valid rows count: null ones become empty and bring nothing.
namespace sheaf::inline v1::internal {

/// Views in order, each with its own copy of its elements: what a plain list has.
class ExactPlan {
 public:
  explicit ExactPlan(MemoryPool* pool) noexcept : ranges_(pool) {}
  /// \return kOutOfRange where the elements exceed 64 bits; kResourceExhausted.
  Status Make(const ListSource& lists, std::span<const RowRange> rows);
  /// Elements to bring, one after the other.
  std::span<const RowRange> ranges() const noexcept { return ranges_.ranges(); }
  int64_t num_elements() const noexcept { return ranges_.total(); }
  /// The views of the rows, over elements whose first one is at `base`.
  template <typename Offset>
  static void Write(const ListSource& lists, std::span<const RowRange> rows, int64_t base,
                    Offset* offsets, Offset* sizes) noexcept;

 private:
  RangeList ranges_;
};

/// Every element that a view reaches, once and in its old order; the views share as before.
class CompactPlan {
 public:
  explicit CompactPlan(MemoryPool* pool) noexcept
      : pool_(pool), ranges_(pool), kept_before_(pool) {}
  /// \param begin, end  what all non-empty views lie within; null rows' need not.
  /// \param in_order    offsets never fall (ViewStats): no bitmap of the elements is needed.
  /// \return kResourceExhausted.
  Status Make(const ListSource& lists, std::span<const RowRange> rows, int64_t begin, int64_t end,
              bool in_order);
  std::span<const RowRange> ranges() const noexcept { return ranges_.ranges(); }
  int64_t num_elements() const noexcept { return ranges_.total(); }
  template <typename Offset>
  void Write(const ListSource& lists, std::span<const RowRange> rows, int64_t base, Offset* offsets,
             Offset* sizes) const noexcept;

 private:
  /// Kept elements before each old one, by the bitmap of those kept.
  struct Ranks {
    Buffer bits;
    Buffer before;  ///< int64 a word of the bitmap.
    int64_t begin = 0;
    int64_t length = 0;

    int64_t operator()(int64_t offset) const noexcept;
  };

  Status AddInOrder(const ListSource& lists, std::span<const RowRange> rows);
  Status AddByBitmap(const ListSource& lists, std::span<const RowRange> rows, int64_t begin,
                     int64_t end);
  Status AddBySorting(const ListSource& lists, std::span<const RowRange> rows, int64_t num_rows);
  /// Kept elements before the old offset. `hint` is the range that the search begins with and
  /// becomes the one it ended at: neighbouring rows are near each other.
  int64_t MovedByRanges(int64_t offset, int64_t* hint) const noexcept;

  MemoryPool* pool_;
  RangeList ranges_;
  Ranks ranks_;                        ///< Where there is a bitmap.
  StagedVector<int64_t> kept_before_;  ///< Where not: of each range, elements of those before it.
};

}  // namespace sheaf::inline v1::internal
