#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sheaf/array/array.h"
#include "sheaf/type/schema.h"

namespace sheaf::tools {

using Json = nlohmann::ordered_json;

/// Row `row` of `array` as JSON that loses nothing:
///
/// | type | JSON |
/// |---|---|
/// | null, bool, integers, floats, utf8 | null, true, 1, 1.5, "text" |
/// | floats that are not finite | {"f": "nan"}, {"f": "inf"}, {"f": "-inf"} |
/// | date, time, timestamp, duration, interval[months] | the stored integer |
/// | interval[day_time], interval[month_day_nano] | [days, milliseconds], [months, days,
/// nanoseconds] | | decimals | {"d": "1.23"} | | binary (and utf8 that is not UTF-8) | {"b": "hex"}
/// | | all list-likes | [...] | | struct | {"s": [[name, value], ...]}: names may repeat | | map |
/// {"m": [[key, value], ...]} | | union, dictionary, run-end, extension | the value it stands for |
///
/// The array must have passed `Array::Verify`.
Json ValueAsJson(const Array& array, int64_t row);

/// Keys of the columns in a row's object: the names; where one is empty or repeats, with its
/// position behind, as in column paths: `a[0]`, `a[1]`, `[2]`.
std::vector<std::string> RowKeys(const Schema& schema);

}  // namespace sheaf::tools
