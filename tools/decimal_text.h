#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sheaf::tools {

/// A decimal as plain digits: -12345 at scale 2 is `-123.45`, 5 at scale -2 is `500`.
/// \param bytes  the unscaled integer, two's complement, little-endian, 4 to 32 bytes.
std::string DecimalText(std::span<const uint8_t> bytes, int32_t scale);

}  // namespace sheaf::tools
