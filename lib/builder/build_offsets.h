#pragma once

#include <cstdint>
#include <cstring>

#include "builder/builder_core.h"
#include "kernels/fill.h"
#include "kernels/shift_views.h"

// Offsets of tail rows, as builders of strings and lists keep them: a leading 0 once there are
// rows, then the end of each.
namespace sheaf::inline v1 {

namespace internal {

/// Room for the ends of `rows` more rows, and the leading 0 in front of the first.
template <typename Offset>
Status ReserveOffsets(BufferBuilder& offsets, int64_t rows, const DataType& type) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, ProductOf(rows, sizeof(Offset), type));
  if (offsets.staged_size_bytes() == 0) {
    // One slot more than rows, in a sum that could wrap.
    SHEAF_RETURN_IF_ERROR(ProductOf(rows + 1, sizeof(Offset), type).status());
    SHEAF_RETURN_IF_ERROR(offsets.Reserve(bytes + static_cast<int64_t>(sizeof(Offset))));
    const Offset zero = 0;
    std::memcpy(offsets.UnsafeStage(sizeof(Offset)), &zero, sizeof(Offset));
  }
  return offsets.Reserve(bytes);
}

/// The ends of `rows` rows n times over, behind `start`. `ends` are those of the rows, with where
/// they begin in front; all rows together take `step`.
template <typename Offset>
void WriteRepeatedEnds(const Offset* ends, int64_t rows, int64_t step, int64_t n, int64_t start,
                       Offset* out) noexcept {
  if (rows == 1) return kernels::FillSteps(start + step, step, n, out);
  for (int64_t i = 0; i < n; ++i, out += rows, start += step) {
    kernels::ShiftOffsets(ends, rows, start - ends[-1], out);
  }
}

}  // namespace internal

template <typename Offset>
StatusOr<Buffer> ArrayBuilder::BuildOffsets(BufferBuilder& tail_offsets, Sharing sharing) {
  constexpr auto kWidth = static_cast<int64_t>(sizeof(Offset));
  if (length() == 0) return Buffer::Borrow(Buffer::Empty().data(), kWidth);
  if (chunks_.empty()) return tail_offsets.Share(sharing);
  if (const internal::KeptChunk* only = OnlyChunk();
      only != nullptr && only->window.slots<Offset>(1)[0] == 0) {
    return only->window.buffer(1).Slice(only->window.offset() * kWidth, (length() + 1) * kWidth);
  }
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer joined,
                         MutableBuffer::Allocate((length() + 1) * kWidth, pool()));
  auto* out = joined.as<Offset>();
  *out++ = 0;
  int64_t end = 0;
  const auto write = [&](const Offset* offsets, int64_t rows) {
    kernels::ShiftOffsets(offsets + 1, rows, end - offsets[0], out);
    out += rows;
    end += offsets[rows] - offsets[0];
  };
  VisitPieces(
      [&](int64_t first, int64_t last) { write(tail_offsets.as<Offset>() + first, last - first); },
      [&](int64_t index) {
        const Array& window = chunks_[index].window;
        if (window.length() > 0) write(window.slots<Offset>(1), window.length());
      });
  return std::move(joined).Finish();
}

}  // namespace sheaf::inline v1
