#pragma once

/// \file
/// All of libsheaf. Arrow IPC is a library of its own: `sheaf/ipc/`.

#include "sheaf/base/bits.h"
#include "sheaf/base/checked.h"
#include "sheaf/base/status.h"
#include "sheaf/fwd.h"
#include "sheaf/version.h"
