#include "kernels/kernel_table.h"

#include <cstdlib>
#include <cstring>

#include "kernels/targets/targets.h"

namespace sheaf::inline v1::kernels {
namespace {

struct RunnableTables {
  const Kernels* tables[4] = {};
  size_t count = 0;

  void Add(bool runs, const Kernels& table) noexcept {
    if (runs) tables[count++] = &table;
  }
};

/// `__builtin_cpu_supports` answers for processor and system together: a target whose registers the
/// system does not save is not there.
RunnableTables Find() noexcept {
  RunnableTables found;
#ifdef SHEAF_KERNELS_X86
  __builtin_cpu_init();  // This may run before the compiler's own initialiser.
  const bool sse4_2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  const bool avx2 = sse4_2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
  const bool avx512bw = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  found.Add(avx512bw, kAvx512bw);
  found.Add(avx2, kAvx2);
  found.Add(sse4_2, kSse4_2);
#endif
  found.Add(true, kScalar);
  return found;
}

const Kernels* Choose() noexcept {
  const std::span<const Kernels* const> runnable = Runnable();
  if (const char* forced = std::getenv("SHEAF_KERNELS"); forced != nullptr) {
    for (const Kernels* table : runnable) {
      if (std::strcmp(table->target, forced) == 0) return table;
    }
  }
  return runnable.front();
}

[[maybe_unused]] const bool chosen = (internal::best = Choose(), true);

}  // namespace

constinit const Kernels* internal::best = &kScalar;

std::span<const Kernels* const> Runnable() noexcept {
  static const RunnableTables found = Find();
  return {found.tables, found.count};
}

}  // namespace sheaf::inline v1::kernels
