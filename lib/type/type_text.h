#pragma once

#include <string>
#include <string_view>

#include "sheaf/type/type_id.h"

namespace sheaf::inline v1::internal {

// The words of printed types, shared by printing and parsing.

/// Names the children have unless somebody named them otherwise; these are not printed.
inline constexpr std::string_view kItemName = "item";
inline constexpr std::string_view kEntriesName = "entries";
inline constexpr std::string_view kKeyName = "key";
inline constexpr std::string_view kValueName = "value";
inline constexpr std::string_view kRunEndsName = "run_ends";
inline constexpr std::string_view kValuesName = "values";

inline constexpr std::string_view kKeysSorted = "keys_sorted";
inline constexpr std::string_view kOrdered = "ordered";
inline constexpr std::string_view kUnitNames[] = {"s", "ms", "us", "ns"};

/// What a name may hold without quotes. Bytes of UTF-8 beyond ASCII count as letters.
constexpr bool IsNameByte(char byte) noexcept {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_' || static_cast<unsigned char>(byte) >= 0x80;
}
/// Time zones and names of extensions: `Europe/Paris`, `+02:00`, `arrow.uuid`.
constexpr bool IsWordByte(char byte) noexcept {
  return IsNameByte(byte) || byte == '.' || byte == '-' || byte == '+' || byte == '/' ||
         byte == ':';
}

/// The text as it is if it is not empty and all its bytes are allowed; else in double quotes, with
/// `\"`, `\\` and `\xNN` for control bytes.
void AppendQuoted(std::string_view text, bool (*is_bare)(char), std::string* out);

}  // namespace sheaf::inline v1::internal
