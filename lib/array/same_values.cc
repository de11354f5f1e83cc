#include "array/same_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include "array/half_float.h"
#include "array/string_view_slot.h"
#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/logical_nulls.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/type/visit_layout.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1::internal {
namespace {

bool SameBits(BitSpan a, BitSpan b) {
  if (a.absent() && b.absent()) return true;
  if (a.absent()) return FindBit(b, 0, false) == b.length;
  if (b.absent()) return FindBit(a, 0, false) == a.length;
  // Runs of one are found a word at a time; both must have the same borders.
  bool value = true;
  for (int64_t i = 0; i < a.length; value = !value) {
    const int64_t next = FindBit(a, i, value);
    if (FindBit(b, i, value) != next) return false;
    i = next;
  }
  return true;
}

/// Child ranges that lie one behind the other in both arrays, compared as one.
class JoinedRanges {
 public:
  JoinedRanges(const ValueComparer& comparer, const Array& a, const Array& b)
      : comparer_(comparer), a_(a), b_(b) {}

  /// \return false once a range differs.
  bool Add(int64_t a_begin, int64_t b_begin, int64_t length) {
    if (length == 0) return true;
    if (a_begin == a_end_ && b_begin == b_end_) {
      length_ += length;
    } else {
      // A list repeated many times is compared once.
      if (a_begin == a_end_ - length_ && b_begin == b_end_ - length_ && length == length_)
        return true;
      if (!Flush()) return false;
      length_ = length;
    }
    a_end_ = a_begin + length;
    b_end_ = b_begin + length;
    return true;
  }
  bool Flush() const {
    return length_ == 0 || comparer_.Same(a_, a_end_ - length_, b_, b_end_ - length_, length_);
  }

 private:
  const ValueComparer& comparer_;
  const Array& a_;
  const Array& b_;
  int64_t a_end_ = -1;
  int64_t b_end_ = -1;
  int64_t length_ = 0;
};

/// Whether what row i leads to, through dictionaries and runs, is null by a bitmap.
bool DecodesToNull(const Array& array, int64_t i) {
  if (array.layout().id == LayoutId::kNull) return true;
  if (array.layout().has_validity && array.IsNull(i)) return true;
  if (array.layout().id == LayoutId::kDictionary) {
    return VisitInteger(array.type().index_type().id(), [&](auto index) {
      return DecodesToNull(array.dictionary(),
                           static_cast<int64_t>(array.slots<decltype(index)>(1)[i]));
    });
  }
  if (array.layout().id != LayoutId::kRunEndEncoded) return false;
  return DecodesToNull(array.child(1), RunEndArray::From(array)->physical_index(i));
}

bool IsNan(float value) { return std::isnan(value); }
bool IsNan(double value) { return std::isnan(value); }

}  // namespace

bool ValueComparer::Same(const Array& a, int64_t a_begin, const Array& b, int64_t b_begin,
                         int64_t length) const {
  // The same slots of the same node, unless NaNs are to differ from themselves.
  if (a.data() == b.data() && a.offset() + a_begin == b.offset() + b_begin && !options_.ieee_floats)
    return true;
  // Nulls of dictionaries are in the values too, so the bitmaps alone do not tell.
  if (a.layout().id == LayoutId::kDictionary)
    return SameDictionaries({a, a_begin, b, b_begin, length});
  const BitSpan valid = a.validity().Slice(a_begin, length);
  if (!SameBits(valid, b.validity().Slice(b_begin, length))) return false;
  bool same = true;
  VisitSetRuns(valid, [&](int64_t begin, int64_t end) {
    same = same && SameValid({a, a_begin + begin, b, b_begin + begin, end - begin});
  });
  return same;
}

bool ValueComparer::SameValid(const Range& range) const {
  return VisitLayout(
      range.a.layout(),
      Overloaded{
          [](NullLayout) { return true; },
          [&](BooleanLayout) {
            const auto bits = [&](const Array& array, int64_t begin) {
              return BitSpan{array.buffer(1).data(), array.offset() + begin, range.length};
            };
            return SameBits(bits(range.a, range.a_begin), bits(range.b, range.b_begin));
          },
          [&](FixedWidthLayout) { return SameFixedWidth(range); },
          [&]<BinaryLike L>(L) { return SameBinary<typename L::Offset>(range); },
          [&](BinaryViewLayout) { return SameStringViews(range); },
          [&]<ListLike L>(L) { return SameLists<typename L::Offset>(range); },
          [&]<ViewLike L>(L) { return SameListViews<typename L::Offset>(range); },
          [&](FixedSizeListLayout) {
            const int64_t size = range.a.type().list_size();
            return Same(range.a.child(0), (range.a.offset() + range.a_begin) * size,
                        range.b.child(0), (range.b.offset() + range.b_begin) * size,
                        range.length * size);
          },
          [&](StructLayout) { return SameChildren(range); },
          [&](SparseUnionLayout) { return SameSparseUnions(range); },
          [&](DenseUnionLayout) { return SameDenseUnions(range); },
          [&](DictionaryLayout) { return SameDictionaries(range); },
          [&]<RunEndLike L>(L) { return SameRuns<typename L::RunEnd>(range); },
      });
}

