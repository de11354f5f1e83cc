#include "memory/system_blocks.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace sheaf::inline v1::internal {
namespace {

//   raw                        block
//   | shift bytes (16..64) ... | size bytes |
//                            ^ the byte in front of the block holds the shift
constexpr int64_t kAlignment = MemoryPool::kAlignment;

/// From the raw address to the next multiple of 64, never 0.
int64_t ShiftOf(const uint8_t* raw) noexcept {
  const auto misalignment = static_cast<int64_t>(reinterpret_cast<uintptr_t>(raw) % kAlignment);
  return kAlignment - misalignment;
}

uint8_t* Mark(uint8_t* raw, int64_t shift) noexcept {
  raw[shift - 1] = static_cast<uint8_t>(shift);
  return raw + shift;
}

}  // namespace

uint8_t* AllocateFromSystem(int64_t size_bytes) noexcept {
  if (size_bytes <= 0 || size_bytes > kLargestBlock) return nullptr;
  auto* raw = static_cast<uint8_t*>(std::malloc(static_cast<size_t>(size_bytes + kAlignment)));
  return raw == nullptr ? nullptr : Mark(raw, ShiftOf(raw));
}

uint8_t* ReallocateFromSystem(uint8_t* block, int64_t old_size_bytes,
                              int64_t new_size_bytes) noexcept {
  if (new_size_bytes <= 0 || new_size_bytes > kLargestBlock) return nullptr;
  const int64_t old_shift = block[-1];
  auto* raw = static_cast<uint8_t*>(
      std::realloc(block - old_shift, static_cast<size_t>(new_size_bytes + kAlignment)));
  if (raw == nullptr) return nullptr;
  const int64_t shift = ShiftOf(raw);
  if (shift != old_shift) {  // realloc kept the bytes, but where they now lie is not aligned.
    const int64_t kept_bytes = std::min(old_size_bytes, new_size_bytes);
    std::memmove(raw + shift, raw + old_shift, static_cast<size_t>(kept_bytes));
  }
  return Mark(raw, shift);
}

void FreeToSystem(uint8_t* block) noexcept { std::free(block - block[-1]); }

}  // namespace sheaf::inline v1::internal
