#include "array/trimmed.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "array/array_data.h"
#include "array/trimmed_views.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/base/bits.h"
#include "sheaf/type/visit_layout.h"

namespace sheaf::inline v1::internal {
namespace {

/// What a trimmed array is made of.
struct Parts {
  std::vector<Buffer> buffers;
  std::vector<Array> children;
};

/// Bits [offset, offset + length) of a bitmap, from bit 0 on: shared where they begin a byte.
StatusOr<Buffer> TrimBits(const Array& array, int buffer_index, MemoryPool* pool) {
  const Buffer& bits = array.buffer(buffer_index);
  const int64_t size_bytes = BytesForBits(array.length());
  if (array.length() == 0) return Buffer::Empty();
  if (array.offset() % 8 == 0) return bits.Slice(array.offset() / 8, size_bytes);
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer moved, MutableBuffer::Allocate(size_bytes, pool));
  moved.data()[size_bytes - 1] = 0;  // The bits behind the last.
  CopyBits({bits.data(), array.offset(), array.length()}, moved.data(), 0);
  return std::move(moved).Finish();
}

StatusOr<Buffer> TrimValidity(const Array& array, MemoryPool* pool) {
  if (array.null_count() == 0) return Buffer();
  return TrimBits(array, 0, pool);
}

/// The slots of the window in a buffer of one fixed-width value a slot.
Buffer TrimSlots(const Array& array, int buffer_index, int64_t width) {
  if (array.length() == 0) return Buffer::Empty();
  return array.buffer(buffer_index).Slice(array.offset() * width, array.length() * width);
}

/// Offsets less `begin`, those outside [begin, end] from the nearer bound.
template <typename Offset>
StatusOr<Buffer> MoveOffsets(std::span<const Offset> offsets, Offset begin, Offset end,
                             MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer moved,
                         MutableBuffer::Allocate(static_cast<int64_t>(offsets.size_bytes()), pool));
  Offset* target = moved.as<Offset>();
  for (size_t i = 0; i < offsets.size(); ++i) {
    target[i] = static_cast<Offset>(std::clamp(offsets[i], begin, end) - begin);
  }
  return std::move(moved).Finish();
}

template <typename Offset>
struct OffsetRange {
  Buffer offsets;  ///< From 0 on.
  int64_t begin = 0;
  int64_t end = 0;
};

/// The length + 1 ascending offsets of strings and lists.
template <typename Offset>
StatusOr<OffsetRange<Offset>> TrimOffsets(const Array& array, MemoryPool* pool) {
  OffsetRange<Offset> range;
  if (array.length() == 0) {
    // Offsets of empty arrays may be missing or hold anything. The 64 zero bytes behind an empty
    // buffer hold one.
    range.offsets = Buffer::Borrow(Buffer::Empty().data(), sizeof(Offset));
    return range;
  }
  const auto count = static_cast<size_t>(array.length()) + 1;
  const std::span<const Offset> offsets(array.slots<Offset>(1), count);
  range.begin = offsets.front();
  range.end = offsets.back();
  if (offsets.front() == 0) {
    range.offsets = array.buffer(1).Slice(array.offset() * static_cast<int64_t>(sizeof(Offset)),
                                          static_cast<int64_t>(offsets.size_bytes()));
    return range;
  }
  SHEAF_ASSIGN_OR_RETURN(range.offsets,
                         MoveOffsets(offsets, offsets.front(), offsets.back(), pool));
  return range;
}

/// Trims a verified array, and what lies below it.
class Trimmer {
 public:
  explicit Trimmer(MemoryPool* pool) : pool_(pool) {}

  StatusOr<Array> Trim(const Array& array) const {
    SHEAF_ASSIGN_OR_RETURN(Parts parts, VisitLayout(array.layout(), [&](auto layout) {
                             return TrimAs(layout, array);
                           }));
    Array dictionary = array.has_dictionary() ? array.dictionary() : Array();
    return MakeNode({.type = array.type(),
                     .length = array.length(),
                     .null_count = array.layout().has_validity ? array.null_count() : -1,
                     .buffers = parts.buffers,
                     .children = parts.children,
                     .dictionary = array.has_dictionary() ? &dictionary : nullptr,
                     .verified = true},
                    pool_);
  }

 private:
  StatusOr<Parts> TrimAs(NullLayout, const Array&) const { return Parts(); }
  StatusOr<Parts> TrimAs(BooleanLayout, const Array& array) const {
    SHEAF_ASSIGN_OR_RETURN(Parts parts, WithValidity(array));
    SHEAF_ASSIGN_OR_RETURN(Buffer bits, TrimBits(array, 1, pool_));
    parts.buffers.push_back(std::move(bits));
    return parts;
  }
  StatusOr<Parts> TrimAs(FixedWidthLayout, const Array& array) const { return TrimFixed(array); }
  StatusOr<Parts> TrimAs(DictionaryLayout, const Array& array) const { return TrimFixed(array); }
  StatusOr<Parts> TrimFixed(const Array& array) const {
    SHEAF_ASSIGN_OR_RETURN(Parts parts, WithValidity(array));
    parts.buffers.push_back(TrimSlots(array, 1, BufferBitWidth(array.type(), 1) / 8));
    return parts;
  }

