#include "array/element_identity.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "array/same_values.h"
#include "array/string_view_slot.h"
#include "base/error.h"
#include "kernels/hash.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/base/checked.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/type/visit_layout.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1::internal {
namespace {

// Apart from each other, so that a null is no empty list and a struct no value of its only field.
constexpr uint64_t kNull = 0x6E756C6C6E756C6CU;
constexpr uint64_t kList = 1;
constexpr uint64_t kStruct = 2;
constexpr uint64_t kUnion = 3;

/// Hashes of some rows of a child.
class Hashes {
 public:
  static StatusOr<Hashes> Allocate(int64_t rows, MemoryPool* pool) {
    int64_t bytes = 0;
    if (MultiplyOverflows(rows, sizeof(uint64_t), &bytes))
      return OutOfMemory(std::numeric_limits<int64_t>::max());
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer buffer, MutableBuffer::Allocate(bytes, pool));
    return Hashes(std::move(buffer));
  }
  uint64_t* data() noexcept { return buffer_.as<uint64_t>(); }

 private:
  explicit Hashes(MutableBuffer buffer) noexcept : buffer_(std::move(buffer)) {}
  MutableBuffer buffer_;
};

uint64_t HashOfList(const uint64_t* elements, int64_t size) noexcept {
  return kernels::HashBytes(elements, size * static_cast<int64_t>(sizeof(uint64_t)), kList);
}

template <typename T>
void HashIntegers(const uint8_t* values, int64_t n, uint64_t* out) noexcept {
  for (int64_t i = 0; i < n; ++i) {
    out[i] = kernels::HashWord(LoadUnaligned<T>(values + i * static_cast<int64_t>(sizeof(T))));
  }
}

class RowHasher {
 public:
  explicit RowHasher(MemoryPool* pool) noexcept : pool_(pool) {}

  Status Hash(const Array& array, RowRange range, uint64_t* out) {
    if (range.length == 0) return OkStatus();
    if (array.layout().id == LayoutId::kNull) {
      std::fill_n(out, range.length, kNull);
      return OkStatus();
    }
    const Node node{array, range.offset, range.length,
                    array.validity().Slice(range.offset, range.length), out};
    SHEAF_RETURN_IF_ERROR(VisitLayout(
        array.layout(),
        Overloaded{
            [](NullLayout) { return OkStatus(); },
            [&](BooleanLayout) { return HashBooleans(node); },
            [&](FixedWidthLayout) { return HashFixedWidth(node); },
            [&]<BinaryLike L>(L) { return HashBinary<typename L::Offset>(node); },
            [&](BinaryViewLayout) { return HashStringViews(node); },
            [&]<ListLike L>(L) { return HashLists<typename L::Offset>(node); },
            [&]<ViewLike L>(L) { return HashListViews<typename L::Offset>(node); },
            [&](FixedSizeListLayout) { return HashFixedSizeLists(node); },
            [&](StructLayout) { return HashStructs(node); },
            [&]<UnionLike L>(L) { return HashUnions(node, L::kId == LayoutId::kDenseUnion); },
            [&](DictionaryLayout) { return HashDictionaries(node); },
            [&]<RunEndLike L>(L) { return HashRuns<typename L::RunEnd>(node); },
        }));
    if (!node.valid.absent() && array.layout().has_validity) {
      int64_t done = 0;
      VisitSetRuns(node.valid, [&](int64_t begin, int64_t end) {
        std::fill(out + done, out + begin, kNull);
        done = end;
      });
      std::fill(out + done, out + range.length, kNull);
    }
    return OkStatus();
  }

 private:
  /// Rows [first, first + length) of a window; what is written for null ones is no matter.
  struct Node {
    const Array& array;
    int64_t first;
    int64_t length;
    BitSpan valid;
    uint64_t* out;

