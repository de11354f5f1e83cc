#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/base/status.h"
#include "sheaf/type/data_type.h"
#include "sheaf/type/field.h"
#include "sheaf/type/metadata.h"

namespace sheaf::inline v1::internal {

/// The format string of `type` (Arrow C data interface, "Data type description"): `i`, `+vl`,
/// `tsu:UTC`. A dictionary type has that of its indices, an extension that of its storage.
std::string FormatOf(const DataType& type);

/// The type that `format` names, dictionaries aside: those are told by a schema's dictionary
/// member.
///
/// \param children     imported child fields, in order; types without children take none.
/// \param keys_sorted  maps: their flag; all other types ignore it.
/// \return kInvalidArgument quoting `format`.
StatusOr<DataType> ParseFormat(std::string_view format, std::vector<Field> children,
                               bool keys_sorted);

/// Metadata as the interface has it: int32 count, then a length and bytes for each key and value,
/// all in the machine's byte order. Empty where there is none: the pointer is then null.
std::string EncodeMetadata(const Metadata& metadata);

/// \param encoded  may be null: no metadata. Its size is not known, so only negative counts can be
/// refused.
/// \return kInvalidArgument naming the pair.
StatusOr<Metadata> DecodeMetadata(const char* encoded);

}  // namespace sheaf::inline v1::internal
