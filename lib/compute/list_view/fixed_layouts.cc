#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "array/array_data.h"
#include "array/list_source.h"
#include "array/make_typed.h"
#include "base/error.h"
#include "compute/list_view/layouts.h"
#include "compute/list_view/shared_rows.h"
#include "compute/list_view/widths.h"
#include "kernels/fill.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/base/checked.h"
#include "sheaf/builder/make_builder.h"

namespace sheaf::inline v1::internal {
namespace {

/// `count` slots of first, first + step, ... behind those in front of the rows, which are 0.
template <typename Offset>
StatusOr<Buffer> Steps(const SharedRows& rows, int64_t first, int64_t step, int64_t count,
                       MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(
      MutableBuffer steps,
      MutableBuffer::Allocate((rows.lead() + count) * static_cast<int64_t>(sizeof(Offset)), pool));
  std::fill_n(steps.as<Offset>(), rows.lead(), Offset{0});
  kernels::FillSteps(first, step, count, steps.as<Offset>() + rows.lead());
  return std::move(steps).Finish();
}

template <typename Offset>
StatusOr<Array> FixedAs(const Array& lists, const DataType& type, MemoryPool* pool) {
  const int64_t size = lists.type().list_size();
  const int64_t n = lists.length();
  SHEAF_RETURN_IF_ERROR(CheckOffsetsReach<Offset>(type, n * size, lists.type()));
  const SharedRows rows(lists);
  std::array<Buffer, 3> buffers;
  buffers[0] = rows.Validity();
  SHEAF_ASSIGN_OR_RETURN(buffers[1], Steps<Offset>(rows, 0, size, n + 1, pool));
  Array elements = lists.child(0).Slice(lists.offset() * size, n * size);
  if (type.layout().id == LayoutId::kList) {
    return rows.Make(type, {buffers.data(), 2}, std::move(elements), nullptr, false, pool);
  }
  SHEAF_ASSIGN_OR_RETURN(buffers[2], Steps<Offset>(rows, size, 0, n, pool));
  ViewStats stats;
  stats.end = stats.sum_of_sizes = n * size;
  stats.max_size = n == 0 ? 0 : size;
  return rows.Make(type, buffers, std::move(elements), &stats, /*has_spare_offset=*/true, pool);
}

/// The elements that the rows reach, gaps between views included.
RowRange Reached(const ListSource& lists) noexcept {
  if (lists.array().length() == 0) return {};
  if (!lists.is_view()) return lists.Rows({0, lists.array().length()});
  const ViewStats stats = StatsOf(lists.array());
  return {stats.begin, stats.end - stats.begin};
}

/// The elements of all rows, if each valid row has `size` of them where a fixed-size list does.
/// Length -1: some row lies elsewhere.
StatusOr<RowRange> InPlace(const ListSource& lists, int64_t size, const DataType& type) {
  constexpr RowRange kElsewhere = {0, -1};
  const Array& array = lists.array();
  const BitSpan validity = array.has_nulls() ? array.validity() : BitSpan{};
  const int64_t n = array.length();
  const RowRange reached = Reached(lists);
  int64_t begin = reached.offset;
  bool found = false;
  bool in_place = true;
  for (int64_t row = 0; row < n; ++row) {
    if (!validity[row]) continue;
    const RowRange list = lists.Row(row);
    if (list.length != size) {
      return InvalidArgument(array.type().ToString(), " as ", type.ToString(), ": row ", row,
                             " has ", list.length, " elements, not ", size);
    }
    if (size == 0) continue;
    if (!found) begin = list.offset - row * size;
    found = true;
    in_place = in_place && list.offset - row * size == begin;
  }
  int64_t total = 0;
  if (MultiplyOverflows(n, size, &total)) {
    return OutOfRange(array.type().ToString(), " as ", type.ToString(), ": ", n, " rows of ", size,
                      " elements exceed 64 bits");
  }
  if (size == 0) return RowRange{reached.offset, 0};
  // What lies under null rows at both ends must be there, and be checked, to be passed on.
  if (!in_place || begin < reached.offset || total > reached.end() - begin) return kElsewhere;
  return RowRange{begin, total};
}

StatusOr<Array> CopiedAsFixed(const Array& lists, const DataType& type, MemoryPool* pool) {
  // All is copied once, into what was reserved for it.
  SHEAF_ASSIGN_OR_RETURN(
      std::unique_ptr<ArrayBuilder> builder,
      MakeBuilder(type, {.pool = pool, .min_chunk_bytes = BuilderOptions::kNeverKeep}));
  SHEAF_RETURN_IF_ERROR(builder->ReserveFor(lists));
  SHEAF_RETURN_IF_ERROR(builder->AppendArray(lists));
  return builder->Finish();
}

}  // namespace

StatusOr<Array> FixedAsLists(const Array& lists, const DataType& type, MemoryPool* pool) {
  return type.layout().offset_bits == 32 ? FixedAs<int32_t>(lists, type, pool)
                                         : FixedAs<int64_t>(lists, type, pool);
}

StatusOr<Array> RowsAsFixed(const Array& lists, const DataType& type, MemoryPool* pool) {
  const ListSource source(lists);
  SHEAF_ASSIGN_OR_RETURN(const RowRange in_place, InPlace(source, type.list_size(), type));
  if (in_place.length < 0) return CopiedAsFixed(lists, type, pool);
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, WindowValidity(lists, pool));
  Array elements = lists.child(0).Slice(in_place.offset, in_place.length);
  return MakeNode({.type = type,
                   .length = lists.length(),
                   .null_count = lists.null_count(),
                   .buffers = {&validity, 1},
                   .children = {&elements, 1},
                   .verified = true},
                  pool);
}

}  // namespace sheaf::inline v1::internal
