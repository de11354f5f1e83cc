#include "kernels/loops/make_table.h"
#include "kernels/targets/targets.h"

namespace sheaf::inline v1::kernels {
namespace {

/// What the compiler makes of the loops without flags for any processor.
struct ScalarTarget {};

}  // namespace

constinit const Kernels kScalar = loops::MakeTable<ScalarTarget>("scalar");

}  // namespace sheaf::inline v1::kernels
