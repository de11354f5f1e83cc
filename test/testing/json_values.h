#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "sheaf/type/data_type.h"

namespace sheaf::testing {

/// Ends the program: a literal of a test is wrong.
[[noreturn]] void BadLiteral(const std::string& what);

/// Writes the `storage.byte_width()` bytes of one fixed-width value.
void WriteFixedWidth(const DataType& storage, const nlohmann::json& value, uint8_t* target);

/// The bytes of a string or {"b": hex}.
std::string BytesFrom(const nlohmann::json& value);

/// Half precision, rounded to nearest even.
uint16_t HalfFrom(double number);

}  // namespace sheaf::testing
