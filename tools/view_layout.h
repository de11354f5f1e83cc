#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sheaf/array/array.h"

namespace sheaf::tools {

/// Where one row's view lies.
struct PlacedView {
  int64_t offset;
  uint64_t size : 63;
  uint64_t is_null : 1;

  int64_t end() const { return offset + static_cast<int64_t>(size); }
  /// Whether the row reads an element.
  bool reads() const { return size > 0 && is_null == 0; }
};

/// The views of a list-view column over all batches: rows one after the other, and the elements of
/// the batches end to end.
class ViewLayout {
 public:
  int64_t elements = 0;
  std::vector<PlacedView> views;  ///< One a row.
  // Of each batch but the first: its first row and element.
  std::vector<int64_t> row_borders;
  std::vector<int64_t> element_borders;

  int64_t rows() const { return static_cast<int64_t>(views.size()); }
  /// Adds a batch's array, which has passed `Array::Verify`.
  void Add(const Array& list_view);

 private:
  bool first_ = true;
};

/// How many lists read each element.
class Depths {
 public:
  /// O(n log n) for n rows, O(n) where they come in order; 16 bytes a row, however many elements.
  explicit Depths(const ViewLayout& layout);

  /// Calls `visit(begin, end, depth)` for stretches of elements that equally many lists read, in
  /// order, from the first element to the last.
  template <typename Function>
  void Visit(Function&& visit) const {
    int64_t position = 0;
    size_t started = 0;
    size_t ended = 0;
    while (position < elements_) {
      int64_t next = elements_;
      if (started < starts_.size()) next = std::min(next, starts_[started]);
      if (ended < ends_.size()) next = std::min(next, ends_[ended]);
      if (next > position) visit(position, next, static_cast<int64_t>(started - ended));
      position = next;
      while (started < starts_.size() && starts_[started] == position) ++started;
      while (ended < ends_.size() && ends_[ended] == position) ++ended;
    }
  }

 private:
  int64_t elements_;
  std::vector<int64_t> starts_;
  std::vector<int64_t> ends_;
};

}  // namespace sheaf::tools
