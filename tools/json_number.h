#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "sheaf/type/data_type.h"

namespace sheaf::tools {

/// Writes the `storage.byte_width()` bytes of one value of a fixed-width type, from the form in
/// which `sheaf cat --json` prints it. \return false where it is no value of the type.
bool WriteFixedWidth(const DataType& storage, const nlohmann::json& value, uint8_t* target);

/// What `WriteFixedWidth` takes, for a message.
std::string FixedWidthForm(const DataType& storage);

/// What is taken for binary and utf8, for a message.
std::string TextForm(const DataType& storage);

/// Appends the bytes of {"b": hex}, or of a text. \return false for anything else.
bool ReadBytes(const nlohmann::json& value, std::string* bytes);

}  // namespace sheaf::tools
