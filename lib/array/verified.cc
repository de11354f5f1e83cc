#include "array/verified.h"

#include <algorithm>

#include "array/array_data.h"
#include "array/check_shape.h"
#include "array/string_view_slot.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/type/visit_layout.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1::internal {
namespace {

/// One window being checked.
struct Window {
  const Array& array;
  const Path& path;
  int64_t first_row;
  bool primary;

  const DataType& type() const { return array.type(); }
  int64_t length() const { return array.length(); }
  template <typename... Args>
  Status Error(int64_t row, const Args&... args) const {
    return RowError(type(), path, first_row + row, args...);
  }
  /// Checks slots [begin, end) of child i, or all of it if ours is the whole array.
  Status CheckChild(int i, int64_t begin, int64_t end) const {
    const Array& child = array.child(i);
    const Path child_path = path.Child(type().fields(), i);
    if (primary) return VerifyStructure(child, child_path, 0);
    if (begin >= end) return OkStatus();
    return VerifyStructure(child.Slice(begin, end - begin), child_path, begin);
  }
};

/// offsets[0 .. length] rise from at least 0 to at most `limit`.
template <typename Offset>
Status CheckOffsets(const Window& window, const Offset* offsets, int64_t limit,
                    const char* limit_name) {
  const int64_t length = window.length();
  if (offsets[0] < 0) return window.Error(0, "negative offset: ", offsets[0]);
  bool falls = false;
  for (int64_t i = 0; i < length; ++i) falls |= offsets[i + 1] < offsets[i];
  if (falls) {
    int64_t row = 0;
    while (offsets[row + 1] >= offsets[row]) ++row;
    return window.Error(row, "offsets fall: ", offsets[row], " > ", offsets[row + 1]);
  }
  if (offsets[length] > limit) {
    int64_t row = 0;
    while (offsets[row + 1] <= limit) ++row;
    return window.Error(row, "offset past the end of ", limit_name, ": ", offsets[row + 1], " > ",
                        limit);
  }
  return OkStatus();
}

template <typename Offset>
Status CheckBinary(const Window& window) {
  return CheckOffsets(window, window.array.slots<Offset>(1), window.array.buffer(2).size_bytes(),
                      "data");
}

Status CheckStringViews(const Window& window) {
  const Array& array = window.array;
  const auto* slots = array.slots<StringViewSlot>(1);
  const int num_data = array.num_buffers() - 2;
  const BitSpan validity = array.validity();
  for (int64_t i = 0; i < array.length(); ++i) {
    const StringViewSlot& slot = slots[i];
    if (slot.size >= 0 && slot.is_inline()) continue;
    if (!validity[i]) continue;  // What lies under a null is never followed.
    if (slot.size < 0) return window.Error(i, "negative size: ", slot.size);
    if (slot.buffer_index < 0 || slot.buffer_index >= num_data) {
      return window.Error(i, "view into buffer ", slot.buffer_index, " of ", num_data);
    }
    const int64_t has = array.buffer(2 + slot.buffer_index).size_bytes();
    if (slot.offset < 0) return window.Error(i, "negative offset: ", slot.offset);
    if (int64_t{slot.offset} + slot.size > has) {
      return window.Error(i, "offset + size past the end of data: ", slot.offset, " + ", slot.size,
                          " > ", has);
    }
  }
  return OkStatus();
}

template <typename Offset>
Status CheckList(const Window& window) {
  const auto* offsets = window.array.slots<Offset>(1);
  SHEAF_RETURN_IF_ERROR(CheckOffsets(window, offsets, window.array.child(0).length(), "elements"));
  return window.CheckChild(0, offsets[0], offsets[window.length()]);
}

/// Names the first view that is out of bounds; there is one.
template <typename Offset>
Status BadView(const Window& window) {
  const auto* offsets = window.array.slots<Offset>(1);
  const auto* sizes = window.array.slots<Offset>(2);
  const int64_t elements = window.array.child(0).length();
  for (int64_t i = 0; i < window.length(); ++i) {
    const int64_t offset = offsets[i];
    const int64_t size = sizes[i];
    if (offset < 0) return window.Error(i, "negative offset: ", offset);
    if (size < 0) return window.Error(i, "negative size: ", size);
    if (offset > elements) {
      return window.Error(i, "offset past the end of elements: ", offset, " > ", elements);
    }
    if (size > elements - offset) {
      return window.Error(i, "offset + size past the end of elements: ", offset, " + ", size, " > ",
                          elements);
    }
  }
  return OkStatus();
}

template <typename Offset>
Status CheckListView(const Window& window) {
  const ViewStats stats = StatsOf(window.array);
  if (!stats.in_bounds) return BadView<Offset>(window);
  return window.CheckChild(0, stats.begin, stats.end);
}

Status CheckFixedSizeList(const Window& window) {
  const int64_t list_size = window.type().list_size();
  const int64_t begin = window.array.offset() * list_size;
  return window.CheckChild(0, begin, begin + window.length() * list_size);
}

/// Children that have a slot for each of ours.
Status CheckParallel(const Window& window) {
  const int64_t begin = window.array.offset();
  for (int i = 0; i < window.array.num_children(); ++i) {
    SHEAF_RETURN_IF_ERROR(window.CheckChild(i, begin, begin + window.length()));
  }
  return OkStatus();
}

Status CheckTypeIds(const Window& window) {
  const auto* ids = window.array.slots<int8_t>(0);
  const std::span<const int8_t> child_of = window.type().child_of_type_code();
  for (int64_t i = 0; i < window.length(); ++i) {
    if (ids[i] < 0 || child_of[static_cast<size_t>(ids[i])] < 0) {
      return window.Error(i, "unknown type id: ", int{ids[i]});
    }
  }
  return OkStatus();
}

Status CheckSparseUnion(const Window& window) {
  SHEAF_RETURN_IF_ERROR(CheckTypeIds(window));
  return CheckParallel(window);
}

Status CheckDenseUnion(const Window& window) {
  SHEAF_RETURN_IF_ERROR(CheckTypeIds(window));
  const Array& array = window.array;
  const auto* ids = array.slots<int8_t>(0);
  const auto* offsets = array.slots<int32_t>(1);
  const std::span<const int8_t> child_of = window.type().child_of_type_code();
  for (int64_t i = 0; i < window.length(); ++i) {
    const int64_t has = array.child(child_of[static_cast<size_t>(ids[i])]).length();
    if (offsets[i] < 0) return window.Error(i, "negative offset: ", offsets[i]);
    if (offsets[i] >= has) {
      return window.Error(i, "offset past the end of child ", int{ids[i]}, ": ", offsets[i],
                          " >= ", has);
    }
  }
  // Dense children are reached slot by slot; checking them whole costs no more than finding the
  // ranges.
  for (int i = 0; i < array.num_children(); ++i) {
    SHEAF_RETURN_IF_ERROR(window.CheckChild(i, 0, array.child(i).length()));
  }
  return OkStatus();
}

template <typename Index>
Status CheckIndices(const Window& window) {
  const auto* indices = window.array.slots<Index>(1);
  const auto limit = static_cast<uint64_t>(window.array.dictionary().length());
  const BitSpan validity = window.array.validity();
  for (int64_t i = 0; i < window.length(); ++i) {
    // A negative index becomes one that is far too large.
    const auto index = static_cast<uint64_t>(static_cast<int64_t>(indices[i]));
    if (index < limit || !validity[i]) continue;
    return window.Error(i, "index outside the dictionary: ", indices[i], " of ", limit, " values");
  }
  return OkStatus();
}

Status CheckDictionary(const Window& window) {
  SHEAF_RETURN_IF_ERROR(VisitInteger(window.type().index_type().id(), [&](auto index) {
    return CheckIndices<decltype(index)>(window);
  }));
  return VerifyStructure(window.array.dictionary(), window.path.Dictionary());
}

template <typename RunEnd>
Status CheckRunEnds(const Window& window) {
  const Array& run_ends = window.array.child(0);
  SHEAF_RETURN_IF_ERROR(window.CheckChild(0, 0, run_ends.length()));
  const int64_t runs = run_ends.length();
  if (run_ends.has_nulls()) return ArrayError(window.type(), window.path, "a run end is null");
  const auto* ends = run_ends.slots<RunEnd>(1);
  int64_t before = 0;
  for (int64_t i = 0; i < runs; ++i) {
    if (ends[i] <= before) {
      return ArrayError(window.type(), window.path, "run ", i, ": run ends must rise: ", before,
                        " then ", ends[i]);
    }
    before = ends[i];
  }
  const int64_t needed = window.array.offset() + window.length();
  if (before < needed) {
    return ArrayError(window.type(), window.path, "the last run ends at ", before, " of ", needed,
                      " rows");
  }
  const auto* first = std::upper_bound(ends, ends + runs, window.array.offset());
  const auto* last = std::lower_bound(ends, ends + runs, needed);
  return window.CheckChild(1, first - ends, last - ends + 1);
}

Status CheckWindow(const Window& window) {
  return VisitLayout(window.array.layout(),
                     Overloaded{
                         [&]<BinaryLike L>(L) { return CheckBinary<typename L::Offset>(window); },
                         [&](BinaryViewLayout) { return CheckStringViews(window); },
                         [&]<ListLike L>(L) { return CheckList<typename L::Offset>(window); },
                         [&]<ViewLike L>(L) { return CheckListView<typename L::Offset>(window); },
                         [&](FixedSizeListLayout) { return CheckFixedSizeList(window); },
                         [&](StructLayout) { return CheckParallel(window); },
                         [&](SparseUnionLayout) { return CheckSparseUnion(window); },
                         [&](DenseUnionLayout) { return CheckDenseUnion(window); },
                         [&](DictionaryLayout) { return CheckDictionary(window); },
                         [&]<RunEndLike L>(L) { return CheckRunEnds<typename L::RunEnd>(window); },
                         [](NullLayout) { return OkStatus(); },
                         [](BooleanLayout) { return OkStatus(); },
                         [](FixedWidthLayout) { return OkStatus(); },
                     });
}

}  // namespace