  StatusOr<Parts> TrimAs(BinaryLike auto layout, const Array& array) const {
    using Offset = typename decltype(layout)::Offset;
    SHEAF_ASSIGN_OR_RETURN(Parts parts, WithValidity(array));
    SHEAF_ASSIGN_OR_RETURN(const OffsetRange<Offset> range, TrimOffsets<Offset>(array, pool_));
    parts.buffers.push_back(range.offsets);
    const int64_t size_bytes = range.end - range.begin;
    parts.buffers.push_back(size_bytes == 0 ? Buffer::Empty()
                                            : array.buffer(2).Slice(range.begin, size_bytes));
    return parts;
  }
  StatusOr<Parts> TrimAs(BinaryViewLayout, const Array& array) const {
    SHEAF_ASSIGN_OR_RETURN(Parts parts, WithValidity(array));
    SHEAF_RETURN_IF_ERROR(TrimStringViews(array, &parts.buffers, pool_));
    return parts;
  }

  StatusOr<Parts> TrimAs(ListLike auto layout, const Array& array) const {
    using Offset = typename decltype(layout)::Offset;
    SHEAF_ASSIGN_OR_RETURN(Parts parts, WithValidity(array));
    SHEAF_ASSIGN_OR_RETURN(const OffsetRange<Offset> range, TrimOffsets<Offset>(array, pool_));
    parts.buffers.push_back(range.offsets);
    SHEAF_RETURN_IF_ERROR(AddChild(array.child(0), range.begin, range.end - range.begin, &parts));
    return parts;
  }
  StatusOr<Parts> TrimAs(ViewLike auto layout, const Array& array) const {
    using Offset = typename decltype(layout)::Offset;
    SHEAF_ASSIGN_OR_RETURN(Parts parts, WithValidity(array));
    const ViewStats stats = array.length() == 0 ? ViewStats() : StatsOf(array);
    Buffer offsets = TrimSlots(array, 1, sizeof(Offset));
    if (stats.begin != 0 || stats.empties_outside) {
      SHEAF_ASSIGN_OR_RETURN(
          offsets, MoveOffsets<Offset>(
                       {array.slots<Offset>(1), static_cast<size_t>(array.length())},
                       static_cast<Offset>(stats.begin), static_cast<Offset>(stats.end), pool_));
    }
    parts.buffers.push_back(std::move(offsets));
    parts.buffers.push_back(TrimSlots(array, 2, sizeof(Offset)));
    SHEAF_RETURN_IF_ERROR(AddChild(array.child(0), stats.begin, stats.end - stats.begin, &parts));
    return parts;
  }
  StatusOr<Parts> TrimAs(FixedSizeListLayout, const Array& array) const {
    SHEAF_ASSIGN_OR_RETURN(Parts parts, WithValidity(array));
    const int64_t width = array.type().storage().list_size();
    SHEAF_RETURN_IF_ERROR(
        AddChild(array.child(0), array.offset() * width, array.length() * width, &parts));
    return parts;
  }

  StatusOr<Parts> TrimAs(StructLayout, const Array& array) const {
    SHEAF_ASSIGN_OR_RETURN(Parts parts, WithValidity(array));
    SHEAF_RETURN_IF_ERROR(AddChildrenOfWindow(array, &parts));
    return parts;
  }
  StatusOr<Parts> TrimAs(SparseUnionLayout, const Array& array) const {
    Parts parts;
    parts.buffers.push_back(TrimSlots(array, 0, 1));
    SHEAF_RETURN_IF_ERROR(AddChildrenOfWindow(array, &parts));
    return parts;
  }
  StatusOr<Parts> TrimAs(DenseUnionLayout, const Array& array) const;
  StatusOr<Parts> TrimAs(RunEndLike auto layout, const Array& array) const;

  StatusOr<Parts> WithValidity(const Array& array) const {
    Parts parts;
    SHEAF_ASSIGN_OR_RETURN(Buffer validity, TrimValidity(array, pool_));
    parts.buffers.push_back(std::move(validity));
    return parts;
  }
  Status AddChild(const Array& child, int64_t offset, int64_t length, Parts* parts) const {
    SHEAF_ASSIGN_OR_RETURN(Array trimmed, Trim(child.Slice(offset, length)));
    parts->children.push_back(std::move(trimmed));
    return OkStatus();
  }
  Status AddChildrenOfWindow(const Array& array, Parts* parts) const {
    for (int i = 0; i < array.num_children(); ++i) {
      SHEAF_RETURN_IF_ERROR(AddChild(array.child(i), array.offset(), array.length(), parts));
    }
    return OkStatus();
  }

