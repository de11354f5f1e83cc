#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "sheaf/base/bits.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/buffer.h"

namespace sheaf::inline v1::internal {

/// Which positions of [begin, end) some interval covers: a bit a position.
class IntervalBitmap {
 public:
  /// \return kResourceExhausted.
  static StatusOr<IntervalBitmap> Make(int64_t begin, int64_t end,
                                       MemoryPool* pool = MemoryPool::Default()) {
    const int64_t size_bytes = BytesForBits(end - begin);
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer bits, MutableBuffer::Allocate(size_bytes, pool));
    if (size_bytes > 0) std::memset(bits.data(), 0, static_cast<size_t>(size_bytes));
    return IntervalBitmap(std::move(bits), begin, end - begin);
  }

  /// Adds [offset, offset + size), which must lie within [begin, end).
  void Add(int64_t offset, int64_t size) noexcept {
    if (offset == last_offset_ && size <= last_size_)
      return;  // A repeated list comes in long runs.
    last_offset_ = offset;
    last_size_ = size;
    FillBits(bits_.data(), offset - begin_, size, true);
  }
  /// Whether some position of [offset, offset + size) is covered already.
  bool Touches(int64_t offset, int64_t size) noexcept {
    return FindBit({bits_.data(), offset - begin_, size}, 0, true) < size;
  }
  /// 64 positions from begin + 64 * i on; those behind the end are clear.
  uint64_t word(int64_t i) noexcept { return bits_.as<uint64_t>()[i]; }
  Buffer Finish() && noexcept { return std::move(bits_).Finish(); }
  BitSpan bits() noexcept { return {bits_.data(), 0, length_}; }
  int64_t Count() noexcept { return length_ == 0 ? 0 : CountSet({bits_.data(), 0, length_}); }

 private:
  IntervalBitmap(MutableBuffer bits, int64_t begin, int64_t length) noexcept
      : bits_(std::move(bits)), begin_(begin), length_(length) {}

  MutableBuffer bits_;
  int64_t begin_;
  int64_t length_;
  int64_t last_offset_ = -1;
  int64_t last_size_ = 0;
};

/// Whether a bit an element takes far more memory than `num_views` views themselves: nulls have any
/// number of elements for nothing.
inline bool BitmapIsTooLong(int64_t num_elements, int64_t num_views) noexcept {
  constexpr int64_t kMostBitsAView = 1024;
  return num_elements / kMostBitsAView > num_views;
}

}  // namespace sheaf::inline v1::internal
