#include "kernels/kernel_table.h"

namespace sheaf::inline v1::kernels {
namespace {

struct ScalarTarget;  // What the compiler makes of the loops without flags for any processor.

constexpr Kernels kScalar{
    .target = "scalar",
    .scan_views_32 = &ScanViews<ScalarTarget, int32_t>,
    .scan_views_64 = &ScanViews<ScalarTarget, int64_t>,
};

}  // namespace

const Kernels& Scalar() noexcept { return kScalar; }

}  // namespace sheaf::inline v1::kernels
