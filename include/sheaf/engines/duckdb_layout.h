#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "sheaf/array/array.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/base/bits.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/memory_pool.h"
#include "sheaf/type/data_type.h"

/// DuckDB keeps the lists of a vector row by row, as (offset, length) of 64 bits each over one
/// child vector (`list_entry_t`, duckdb/common/types.hpp; `Vector`, "List Vectors" in DuckDB's
/// internals), where a list-view has a column each. Both may overlap, leave gaps and come in any
/// order, so that elements never move: only the entries are taken apart and put together, 16 bytes
/// at a time.
///
/// Nothing of DuckDB is included: the entries are any type of the same shape.
namespace sheaf::inline v1::engines {

/// DuckDB's `list_entry_t`, or what is laid out like it.
template <typename T>
concept DuckDbEntry =
    std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T> && sizeof(T) == 16 &&
    requires(T entry) {
      requires std::unsigned_integral<decltype(entry.offset)> && sizeof(entry.offset) == 8;
      requires std::unsigned_integral<decltype(entry.length)> && sizeof(entry.length) == 8;
    };

/// The lists of a vector as `UnifiedVectorFormat` has them; a flat vector has no selection.
template <DuckDbEntry Entry>
struct DuckDbLists {
  const Entry* entries = nullptr;
  int64_t length = 0;                   ///< Rows.
  const uint64_t* validity = nullptr;   ///< Bits, 1: valid; null: all are.
  const uint32_t* selection = nullptr;  ///< Row i is entry and bit selection[i]; null: i.
};

namespace internal {

// Portable vectors of 16 bytes, which every 64-bit target has: at -O2 compilers leave a loop over
// entries scalar.
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define SHEAF_DUCKDB_VECTORS 1
using U64x2 [[gnu::vector_size(16)]] = uint64_t;
using U32x4 [[gnu::vector_size(16)]] = uint32_t;

// One vector at a time: an array of them goes through the stack.
template <typename Vector>
Vector Load(const void* address) noexcept {
  Vector vector;
  std::memcpy(&vector, address, sizeof(vector));
  return vector;
}
template <typename Vector>
void Store(Vector vector, void* address) noexcept {
  std::memcpy(address, &vector, sizeof(vector));
}
#endif
#endif

/// Top bit set where [offset, offset + length) is outside [0, elements): each of the four has it
/// only then, as long as `elements` is below 2^63.
template <typename Word>
constexpr Word OutOfBounds(Word offset, Word length, Word elements) noexcept {
  const Word end = offset + length;
  return offset | length | end | (elements - end);
}

#if defined(SHEAF_DUCKDB_VECTORS)
/// As many entries as whole vectors give. \return how many.
template <typename Offset>
int64_t JoinVectors(const Offset* offsets, const Offset* sizes, int64_t n, void* entries) noexcept {
  auto* out = static_cast<unsigned char*>(entries);
  int64_t i = 0;
  if constexpr (sizeof(Offset) == 8) {
    for (; i + 2 <= n; i += 2) {
      const auto offset = Load<U64x2>(offsets + i);
      const auto size = Load<U64x2>(sizes + i);
      Store(__builtin_shufflevector(offset, size, 0, 2), out + 16 * i);
      Store(__builtin_shufflevector(offset, size, 1, 3), out + 16 * i + 16);
    }
  } else {
    const U32x4 zero = {};
    for (; i + 4 <= n; i += 4) {
      const auto offset = Load<U32x4>(offsets + i);
      const auto size = Load<U32x4>(sizes + i);
      const U32x4 low = __builtin_shufflevector(offset, size, 0, 4, 1, 5);
      const U32x4 high = __builtin_shufflevector(offset, size, 2, 6, 3, 7);
      Store(__builtin_shufflevector(low, zero, 0, 4, 1, 5), out + 16 * i);
      Store(__builtin_shufflevector(low, zero, 2, 4, 3, 5), out + 16 * i + 16);
      Store(__builtin_shufflevector(high, zero, 0, 4, 1, 5), out + 16 * i + 32);
      Store(__builtin_shufflevector(high, zero, 2, 4, 3, 5), out + 16 * i + 48);
    }
  }
  return i;
}
#endif

/// Columns of n valid entries. \return top bit set where one of them is out of bounds.
template <typename Offset, DuckDbEntry Entry>
uint64_t SplitValid(const Entry* entries, int64_t n, uint64_t elements, Offset* offsets,
                    Offset* sizes) noexcept {
  uint64_t wrong = 0;
  int64_t i = 0;
#if defined(SHEAF_DUCKDB_VECTORS)
  if constexpr (std::endian::native == std::endian::little) {
    const U64x2 all_elements = {elements, elements};
    U64x2 wrong_lanes = {};
    for (; i + 4 <= n; i += 4) {
      const auto row_0 = Load<U64x2>(entries + i);
      const auto row_1 = Load<U64x2>(entries + i + 1);
      const auto row_2 = Load<U64x2>(entries + i + 2);
      const auto row_3 = Load<U64x2>(entries + i + 3);
      const U64x2 offsets_01 = __builtin_shufflevector(row_0, row_1, 0, 2);
      const U64x2 sizes_01 = __builtin_shufflevector(row_0, row_1, 1, 3);
      const U64x2 offsets_23 = __builtin_shufflevector(row_2, row_3, 0, 2);
      const U64x2 sizes_23 = __builtin_shufflevector(row_2, row_3, 1, 3);
      wrong_lanes |= OutOfBounds(offsets_01, sizes_01, all_elements) |
                     OutOfBounds(offsets_23, sizes_23, all_elements);
      if constexpr (sizeof(Offset) == 8) {
        Store(offsets_01, offsets + i);
        Store(offsets_23, offsets + i + 2);
        Store(sizes_01, sizes + i);
        Store(sizes_23, sizes + i + 2);
      } else {
        // The low halves.
        Store(__builtin_shufflevector(std::bit_cast<U32x4>(offsets_01),
                                      std::bit_cast<U32x4>(offsets_23), 0, 2, 4, 6),
              offsets + i);
        Store(__builtin_shufflevector(std::bit_cast<U32x4>(sizes_01),
                                      std::bit_cast<U32x4>(sizes_23), 0, 2, 4, 6),
              sizes + i);
      }
    }
    wrong = wrong_lanes[0] | wrong_lanes[1];
  }
#endif
  for (; i < n; ++i) {
    wrong |= OutOfBounds<uint64_t>(entries[i].offset, entries[i].length, elements);
    offsets[i] = static_cast<Offset>(entries[i].offset);
    sizes[i] = static_cast<Offset>(entries[i].length);
  }
  return wrong;
}

/// The same where some rows are null: their entries may hold anything, and become empty where the
/// row before ends. \param end  in: where that is for the first row.
template <typename Offset, DuckDbEntry Entry>
uint64_t SplitWithNulls(const Entry* entries, int64_t n, uint64_t valid, uint64_t elements,
                        Offset end, Offset* offsets, Offset* sizes) noexcept {
  uint64_t wrong = 0;
  for (int64_t i = 0; i < n; ++i) {
    const bool is_valid = ((valid >> i) & 1) != 0;
    const uint64_t offset = is_valid ? uint64_t{entries[i].offset} : static_cast<uint64_t>(end);
    const uint64_t length = is_valid ? uint64_t{entries[i].length} : 0;
    wrong |= OutOfBounds(offset, length, elements);
    offsets[i] = static_cast<Offset>(offset);
    sizes[i] = static_cast<Offset>(length);
    end = static_cast<Offset>(offset + length);
  }
  return wrong;
}

/// n <= 64 rows from `begin` on, brought together where a selection scatters them.
template <DuckDbEntry Entry>
struct EntryBlock {
  const Entry* entries;
  uint64_t valid;

