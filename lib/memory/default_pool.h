#pragma once

#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1::internal {

/// Sanitizers find errors by replacing malloc: memory kept warm would hide them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHEAF_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SHEAF_SANITIZED 1
#endif
#endif
#if defined(SHEAF_SANITIZED)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#undef SHEAF_SANITIZED

/// A pool that lives as long as the process, chosen by the environment (see MemoryPool::Default).
MemoryPool* MakeDefaultPool() noexcept;

}  // namespace sheaf::inline v1::internal
