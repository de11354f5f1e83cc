#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/strings/string_view.h>

#include <cassert>
#include <utility>

namespace sheaf::inline v1 {

/// The one place that names Abseil's types: an engine with another Abseil builds Sheaf with its own.
using Status = absl::Status;
template <typename T>
using StatusOr = absl::StatusOr<T>;
using StatusCode = absl::StatusCode;
using string_view = absl::string_view;

inline Status OkStatus() { return Status(); }

}  // namespace sheaf

/// Returns the status of `expression` from the function, unless it is OK.
#define SHEAF_RETURN_IF_ERROR(expression)                                             \
  do {                                                                                \
    if (::sheaf::Status sheaf_status = (expression); !sheaf_status.ok()) [[unlikely]] \
      return sheaf_status;                                                            \
  } while (false)

/// Declares or assigns `lhs` from a StatusOr, or returns its status from the function.
#define SHEAF_ASSIGN_OR_RETURN(lhs, expression) \
  SHEAF_ASSIGN_OR_RETURN_(SHEAF_CONCAT_(sheaf_result_, __LINE__), lhs, expression)
#define SHEAF_ASSIGN_OR_RETURN_(result, lhs, expression)             \
  auto result = (expression);                                        \
  if (!result.ok()) [[unlikely]] return std::move(result).status();  \
  lhs = *std::move(result)
#define SHEAF_CONCAT_(a, b) SHEAF_CONCAT2_(a, b)
#define SHEAF_CONCAT2_(a, b) a##b

/// States what our own code guarantees; checked in debug builds.
#define SHEAF_DCHECK(condition) assert(condition)
