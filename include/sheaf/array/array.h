#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/type/data_type.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1 {

namespace internal {
struct ArrayData;  // lib/array/array_data.h
SHEAF_EXPORT void Retain(const ArrayData* data) noexcept;
SHEAF_EXPORT void Release(const ArrayData* data) noexcept;
}  // namespace internal

/// How much of an array is checked; each level adds to the one before.
enum class ValidationLevel : uint8_t {
  kNone,     ///< Nothing; the caller answers for the buffers.
  kMinimal,  ///< Lengths, numbers of buffers and children, sizes of buffers: what O(1) a node can
             ///< tell.
  kDefault,  ///< And the first and last offset, and the like: O(1) a buffer.
  kFull,     ///< And every offset, view, index, run end, type id, UTF-8 byte, null count.
};

/// An immutable Arrow array: a cheap handle (24 bytes) to a shared node, and a window of it.
///
/// Slicing moves the window and cannot fail; no memory is allocated for it. A scalar is an array of
/// length
/// 1. A default-made array is a null array of length 0.
class SHEAF_EXPORT Array {
 public:
  Array() noexcept;
  Array(const Array& other) noexcept
      : data_(other.data_), offset_(other.offset_), length_(other.length_) {
    internal::Retain(data_);
  }
  Array(Array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        offset_(std::exchange(other.offset_, 0)),
        length_(std::exchange(other.length_, 0)) {}
  Array& operator=(Array other) noexcept {
    std::swap(data_, other.data_);
    std::swap(offset_, other.offset_);
    std::swap(length_, other.length_);
    return *this;
  }
  ~Array() {
    if (data_ != nullptr) internal::Release(data_);
  }

  const DataType& type() const noexcept;
  const Layout& layout() const noexcept { return type().layout(); }
  int64_t length() const noexcept { return length_; }
  /// First slot of the window in the node's buffers.
  int64_t offset() const noexcept { return offset_; }

  /// Nulls by the validity bitmap (null arrays: the length; unions and run-ends: 0). Counted when
  /// first asked for and kept for the window that the array was made with; a slice of it counts
  /// each time.
  int64_t null_count() const noexcept;
  bool has_nulls() const noexcept { return null_count() != 0; }
  /// By the bitmap, like `null_count`; a null array's slots are all null.
  bool IsNull(int64_t i) const noexcept { return !IsValid(i); }
  bool IsValid(int64_t i) const noexcept;
  /// Validity of the window; absent: no bitmap (check `type()` for the null type).
  BitSpan validity() const noexcept;

  /// Rows [offset, offset + length) of this array, clamped to it.
  Array Slice(int64_t offset, int64_t length) const noexcept;
  Array Slice(int64_t offset) const noexcept { return Slice(offset, length_ - offset); }
  /// Row i as an array of length 1.
  Array Row(int64_t i) const noexcept { return Slice(i, 1); }

  /// The buffers of the node, not moved by `offset()`, in the layout table's order, variadic ones
  /// last.
  int num_buffers() const noexcept;
  const Buffer& buffer(int i) const noexcept;
  /// The children as the node has them: a struct's are not cut to this window (StructArray::field
  /// is).
  int num_children() const noexcept;
  const Array& child(int i) const noexcept;
  bool has_dictionary() const noexcept;
  const Array& dictionary() const noexcept;

  /// The window as typed values, moved by `offset()`.
  template <typename T>
  const T* slots(int buffer_index) const noexcept {
    return buffer(buffer_index).as<T>() + offset_;
  }

  /// Bounds of offsets, views, indices, run ends and type ids of this window and all it reaches:
  /// what every operation that follows them relies on. Kept with the node, so that foreign data is
  /// checked once.
  Status Verify() const;

  /// Down to values, as text: `[1, null, 3]`.
  std::string ToString() const;

  /// Same type and same values, logically (array/equality.h has options and says where they
  /// differ).
  friend SHEAF_EXPORT bool operator==(const Array& a, const Array& b);

  internal::ArrayData* data() const noexcept { return const_cast<internal::ArrayData*>(data_); }
  /// Gives up the reference that this handle holds; internal (destruction without recursion).
  internal::ArrayData* Detach() noexcept {
    return const_cast<internal::ArrayData*>(std::exchange(data_, nullptr));
  }
  /// Takes over one reference.
  Array(internal::ArrayData* adopted, int64_t offset, int64_t length) noexcept
      : data_(adopted), offset_(offset), length_(length) {}

 protected:
  const internal::ArrayData* data_;
  int64_t offset_;
  int64_t length_;
};

/// The parts of an array of any type: what `MakeArray` takes and import and IPC give.
struct ArrayParts {
  DataType type;
  int64_t length = 0;
  int64_t offset = 0;
  /// -1: not known.
  int64_t null_count = -1;
  std::vector<Buffer> buffers;  ///< In the layout table's order; absent ones default-made.
  std::vector<Array> children;
  std::vector<Array> dictionary;  ///< One for dictionary types, else none.
};

/// An array from its parts, for any type.
/// \return kInvalidArgument naming the path and what is wrong, as far as `level` looks.
SHEAF_EXPORT StatusOr<Array> MakeArray(ArrayParts parts,
                                       ValidationLevel level = ValidationLevel::kDefault,
                                       MemoryPool* pool = MemoryPool::Default());

/// An array of `length` nulls. Types without a bitmap (unions, run-ends) get null children.
SHEAF_EXPORT StatusOr<Array> MakeNullArray(const DataType& type, int64_t length,
                                           MemoryPool* pool = MemoryPool::Default());

/// An array of length 0 of any type.
SHEAF_EXPORT StatusOr<Array> MakeEmptyArray(const DataType& type,
                                            MemoryPool* pool = MemoryPool::Default());

/// Checks `array` and all below it. \return kInvalidArgument naming the path, the row and the
/// limit.
SHEAF_EXPORT Status Validate(const Array& array, ValidationLevel level = ValidationLevel::kFull);

}  // namespace sheaf
