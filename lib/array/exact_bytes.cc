#include <algorithm>
#include <limits>
#include <utility>

#include "array/string_view_slot.h"
#include "base/error.h"
#include "sheaf/array/bytes.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/base/bits.h"
#include "sheaf/base/checked.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/staged_vector.h"
#include "sheaf/type/layout.h"
#include "sheaf/type/visit_layout.h"

namespace sheaf::inline v1 {
namespace {

/// Rows of an array that a flattened copy has `count` times.
struct Rows {
  int64_t begin = 0;
  int64_t length = 0;
  int64_t count = 1;
};
using RowsList = internal::StagedVector<Rows>;

Status TooLarge(const Array& array) {
  return internal::OutOfRange(array.type().ToString(), ": flattened, it exceeds 64 bits of bytes");
}

/// Adds rows, joined to those before where they go on there.
Status AddRows(RowsList* list, Rows rows) {
  if (rows.length == 0) return OkStatus();
  if (!list->empty()) {
    Rows& last = list->back();
    if (last.begin + last.length == rows.begin && last.count == rows.count) {
      last.length += rows.length;
      return OkStatus();
    }
  }
  return list->Stage(rows);
}

/// Calls visit(row, count), which returns a Status, for each row in the list once, with the number
/// of its copies: from one pass over the list and one over the rows, however often rows are in it.
template <typename Function>
Status VisitRows(const RowsList& list, MemoryPool* pool, Function&& visit) {
  if (list.size() == 1) {
    const Rows& rows = list[0];
    for (int64_t i = 0; i < rows.length; ++i) {
      SHEAF_RETURN_IF_ERROR(visit(rows.begin + i, rows.count));
    }
    return OkStatus();
  }
  int64_t begin = std::numeric_limits<int64_t>::max();
  int64_t end = 0;
  for (const Rows& rows : list) {
    begin = std::min(begin, rows.begin);
    end = std::max(end, rows.begin + rows.length);
  }
  if (begin >= end) return OkStatus();
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer buffer,
                         MutableBuffer::Allocate((end - begin + 1) * 8, pool));
  auto* steps = buffer.as<int64_t>();
  std::fill_n(steps, end - begin + 1, int64_t{0});
  for (const Rows& rows : list) {  // Sums of counts fit: all rows together do.
    steps[rows.begin - begin] += rows.count;
    steps[rows.begin + rows.length - begin] -= rows.count;
  }
  int64_t count = 0;
  for (int64_t row = begin; row < end; ++row) {
    count += steps[row - begin];
    if (count > 0) SHEAF_RETURN_IF_ERROR(visit(row, count));
  }
  return OkStatus();
}

/// Adds up what a flattened copy of rows takes, level by level: each level is one list of rows of
/// the array that is there, so views that share elements cost no more than those that do not.
class ExactCounter {
 public:
  explicit ExactCounter(MemoryPool* pool) : pool_(pool) {}

  int64_t bytes() const noexcept { return bytes_; }

  Status AddWhole(const Array& array) {
    if (array.length() == 0) {
      return array.has_dictionary() ? AddWhole(array.dictionary()) : OkStatus();
    }
    RowsList all(pool_);
    SHEAF_RETURN_IF_ERROR(AddRows(&all, {0, array.length(), 1}));
    return Add(array, all);
  }

 private:
  Status Add(const Array& array, const RowsList& list) {
    // Of a child that no row reaches nothing is copied, nor was its dictionary verified.
    if (list.empty()) return OkStatus();
    if (array.has_dictionary()) SHEAF_RETURN_IF_ERROR(AddWhole(array.dictionary()));
    SHEAF_RETURN_IF_ERROR(AddSlots(array, list));
    return VisitLayout(
        array.layout(),
        Overloaded{
            [&]<BinaryLike L>(L) { return AddBinary<typename L::Offset>(array, list); },
            [&](BinaryViewLayout) { return AddStringViews(array, list); },
            [&]<ListLike L>(L) { return AddLists<typename L::Offset>(array, list); },
            [&]<ViewLike L>(L) { return AddListViews<typename L::Offset>(array, list); },
            [&](FixedSizeListLayout) {
              return AddChild(array, 0, list, array.type().storage().list_size());
            },
            [&](StructLayout) { return AddParallel(array, list); },
            [&](SparseUnionLayout) { return AddParallel(array, list); },
            [&](DenseUnionLayout) { return AddDense(array, list); },
            [&](RunEndLike auto) { return AddRuns(array, list); },
            [](auto) { return OkStatus(); },
        });
  }

  /// n x width more bytes.
  Status AddBytes(const Array& array, int64_t n, int64_t width = 1) {
    int64_t bytes = 0;
    if (MultiplyOverflows(n, width, &bytes) || AddOverflows(bytes_, bytes, &bytes_)) {
      return TooLarge(array);
    }
    return OkStatus();
  }

  static Status Count(const Array& array, const RowsList& list, int64_t* rows) {
    for (const Rows& part : list) {
      int64_t product = 0;
      if (MultiplyOverflows(part.length, part.count, &product) ||
          AddOverflows(*rows, product, rows)) {
        return TooLarge(array);
      }
    }
    return OkStatus();
  }

  /// The buffers that have a slot a row (offsets: and one).
  Status AddSlots(const Array& array, const RowsList& list) {
    const Layout& layout = array.layout();
    int64_t n = 0;
    SHEAF_RETURN_IF_ERROR(Count(array, list, &n));
    for (int i = 0; i < layout.num_buffers; ++i) {
      const BufferRole role = layout.buffers[static_cast<size_t>(i)].role;
      if (role == BufferRole::kValidity) {
        SHEAF_ASSIGN_OR_RETURN(const bool has_null, HasNull(array, list));
        if (!has_null) continue;
      }
      const int64_t bits = BufferBitWidth(array.type(), i);
      if (role == BufferRole::kOffsets) SHEAF_RETURN_IF_ERROR(AddBytes(array, bits / 8));
      SHEAF_RETURN_IF_ERROR(bits == 1 ? AddBytes(array, n / 8 + (n % 8 != 0))
                                      : AddBytes(array, n, bits / 8));
    }
    return OkStatus();
  }

