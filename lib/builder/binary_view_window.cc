#include <cstring>

#include "array/string_view_slot.h"
#include "builder/builder_core.h"
#include "sheaf/builder/binary_view_builder.h"

// Rows that a decoder writes in place, as sizes and bytes, and that become views.
namespace sheaf::inline v1 {

using internal::StringViewSlot;

int32_t* BinaryViewBuilder::WindowSizes() noexcept {
  static_assert(kSlotBytes == sizeof(StringViewSlot));
  const int64_t unused_bytes = kSlotBytes - static_cast<int64_t>(sizeof(int32_t));
  return reinterpret_cast<int32_t*>(views_.data() + views_.size_bytes() +
                                    window_.rows * unused_bytes);
}

StatusOr<BinaryWindow<int32_t>> BinaryViewBuilder::AppendUninitialized(int64_t n,
                                                                       int64_t data_bytes) {
  SHEAF_RETURN_IF_ERROR(CheckNewWindow(n));
  SHEAF_RETURN_IF_ERROR(ReserveData(data_bytes));
  SHEAF_RETURN_IF_ERROR(AtBuilder(ReserveSlots(n)));
  OpenWindow(n);
  window_bytes_ = data_bytes;
  return BinaryWindow<int32_t>{{WindowSizes(), static_cast<size_t>(n)},
                               {data_.end(), static_cast<size_t>(data_bytes)}};
}

StatusOr<int64_t> BinaryViewBuilder::LongBytesOfWindow(const int32_t* sizes,
                                                       BitSpan validity) const {
  int64_t sum = 0;
  int64_t long_bytes = 0;
  for (int64_t row = 0; row < validity.length; ++row) {
    const int32_t size = sizes[row];
    SHEAF_RETURN_IF_ERROR(internal::CheckWindowSize(type_, row, size, sum, window_bytes_));
    sum += size;
    if (size > StringViewSlot::kInlineBytes && validity[row]) long_bytes += size;
  }
  return long_bytes;
}

Status BinaryViewBuilder::Commit(int64_t rows, BitSpan validity) {
  SHEAF_RETURN_IF_ERROR(CheckWindow(rows, validity));
  validity.length = rows;
  const int32_t* const sizes = WindowSizes();
  SHEAF_ASSIGN_OR_RETURN(const int64_t long_bytes, LongBytesOfWindow(sizes, validity));
  auto* const slots = reinterpret_cast<StringViewSlot*>(views_.data() + views_.size_bytes());
  auto* const bytes = reinterpret_cast<char*>(data_.end());
  internal::ViewData::Place place;
  SHEAF_RETURN_IF_ERROR(TransactWindow([&] {
    SHEAF_RETURN_IF_ERROR(tail_.StageBits(validity, rows - CountSet(validity)));
    views_.UnsafeStage(rows * kSlotBytes);
    if (long_bytes > 0) place = data_.UnsafeStage(long_bytes);
    return OkStatus();
  }));
  // Only now, in place: what fails leaves sizes and bytes as the caller wrote them.
  int64_t from = 0;
  int64_t to = 0;
  for (int64_t row = 0; row < rows; ++row) {
    const std::string_view value(bytes + from, static_cast<size_t>(sizes[row]));
    from += sizes[row];
    if (!validity[row]) {
      slots[row] = {};
    } else if (internal::FitsInline(value)) {
      slots[row] = internal::InlineSlot(value);
    } else {
      slots[row] = internal::LongSlot(value, place.buffer, static_cast<int32_t>(place.offset + to));
      if (bytes + to != value.data()) std::memmove(bytes + to, value.data(), value.size());
      to += static_cast<int64_t>(value.size());
    }
  }
  return OkStatus();
}

}  // namespace sheaf
