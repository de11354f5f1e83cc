#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "array/array_data.h"
#include "sheaf/array/array.h"
#include "sheaf/base/bits.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1::internal {

/// The rows of an array for a node of another layout that shares their validity, wherever it
/// begins: slots in front of the rows make up for the bits in front of them in their byte.
class SharedRows {
 public:
  explicit SharedRows(const Array& rows) noexcept
      : rows_(rows), lead_(rows.has_nulls() ? rows.offset() % 8 : 0) {}

  /// Slots in front of the rows, and those with the rows.
  int64_t lead() const noexcept { return lead_; }
  int64_t slots() const noexcept { return lead_ + rows_.length(); }
  int64_t length() const noexcept { return rows_.length(); }

  Buffer Validity() const noexcept {
    if (!rows_.has_nulls()) return Buffer();
    return rows_.buffer(0).Slice(first() / 8, BytesForBits(slots()));
  }
  /// The slots of buffer i, of `width` bytes each, and `more` behind them. There are rows.
  Buffer Slots(int i, int64_t width, int64_t more = 0) const noexcept {
    return rows_.buffer(i).Slice(first() * width, (slots() + more) * width);
  }

  /// The node. \param buffers  from slot `lead` in front on, validity first.
  StatusOr<Array> Make(const DataType& type, std::span<Buffer> buffers, Array elements,
                       const ViewStats* stats, bool has_spare_offset, MemoryPool* pool) const {
    return MakeNode({.type = type,
                     .offset = lead_,
                     .length = rows_.length(),
                     .null_count = rows_.null_count(),
                     .buffers = buffers,
                     .children = {&elements, 1},
                     .verified = true,
                     .has_spare_offset = has_spare_offset,
                     .view_stats = stats},
                    pool);
  }

 private:
  int64_t first() const noexcept { return rows_.offset() - lead_; }

  const Array& rows_;
  int64_t lead_;
};

/// Whether the slot behind the offsets of a list-view's rows is known to be there and holds `end`.
/// The next row's offset does as well as the spare slot.
inline bool SlotBehindHolds(const Array& views, int64_t end) noexcept {
  const ArrayData& data = *views.data();
  const int64_t behind = views.offset() + views.length();
  const int64_t last = data.offset + data.length;
  if (views.length() == 0 || behind > last || (behind == last && !data.has_spare_offset)) {
    return false;
  }
  return views.layout().offset_bits == 32 ? views.buffer(1).as<int32_t>()[behind] == end
                                          : views.buffer(1).as<int64_t>()[behind] == end;
}

}  // namespace sheaf::inline v1::internal
