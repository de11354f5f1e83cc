#pragma once

#include "kernels/kernel_table.h"

namespace sheaf::inline v1::kernels {

/// The table every machine can run.
extern const Kernels kScalar;

// Those of x86-64, which this build has if SHEAF_KERNELS_X86 is set; ask `Runnable` for them.
extern const Kernels kSse4_2;
extern const Kernels kAvx2;
extern const Kernels kAvx512bw;

}  // namespace sheaf::inline v1::kernels
