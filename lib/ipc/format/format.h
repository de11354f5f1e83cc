#pragma once

#include "ipc/format/file_generated.h"
#include "ipc/format/message_generated.h"
#include "ipc/format/schema_generated.h"

namespace sheaf::inline v1::internal {

/// What flatc makes of the `.fbs` files beside this header.
namespace format = ::sheaf_v1_ipc_format;

}  // namespace sheaf::inline v1::internal
