#pragma once

#include <cstdint>

#include "builder/builder_core.h"
#include "sheaf/array/array.h"
#include "sheaf/base/checked.h"

namespace sheaf::inline v1::internal {

/// Rows of any verified list-like array (list, list-view, fixed-size list; 32 or 64 bits) as ranges
/// of its elements, relative to `elements`.
class ListSource {
 public:
  explicit ListSource(const Array& array) noexcept
      : array_(array),
        layout_(array.layout().id),
        wide_(array.layout().offset_bits == 64),
        list_size_(layout_ == LayoutId::kFixedSizeList ? array.type().list_size() : 0) {}

  const Array& array() const noexcept { return array_; }
  const Array& elements() const noexcept { return array_.child(0); }
  LayoutId layout() const noexcept { return layout_; }
  bool wide() const noexcept { return wide_; }
  int64_t list_size() const noexcept { return list_size_; }
  bool is_view() const noexcept { return layout_ == LayoutId::kListView; }

  template <typename Offset>
  const Offset* offsets() const noexcept {
    return array_.slots<Offset>(1);
  }
  template <typename Offset>
  const Offset* sizes() const noexcept {
    return array_.slots<Offset>(2);
  }

  /// The elements of row i, whether it is null or not.
  RowRange Row(int64_t i) const noexcept { return wide_ ? RowAs<int64_t>(i) : RowAs<int32_t>(i); }
  /// The elements of rows that follow each other in them (not list-views). Offsets of no rows are
  /// not read.
  RowRange Rows(RowRange rows) const noexcept {
    if (rows.length == 0) return {};
    const RowRange first = Row(rows.offset);
    return {first.offset, Row(rows.end() - 1).end() - first.offset};
  }

 private:
  template <typename Offset>
  RowRange RowAs(int64_t i) const noexcept {
    switch (layout_) {
      case LayoutId::kListView:
        return {offsets<Offset>()[i], sizes<Offset>()[i]};
      case LayoutId::kFixedSizeList:
        return {(array_.offset() + i) * list_size_, list_size_};
      default:
        return {offsets<Offset>()[i], offsets<Offset>()[i + 1] - offsets<Offset>()[i]};
    }
  }

  const Array& array_;
  LayoutId layout_;
  bool wide_;
  int64_t list_size_;
};

/// kInvalidArgument naming field and row where a valid row of `rows` has a null among elements that
/// are not nullable. `reached` is a range of the elements that covers all these rows': without
/// nulls there, no row is read.
inline Status CheckElementsNullable(const DataType& parent, const ListSource& source, RowRange rows,
                                    RowRange reached) {
  const Field& field = parent.field(0);
  if (field.nullable() || !source.elements().has_nulls()) return OkStatus();
  if (source.elements().Slice(reached.offset, reached.length).null_count() == 0) return OkStatus();
  for (int64_t row = rows.offset; row < rows.end(); ++row) {
    if (source.array().IsNull(row)) continue;
    const RowRange list = source.Row(row);
    if (source.elements().Slice(list.offset, list.length).null_count() == 0) continue;
    return InvalidArgument("row ", row, " of an array for a ", parent.ToString(),
                           " builder: field ", field.ToString(), " is not nullable and has a null");
  }
  return OkStatus();
}

/// Collects element ranges, joining those that touch, in memory of the pool.
class RangeList {
 public:
  explicit RangeList(MemoryPool* pool) noexcept : ranges_(pool) {}
  /// \return kOutOfRange where all ranges together exceed 64 bits; kResourceExhausted.
  Status Add(RowRange range) {
    if (range.length == 0) return OkStatus();
    // Views may share elements, and nulls take no memory: the sum has no bound but this.
    if (AddOverflows(total_, range.length, &total_)) {
      return OutOfRange("more elements than 64 bits count");
    }
    if (!ranges_.empty() && ranges_.back().end() == range.offset) {
      ranges_.back().length += range.length;
      return OkStatus();
    }
    return ranges_.Stage(range);
  }
  int64_t total() const noexcept { return total_; }
  void Clear() noexcept {
    ranges_.Clear();
    total_ = 0;
  }
  std::span<const RowRange> ranges() const noexcept {
    return {ranges_.begin(), static_cast<size_t>(ranges_.size())};
  }

 private:
  StagedVector<RowRange> ranges_;
  int64_t total_ = 0;
};

}  // namespace sheaf::inline v1::internal
