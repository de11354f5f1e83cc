#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

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

/// The first place at which two arrays differ.
struct ValueDifference {
  std::string path;               ///< Such as `$.points.item`.
  int64_t row = 0;                ///< Of the arrays compared.
  std::vector<int64_t> elements;  ///< In the lists of the row, the outermost first.
  std::string a;  ///< The value there as text, or how many elements its list has, or
                  ///< its type id, if that is what differs.
  std::string b;

  /// Such as `$.points.item, row 7, element 2`; of the second list in the list, `element 1.2`.
  std::string Place() const;
};

/// The first row that differs, down to the value that does; none where all rows are the same.
/// \return kInvalidArgument for types or lengths that differ, and the structural error of an array
/// that must not be followed.
SHEAF_EXPORT StatusOr<std::optional<ValueDifference>> FindDifference(
    const Array& a, const Array& b, const EqualityOptions& options = {});

/// Where `a` and `b` first differ and how, types and lengths too, such as `$.points.item, row 7,
/// element 2: 5 and 6`; empty where they are equal.
SHEAF_EXPORT std::string FirstDifference(const Array& a, const Array& b,
                                         const EqualityOptions& options = {});

}  // namespace sheaf
