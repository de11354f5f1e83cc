#include "compute/list_view/seeded_hash.h"

#include <chrono>

namespace sheaf::inline v1::internal {
namespace {

/// Where the system put this process, and when: nothing that could fail.
uint64_t DrawSeed() noexcept {
  static const char somewhere = 0;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  uint64_t seed = reinterpret_cast<uintptr_t>(&somewhere) ^ static_cast<uint64_t>(now) << 20;
  for (int i = 0; i < 3; ++i) {  // Spreads what differs over all bits.
    seed = (seed ^ seed >> 32) * 0xD6E8'FEB8'6659'FD93;
  }
  return seed ^ seed >> 32;
}

}  // namespace

const uint64_t process_seed = DrawSeed();

}  // namespace sheaf::inline v1::internal
