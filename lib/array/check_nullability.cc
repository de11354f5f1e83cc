#include <algorithm>
#include <cstring>
#include <utility>

#include "array/check_values.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/base/bits.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/type/visit_layout.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1::internal {
namespace {

/// Which slots of an array are *seen*: reached from the root through valid slots only. Kept as bits
/// that it owns, borrows, or, where all slots are seen, does not need.
class Seen {
 public:
  static Seen All(int64_t length) { return Seen({nullptr, 0, length}); }
  static Seen Borrow(BitSpan bits) { return Seen(bits); }
  static StatusOr<Seen> None(int64_t length) {
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer buffer, MutableBuffer::Allocate(BytesForBits(length)));
    if (length > 0) std::memset(buffer.data(), 0, static_cast<size_t>(buffer.size_bytes()));
    Seen seen({buffer.data(), 0, length});
    seen.writable_ = buffer.data();
    seen.owned_ = std::move(buffer).Finish();
    return seen;
  }
  static StatusOr<Seen> Both(BitSpan a, BitSpan b) {
    if (a.absent()) return Borrow(b);
    if (b.absent()) return Borrow(a);
    SHEAF_ASSIGN_OR_RETURN(Seen both, None(a.length));
    VisitSetRuns(a, [&](int64_t begin, int64_t end) {
      CopyBits(b.Slice(begin, end - begin), both.writable_, begin);
    });
    return both;
  }

  void Add(int64_t begin, int64_t length) { FillBits(writable_, begin, length, true); }
  BitSpan bits() const { return bits_; }

 private:
  explicit Seen(BitSpan bits) : bits_(bits) {}
  Buffer owned_;
  uint8_t* writable_ = nullptr;  // Into `owned_`, while it is being made.
  BitSpan bits_;
};

/// Whether some field in the type may not hold nulls.
bool HasRequired(const DataType& type) {
  if (type.storage().id() == TypeId::kMap) return true;
  for (const Field& field : type.fields()) {
    if (!field.nullable() || HasRequired(field.type())) return true;
  }
  return type.layout().id == LayoutId::kDictionary && HasRequired(type.value_type());
}

/// First slot that is null and seen, or the length.
int64_t FirstSeenNull(const Array& array, BitSpan seen) {
  if (array.layout().id == LayoutId::kNull) {
    return seen.absent() ? 0 : FindBit(seen, 0, true);
  }
  const BitSpan validity = array.validity();
  if (validity.absent()) return array.length();
  int64_t null = FindBit(validity, 0, false);
  while (null < array.length() && !seen[null]) null = FindBit(validity, null + 1, false);
  return null;
}

class NullabilityCheck {
 public:
  /// \param entries  whether `array` is a map's entries, whose first field is the key.
  Status Check(const Array& array, BitSpan seen, const Path& path, bool entries = false) {
    if (array.length() == 0 || !HasRequired(array.type())) return OkStatus();
    SHEAF_ASSIGN_OR_RETURN(const Seen own, Seen::Both(seen, array.validity()));
    const Node node{array, own.bits(), path, entries};
    return VisitLayout(
        array.layout(),
        Overloaded{
            [&]<ListLike L>(L) { return CheckList<typename L::Offset>(node); },
            [&]<ViewLike L>(L) { return CheckListView<typename L::Offset>(node); },
            [&](FixedSizeListLayout) { return CheckFixedSizeList(node); },
            [&](StructLayout) { return CheckStruct(node); },
            [&]<UnionLike L>(L) { return CheckUnion(node, L::kId == LayoutId::kDenseUnion); },
            [&](DictionaryLayout) { return CheckDictionary(node); },
            [&]<RunEndLike L>(L) { return CheckRuns<typename L::RunEnd>(node); },
            [](Childless auto) { return OkStatus(); },
        });
  }

 private:
  struct Node {
    const Array& array;
    BitSpan seen;
    const Path& path;
    bool entries;
  };

  /// \param part  slots of child i from `first` on.
  Status CheckChild(const Node& node, int i, const Array& part, BitSpan seen, int64_t first) {
    const DataType& type = node.array.type();
    const bool map = type.storage().id() == TypeId::kMap;
    const Path path = node.path.Child(type.fields(), i);
    if (!type.field(i).nullable() || map || (node.entries && i == 0)) {
      const int64_t null = FirstSeenNull(part, seen);
      if (null < part.length()) {
        return RowError(part.type(), path, first + null, "null in a field that is not nullable");
      }
    }
    return Check(part, seen, path, map);
  }

