#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "array/array_data.h"
#include "array/retained.h"
#include "base/error.h"
#include "builder/pieces.h"
#include "sheaf/base/bits.h"
#include "sheaf/base/checked.h"
#include "sheaf/builder/array_builder.h"
#include "sheaf/type/field.h"
#include "type/with_field_types.h"

// What the sources of all builders use; builders' headers stay free of it.
namespace sheaf::inline v1 {

template <typename Function>
Status ArrayBuilder::Transact(Function&& stage) {
  Status status = stage();
  if (status.ok()) status = CheckLimit(0);
  if (!status.ok()) [[unlikely]] {
    Discard();
    return AtBuilder(status);
  }
  Commit();
  return status;
}

template <typename Function>
Status ArrayBuilder::TransactWindow(Function&& stage) {
  const RowWindow window = window_;
  Status status = Transact(stage);
  if (!status.ok()) window_ = window;
  return status;
}

template <typename Function>
Status ArrayBuilder::TransactRows(int64_t rows, Function&& stage) {
  if (options_.on_overflow == OnOverflow::kError) [[likely]] {
    return Transact([&] { return stage(int64_t{0}, rows); });
  }
  const RowStager stager{&stage, [](void* context, int64_t first, int64_t n) {
                           return (*static_cast<std::remove_reference_t<Function>*>(context))(first,
                                                                                              n);
                         }};
  return TransactInChunks(rows, stager);
}

namespace internal {

/// The same node seen through another window.
inline Array WithWindow(const Array& array, int64_t offset, int64_t length) noexcept {
  Retain(array.data());
  return Array(array.data(), offset, length);
}

/// Whether arrays of both types are stored as the same one; an extension as its storage.
inline bool SameStorage(const DataType& a, const DataType& b) noexcept {
  return a.storage().id() == b.storage().id();
}

/// Slots of the node's primary window in front of the array: as good as its own rows, so that a
/// node over them may count from there.
inline int64_t SlotsBefore(const Array& array) noexcept {
  return array.offset() - array.data()->offset;
}

/// Bytes of a bitmap of n rows of an array; none where it has no null.
inline int64_t ValidityBytesOf(const Array& source, int64_t n) noexcept {
  return source.has_nulls() ? BytesForBits(n) : 0;
}

inline int64_t TotalLength(std::span<const RowRange> ranges) noexcept {
  int64_t total = 0;
  for (const RowRange& range : ranges) total += range.length;
  return total;
}

/// The type of an array over these children: indices of dictionaries may have widened.
DataType TypeOver(const DataType& type, std::span<const Array> children);

/// The one array of a finished builder: verified, offset 0.
template <size_t kBuffers>
StatusOr<Array> MakeBuilt(const DataType& type, int64_t length, int64_t null_count,
                          Buffer (&&buffers)[kBuffers], std::span<Array> children, MemoryPool* pool,
                          bool has_spare_offset = false, const ViewStats* view_stats = nullptr) {
  NodeParts parts;
  parts.type = children.empty() ? type : TypeOver(type, children);
  parts.length = length;
  parts.null_count = null_count;
  parts.buffers = buffers;
  parts.children = children;
  parts.verified = true;
  parts.has_spare_offset = has_spare_offset;
  parts.view_stats = view_stats;
  return MakeNode(std::move(parts), pool);
}

/// n copies of the `size` bytes that are at `target` already.
void ExtendRepeated(uint8_t* target, int64_t size, int64_t n) noexcept;

/// n copies of `size` bytes at `target`.
void FillRepeated(uint8_t* target, const uint8_t* source, int64_t size, int64_t n) noexcept;

/// Rows x width, where both come from arrays that exist or from a caller's count.
inline StatusOr<int64_t> ProductOf(int64_t a, int64_t b, const DataType& type) {
  int64_t product = 0;
  if (MultiplyOverflows(a, b, &product)) {
    return OutOfRange(type.ToString(), " builder: ", a, " x ", b,
                      " rows, bytes or elements exceed 64 bits");
  }
  return product;
}

/// Bytes that the offsets of `rows` rows count for: one more than rows, but none where there is no
/// row (the zero of an empty array is never allocated, nor read; `UsedBytes` counts the same way).
constexpr int64_t OffsetBytes(int64_t rows, int64_t width) noexcept {
  return rows == 0 ? 0 : (rows + 1) * width;
}

/// kOutOfRange where `current + additional` exceeds what w-bit offsets reach, naming the larger
/// type.
Status CheckOffsetsFit(const DataType& type, int64_t offset_bits, int64_t current,
                       int64_t additional, const char* what);

/// kInvalidArgument where row number `row` of a window has a negative size, or more bytes than the
/// window has left behind the `used_bytes` of the rows before: so no sum wraps.
Status CheckWindowSize(const DataType& type, int64_t row, int64_t size, int64_t used_bytes,
                       int64_t window_bytes);

/// Whether the array brings a null into a field of type `to`: where dictionaries and run-ends go in
/// decoded, their values count.
bool BringsNulls(const DataType& to, const Array& values);
bool BringsNull(const DataType& to, const Array& values, int64_t row);

/// kInvalidArgument naming the field where a not nullable field would get a null: `values` is what
/// comes into it.
Status CheckNullable(const DataType& parent, const Field& field, const Array& values);

/// The same for the elements of lists of type `lists`; entries of maps and their keys are never
/// nullable, whatever their fields say.
Status CheckElements(const DataType& lists, const Array& elements);

}  // namespace internal
}  // namespace sheaf