bool ValueComparer::SameFixedWidth(const Range& range) const {
  const DataType& type = range.a.type().storage();
  if (!by_bits_) {
    if (type.id() == TypeId::kFloat16) return SameFloats<uint16_t>(range);
    if (type.id() == TypeId::kFloat32) return SameFloats<float>(range);
    if (type.id() == TypeId::kFloat64) return SameFloats<double>(range);
  }
  const int64_t width = type.byte_width();
  const int64_t size_bytes = range.length * width;
  return size_bytes == 0 ||
         std::memcmp(range.a.buffer(1).data() + (range.a.offset() + range.a_begin) * width,
                     range.b.buffer(1).data() + (range.b.offset() + range.b_begin) * width,
                     static_cast<size_t>(size_bytes)) == 0;
}

template <typename Float>
bool ValueComparer::SameFloats(const Range& range) const {
  const auto* a = range.a.slots<Float>(1) + range.a_begin;
  const auto* b = range.b.slots<Float>(1) + range.b_begin;
  const auto as_number = [](Float value) {
    if constexpr (std::is_same_v<Float, uint16_t>) {
      return HalfToFloat(value);
    } else {
      return value;
    }
  };
  for (int64_t i = 0; i < range.length; ++i) {
    const auto x = as_number(a[i]);
    const auto y = as_number(b[i]);
    const bool same = options_.ieee_floats
                          ? x == y
                          : std::memcmp(&a[i], &b[i], sizeof(Float)) == 0 || (IsNan(x) && IsNan(y));
    if (!same) return false;
  }
  return true;
}

template <typename Offset>
bool ValueComparer::SameBinary(const Range& range) const {
  const auto* a = range.a.slots<Offset>(1) + range.a_begin;
  const auto* b = range.b.slots<Offset>(1) + range.b_begin;
  for (int64_t i = 0; i < range.length; ++i) {
    if (a[i + 1] - a[i] != b[i + 1] - b[i]) return false;
  }
  // Valid rows in a run lie one behind the other: equal sizes make it one comparison.
  const auto size_bytes = static_cast<size_t>(a[range.length] - a[0]);
  return size_bytes == 0 || std::memcmp(range.a.buffer(2).data() + a[0],
                                        range.b.buffer(2).data() + b[0], size_bytes) == 0;
}

bool ValueComparer::SameStringViews(const Range& range) const {
  const auto* a = range.a.slots<StringViewSlot>(1) + range.a_begin;
  const auto* b = range.b.slots<StringViewSlot>(1) + range.b_begin;
  for (int64_t i = 0; i < range.length; ++i) {
    if (a[i].size != b[i].size || BytesOf(range.a, a[i]) != BytesOf(range.b, b[i])) return false;
  }
  return true;
}

template <typename Offset>
bool ValueComparer::SameLists(const Range& range) const {
  const auto* a = range.a.slots<Offset>(1) + range.a_begin;
  const auto* b = range.b.slots<Offset>(1) + range.b_begin;
  for (int64_t i = 0; i < range.length; ++i) {
    if (a[i + 1] - a[i] != b[i + 1] - b[i]) return false;
  }
  return Same(range.a.child(0), a[0], range.b.child(0), b[0], a[range.length] - a[0]);
}

template <typename Offset>
bool ValueComparer::SameListViews(const Range& range) const {
  const auto* a_offsets = range.a.slots<Offset>(1) + range.a_begin;
  const auto* b_offsets = range.b.slots<Offset>(1) + range.b_begin;
  const auto* a_sizes = range.a.slots<Offset>(2) + range.a_begin;
  const auto* b_sizes = range.b.slots<Offset>(2) + range.b_begin;
  if (!std::equal(a_sizes, a_sizes + range.length, b_sizes)) return false;
  JoinedRanges joined(*this, range.a.child(0), range.b.child(0));
  for (int64_t i = 0; i < range.length; ++i) {
    if (!joined.Add(a_offsets[i], b_offsets[i], a_sizes[i])) return false;
  }
  return joined.Flush();
}

