#pragma once

#include <cstdint>
#include <string>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"

namespace sheaf::inline v1 {

/// How values are written.
enum class PrintStyle : uint8_t {
  kText,  ///< For people: `{a: 1, b: "x"}`, `x"0aff"`, `1.23`, `nan`.
  /// JSON that loses nothing: bytes {"b": hex}, decimals {"d": "1.23"}, floats that JSON has not
  /// {"f": "nan"}, structs {"s": [[name, value], ...]}, maps {"m": [[key, value], ...]}; dates,
  /// times and durations as the stored integer, intervals as arrays of integers, dictionaries
  /// decoded, runs expanded, unions as the child's value, extensions as their storage. Narrow
  /// floats are written as the double of the same value.
  kJson,
};

/// Row i as text, cut where `AppendValue` cuts.
/// \return `<invalid: why>` where the row must not be followed.
SHEAF_EXPORT std::string ValueToString(const Array& array, int64_t row,
                                       PrintStyle style = PrintStyle::kText);

/// Appends row i to `text`. The array must be verified (`Array::Verify`).
/// \return false where the value was cut because it is longer than 1 MiB (kText) or 256 MiB
/// (kJson):
///     views that share elements can be small in memory and endless as text.
SHEAF_EXPORT bool AppendValue(const Array& array, int64_t row, PrintStyle style, std::string* text);

/// Appends `text` as a JSON string with its quotes. What is not UTF-8 becomes U+FFFD.
SHEAF_EXPORT void AppendJsonString(string_view text, std::string* json);

}  // namespace sheaf