  EntryBlock(const DuckDbLists<Entry>& lists, int64_t begin, int64_t n, Entry* room) noexcept {
    if (lists.selection == nullptr) {
      entries = lists.entries + begin;
      valid = lists.validity == nullptr ? ~uint64_t{0} : lists.validity[begin / 64];
      return;
    }
    entries = room;
    valid = lists.validity == nullptr ? ~uint64_t{0} : 0;
    for (int64_t i = 0; i < n; ++i) {
      const uint32_t row = lists.selection[begin + i];
      room[i] = lists.entries[row];
      if (lists.validity != nullptr) valid |= ((lists.validity[row / 64] >> (row % 64)) & 1) << i;
    }
  }
};

}  // namespace internal

/// Writes the columns of `lists` to `offsets` and `sizes`, and its validity to ceil(length / 64)
/// words of `validity` unless that is null. Entries of null rows may hold anything and become empty
/// where the row before ends, so that packed lists stay packed.
///
/// \param elements  in the child, at most what an Offset can count.
/// \return the first row that is not null and whose entry is out of bounds, or -1. All rows are
///     written in any case.
template <typename Offset, DuckDbEntry Entry>
int64_t SplitEntries(const DuckDbLists<Entry>& lists, int64_t elements, Offset* offsets,
                     Offset* sizes, uint64_t* validity = nullptr) noexcept {
  static_assert(std::is_same_v<Offset, int32_t> || std::is_same_v<Offset, int64_t>);
  static_assert(offsetof(Entry, offset) == 0 && offsetof(Entry, length) == 8);
  const auto limit = static_cast<uint64_t>(elements);
  Entry room[64];
  int64_t first_wrong = -1;
  for (int64_t begin = 0; begin < lists.length; begin += 64) {
    const int64_t n = std::min<int64_t>(64, lists.length - begin);
    const internal::EntryBlock<Entry> block(lists, begin, n, room);
    const uint64_t all = LowBits(n);
    uint64_t wrong = 0;
    if ((block.valid & all) == all) {
      wrong = internal::SplitValid(block.entries, n, limit, offsets + begin, sizes + begin);
    } else {
      const Offset end =
          begin == 0 ? 0 : static_cast<Offset>(offsets[begin - 1] + sizes[begin - 1]);
      wrong = internal::SplitWithNulls(block.entries, n, block.valid, limit, end, offsets + begin,
                                       sizes + begin);
    }
    if (validity != nullptr) validity[begin / 64] = block.valid & all;
    if (wrong >> 63 == 0 || first_wrong >= 0) [[likely]]
      continue;
    for (first_wrong = begin;; ++first_wrong) {
      const int64_t i = first_wrong - begin;
      if (((block.valid >> i) & 1) == 0) continue;
      if (internal::OutOfBounds<uint64_t>(block.entries[i].offset, block.entries[i].length,
                                          limit) >>
          63)
        break;
    }
  }
  return first_wrong;
}

/// Writes n entries from columns of non-negative offsets and sizes.
template <typename Offset, DuckDbEntry Entry>
void JoinEntries(const Offset* offsets, const Offset* sizes, int64_t n, Entry* entries) noexcept {
  static_assert(std::is_same_v<Offset, int32_t> || std::is_same_v<Offset, int64_t>);
  static_assert(offsetof(Entry, offset) == 0 && offsetof(Entry, length) == 8);
  int64_t i = 0;
#if defined(SHEAF_DUCKDB_VECTORS)
  if constexpr (std::endian::native == std::endian::little) {
    i = internal::JoinVectors(offsets, sizes, n, entries);
  }
#endif
  for (; i < n; ++i) {
    entries[i].offset = static_cast<uint64_t>(offsets[i]);
    entries[i].length = static_cast<uint64_t>(sizes[i]);
  }
}

/// A list-view (Offset int32_t) or large list-view (int64_t) of a DuckDB vector's lists over
/// `elements`, its child vector as an array, which is shared. Rows that a selection repeats share
/// their elements. Offsets, sizes and validity are written anew: 8 or 16 bytes a row and a bit.
///
/// \return kInvalidArgument naming the row whose entry is out of bounds, or a negative length;
///     kOutOfRange where `elements` outgrow int32_t, naming the larger type; kResourceExhausted.
template <typename Offset = int32_t, DuckDbEntry Entry>
StatusOr<Array> ListViewFromDuckDb(const DuckDbLists<Entry>& lists, const Array& elements,
                                   MemoryPool* pool = MemoryPool::Default()) {
  const auto number = [](auto value) { return std::to_string(value); };
  if (lists.length < 0 || lists.length > std::numeric_limits<int64_t>::max() / 32) {
    return Status(StatusCode::kInvalidArgument,
                  "DuckDB lists: a length of " + number(lists.length));
  }
  if (elements.length() > std::numeric_limits<Offset>::max()) {
    return Status(StatusCode::kOutOfRange,
                  "list_view: " + number(elements.length()) + " elements exceed its limit of " +
                      number(std::numeric_limits<Offset>::max()) + "; use large_list_view");
  }
  const int64_t column_bytes = lists.length * int64_t{sizeof(Offset)};
  const int64_t validity_bytes = lists.validity == nullptr ? 0 : RoundUp64(lists.length) / 8;
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer offsets, MutableBuffer::Allocate(column_bytes, pool));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer sizes, MutableBuffer::Allocate(column_bytes, pool));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer validity, MutableBuffer::Allocate(validity_bytes, pool));
  const int64_t wrong =
      SplitEntries(lists, elements.length(), offsets.as<Offset>(), sizes.as<Offset>(),
                   lists.validity == nullptr ? nullptr : validity.as<uint64_t>());
  if (wrong >= 0) {
    const Entry& entry =
        lists.entries[lists.selection == nullptr ? wrong : int64_t{lists.selection[wrong]}];
    return Status(StatusCode::kInvalidArgument,
                  "DuckDB lists, row " + number(wrong) + ": offset + length past the end of " +
                      "elements: " + number(entry.offset) + " + " + number(entry.length) + " > " +
                      number(elements.length()));
  }
  ArrayParts parts;
  parts.type = sizeof(Offset) == 8 ? LargeListView(elements.type()) : ListView(elements.type());
  parts.length = lists.length;
  parts.null_count = lists.validity == nullptr ? 0 : -1;
  parts.buffers = {lists.validity == nullptr ? Buffer() : std::move(validity).Finish(),
                   std::move(offsets).Finish(), std::move(sizes).Finish()};
  parts.children = {elements};
  return MakeArray(std::move(parts), ValidationLevel::kMinimal, pool);
}

