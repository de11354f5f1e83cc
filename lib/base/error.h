#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
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

using Parts = std::initializer_list<Part>;

/// Out of line, so that a check costs its caller little code.
SHEAF_EXPORT std::string ConcatParts(Parts parts);
/// A status of any code: `ErrorOf(code, {path, ": ", reason})`; the makers below name theirs.
SHEAF_EXPORT Status ErrorOf(StatusCode code, Parts parts);

/// The parts one after the other: `Concat("row ", 7, ": ", name)`. Parts are text, integers, bool,
/// char, double.
template <typename... Args>
std::string Concat(const Args&... args) {
  return ConcatParts({Part(args)...});
}

/// Statuses whose message is made of parts, as in `Concat`:
/// `InvalidArgument("row ", row, ": offset + size past the end: ", offset, " + ", size)`.
template <typename... Args>
Status InvalidArgument(const Args&... args) {
  return ErrorOf(StatusCode::kInvalidArgument, {Part(args)...});
}
template <typename... Args>
Status OutOfRange(const Args&... args) {
  return ErrorOf(StatusCode::kOutOfRange, {Part(args)...});
}
template <typename... Args>
Status ResourceExhausted(const Args&... args) {
  return ErrorOf(StatusCode::kResourceExhausted, {Part(args)...});
}
template <typename... Args>
Status FailedPrecondition(const Args&... args) {
  return ErrorOf(StatusCode::kFailedPrecondition, {Part(args)...});
}
template <typename... Args>
Status Unimplemented(const Args&... args) {
  return ErrorOf(StatusCode::kUnimplemented, {Part(args)...});
}
template <typename... Args>
Status AlreadyExists(const Args&... args) {
  return ErrorOf(StatusCode::kAlreadyExists, {Part(args)...});
}
template <typename... Args>
Status NotFound(const Args&... args) {
  return ErrorOf(StatusCode::kNotFound, {Part(args)...});
}
template <typename... Args>
Status DataLoss(const Args&... args) {
  return ErrorOf(StatusCode::kDataLoss, {Part(args)...});
}
template <typename... Args>
Status Internal(const Args&... args) {
  return ErrorOf(StatusCode::kInternal, {Part(args)...});
}

/// What a memory pool's refusal becomes.
SHEAF_EXPORT Status OutOfMemory(int64_t size_bytes);
/// Whether `status` is one of those, which name no place yet.
SHEAF_EXPORT bool IsOutOfMemory(const Status& status);

/// Says where: `AtPath("$.points", status)` makes "offsets fall" into "$.points: offsets fall", and
/// "$.elements: offsets fall" into "$.points.elements: offsets fall", so that every level of a
/// nested array adds its own step. An OK status stays as it is; code and payloads are kept.
SHEAF_EXPORT Status AtPath(std::string_view path, const Status& status);

}  // namespace sheaf::inline v1::internal
