#pragma once

#include <cstdint>
#include <limits>

#include "base/error.h"
#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "sheaf/type/data_type.h"
#include "sheaf/type/layout.h"

namespace sheaf::inline v1::internal {

/// Calls `function(In{}, Out{})` with the integers of the offsets of two layouts.
template <typename Function>
auto WithWidths(const Layout& in, const Layout& out, Function&& function) {
  const bool wide = out.offset_bits == 64;
  if (in.offset_bits == 64) {
    return wide ? function(int64_t{}, int64_t{}) : function(int64_t{}, int32_t{});
  }
  return wide ? function(int32_t{}, int64_t{}) : function(int32_t{}, int32_t{});
}

/// kOutOfRange where offsets of `type` do not reach so many elements of an array of `from`.
template <typename Out>
Status CheckOffsetsReach(const DataType& type, int64_t elements, const DataType& from) {
  if (elements <= std::numeric_limits<Out>::max()) return OkStatus();
  return OutOfRange(from.ToString(), " as ", type.ToString(), ": its rows reach over ", elements,
                    " elements, and 32-bit offsets over ", std::numeric_limits<Out>::max());
}

}  // namespace sheaf::inline v1::internal