bool ValueComparer::SameChildren(const Range& range) const {
  for (int i = 0; i < range.a.num_children(); ++i) {
    if (!Same(range.a.child(i), range.a.offset() + range.a_begin, range.b.child(i),
              range.b.offset() + range.b_begin, range.length)) {
      return false;
    }
  }
  return true;
}

bool ValueComparer::SameSparseUnions(const Range& range) const {
  const auto* a = range.a.slots<int8_t>(0) + range.a_begin;
  const auto* b = range.b.slots<int8_t>(0) + range.b_begin;
  if (!std::equal(a, a + range.length, b)) return false;
  for (int64_t begin = 0; begin < range.length;) {
    int64_t end = begin + 1;
    while (end < range.length && a[end] == a[begin]) ++end;
    const int child = range.a.type().child_of_type_code()[static_cast<size_t>(a[begin])];
    if (!Same(range.a.child(child), range.a.offset() + range.a_begin + begin, range.b.child(child),
              range.b.offset() + range.b_begin + begin, end - begin)) {
      return false;
    }
    begin = end;
  }
  return true;
}

bool ValueComparer::SameDenseUnions(const Range& range) const {
  const auto* a_ids = range.a.slots<int8_t>(0) + range.a_begin;
  const auto* b_ids = range.b.slots<int8_t>(0) + range.b_begin;
  if (!std::equal(a_ids, a_ids + range.length, b_ids)) return false;
  const auto* a = range.a.slots<int32_t>(1) + range.a_begin;
  const auto* b = range.b.slots<int32_t>(1) + range.b_begin;
  std::vector<JoinedRanges> joined;
  for (int i = 0; i < range.a.num_children(); ++i)
    joined.emplace_back(*this, range.a.child(i), range.b.child(i));
  const std::span<const int8_t> child_of = range.a.type().child_of_type_code();
  for (int64_t i = 0; i < range.length; ++i) {
    const int8_t child = child_of[static_cast<size_t>(a_ids[i])];
    if (!joined[static_cast<size_t>(child)].Add(a[i], b[i], 1)) return false;
  }
  return std::all_of(joined.begin(), joined.end(),
                     [](const JoinedRanges& ranges) { return ranges.Flush(); });
}

bool ValueComparer::SameDictionaries(const Range& range) const {
  const Array& a_values = range.a.dictionary();
  const Array& b_values = range.b.dictionary();
  // For each value of a's dictionary, the index in b's that was last found to be the same; not for
  // a few rows of a large dictionary.
  const bool remember = range.length > 1 && range.length >= a_values.length() / 8;
  std::vector<int64_t> known(static_cast<size_t>(remember ? a_values.length() : 0), -1);
  return VisitInteger(range.a.type().index_type().id(), [&](auto integer) {
    using Index = decltype(integer);
    const auto* a = range.a.slots<Index>(1) + range.a_begin;
    const auto* b = range.b.slots<Index>(1) + range.b_begin;
    for (int64_t i = 0; i < range.length; ++i) {
      const bool a_null = ReadsNull(range.a, range.a_begin + i);
      if (a_null != ReadsNull(range.b, range.b_begin + i)) return false;
      if (a_null) continue;
      const auto at_a = static_cast<int64_t>(a[i]);
      const auto at_b = static_cast<int64_t>(b[i]);
      if (remember && known[static_cast<size_t>(at_a)] == at_b) continue;
      if (!Same(a_values, at_a, b_values, at_b, 1)) return false;
      if (remember) known[static_cast<size_t>(at_a)] = at_b;
    }
    return true;
  });
}

bool ValueComparer::ReadsNull(const Array& array, int64_t i) const {
  return by_bits_ ? DecodesToNull(array, i) : IsLogicallyNull(array, i);
}

template <typename RunEnd>
bool ValueComparer::SameRuns(const Range& range) const {
  const auto* a_ends = range.a.child(0).slots<RunEnd>(1);
  const auto* b_ends = range.b.child(0).slots<RunEnd>(1);
  const int64_t a_first = range.a.offset() + range.a_begin;
  const int64_t b_first = range.b.offset() + range.b_begin;
  int64_t a_run = std::upper_bound(a_ends, a_ends + range.a.child(0).length(), a_first) - a_ends;
  int64_t b_run = std::upper_bound(b_ends, b_ends + range.b.child(0).length(), b_first) - b_ends;
  for (int64_t row = 0; row < range.length;) {
    if (!Same(range.a.child(1), a_run, range.b.child(1), b_run, 1)) return false;
    const int64_t a_end = a_ends[a_run] - a_first;
    const int64_t b_end = b_ends[b_run] - b_first;
    row = std::min(a_end, b_end);
    if (a_end == row) ++a_run;
    if (b_end == row) ++b_run;
  }
  return true;
}

}  // namespace sheaf::inline v1::internal
