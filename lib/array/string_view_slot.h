#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "sheaf/array/array.h"

namespace sheaf::inline v1::internal {

/// A slot of the views buffer (Arrow columnar format, "Variable-size Binary View layout"):
///
///   size <= 12:  | size | bytes, zero-padded to 12            |
///   longer:      | size | first 4 bytes | buffer index | offset |
struct StringViewSlot {
  static constexpr int32_t kInlineBytes = 12;

  int32_t size;
  char prefix[4];
  int32_t buffer_index;
  int32_t offset;

  bool is_inline() const noexcept { return size <= kInlineBytes; }
};
static_assert(sizeof(StringViewSlot) == 16);

inline bool FitsInline(std::string_view value) noexcept {
  return value.size() <= static_cast<size_t>(StringViewSlot::kInlineBytes);
}

/// The slot of a short value.
inline StringViewSlot InlineSlot(std::string_view value) noexcept {
  StringViewSlot slot = {};  // What a short value leaves free is zero.
  slot.size = static_cast<int32_t>(value.size());
  if (!value.empty()) {
    std::memcpy(reinterpret_cast<char*>(&slot) + sizeof(slot.size), value.data(), value.size());
  }
  return slot;
}

/// The slot of a long value that lies at `offset` of a data buffer.
inline StringViewSlot LongSlot(std::string_view value, int32_t buffer_index,
                               int32_t offset) noexcept {
  StringViewSlot slot;
  slot.size = static_cast<int32_t>(value.size());
  std::memcpy(slot.prefix, value.data(), sizeof(slot.prefix));
  slot.buffer_index = buffer_index;
  slot.offset = offset;
  return slot;
}

/// The bytes of a verified slot. \param slots  the buffer's own memory: short strings lie in it.
inline std::string_view BytesOf(const Array& array, const StringViewSlot& slot) noexcept {
  const auto size = static_cast<size_t>(slot.size);
  if (slot.is_inline()) return {reinterpret_cast<const char*>(&slot) + 4, size};
  return {array.buffer(2 + slot.buffer_index).as<char>() + slot.offset, size};
}

}  // namespace sheaf::inline v1::internal