  MemoryPool* pool_;
};

/// Slots of each union child in use: [begin, end).
struct ChildRanges {
  std::array<int32_t, 128> begin;
  std::array<int32_t, 128> end;
  bool moved = false;

  ChildRanges(std::span<const int8_t> child_of, std::span<const int8_t> type_ids,
              const int32_t* offsets) {
    begin.fill(INT32_MAX);
    end.fill(0);
    for (size_t i = 0; i < type_ids.size(); ++i) {
      const auto child = static_cast<size_t>(child_of[static_cast<size_t>(type_ids[i])]);
      begin[child] = std::min(begin[child], offsets[i]);
      end[child] = std::max(end[child], offsets[i] + 1);
    }
    for (size_t child = 0; child < begin.size(); ++child) {
      begin[child] = std::min(begin[child], end[child]);  // A child nobody uses: nothing.
      moved = moved || begin[child] != 0;
    }
  }
};

StatusOr<Parts> Trimmer::TrimAs(DenseUnionLayout, const Array& array) const {
  const auto length = static_cast<size_t>(array.length());
  const std::span<const int8_t> child_of = array.type().storage().child_of_type_code();
  const std::span<const int8_t> type_ids(length == 0 ? nullptr : array.slots<int8_t>(0), length);
  const int32_t* offsets = length == 0 ? nullptr : array.slots<int32_t>(1);
  const ChildRanges ranges(child_of, type_ids, offsets);

  Parts parts;
  parts.buffers.push_back(TrimSlots(array, 0, 1));
  parts.buffers.push_back(TrimSlots(array, 1, sizeof(int32_t)));
  if (ranges.moved) {
    SHEAF_ASSIGN_OR_RETURN(
        MutableBuffer moved,
        MutableBuffer::Allocate(array.length() * static_cast<int64_t>(sizeof(int32_t)), pool_));
    for (size_t i = 0; i < length; ++i) {
      const auto child = static_cast<size_t>(child_of[static_cast<size_t>(type_ids[i])]);
      moved.as<int32_t>()[i] = offsets[i] - ranges.begin[child];
    }
    parts.buffers[1] = std::move(moved).Finish();
  }
  for (int i = 0; i < array.num_children(); ++i) {
    const int64_t begin = ranges.begin[static_cast<size_t>(i)];
    const int64_t end = ranges.end[static_cast<size_t>(i)];
    SHEAF_RETURN_IF_ERROR(AddChild(array.child(i), begin, end - begin, &parts));
  }
  return parts;
}

StatusOr<Parts> Trimmer::TrimAs(RunEndLike auto layout, const Array& array) const {
  using RunEnd = typename decltype(layout)::RunEnd;
  const Array& ends = array.child(0);
  Parts parts;
  if (array.length() == 0) {
    for (int i = 0; i < 2; ++i) SHEAF_RETURN_IF_ERROR(AddChild(array.child(i), 0, 0, &parts));
    return parts;
  }
  // Runs [first, last] reach the rows [offset, offset + length).
  const auto* begin = ends.slots<RunEnd>(1);
  const auto* end = begin + ends.length();
  const int64_t last_row = array.offset() + array.length();
  const auto* first_run = std::upper_bound(begin, end, array.offset());
  const auto* last_run = std::lower_bound(first_run, end, last_row);
  const int64_t first = first_run - begin;
  const int64_t count = last_run - first_run + 1;

  if (array.offset() == 0 && *last_run == last_row) {
    SHEAF_RETURN_IF_ERROR(AddChild(ends, first, count, &parts));
  } else {
    SHEAF_ASSIGN_OR_RETURN(
        MutableBuffer moved,
        MutableBuffer::Allocate(count * static_cast<int64_t>(sizeof(RunEnd)), pool_));
    for (int64_t i = 0; i < count; ++i) {
      moved.as<RunEnd>()[i] =
          static_cast<RunEnd>(std::min<int64_t>(first_run[i], last_row) - array.offset());
    }
    std::array<Buffer, 2> buffers{Buffer(), std::move(moved).Finish()};
    SHEAF_ASSIGN_OR_RETURN(Array run_ends, MakeNode({.type = ends.type(),
                                                     .length = count,
                                                     .null_count = 0,
                                                     .buffers = buffers,
                                                     .verified = true},
                                                    pool_));
    parts.children.push_back(std::move(run_ends));
  }
  SHEAF_RETURN_IF_ERROR(AddChild(array.child(1), first, count, &parts));
  return parts;
}

}  // namespace

StatusOr<Array> Trimmed(const Array& array, MemoryPool* pool) {
  SHEAF_RETURN_IF_ERROR(array.Verify());
  return Trimmer(pool).Trim(array);
}

}  // namespace sheaf::inline v1::internal
