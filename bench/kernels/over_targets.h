#pragma once

#include <cstring>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "kernels/kernel_table.h"

namespace sheaf::workloads {

/// n values in whole cache lines, as buffers are.
template <typename T>
class Lines {
 public:
  explicit Lines(int64_t n)
      : n_(n), lines_(static_cast<size_t>(n) * sizeof(T) / sizeof(Line) + 2) {}
  /// The i-th is make(i).
  template <typename Make>
  Lines(int64_t n, Make&& make) : Lines(n) {
    for (int64_t i = 0; i < n; ++i) data()[i] = static_cast<T>(make(i));
  }
  T* data() { return reinterpret_cast<T*>(lines_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(lines_.data()); }
  int64_t size_bytes() const { return n_ * static_cast<int64_t>(sizeof(T)); }

 private:
  struct alignas(64) Line {
    uint8_t bytes[64] = {};
  };
  int64_t n_;
  std::vector<Line> lines_;
};

/// One bench a target and a length. `prepare(n)` gives an object that holds the input and `out`,
/// whose call with a table runs that table's loop; it is checked once that all tables write the
/// same.
template <typename Prepare>
bool OverTargets(const std::string& kernel, std::initializer_list<int64_t> lengths,
                 Prepare prepare) {
  for (const kernels::Kernels* table : kernels::Runnable()) {
    auto* bench = benchmark::RegisterBenchmark(
        ("kernel/" + kernel + "/" + table->target).c_str(), [=](benchmark::State& state) {
          auto work = prepare(state.range(0));
          work(*kernels::Runnable().back());
          const auto expected = work.out;
          std::memset(work.out.data(), 0, static_cast<size_t>(work.out.size_bytes()));
          work(*table);
          if (std::memcmp(work.out.data(), expected.data(),
                          static_cast<size_t>(work.out.size_bytes())) != 0) {
            return state.SkipWithError("not what the scalar target writes");
          }
          for (auto _ : state) {
            work(*table);
            benchmark::ClobberMemory();
          }
          state.SetItemsProcessed(state.iterations() * state.range(0));
        });
    for (const int64_t n : lengths) bench->Arg(n);
    bench->MinTime(0.02);
  }
  return true;
}

}  // namespace sheaf::workloads
