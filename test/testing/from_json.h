#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "sheaf/array/array.h"

namespace sheaf::testing {

/// An array of any type from JSON: one JSON array, an entry a row. Built from raw buffers, without
/// the builders that are under test; a text that does not fit the type ends the program with a
/// message.
///
/// Entries have the form of the sidecars in test/data/ipc: null, booleans, numbers, strings; binary
/// {"b": hex} (or a string); decimals {"d": "1.23"} (or a string); dates, times and durations as
/// their stored integer; intervals as integers (day-time [days, ms], month-day-nano [months, days,
/// ns]); floats that JSON lacks
/// {"f": "nan" | "inf" | "-inf"}; lists of every kind as arrays; structs {"s": [[name, value],
/// ...]} or a plain object; maps {"m": [[key, value], ...]} or a plain object; unions as the value
/// of the first child that takes it, or {"u": [type id, value]}; dictionary and run-end values
/// decoded; extensions as their storage.
Array FromJson(const DataType& type, const nlohmann::json& rows);
Array FromJson(const DataType& type, const std::string& rows);
/// The type as text, such as `list_view<int32>`.
Array FromJson(const std::string& type, const std::string& rows);
inline Array FromJson(const DataType& type, const char* rows) {
  return FromJson(type, std::string(rows));
}
inline Array FromJson(const char* type, const char* rows) {
  return FromJson(std::string(type), std::string(rows));
}

/// The type that a text such as `struct<a: int32, b: list_view<utf8>>` names; ends the program
/// where there is none.
DataType TypeFrom(const std::string& text);

}  // namespace sheaf::testing
