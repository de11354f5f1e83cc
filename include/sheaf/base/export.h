#pragma once

/// Symbols are hidden by default; what users link is marked.
#if defined(_WIN32)
#define SHEAF_EXPORT
#else
#define SHEAF_EXPORT __attribute__((visibility("default")))
#endif
