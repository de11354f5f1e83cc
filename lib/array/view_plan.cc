#include "array/view_plan.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "array/interval_bitmap.h"

namespace sheaf::inline v1::internal {
namespace {

/// Calls `row(list)` for the valid rows, in order, until one fails.
template <typename Row>
Status VisitValid(const ListSource& lists, std::span<const RowRange> rows, Row&& row) {
  const BitSpan validity = lists.array().validity();
  return lists.WithRows([&](auto list) {
    Status status;
    for (const RowRange& range : rows) {
      VisitSetRuns(validity.Slice(range.offset, range.length), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end && status.ok(); ++i) status = row(list(range.offset + i));
      });
    }
    return status;
  });
}

/// Calls `row(i, list)` for all rows, null ones with the size 0.
template <typename Row>
void VisitAll(const ListSource& lists, std::span<const RowRange> rows, Row&& row) noexcept {
  const BitSpan validity = lists.array().validity();
  lists.WithRows([&](auto list) {
    for (const RowRange& range : rows) {
      int64_t done = range.offset;
      const auto nulls_until = [&](int64_t end) {
        for (; done < end; ++done) row(RowRange{list(done).offset, 0});
      };
      VisitSetRuns(validity.Slice(range.offset, range.length), [&](int64_t begin, int64_t end) {
        nulls_until(range.offset + begin);
        for (; done < range.offset + end; ++done) row(list(done));
      });
      nulls_until(range.end());
    }
  });
}

/// Unions intervals that come by rising offsets.
class Union {
 public:
  explicit Union(RangeList* ranges) noexcept : ranges_(ranges) {}
  Status Add(RowRange range) {
    if (range.length == 0) return OkStatus();
    const int64_t begin = std::max(range.offset, reached_);
    if (range.end() <= begin) return OkStatus();
    reached_ = range.end();
    return ranges_->Add({begin, range.end() - begin});
  }

 private:
  RangeList* ranges_;
  int64_t reached_ = 0;
};

}  // namespace

Status ExactPlan::Make(const ListSource& lists, std::span<const RowRange> rows) {
  return VisitValid(lists, rows, [&](RowRange list) { return ranges_.Add(list); });
}

template <typename Offset>
void ExactPlan::Write(const ListSource& lists, std::span<const RowRange> rows, int64_t base,
                      Offset* offsets, Offset* sizes) noexcept {
  VisitAll(lists, rows, [&](RowRange list) {
    *offsets++ = static_cast<Offset>(base);
    *sizes++ = static_cast<Offset>(list.length);
    base += list.length;
  });
}

Status CompactPlan::Make(const ListSource& lists, std::span<const RowRange> rows, int64_t begin,
                         int64_t end, bool in_order) {
  if (in_order) {
    SHEAF_RETURN_IF_ERROR(AddInOrder(lists, rows));
  } else {
    int64_t num_rows = 0;
    for (const RowRange& range : rows) num_rows += range.length;
    SHEAF_RETURN_IF_ERROR(BitmapIsTooLong(end - begin, num_rows)
                              ? AddBySorting(lists, rows, num_rows)
                              : AddByBitmap(lists, rows, begin, end));
  }
  if (!ranks_.bits.absent()) return OkStatus();
  int64_t kept = 0;
  for (const RowRange& range : ranges_.ranges()) {
    SHEAF_RETURN_IF_ERROR(kept_before_.Stage(kept));
    kept += range.length;
  }
  return OkStatus();
}

Status CompactPlan::AddInOrder(const ListSource& lists, std::span<const RowRange> rows) {
  Union all(&ranges_);
  return VisitValid(lists, rows, [&](RowRange list) { return all.Add(list); });
}

