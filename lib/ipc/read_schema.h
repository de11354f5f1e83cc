#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipc/format/format.h"
#include "sheaf/base/status.h"
#include "sheaf/type/schema.h"

namespace sheaf::inline v1::internal {

/// A field whose dictionary the stream sends under an id. Several fields may share one.
struct DictionaryField {
  int column;  ///< The column that it is, or lies in.
  int64_t id;
};

/// A schema as the stream has it.
struct StreamSchema {
  Schema schema;
  /// In the order of a walk down the fields, children before their parents.
  std::vector<DictionaryField> dictionaries;
  bool big_endian = false;
};

/// \param table           verified.
/// \param metadata_bytes  of the message: the text of names and metadata may not exceed a multiple
/// of it, for
///                        a forged message may name one long string many times.
/// \return kInvalidArgument naming the field's path; kUnimplemented for types the format has gained
/// since.
StatusOr<StreamSchema> ReadSchema(const format::Schema* table, int64_t metadata_bytes,
                                  int max_depth);

}  // namespace sheaf::inline v1::internal
