#pragma once

#include <cstdint>
#include <cstring>

#include "array/string_view_slot.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/bit_span.h"

namespace sheaf::inline v1::internal {

/// Copies the slots of `validity.length` rows to `out`, those of null rows as zeros, and calls
/// `move(slot)`, which returns a Status, for every long one of the copies.
template <typename Function>
Status CopyStringViews(const StringViewSlot* slots, BitSpan validity, StringViewSlot* out,
                       Function&& move) {
  Status status;
  int64_t done = 0;
  const auto zero_to = [&](int64_t end) {
    if (end > done) std::memset(out + done, 0, static_cast<size_t>(end - done) * sizeof(*out));
  };
  VisitSetRuns(validity, [&](int64_t begin, int64_t end) {
    zero_to(begin);
    done = end;
    std::memcpy(out + begin, slots + begin, static_cast<size_t>(end - begin) * sizeof(*out));
    for (int64_t i = begin; i < end && status.ok(); ++i) {
      if (!out[i].is_inline()) status = move(out[i]);
    }
  });
  zero_to(validity.length);
  return status;
}

}  // namespace sheaf::inline v1::internal
