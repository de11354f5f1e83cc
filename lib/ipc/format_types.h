#pragma once

#include <cstdint>

#include "ipc/format/format.h"
#include "sheaf/type/type_id.h"

namespace sheaf::inline v1::internal {

/// How the format spells a type: its table, and the values that tell types of one table apart.
/// Every type but dictionaries and extensions, which the format keeps in the field, has one row.
struct FormatType {
  TypeId id;
  format::Type type;
  int32_t bit_width = 0;   ///< Integers, decimals, times.
  bool is_signed = false;  ///< Integers.
  int16_t variant = 0;     ///< Precision, date or interval unit, union mode.
};

/// The row of one of our types; null for dictionaries and extensions.
const FormatType* FormatOfType(TypeId id) noexcept;

/// The row that a table read from a message names; null where there is none.
const FormatType* FindFormatType(const FormatType& key) noexcept;

}  // namespace sheaf::inline v1::internal
