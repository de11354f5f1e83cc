#include "memory/default_pool.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <new>

#include "memory/system_pool.h"
#include "memory/warm_pool.h"

namespace sheaf::inline v1::internal {
namespace {

/// Made in static storage and never destroyed: arrays in static storage may be freed after any
/// destructor of ours has run.
template <typename Pool, typename... Arguments>
MemoryPool* MakeForGood(Arguments... arguments) noexcept {
  alignas(Pool) static unsigned char storage[sizeof(Pool)];
  return new (storage) Pool(arguments...);
}

bool SystemWanted() noexcept {
  const char* name = std::getenv("SHEAF_POOL");
  return kSanitized || (name != nullptr && std::strcmp(name, "system") == 0);
}

/// What is not a whole number of bytes is as good as not set.
int64_t StockBytes() noexcept {
  int64_t bytes = WarmPoolOptions{}.stock_bytes;
  if (const char* text = std::getenv("SHEAF_POOL_STOCK_BYTES"); text != nullptr) {
    const char* end = text + std::strlen(text);
    int64_t given = 0;
    const auto [parsed, error] = std::from_chars(text, end, given);
    if (error == std::errc() && parsed == end) bytes = std::max<int64_t>(given, 0);
  }
  return bytes;
}

}  // namespace

MemoryPool* MakeDefaultPool() noexcept {
  if (SystemWanted()) return MakeForGood<SystemPool>();
  return MakeForGood<WarmPool>(PageStock::Options{.held_limit_bytes = StockBytes()});
}

}  // namespace sheaf::inline v1::internal
