#pragma once

#include <string>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"

namespace sheaf::inline v1 {

struct EqualityOptions {
  /// Floats as IEEE has it: no NaN equals any, 0.0 equals -0.0. By default floats are equal when
  /// their bits are, or both are NaN.
  bool ieee_floats = false;
};

/// Same type (but for child names and metadata of lists and maps) and same values, logically:
/// offsets, sizes, placement and what lies under a null are not compared. Dictionary and run-end
/// arrays are compared decoded, within one type. An array that must not be followed
/// (`Array::Verify` fails) equals nothing.
SHEAF_EXPORT bool Equals(const Array& a, const Array& b, const EqualityOptions& options = {});

/// Where `a` and `b` first differ and how, such as `$.points.item, row 7, element 2: 5 and 6`;
/// empty where they are equal.
SHEAF_EXPORT std::string FirstDifference(const Array& a, const Array& b,
                                         const EqualityOptions& options = {});

}  // namespace sheaf
