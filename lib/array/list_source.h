#pragma once

#include <cstdint>

#include "sheaf/array/array.h"
#include "sheaf/array/row_range.h"
#include "sheaf/type/layout.h"

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

}  // namespace sheaf::inline v1::internal