    RowRange slots() const noexcept { return {array.offset() + first, length}; }
    template <typename Function>
    void VisitValid(Function&& row) const {
      VisitSetRuns(valid, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) out[i] = row(i);
      });
    }
  };

  static Status HashBooleans(const Node& node) {
    const BitSpan bits{node.array.buffer(1).data(), node.slots().offset, node.length};
    for (int64_t i = 0; i < node.length; ++i) node.out[i] = kernels::HashWord(bits[i] ? 1 : 0);
    return OkStatus();
  }

  static Status HashFixedWidth(const Node& node) {
    const int64_t width = node.array.type().storage().byte_width();
    const uint8_t* values = node.array.buffer(1).data() + node.slots().offset * width;
    switch (width) {
      case 1:
        HashIntegers<uint8_t>(values, node.length, node.out);
        break;
      case 2:
        HashIntegers<uint16_t>(values, node.length, node.out);
        break;
      case 4:
        HashIntegers<uint32_t>(values, node.length, node.out);
        break;
      case 8:
        HashIntegers<uint64_t>(values, node.length, node.out);
        break;
      default:
        for (int64_t i = 0; i < node.length; ++i)
          node.out[i] = HashOfFixedWidth(values + i * width, width);
    }
    return OkStatus();
  }

  template <typename Offset>
  static Status HashBinary(const Node& node) {
    const Offset* offsets = node.array.slots<Offset>(1) + node.first;
    const uint8_t* data = node.array.buffer(2).data();
    node.VisitValid(
        [&](int64_t i) { return HashOfBytes(data + offsets[i], offsets[i + 1] - offsets[i]); });
    return OkStatus();
  }

  static Status HashStringViews(const Node& node) {
    const auto* slots = node.array.slots<StringViewSlot>(1) + node.first;
    node.VisitValid([&](int64_t i) {
      const std::string_view value = BytesOf(node.array, slots[i]);
      return HashOfBytes(value.data(), static_cast<int64_t>(value.size()));
    });
    return OkStatus();
  }

  template <typename Offset>
  Status HashLists(const Node& node) {
    const Offset* offsets = node.array.slots<Offset>(1) + node.first;
    const RowRange reached{offsets[0], offsets[node.length] - offsets[0]};
    return HashElements(node, reached, reached.length, [&](int64_t i) {
      return RowRange{offsets[i], offsets[i + 1] - offsets[i]};
    });
  }

  template <typename Offset>
  Status HashListViews(const Node& node) {
    const Offset* offsets = node.array.slots<Offset>(1) + node.first;
    const Offset* sizes = node.array.slots<Offset>(2) + node.first;
    const ViewStats stats = StatsOf(node.array.Slice(node.first, node.length));
    return HashElements(node, {stats.begin, stats.end - stats.begin}, stats.sum_of_sizes,
                        [&](int64_t i) { return RowRange{offsets[i], sizes[i]}; });
  }

  Status HashFixedSizeLists(const Node& node) {
    const int64_t size = node.array.type().storage().list_size();
    const RowRange reached{node.slots().offset * size, node.length * size};
    return HashElements(node, reached, reached.length,
                        [&](int64_t i) { return RowRange{reached.offset + i * size, size}; });
  }

  /// Lists whose elements all lie in `reached`, and number `sum` if each list counts.
  template <typename Function>
  Status HashElements(const Node& node, RowRange reached, int64_t sum, Function&& row) {
    const Array& elements = node.array.child(0);
    if (elements.layout().id == LayoutId::kNull) {  // They take no memory, and may be many.
      for (int64_t i = 0; i < node.length; ++i)
        node.out[i] = kernels::HashWord(static_cast<uint64_t>(row(i).length), kList);
      return OkStatus();
    }
    constexpr int64_t kFew = 1024;
    // What lies between the lists is not worth a hash if it is most of it.
    if (reached.length > kFew && reached.length / 2 > sum) return HashOneByOne(node, row);
    SHEAF_ASSIGN_OR_RETURN(Hashes hashes, Hashes::Allocate(reached.length, pool_));
    SHEAF_RETURN_IF_ERROR(Hash(elements, reached, hashes.data()));
    RowRange before{-1, -1};
    for (int64_t i = 0; i < node.length; ++i) {
      RowRange list = row(i);
      if (list.length == 0) list.offset = reached.offset;  // It may lie anywhere.
      const bool repeats = list.offset == before.offset && list.length == before.length;
      node.out[i] = repeats
                        ? node.out[i - 1]
                        : HashOfList(hashes.data() + (list.offset - reached.offset), list.length);
      before = list;
    }
    return OkStatus();
  }

  template <typename Function>
  Status HashOneByOne(const Node& node, Function&& row) {
    int64_t most = 0;
    for (int64_t i = 0; i < node.length; ++i) most = std::max(most, row(i).length);
    SHEAF_ASSIGN_OR_RETURN(Hashes hashes, Hashes::Allocate(most, pool_));
    for (int64_t i = 0; i < node.length; ++i) {
      const RowRange list = row(i);
      SHEAF_RETURN_IF_ERROR(Hash(node.array.child(0), list, hashes.data()));
      node.out[i] = HashOfList(hashes.data(), list.length);
    }
    return OkStatus();
  }

  Status HashStructs(const Node& node) {
    std::fill_n(node.out, node.length, kStruct);
    SHEAF_ASSIGN_OR_RETURN(Hashes hashes, Hashes::Allocate(node.length, pool_));
    for (int child = 0; child < node.array.num_children(); ++child) {
      SHEAF_RETURN_IF_ERROR(Hash(node.array.child(child), node.slots(), hashes.data()));
      for (int64_t i = 0; i < node.length; ++i)
        node.out[i] = kernels::HashPair(hashes.data()[i], node.out[i]);
    }
    return OkStatus();
  }

  Status HashUnions(const Node& node, bool dense) {
    const auto* ids = node.array.slots<int8_t>(0) + node.first;
    const auto* offsets = dense ? node.array.slots<int32_t>(1) + node.first : nullptr;
    const auto slot_of = [&](int64_t i) {
      return dense ? int64_t{offsets[i]} : node.slots().offset + i;
    };
    for (int child = 0; child < node.array.num_children(); ++child) {
      const int8_t id = node.array.type().storage().type_codes()[static_cast<size_t>(child)];
      int64_t begin = std::numeric_limits<int64_t>::max();
      int64_t end = 0;
      for (int64_t i = 0; i < node.length; ++i) {
        if (ids[i] != id) continue;
        begin = std::min(begin, slot_of(i));
        end = std::max(end, slot_of(i) + 1);
      }
      if (end == 0) continue;
      SHEAF_ASSIGN_OR_RETURN(Hashes hashes, Hashes::Allocate(end - begin, pool_));
      SHEAF_RETURN_IF_ERROR(Hash(node.array.child(child), {begin, end - begin}, hashes.data()));
      for (int64_t i = 0; i < node.length; ++i) {
        if (ids[i] != id) continue;
        node.out[i] =
            kernels::HashPair(hashes.data()[slot_of(i) - begin], static_cast<uint64_t>(id), kUnion);
      }
    }
    return OkStatus();
  }

  Status HashDictionaries(const Node& node) {
    const Array& dictionary = node.array.dictionary();
    return VisitInteger(node.array.type().storage().index_type().id(), [&](auto integer) -> Status {
      const auto* indices = node.array.slots<decltype(integer)>(1) + node.first;
      // A few rows of a large dictionary are hashed by themselves.
      if (node.length < dictionary.length() / 4) {
        Status status;
        node.VisitValid([&](int64_t i) {
          uint64_t hash = 0;
          const RowRange value{static_cast<int64_t>(indices[i]), 1};
          if (status.ok()) status = Hash(dictionary, value, &hash);
          return hash;
        });
        return status;
      }
      SHEAF_ASSIGN_OR_RETURN(Hashes hashes, Hashes::Allocate(dictionary.length(), pool_));
      SHEAF_RETURN_IF_ERROR(Hash(dictionary, {0, dictionary.length()}, hashes.data()));
      node.VisitValid([&](int64_t i) { return hashes.data()[static_cast<int64_t>(indices[i])]; });
      return OkStatus();
    });
  }

  template <typename RunEnd>
  Status HashRuns(const Node& node) {
    SHEAF_ASSIGN_OR_RETURN(const RunEndArray runs,
                           RunEndArray::From(node.array.Slice(node.first, node.length)));
    const auto [first, last] = runs.physical_range();
    SHEAF_ASSIGN_OR_RETURN(Hashes hashes, Hashes::Allocate(last - first, pool_));
    SHEAF_RETURN_IF_ERROR(Hash(runs.values(), {first, last - first}, hashes.data()));
    int64_t begin = 0;
    for (int64_t run = first; run < last; ++run) {
      const int64_t end = std::min(runs.run_end(run) - runs.offset(), node.length);
      std::fill(node.out + begin, node.out + end, hashes.data()[run - first]);
      begin = end;
    }
    return OkStatus();
  }

  MemoryPool* pool_;
};

}  // namespace

Status HashRows(const Array& array, RowRange range, uint64_t* out, MemoryPool* pool) {
  return RowHasher(pool).Hash(array, range, out);
}

uint64_t HashOfBytes(const void* bytes, int64_t size) noexcept {
  return kernels::HashBytes(bytes, size);
}

uint64_t HashOfFixedWidth(const void* value, int64_t size) noexcept {
  const auto* bytes = static_cast<const uint8_t*>(value);
  switch (size) {
    case 1:
      return kernels::HashWord(*bytes);
    case 2:
      return kernels::HashWord(LoadUnaligned<uint16_t>(bytes));
    case 4:
      return kernels::HashWord(LoadUnaligned<uint32_t>(bytes));
    case 8:
      return kernels::HashWord(LoadUnaligned<uint64_t>(bytes));
    case 16:
      return kernels::HashPair(LoadUnaligned<uint64_t>(bytes), LoadUnaligned<uint64_t>(bytes + 8));
    default:
      return kernels::HashBytes(bytes, size);
  }
}

bool SameRows(const Array& a, int64_t a_begin, const Array& b, int64_t b_begin, int64_t length) {
  return ValueComparer::OfIdentity().Same(a, a_begin, b, b_begin, length);
}

}  // namespace sheaf::inline v1::internal
