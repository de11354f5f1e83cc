#pragma once

#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// Sanitizers find errors by replacing malloc: memory kept warm would hide them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||
                            __has_feature(memory_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

/// A pool that lives as long as the process, chosen by the environment (see MemoryPool::Default).
MemoryPool* MakeDefaultPool() noexcept;

}  // namespace sheaf::inline v1::internal
