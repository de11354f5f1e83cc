#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1::internal {

/// One part of a message, borrowed until the end of the statement. Abseil's own StrCat does not
/// take a std::string_view where Abseil has a string_view of its own; this takes both.
class Part {
 public:
  template <typename T>
    requires std::integral<T> || std::is_enum_v<T>
  constexpr Part(T value) {  // NOLINT(google-explicit-constructor): a part is what it holds.
    if constexpr (std::is_enum_v<T>) {
      *this = Part(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::same_as<T, bool>) {
      *this = Part(value ? std::string_view("true") : std::string_view("false"));
    } else if constexpr (std::same_as<T, char>) {
      kind_ = Kind::kCharacter;
      character_ = value;
    } else if constexpr (std::signed_integral<T>) {
      kind_ = Kind::kSigned;
      signed_ = value;
    } else {
      kind_ = Kind::kUnsigned;
      unsigned_ = value;
    }
  }
  constexpr Part(double value) : kind_(Kind::kDouble), double_(value) {}  // NOLINT
  constexpr Part(const char* text) : Part(std::string_view(text)) {}      // NOLINT

  /// std::string, std::string_view and Abseil's string_view, be it the same type or not.
  template <typename Text>
    requires requires(const Text& text) {
      { text.data() } -> std::convertible_to<const char*>;
      { text.size() } -> std::convertible_to<size_t>;
    }
  constexpr Part(const Text& text)  // NOLINT(google-explicit-constructor)
      : kind_(Kind::kText), text_(text.data(), text.size()) {}

  void AppendTo(std::string* message) const;

 private:
  enum class Kind : uint8_t { kText, kCharacter, kSigned, kUnsigned, kDouble };

  Kind kind_ = Kind::kText;
  union {
    std::string_view text_ = {};
    char character_;
    int64_t signed_;
    uint64_t unsigned_;
    double double_;
  };
};

SHEAF_EXPORT std::string ConcatParts(std::span<const Part> parts);
SHEAF_EXPORT Status MakeError(StatusCode code, std::span<const Part> parts);

/// Out of line but for the packing of its parts, so that a check costs its caller little code.
template <typename... Parts>
[[gnu::cold]] Status MakeErrorOf(StatusCode code, const Parts&... parts) {
  const Part packed[] = {Part(parts)...};
  return MakeError(code, packed);
}

/// The parts one after the other: `Concat("row ", 7, ": ", name)`. Parts are text, integers, bool,
/// char, double.
template <typename... Parts>
std::string Concat(const Parts&... parts) {
  const Part packed[] = {Part(parts)...};
  return ConcatParts(packed);
}

/// Statuses whose message is made of parts, as in `Concat`:
/// `InvalidArgument("row ", row, ": offset + size past the end of elements: ", offset, " + ",
/// size)`.
template <typename... Parts>
Status InvalidArgument(const Parts&... parts) {
  return MakeErrorOf(StatusCode::kInvalidArgument, parts...);
}
template <typename... Parts>
Status OutOfRange(const Parts&... parts) {
  return MakeErrorOf(StatusCode::kOutOfRange, parts...);
}
template <typename... Parts>
Status ResourceExhausted(const Parts&... parts) {
  return MakeErrorOf(StatusCode::kResourceExhausted, parts...);
}
template <typename... Parts>
Status FailedPrecondition(const Parts&... parts) {
  return MakeErrorOf(StatusCode::kFailedPrecondition, parts...);
}
template <typename... Parts>
Status Unimplemented(const Parts&... parts) {
  return MakeErrorOf(StatusCode::kUnimplemented, parts...);
}
template <typename... Parts>
Status AlreadyExists(const Parts&... parts) {
  return MakeErrorOf(StatusCode::kAlreadyExists, parts...);
}
template <typename... Parts>
Status NotFound(const Parts&... parts) {
  return MakeErrorOf(StatusCode::kNotFound, parts...);
}
template <typename... Parts>
Status DataLoss(const Parts&... parts) {
  return MakeErrorOf(StatusCode::kDataLoss, parts...);
}
template <typename... Parts>
Status Internal(const Parts&... parts) {
  return MakeErrorOf(StatusCode::kInternal, parts...);
}

/// What a memory pool's refusal becomes.
SHEAF_EXPORT Status OutOfMemory(int64_t size_bytes);

/// Says where: `AtPath("$.points", status)` makes "offsets fall" into "$.points: offsets fall", and
/// "$.elements: offsets fall" into "$.points.elements: offsets fall", so that every level of a
/// nested array adds its own step. An OK status stays as it is; code and payloads are kept.
SHEAF_EXPORT Status AtPath(std::string_view path, const Status& status);

}  // namespace sheaf::inline v1::internal
