#include "kernels/view_stats.h"

namespace sheaf::inline v1::kernels {
namespace {

template <typename Offset>
bool Chained(const Offset* offsets, const Offset* sizes, int64_t length, int64_t begin,
             int64_t end) noexcept {
  int64_t expected = -1;  // The first view may start anywhere.
  for (int64_t i = 0; i < length; ++i) {
    int64_t offset = offsets[i];
    const int64_t size = sizes[i];
    if (size == 0) offset = offset < begin ? begin : (offset > end ? end : offset);
    if (expected >= 0 && offset != expected) return false;
    expected = offset + size;
  }
  return true;
}

}  // namespace

bool PackedAfterClamping(const int32_t* offsets, const int32_t* sizes, int64_t length,
                         int64_t begin, int64_t end) noexcept {
  return Chained(offsets, sizes, length, begin, end);
}
bool PackedAfterClamping(const int64_t* offsets, const int64_t* sizes, int64_t length,
                         int64_t begin, int64_t end) noexcept {
  return Chained(offsets, sizes, length, begin, end);
}

}  // namespace sheaf::inline v1::kernels
