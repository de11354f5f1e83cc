#include "array/null_views.h"

#include <algorithm>
#include <cstring>

#include "array/string_view_slot.h"

namespace sheaf::inline v1::internal {
namespace {

constexpr auto kViewBytes = static_cast<int64_t>(sizeof(StringViewSlot));

// Calls `run(begin, end)` for the runs of nulls, until it returns false.
template <typename Function>
bool VisitNullRuns(BitSpan validity, Function run) {
  int64_t begin = FindBit(validity, 0, false);
  while (begin < validity.length) {
    const int64_t end = FindBit(validity, begin, true);
    if (!run(begin, end)) return false;
    begin = end < validity.length ? FindBit(validity, end, false) : end;
  }
  return true;
}

}  // namespace

bool NullViewsAreZero(const uint8_t* views, BitSpan validity) noexcept {
  if (validity.absent()) return true;
  return VisitNullRuns(validity, [&](int64_t begin, int64_t end) {
    return std::all_of(views + begin * kViewBytes, views + end * kViewBytes,
                       [](uint8_t byte) { return byte == 0; });
  });
}

StatusOr<Buffer> CopyWithZeroNullViews(const uint8_t* views, BitSpan validity, MemoryPool* pool) {
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer copy,
                         MutableBuffer::Allocate(validity.length * kViewBytes, pool));
  std::memcpy(copy.data(), views, static_cast<size_t>(copy.size_bytes()));
  VisitNullRuns(validity, [&](int64_t begin, int64_t end) {
    std::fill(copy.data() + begin * kViewBytes, copy.data() + end * kViewBytes, uint8_t{0});
    return true;
  });
  return std::move(copy).Finish();
}

}  // namespace sheaf::inline v1::internal
