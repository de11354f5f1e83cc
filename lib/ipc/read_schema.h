#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ipc/format/format.h"
#include "sheaf/base/status.h"
#include "sheaf/type/schema.h"

namespace sheaf::inline v1::internal {

/// Ids of the dictionaries within a column, or within the values of a dictionary, in the order of a
/// walk down the fields that does not go into dictionaries.
using DictionaryIds = std::vector<int64_t>;

/// A dictionary that the stream sends under an id. Several fields may share it.
struct DictionaryDeclaration {
  DataType values;
  DictionaryIds inner;  ///< Within its values.
};

/// A schema as the stream has it.
struct StreamSchema {
  Schema schema;
  std::vector<DictionaryIds> columns;
  std::map<int64_t, DictionaryDeclaration> dictionaries;  ///< By id.
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