bool IsVerified(const Array& array) noexcept {
  const ArrayData& data = *array.data();
  return data.verified.load(std::memory_order_acquire) &&
         data.Covers(array.offset(), array.length());
}

Status VerifyStructure(const Array& array, const Path& path, int64_t first_row) {
  if (IsVerified(array)) return OkStatus();
  SHEAF_RETURN_IF_ERROR(CheckDepth(array.type(), path));
  SHEAF_RETURN_IF_ERROR(CheckShape(ShapeOf(array), path));
  const ArrayData& data = *array.data();
  const Window window{array, path, first_row, data.IsPrimary(array.offset(), array.length())};
  if (array.length() > 0) {
    SHEAF_RETURN_IF_ERROR(CheckWindow(window));
  } else {
    // Nothing of ours is read; the children are whole arrays all the same.
    for (int i = 0; window.primary && i < array.num_children(); ++i)
      SHEAF_RETURN_IF_ERROR(window.CheckChild(i, 0, 0));
    // A slice without rows has the dictionary still: it is counted and passed on whole.
    if (array.has_dictionary()) {
      SHEAF_RETURN_IF_ERROR(VerifyStructure(array.dictionary(), path.Dictionary()));
    }
  }
  if (window.primary) data.verified.store(true, std::memory_order_release);
  return OkStatus();
}

}  // namespace sheaf::inline v1::internal

namespace sheaf::inline v1 {

Status Array::Verify() const {
  if (internal::IsVerified(*this)) [[likely]]
    return OkStatus();
  return internal::VerifyStructure(*this, internal::Path{});
}

}  // namespace sheaf::inline v1
