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
  /// Calls `use(row)` with a function of this layout that gives what `Row` does: for loops.
  template <typename Function>
  decltype(auto) WithRows(Function&& use) const {
    return wide_ ? WithRowsAs<int64_t>(use) : WithRowsAs<int32_t>(use);
  }
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
    return WithRowsAs<Offset>([i](auto row) { return row(i); });
  }
  template <typename Offset, typename Function>
  decltype(auto) WithRowsAs(Function&& use) const {
    switch (layout_) {
      case LayoutId::kListView:
        return use([offsets = offsets<Offset>(), sizes = sizes<Offset>()](int64_t i) {
          return RowRange{offsets[i], sizes[i]};
        });
      case LayoutId::kFixedSizeList:
        return use([first = array_.offset(), size = list_size_](int64_t i) {
          return RowRange{(first + i) * size, size};
        });
      default:
        return use([offsets = offsets<Offset>()](int64_t i) {
          return RowRange{offsets[i], offsets[i + 1] - offsets[i]};
        });
    }
  }

  const Array& array_;
  LayoutId layout_;
  bool wide_;
  int64_t list_size_;
};

}  // namespace sheaf::inline v1::internal