  template <typename Offset>
  Status CheckList(const Node& node) {
    const auto* offsets = node.array.slots<Offset>(1);
    const int64_t first = offsets[0];
    const Array part = node.array.child(0).Slice(first, offsets[node.array.length()] - first);
    if (node.seen.absent())
      return CheckChild(node, 0, part, Seen::All(part.length()).bits(), first);
    SHEAF_ASSIGN_OR_RETURN(Seen seen, Seen::None(part.length()));
    VisitSetRuns(node.seen, [&](int64_t begin, int64_t end) {
      seen.Add(offsets[begin] - first, offsets[end] - offsets[begin]);
    });
    return CheckChild(node, 0, part, seen.bits(), first);
  }

  template <typename Offset>
  Status CheckListView(const Node& node) {
    const auto* offsets = node.array.slots<Offset>(1);
    const auto* sizes = node.array.slots<Offset>(2);
    const ViewStats stats = StatsOf(node.array);
    const Array part = node.array.child(0).Slice(stats.begin, stats.end - stats.begin);
    SHEAF_ASSIGN_OR_RETURN(Seen seen, Seen::None(part.length()));
    int64_t last_offset = -1;
    VisitSetRuns(node.seen, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        if (sizes[i] == 0 || (offsets[i] == last_offset && sizes[i] == sizes[i - 1])) continue;
        seen.Add(offsets[i] - stats.begin, sizes[i]);
        last_offset = offsets[i];
      }
      last_offset = -1;
    });
    return CheckChild(node, 0, part, seen.bits(), stats.begin);
  }

  Status CheckFixedSizeList(const Node& node) {
    const int64_t size = node.array.type().list_size();
    const int64_t first = node.array.offset() * size;
    const Array part = node.array.child(0).Slice(first, node.array.length() * size);
    if (node.seen.absent())
      return CheckChild(node, 0, part, Seen::All(part.length()).bits(), first);
    SHEAF_ASSIGN_OR_RETURN(Seen seen, Seen::None(part.length()));
    VisitSetRuns(node.seen,
                 [&](int64_t begin, int64_t end) { seen.Add(begin * size, (end - begin) * size); });
    return CheckChild(node, 0, part, seen.bits(), first);
  }

  Status CheckStruct(const Node& node) {
    for (int i = 0; i < node.array.num_children(); ++i) {
      const Array part = node.array.child(i).Slice(node.array.offset(), node.array.length());
      SHEAF_RETURN_IF_ERROR(CheckChild(node, i, part, node.seen, node.array.offset()));
    }
    return OkStatus();
  }

  Status CheckUnion(const Node& node, bool dense) {
    const Array& array = node.array;
    const auto* ids = array.slots<int8_t>(0);
    const auto* offsets = dense ? array.slots<int32_t>(1) : nullptr;
    const std::span<const int8_t> codes = array.type().type_codes();
    for (int i = 0; i < array.num_children(); ++i) {
      const int64_t first = dense ? 0 : array.offset();
      const Array part = dense ? array.child(i) : array.child(i).Slice(first, array.length());
      SHEAF_ASSIGN_OR_RETURN(Seen seen, Seen::None(part.length()));
      VisitSetRuns(node.seen, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          if (ids[row] == codes[static_cast<size_t>(i)]) seen.Add(dense ? offsets[row] : row, 1);
        }
      });
      SHEAF_RETURN_IF_ERROR(CheckChild(node, i, part, seen.bits(), first));
    }
    return OkStatus();
  }

  Status CheckDictionary(const Node& node) {
    const Array& dictionary = node.array.dictionary();
    SHEAF_ASSIGN_OR_RETURN(Seen seen, Seen::None(dictionary.length()));
    VisitInteger(node.array.type().index_type().id(), [&](auto index) {
      const auto* indices = node.array.slots<decltype(index)>(1);
      VisitSetRuns(node.seen, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) seen.Add(static_cast<int64_t>(indices[row]), 1);
      });
    });
    return Check(dictionary, seen.bits(), node.path.Dictionary());
  }

  template <typename RunEnd>
  Status CheckRuns(const Node& node) {
    const Array& run_ends = node.array.child(0);
    const Array values = node.array.child(1).Slice(0, run_ends.length());
    const auto* ends = run_ends.slots<RunEnd>(1);
    SHEAF_ASSIGN_OR_RETURN(Seen seen, Seen::None(values.length()));
    int64_t begin = 0;
    for (int64_t run = 0; run < run_ends.length(); ++run) {
      const int64_t end =
          std::clamp<int64_t>(ends[run] - node.array.offset(), 0, node.array.length());
      const bool any =
          begin < end && (node.seen.absent() ||
                          FindBit(node.seen.Slice(begin, end - begin), 0, true) < end - begin);
      if (any) seen.Add(run, 1);
      begin = end;
    }
    return CheckChild(node, 1, values, seen.bits(), 0);
  }
};

}  // namespace

Status CheckNullability(const Array& array, const Path& path) {
  return NullabilityCheck().Check(array, Seen::All(array.length()).bits(), path);
}

}  // namespace sheaf::inline v1::internal
