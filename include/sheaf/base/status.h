#pragma once

#include <cstdio>
#include <cstdlib>
#include <utility>

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/strings/string_view.h>

namespace sheaf::inline v1 {

/// The one place that names Abseil's types: an engine with another Abseil builds Sheaf with its
/// own.
using Status = absl::Status;
template <typename T>
using StatusOr = absl::StatusOr<T>;
using StatusCode = absl::StatusCode;
using string_view = absl::string_view;

inline Status OkStatus() { return Status(); }

}  // namespace sheaf

/// Returns the status of an expression from the function, unless it is OK.
#define SHEAF_RETURN_IF_ERROR(...)                                                       \
  do {                                                                                   \
    if (::sheaf::Status sheaf_status = (__VA_ARGS__); !sheaf_status.ok()) [[unlikely]] { \
      return sheaf_status;                                                               \
    }                                                                                    \
  } while (false)

/// Declares or assigns `lhs` from a StatusOr, or returns its status from the function:
/// `SHEAF_ASSIGN_OR_RETURN(const Array array, builder.Finish());`. An `lhs` that holds a comma
/// needs a declaration of its own before. At most one a line of source.
#define SHEAF_ASSIGN_OR_RETURN(lhs, ...) \
  SHEAF_ASSIGN_OR_RETURN_(SHEAF_CONCAT_(sheaf_result_, __LINE__), lhs, __VA_ARGS__)
#define SHEAF_ASSIGN_OR_RETURN_(result, lhs, ...) \
  auto result = (__VA_ARGS__);                    \
  if (!result.ok()) [[unlikely]] {                \
    return std::move(result).status();            \
  }                                               \
  lhs = *std::move(result)
#define SHEAF_CONCAT_(a, b) SHEAF_CONCAT2_(a, b)
#define SHEAF_CONCAT2_(a, b) a##b

/// States what our own code guarantees; checked where `NDEBUG` is not defined.
#ifdef NDEBUG
#define SHEAF_DCHECK(...) static_cast<void>(sizeof(!(__VA_ARGS__)))
#else
#define SHEAF_DCHECK(...)                                                                   \
  do {                                                                                      \
    if (!(__VA_ARGS__)) {                                                                   \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
      std::abort();                                                                         \
    }                                                                                       \
  } while (false)
#endif