  StatusOr<bool> HasNull(const Array& array, const RowsList& list) const {
    if (!array.has_nulls()) return false;
    const BitSpan validity = array.validity();
    if (list.size() == 1) {
      return FindBit(validity.Slice(list[0].begin, list[0].length), 0, false) < list[0].length;
    }
    // Nulls before each 64th row: whether there is one among some rows costs the same for any
    // number of them.
    const int64_t words = array.length() / 64 + 1;
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer buffer, MutableBuffer::Allocate(words * 8, pool_));
    auto* before = buffer.as<int64_t>();
    before[0] = 0;
    for (int64_t i = 1; i < words; ++i) {
      before[i] = before[i - 1] + 64 - CountSet(validity.Slice(64 * (i - 1), 64));
    }
    const auto nulls_before = [&](int64_t row) {
      const int64_t rest = row % 64;
      return before[row / 64] + rest - CountSet(validity.Slice(row - rest, rest));
    };
    return std::any_of(list.begin(), list.end(), [&](const Rows& rows) {
      return nulls_before(rows.begin + rows.length) > nulls_before(rows.begin);
    });
  }

  template <typename Offset>
  Status AddBinary(const Array& array, const RowsList& list) {
    const auto* offsets = array.slots<Offset>(1);
    for (const Rows& rows : list) {
      SHEAF_RETURN_IF_ERROR(AddBytes(
          array, int64_t{offsets[rows.begin + rows.length]} - offsets[rows.begin], rows.count));
    }
    return OkStatus();
  }

  Status AddStringViews(const Array& array, const RowsList& list) {
    const auto* slots = array.slots<internal::StringViewSlot>(1);
    const BitSpan validity = array.validity();
    return VisitRows(list, pool_, [&](int64_t row, int64_t count) {
      if (slots[row].is_inline() || !validity[row]) return OkStatus();
      return AddBytes(array, slots[row].size, count);
    });
  }

  template <typename Offset>
  Status AddLists(const Array& array, const RowsList& list) {
    const auto* offsets = array.slots<Offset>(1);
    RowsList elements(pool_);
    for (const Rows& rows : list) {
      const int64_t begin = offsets[rows.begin];
      SHEAF_RETURN_IF_ERROR(
          AddRows(&elements, {begin, offsets[rows.begin + rows.length] - begin, rows.count}));
    }
    return Add(array.child(0), elements);
  }

  template <typename Offset>
  Status AddListViews(const Array& array, const RowsList& list) {
    const auto* offsets = array.slots<Offset>(1);
    const auto* sizes = array.slots<Offset>(2);
    const BitSpan validity = array.validity();
    RowsList elements(pool_);
    SHEAF_RETURN_IF_ERROR(VisitRows(list, pool_, [&](int64_t row, int64_t count) {
      if (!validity[row]) return OkStatus();  // Null rows become empty.
      return AddRows(&elements, {offsets[row], sizes[row], count});
    }));
    return Add(array.child(0), elements);
  }

  /// `width` rows of a child a row, from the node's first slot on.
  Status AddChild(const Array& array, int i, const RowsList& list, int64_t width) {
    RowsList rows_of_child(pool_);
    for (const Rows& rows : list) {
      SHEAF_RETURN_IF_ERROR(AddRows(&rows_of_child, {(array.offset() + rows.begin) * width,
                                                     rows.length * width, rows.count}));
    }
    return Add(array.child(i), rows_of_child);
  }

  Status AddParallel(const Array& array, const RowsList& list) {
    for (int i = 0; i < array.num_children(); ++i) {
      SHEAF_RETURN_IF_ERROR(AddChild(array, i, list, 1));
    }
    return OkStatus();
  }

  Status AddDense(const Array& array, const RowsList& list) {
    const auto* ids = array.slots<int8_t>(0);
    const auto* offsets = array.slots<int32_t>(1);
    for (int child = 0; child < array.num_children(); ++child) {
      const int8_t code = array.type().type_codes()[static_cast<size_t>(child)];
      RowsList slots(pool_);
      SHEAF_RETURN_IF_ERROR(VisitRows(list, pool_, [&](int64_t row, int64_t count) {
        return ids[row] == code ? AddRows(&slots, {offsets[row], 1, count}) : OkStatus();
      }));
      SHEAF_RETURN_IF_ERROR(Add(array.child(child), slots));
    }
    return OkStatus();
  }

  Status AddRuns(const Array& array, const RowsList& list) {
    RowsList runs(pool_);
    for (const Rows& rows : list) {
      const auto [begin, end] =
          RunEndArray::From(array.Slice(rows.begin, rows.length))->physical_range();
      // Not joined: rows that stand apart in the copy each have their own runs.
      SHEAF_RETURN_IF_ERROR(runs.Stage({begin, end - begin, rows.count}));
    }
    SHEAF_RETURN_IF_ERROR(Add(array.child(0), runs));
    return Add(array.child(1), runs);
  }

  MemoryPool* pool_;
  int64_t bytes_ = 0;
};

}  // namespace

StatusOr<int64_t> ExactBytes(const Array& array, MemoryPool* pool) {
  SHEAF_RETURN_IF_ERROR(array.Verify());
  ExactCounter counter(pool);
  SHEAF_RETURN_IF_ERROR(counter.AddWhole(array));
  return counter.bytes();
}

}  // namespace sheaf::inline v1
