#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "sheaf/array/array.h"
#include "sheaf/base/bits.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/memory_pool.h"
#include "sheaf/type/data_type.h"
#include "sheaf/type/field.h"

/// Velox's ArrayVector is a list-view: offsets and sizes of 32 bits a row over one elements vector,
/// where lists may overlap, leave gaps and come in any order, and bits of which 1 is "not null"
/// (velox/vector/ComplexVector.h; "ArrayVector" in Velox's developer guide). So both ways share the
/// memory; only a bitmap that starts inside a word is copied.
///
/// Nothing of Velox is included: pointers go in, and pointers come out with who keeps them alive.
namespace sheaf::inline v1::engines {

/// The buffers of an ArrayVector.
struct VeloxLists {
  int64_t length = 0;                ///< Rows.
  const uint64_t* nulls = nullptr;   ///< Bits, 1: not null; null: no row is. (`rawNulls`)
  const int32_t* offsets = nullptr;  ///< One a row. (`rawOffsets`)
  const int32_t* sizes = nullptr;    ///< One a row. (`rawSizes`)
};

/// The rows of a list-view as an ArrayVector has them. The pointers are those of the buffers beside
/// them and stay good as long as these are held, on any thread: a Velox `BufferView` is made over
/// each with the buffer as its releaser.
struct VeloxArray {
  VeloxLists lists;
  Array elements;  ///< All elements, also those that no row reaches.
  Buffer nulls;    ///< Absent where no row is null.
  Buffer offsets;
  Buffer sizes;
};

namespace internal {

/// Copies of the columns, in which null and empty rows that lie outside the elements are empty
/// where the row before ends: Velox follows neither, and the Arrow format wants both in bounds.
inline StatusOr<Array> WithStrayRowsMoved(const Array& array, MemoryPool* pool) {
  const int64_t n = array.length();
  const int64_t elements = array.child(0).length();
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer offsets, MutableBuffer::Allocate(n * 4, pool));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer sizes, MutableBuffer::Allocate(n * 4, pool));
  int32_t end = 0;
  for (int64_t i = 0; i < n; ++i) {
    int32_t offset = array.slots<int32_t>(1)[i];
    int32_t size = array.slots<int32_t>(2)[i];
    const bool inside = offset >= 0 && size >= 0 && int64_t{offset} + size <= elements;
    if (!inside && (size == 0 || array.IsNull(i))) {
      offset = end;
      size = 0;
    }
    offsets.as<int32_t>()[i] = offset;
    sizes.as<int32_t>()[i] = size;
    if (inside) end = offset + size;
  }
  ArrayParts parts;
  parts.type = array.type();
  parts.length = n;
  parts.buffers = {array.buffer(0), std::move(offsets).Finish(), std::move(sizes).Finish()};
  parts.children = {array.child(0)};
  return MakeArray(std::move(parts), ValidationLevel::kMinimal, pool);
}

}  // namespace internal

/// A list-view over an ArrayVector's buffers, which are shared, and `elements`, its elements vector
/// as an array. `release` is called once, from any thread, when nobody uses the buffers any more
/// (also if this fails); a lambda that holds the `VectorPtr` will do.
///
/// The views are checked at once, in the one pass that also finds their statistics. Where null or
/// empty rows lie outside the elements, which Velox allows, offsets and sizes are copied and those
/// rows moved.
///
/// \return kInvalidArgument naming the row that is out of bounds, or a negative length;
///     kResourceExhausted.
template <typename Release>
StatusOr<Array> ListViewFromVelox(const VeloxLists& lists, const Array& elements, Release release,
                                  MemoryPool* pool = MemoryPool::Default()) {
  constexpr int64_t kMaxRows = std::numeric_limits<int64_t>::max() / 4;
  // One buffer calls `release`; the others hold it.
  SHEAF_ASSIGN_OR_RETURN(
      Buffer offsets, Buffer::Wrap(lists.offsets, lists.length > kMaxRows ? -1 : lists.length * 4,
                                   std::move(release)));
  SHEAF_ASSIGN_OR_RETURN(Buffer sizes,
                         Buffer::Wrap(lists.sizes, lists.length * 4, [offsets]() noexcept {}));
  Buffer nulls;
  if (lists.nulls != nullptr) {
    SHEAF_ASSIGN_OR_RETURN(
        nulls, Buffer::Wrap(lists.nulls, BytesForBits(lists.length), [offsets]() noexcept {}));
  }
  ArrayParts parts;
  parts.type = ListView(elements.type());
  parts.length = lists.length;
  parts.null_count = lists.nulls == nullptr ? 0 : -1;
  parts.buffers = {std::move(nulls), std::move(offsets), std::move(sizes)};
  parts.children = {elements};
  SHEAF_ASSIGN_OR_RETURN(Array array, MakeArray(std::move(parts), ValidationLevel::kMinimal, pool));
  if (array.Verify().ok()) return array;
  SHEAF_ASSIGN_OR_RETURN(array, internal::WithStrayRowsMoved(array, pool));
  SHEAF_RETURN_IF_ERROR(array.Verify());
  return array;
}

