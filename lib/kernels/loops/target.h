#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace sheaf::inline v1::kernels::loops {

// A loop is a template over its target. Targets whose vectors are worth writing by hand have
// `Vector<T>`, xsimd's batch of their register, and functions for what xsimd 8.1 lacks:
//
//   PrefixSums(x)      a b c d  ->  a, a+b, a+b+c, a+b+c+d
//   Last(x)            a b c d  ->  d d d d
//   AnyNegative(x)
//   Upper(x)           each byte  ->  its upper four bits in the lower four, anything in the upper
//   LookUp(table, x)   each byte b  ->  table[b], b < 16, of a table that repeats each 128 bits
//   SumsOfEight(x)     each 8 bytes  ->  their sum, in 64 bits
//
// `Gathered(Width<w>, values, indices)` is a register of as many values of w bytes as fit, where
// the target's instruction for them measures faster than one load after the other.
//
// Each target's type lives in an unnamed namespace of its one source, so that all its loops are
// local to that object: a weak function compiled with one target's flags could be picked by the
// linker for every machine. For the same reason loops use no function of the standard library
// (std::min is one); test/structure/kernel_symbols_test.py looks.

template <typename Target>
inline constexpr bool kByHand = requires { typename Target::template Vector<int32_t>; };

/// For the few rows that callers do in place, with the flags of the caller.
struct InPlace {};

/// What Out keeps of a number. Of a wider one the lower half is loaded alone, which vectors of all
/// widths do faster than cutting whole ones.
template <typename Target, typename Out, typename In>
std::make_unsigned_t<Out> Low(const In* in) noexcept {
  static_assert(std::endian::native == std::endian::little);
  std::make_unsigned_t<Out> low;
  if constexpr (sizeof(Out) < sizeof(In)) {
    std::memcpy(&low, in, sizeof(low));
  } else {
    low = static_cast<std::make_unsigned_t<Out>>(*in);
  }
  return low;
}

}  // namespace sheaf::inline v1::kernels::loops