/// Writes the rows of a (large) list-view as `array.length()` entries over `array.child(0)`, and
/// their validity as ceil(length / 64) words. Null rows' entries are in bounds like all others.
///
/// A vector holds few rows, and slices keep all elements: `Rebuild(slice, RebuildMode::kTrim)`
/// first makes a child of those that the slice's rows reach, copying none.
///
/// \return kInvalidArgument for another type, and the structural error of bad views; nothing is
///     written then.
template <DuckDbEntry Entry>
Status WriteDuckDbLists(const Array& array, Entry* entries, uint64_t* validity) {
  const DataType& type = array.type().storage();
  if (!IsListView(type.id())) {
    return Status(StatusCode::kInvalidArgument,
                  "DuckDB lists: " + array.type().ToString() + " is no list-view");
  }
  SHEAF_RETURN_IF_ERROR(array.Verify());
  const int64_t n = array.length();
  if (type.id() == TypeId::kListView) {
    JoinEntries(array.slots<int32_t>(1), array.slots<int32_t>(2), n, entries);
  } else {
    JoinEntries(array.slots<int64_t>(1), array.slots<int64_t>(2), n, entries);
  }
  if (n == 0) return OkStatus();
  validity[(n - 1) / 64] = 0;
  auto* bytes = reinterpret_cast<uint8_t*>(validity);
  if (array.validity().absent()) {
    FillBits(bytes, 0, n, true);
  } else {
    CopyBits(array.validity(), bytes, 0);
  }
  return OkStatus();
}

}  // namespace sheaf::inline v1::engines

#undef SHEAF_DUCKDB_VECTORS
