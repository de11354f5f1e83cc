#pragma once

#include <chrono>
#include <string>

#include <benchmark/benchmark.h>

#include "sheaf/array/array.h"
#include "workloads/list_views.h"

namespace sheaf::workloads {

/// Times `run`, which gives an array: its allocation is inside, giving it back outside the timed
/// region, as in the peers' programs. The result is checked once before: valid, and equal to
/// `expected`.
template <typename Function>
void TimeArray(benchmark::State& state, const Array& expected, Function run) {
  {
    const StatusOr<Array> once = run();
    Status status = once.status();
    if (status.ok()) status = Validate(*once, ValidationLevel::kFull);
    if (!status.ok()) return state.SkipWithError(status.ToString().c_str());
    if (!(*once == expected)) return state.SkipWithError("the result is not what was expected");
    state.counters["bytes"] = static_cast<double>(BufferBytes(*once));
  }
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    const StatusOr<Array> result = run();
    benchmark::DoNotOptimize(result);
    const auto end = std::chrono::steady_clock::now();
    state.SetIterationTime(std::chrono::duration<double>(end - start).count());
  }
}

}  // namespace sheaf::workloads
