#pragma once

#include <cstdint>

#include "sheaf/array/array.h"

namespace sheaf::inline v1::internal {

/// Bytes that the rows of a verified array give a builder, its children's included: what decides
/// whether it is kept by reference. Views count as they are; what lies behind them counts as much
/// as the child holds.
int64_t GivenBytes(const Array& array) noexcept;

/// Bits of all that the rows of a verified array read, children included: a measure that adds up
/// where an array is taken apart into slices.
int64_t ReadBits(const Array& array) noexcept;

}  // namespace sheaf::inline v1::internal
