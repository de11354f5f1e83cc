#pragma once

#include <cstdint>
#include <string_view>

namespace sheaf::inline v1::internal {

/// What an IPC file begins and ends with.
inline constexpr std::string_view kMagic = "ARROW1";
/// The length of the footer as int32, and the magic.
inline constexpr int64_t kTrailerBytes = 4 + 6;

}  // namespace sheaf::inline v1::internal
