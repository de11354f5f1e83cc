#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1::internal {

/// A piece of a message. Takes `std::string_view` as well as Abseil's own string_view: the packaged Abseil's
/// StrCat does not take the former, and a newer one makes the two a single type.
class SHEAF_EXPORT Part {  // Exported for libsheaf_ipc.
 public:
  Part(const char* text) : text_(text) {}                    // NOLINT(google-explicit-constructor)
  Part(const std::string& text) : text_(text) {}             // NOLINT(google-explicit-constructor)
  template <typename Text>
    requires(!std::is_arithmetic_v<Text> && requires(const Text& text) {
      { text.data() } -> std::same_as<const char*>;
      text.size();
    } && !std::same_as<Text, std::string>)
  Part(const Text& text) : text_(text.data(), text.size()) {}  // NOLINT(google-explicit-constructor)
  template <std::integral Integer>
  Part(Integer value) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::is_unsigned_v<Integer>) {
      SetUnsigned(value);
    } else {
      SetSigned(value);
    }
  }
  Part(bool value) : text_(value ? "true" : "false") {}  // NOLINT(google-explicit-constructor)
  Part(double value);                                    // NOLINT(google-explicit-constructor)
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  std::string_view text() const { return text_; }

 private:
  void SetSigned(int64_t value);
  void SetUnsigned(uint64_t value);
  std::string_view text_;
  char digits_[32];
};

using Parts = std::initializer_list<Part>;

SHEAF_EXPORT std::string ConcatParts(Parts parts);
SHEAF_EXPORT Status ErrorOf(StatusCode code, Parts parts);

template <typename... Args>
std::string Concat(const Args&... args) {
  return ConcatParts({Part(args)...});
}
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
/// What a memory pool's refusal becomes.
SHEAF_EXPORT Status OutOfMemory(int64_t size_bytes);

/// The same status with a place in front: `$.points, ` + message.
SHEAF_EXPORT Status AtPath(std::string_view path, const Status& status);

}  // namespace sheaf::inline v1::internal
