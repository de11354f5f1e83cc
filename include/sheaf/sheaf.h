#pragma once

/// \file
/// All of libsheaf. Arrow IPC is a library of its own: `sheaf/ipc/`.

#include "sheaf/base/bits.h"
#include "sheaf/base/checked.h"
#include "sheaf/base/status.h"
#include "sheaf/fwd.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/memory_pool.h"
#include "sheaf/type/can_append.h"
#include "sheaf/type/data_type.h"
#include "sheaf/type/extension.h"
#include "sheaf/type/field.h"
#include "sheaf/type/layout.h"
#include "sheaf/type/metadata.h"
#include "sheaf/type/schema.h"
#include "sheaf/type/type_id.h"
#include "sheaf/type/visit_layout.h"
#include "sheaf/type/visit_type.h"
#include "sheaf/version.h"
