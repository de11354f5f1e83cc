#pragma once

#include "ipc/format/file_generated.h"
#include "ipc/format/message_generated.h"
#include "ipc/format/schema_generated.h"
#include "sheaf/base/bits.h"

namespace sheaf::inline v1::internal {

/// What flatc makes of the `.fbs` files beside this header.
namespace format = ::sheaf_v1_ipc_format;

/// Entry i of a verified vector of structs or of int64. The verifier sees to the alignment of the
/// vector's length, 4 bytes, not to that of its entries.
template <typename Struct>
Struct EntryAt(const flatbuffers::Vector<const Struct*>& entries, int64_t i) {
  return LoadUnaligned<Struct>(entries.Data() + i * static_cast<int64_t>(sizeof(Struct)));
}
inline int64_t EntryAt(const flatbuffers::Vector<int64_t>& entries, int64_t i) {
  return LoadUnaligned<int64_t>(entries.Data() + i * static_cast<int64_t>(sizeof(int64_t)));
}

}  // namespace sheaf::inline v1::internal
