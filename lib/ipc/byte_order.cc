#include "ipc/byte_order.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "sheaf/base/bits.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1::internal {
namespace {

/// Longest string that stands in its view (Arrow columnar format, "Variable-size Binary View
/// Layout").
constexpr int32_t kInlineBytes = 12;

void Reverse(uint8_t* bytes, int width) { std::reverse(bytes, bytes + width); }

/// Values of several parts, such as days and milliseconds: the parts keep their places.
void SwapParts(uint8_t* bytes, int64_t size_bytes, std::initializer_list<int> widths) {
  int width = 0;
  for (const int part : widths) width += part;
  for (int64_t at = 0; at + width <= size_bytes; at += width) {
    uint8_t* part_bytes = bytes + at;
    for (const int part : widths) {
      Reverse(part_bytes, part);
      part_bytes += part;
    }
  }
}

/// | length | prefix, 4 bytes | buffer | offset |  or  | length | 12 bytes |
void SwapViews(uint8_t* bytes, int64_t size_bytes) {
  for (int64_t at = 0; at + 16 <= size_bytes; at += 16) {
    uint8_t* view = bytes + at;
    Reverse(view, 4);
    if (LoadUnaligned<int32_t>(view) <= kInlineBytes) continue;
    Reverse(view + 8, 4);
    Reverse(view + 12, 4);
  }
}

void SwapValues(uint8_t* bytes, int64_t size_bytes, const DataType& type, int width) {
  switch (type.storage().id()) {
    case TypeId::kFixedSizeBinary:
      return;
    case TypeId::kIntervalDayTime:
      return SwapParts(bytes, size_bytes, {4, 4});
    case TypeId::kIntervalMonthDayNano:
      return SwapParts(bytes, size_bytes, {4, 4, 8});
    default:
      return SwapParts(bytes, size_bytes, {width});
  }
}

}  // namespace

StatusOr<Buffer> SwapBytes(Buffer bytes, const DataType& type, int buffer_index, MemoryPool* pool) {
  const BufferRole role = type.layout().buffers[static_cast<size_t>(buffer_index)].role;
  const int width = BufferBitWidth(type, buffer_index) / 8;
  // Less than two bytes: bits, type ids, data.
  if (width < 2 || bytes.size_bytes() == 0) return bytes;

  SHEAF_ASSIGN_OR_RETURN(MutableBuffer swapped, MutableBuffer::Allocate(bytes.size_bytes(), pool));
  std::copy_n(bytes.data(), bytes.size_bytes(), swapped.data());
  if (role == BufferRole::kViews) {
    SwapViews(swapped.data(), bytes.size_bytes());
  } else if (role == BufferRole::kValues) {
    SwapValues(swapped.data(), bytes.size_bytes(), type, width);
  } else {
    SwapParts(swapped.data(), bytes.size_bytes(), {width});
  }
  return std::move(swapped).Finish();
}

}  // namespace sheaf::inline v1::internal
