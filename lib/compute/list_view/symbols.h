#pragma once

#include <cstdint>
#include <cstring>

#include "sheaf/array/array.h"
#include "sheaf/array/row_range.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/buffer.h"

namespace sheaf::inline v1::internal {

/// Elements as bytes of one width that are the same exactly where the elements are (element
/// identity, array/element_identity.h): the values themselves where they can be, else numbers.
class Symbols {
 public:
  /// \param elements  verified. \return kResourceExhausted.
  static StatusOr<Symbols> Of(const Array& elements, RowRange range, MemoryPool* pool);

  int64_t width() const noexcept { return width_; }
  /// The bytes of `length` elements from `offset` on, which is counted as the range given was.
  const void* at(int64_t offset) const noexcept { return data_ + (offset - begin_) * width_; }
  int64_t size_bytes(int64_t length) const noexcept { return length * width_; }
  bool Same(int64_t a, int64_t b, int64_t length) const noexcept {
    return length * width_ == 0 ||
           std::memcmp(at(a), at(b), static_cast<size_t>(length * width_)) == 0;
  }
  int Order(int64_t a, int64_t b, int64_t length) const noexcept {
    return length * width_ == 0 ? 0
                                : std::memcmp(at(a), at(b), static_cast<size_t>(length * width_));
  }

 private:
  Symbols(Buffer held, const uint8_t* data, int64_t width, int64_t begin) noexcept
      : held_(std::move(held)), data_(data), width_(width), begin_(begin) {}

  Buffer held_;
  const uint8_t* data_;
  int64_t width_;
  int64_t begin_;
};

/// Numbers from 0 on in the order of their first element, the same where the elements are.
/// \tparam Number     uint32_t or uint64_t; the range has fewer elements than it has values.
/// \param hash_mask  applied to all hashes: what tests make them collide with.
/// \return kResourceExhausted.
template <typename Number>
StatusOr<Buffer> NumberElements(const Array& elements, RowRange range, MemoryPool* pool,
                                uint64_t hash_mask = ~uint64_t{0});

}  // namespace sheaf::inline v1::internal