Status CompactPlan::AddByBitmap(const ListSource& lists, std::span<const RowRange> rows,
                                int64_t begin, int64_t end) {
  SHEAF_ASSIGN_OR_RETURN(IntervalBitmap bitmap, IntervalBitmap::Make(begin, end, pool_));
  SHEAF_RETURN_IF_ERROR(VisitValid(lists, rows, [&](RowRange list) {
    if (list.length > 0) bitmap.Add(list.offset, list.length);
    return OkStatus();
  }));
  Status status;
  VisitSetRuns(bitmap.bits(), [&](int64_t first, int64_t last) {
    if (status.ok()) status = ranges_.Add({begin + first, last - first});
  });
  SHEAF_RETURN_IF_ERROR(status);
  const int64_t words = (end - begin) / 64 + 1;
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer before, MutableBuffer::Allocate(words * 8, pool_));
  int64_t kept = 0;
  for (int64_t word = 0; word < words; ++word) {
    before.as<int64_t>()[word] = kept;
    if (64 * word < end - begin) kept += std::popcount(bitmap.word(word));
  }
  ranks_ = {std::move(bitmap).Finish(), std::move(before).Finish(), begin, end - begin};
  return OkStatus();
}

int64_t CompactPlan::Ranks::operator()(int64_t offset) const noexcept {
  const int64_t bit = std::clamp<int64_t>(offset - begin, 0, length);
  const int64_t rest = bit % 64;
  const int64_t kept = before.as<int64_t>()[bit / 64];
  if (rest == 0) return kept;
  return kept + std::popcount(bits.as<uint64_t>()[bit / 64] & ((uint64_t{1} << rest) - 1));
}

Status CompactPlan::AddBySorting(const ListSource& lists, std::span<const RowRange> rows,
                                 int64_t num_rows) {
  SHEAF_ASSIGN_OR_RETURN(
      MutableBuffer buffer,
      MutableBuffer::Allocate(num_rows * static_cast<int64_t>(sizeof(RowRange)), pool_));
  RowRange* const sorted = buffer.as<RowRange>();
  RowRange* last = sorted;
  SHEAF_RETURN_IF_ERROR(VisitValid(lists, rows, [&](RowRange list) {
    *last++ = list;
    return OkStatus();
  }));
  std::sort(sorted, last, [](RowRange a, RowRange b) { return a.offset < b.offset; });
  Union all(&ranges_);
  for (const RowRange* range = sorted; range != last; ++range) {
    SHEAF_RETURN_IF_ERROR(all.Add(*range));
  }
  return OkStatus();
}

int64_t CompactPlan::MovedByRanges(int64_t offset, int64_t* hint) const noexcept {
  const std::span<const RowRange> ranges = ranges_.ranges();
  const auto size = static_cast<int64_t>(ranges.size());
  const auto at = [&](int64_t i) { return ranges[static_cast<size_t>(i)]; };
  if (size == 0 || offset < at(0).offset) return 0;
  int64_t i = *hint;
  const auto is_within = [&] {
    return offset >= at(i).offset && (i + 1 == size || offset < at(i + 1).offset);
  };
  if (!is_within() && (i + 1 == size || (++i, !is_within()))) {
    i = std::upper_bound(ranges.begin(), ranges.end(), offset,
                         [](int64_t value, RowRange range) { return value < range.offset; }) -
        ranges.begin() - 1;
  }
  *hint = i;
  return kept_before_[i] + std::min(offset - at(i).offset, at(i).length);
}

template <typename Offset>
void CompactPlan::Write(const ListSource& lists, std::span<const RowRange> rows, int64_t base,
                        Offset* offsets, Offset* sizes) const noexcept {
  const auto write = [&](auto moved) {
    VisitAll(lists, rows, [&](RowRange list) {
      *offsets++ = static_cast<Offset>(base + moved(list.offset));
      *sizes++ = static_cast<Offset>(list.length);
    });
  };
  if (!ranks_.bits.absent()) return write(ranks_);
  int64_t hint = 0;
  write([&](int64_t offset) { return MovedByRanges(offset, &hint); });
}

#define SHEAF_INSTANTIATE(Offset)                                                                  \
  template void ExactPlan::Write(const ListSource&, std::span<const RowRange>, int64_t, Offset*,   \
                                 Offset*) noexcept;                                                \
  template void CompactPlan::Write(const ListSource&, std::span<const RowRange>, int64_t, Offset*, \
                                   Offset*) const noexcept;
SHEAF_INSTANTIATE(int32_t)
SHEAF_INSTANTIATE(int64_t)
#undef SHEAF_INSTANTIATE

}  // namespace sheaf::inline v1::internal