/// The rows of a list-view as Velox has them. Slices move the pointers. The bitmap is copied where
/// the rows start inside a word of it; offsets and sizes are copied only of a large list-view,
/// whose 64 bits are narrowed.
///
/// \return kInvalidArgument for a type that is no list-view, and the structural error of bad views;
///     kOutOfRange where a large list-view has more elements than int32 can count, or where there
///     are more rows; kResourceExhausted.
inline StatusOr<VeloxArray> ToVelox(const Array& array, MemoryPool* pool = MemoryPool::Default()) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  const TypeId id = array.type().storage().id();
  if (!IsListView(id)) {
    return Status(StatusCode::kInvalidArgument,
                  "Velox lists: " + array.type().ToString() + " is no list-view");
  }
  SHEAF_RETURN_IF_ERROR(array.Verify());
  const int64_t n = array.length();
  VeloxArray velox;
  velox.elements = array.child(0);
  for (const auto& [count, what] :
       {std::pair{n, " rows"}, std::pair{velox.elements.length(), " elements"}}) {
    if (count <= kMost) continue;
    return Status(StatusCode::kOutOfRange, "Velox lists: " + std::to_string(count) + what +
                                               " exceed the limit of " + std::to_string(kMost));
  }
  for (const int i : {1, 2}) {
    Buffer& column = i == 1 ? velox.offsets : velox.sizes;
    if (id == TypeId::kListView) {
      column = array.buffer(i).Slice(array.offset() * 4, n * 4);
      continue;
    }
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer narrow, MutableBuffer::Allocate(n * 4, pool));
    const int64_t* wide = array.slots<int64_t>(i);
    for (int64_t row = 0; row < n; ++row)
      narrow.as<int32_t>()[row] = static_cast<int32_t>(wide[row]);
    column = std::move(narrow).Finish();
  }
  if (const BitSpan validity = array.validity(); !validity.absent() && array.has_nulls()) {
    const int64_t bytes = RoundUp64(n) / 8;
    const Buffer& bitmap = array.buffer(0);
    const uint8_t* first = bitmap.data() + array.offset() / 8;
    // Velox reads whole words. The last one may reach past the bitmap's end, but never into another
    // page, as words are aligned.
    if (array.offset() % 64 == 0 && reinterpret_cast<uintptr_t>(first) % 8 == 0) {
      velox.nulls = bitmap.Slice(array.offset() / 8, BytesForBits(n));
    } else {
      SHEAF_ASSIGN_OR_RETURN(MutableBuffer copy, MutableBuffer::Allocate(bytes, pool));
      copy.as<uint64_t>()[bytes / 8 - 1] = 0;
      CopyBits(validity, copy.data(), 0);
      velox.nulls = std::move(copy).Finish();
    }
  }
  velox.lists = {.length = n,
                 .nulls = velox.nulls.as<uint64_t>(),
                 .offsets = velox.offsets.as<int32_t>(),
                 .sizes = velox.sizes.as<int32_t>()};
  return velox;
}

}  // namespace sheaf::inline v1::engines
