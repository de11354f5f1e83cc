#include "kernels/utf8.h"

#include <cstring>

#ifdef SHEAF_WITH_SIMDJSON
#include <simdjson.h>
#endif

namespace sheaf::inline v1::kernels {
namespace {

bool IsUtf8ByCodePoints(std::string_view text) noexcept {
  for (size_t at = 0; at < text.size();) {
    const size_t size = CodePointSize(text, at);
    if (size == 0) return false;
    at += size;
  }
  return true;
}

}  // namespace

bool IsAscii(std::string_view text) noexcept {
  constexpr size_t kBlock = 1024;  // Long text that is not ASCII shows it soon.
  while (!text.empty()) {
    const std::string_view block = text.substr(0, kBlock);
    uint64_t high[2] = {};
    size_t i = 0;
    for (; i + sizeof(high) <= block.size(); i += sizeof(high)) {
      uint64_t words[2];
      std::memcpy(words, block.data() + i, sizeof(words));
      high[0] |= words[0];
      high[1] |= words[1];
    }
    for (; i < block.size(); ++i) high[0] |= static_cast<uint8_t>(block[i]);
    if (((high[0] | high[1]) & 0x8080808080808080U) != 0) return false;
    text.remove_prefix(block.size());
  }
  return true;
}

bool IsUtf8(std::string_view text) noexcept {
#ifdef SHEAF_WITH_SIMDJSON
  constexpr size_t kLong = 32;  // Shorter ones are not worth its call: bench/kernels/utf8_bench.cc.
  if (text.size() >= kLong) return simdjson::validate_utf8(text.data(), text.size());
#endif
  return IsAscii(text) || IsUtf8ByCodePoints(text);
}

}  // namespace sheaf::inline v1::kernels
