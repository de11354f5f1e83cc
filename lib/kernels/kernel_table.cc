#include "kernels/kernel_table.h"

#include <cstdlib>
#include <cstring>

namespace sheaf::inline v1::kernels {
namespace {

const Kernels& Choose() noexcept {
  const std::span<const Kernels* const> runnable = Runnable();
  // A name that this machine cannot run, or that nobody knows, is treated as if it were not there.
  if (const char* forced = std::getenv("SHEAF_KERNELS"); forced != nullptr) {
    for (const Kernels* table : runnable) {
      if (std::strcmp(table->target, forced) == 0) return *table;
    }
  }
  return *runnable.front();
}

}  // namespace

std::span<const Kernels* const> Runnable() noexcept {
  static const Kernels* const kTables[] = {&Scalar()};
  return kTables;
}

const Kernels& Best() noexcept {
  static const Kernels& best = Choose();
  return best;
}

}  // namespace sheaf::inline v1::kernels
