#include "base/error.h"

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

#include <absl/strings/cord.h>

namespace sheaf::inline v1::internal {

namespace {

constexpr std::string_view kPoolRefused = "the memory pool refused ";

template <typename Number>
void AppendNumber(Number number, std::string* message) {
  char digits[32];  // The shortest form of a double has 24 characters at most.
  const std::to_chars_result written = std::to_chars(digits, digits + sizeof(digits), number);
  message->append(digits, written.ptr);
}

}  // namespace

void Part::AppendTo(std::string* message) const {
  switch (kind_) {
    case Kind::kText:
      message->append(text_);
      return;
    case Kind::kCharacter:
      message->push_back(character_);
      return;
    case Kind::kSigned:
      return AppendNumber(signed_, message);
    case Kind::kUnsigned:
      return AppendNumber(unsigned_, message);
    case Kind::kDouble:
      return AppendNumber(double_, message);
  }
}

std::string ConcatParts(Parts parts) {
  std::string message;
  for (const Part& part : parts) {
    part.AppendTo(&message);
  }
  return message;
}

Status ErrorOf(StatusCode code, Parts parts) { return Status(code, ConcatParts(parts)); }

Status OutOfMemory(int64_t size_bytes) {
  return ResourceExhausted(kPoolRefused, size_bytes, " bytes");
}

bool IsOutOfMemory(const Status& status) {
  const std::string_view message(status.message().data(), status.message().size());
  return status.code() == StatusCode::kResourceExhausted && message.starts_with(kPoolRefused);
}

namespace {

// "$", "$.points", "$[2]" are paths; "$5 too much" is text.
bool StartsWithPath(std::string_view message) {
  return message.starts_with('$') && message.size() > 1 &&
         std::string_view(".[:,").find(message[1]) != std::string_view::npos;
}

}  // namespace

Status AtPath(std::string_view path, const Status& status) {
  if (status.ok()) {
    return status;
  }
  const std::string_view message(status.message().data(), status.message().size());
  std::string placed =
      StartsWithPath(message) ? Concat(path, message.substr(1)) : Concat(path, ": ", message);
  Status result(status.code(), placed);
  status.ForEachPayload([&](string_view type_url, const absl::Cord& payload) {
    result.SetPayload(type_url, payload);
  });
  return result;
}

}  // namespace sheaf::inline v1::internal
