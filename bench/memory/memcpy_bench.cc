#include <cstring>
#include <vector>

#include <benchmark/benchmark.h>

// What this machine can do at all: other figures are read beside it.
namespace sheaf {
namespace {

void MemcpyTouched(benchmark::State& state, int64_t bytes) {
  const std::vector<char> source(static_cast<size_t>(bytes), 1);
  std::vector<char> target(static_cast<size_t>(bytes), 2);
  for (auto _ : state) {
    std::memcpy(target.data(), source.data(), source.size());
    benchmark::DoNotOptimize(target.data());
    benchmark::ClobberMemory();
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}
BENCHMARK_CAPTURE(MemcpyTouched, memcpy_limit, 4'000'000)->Name("memcpy_limit/4MB/touched");
BENCHMARK_CAPTURE(MemcpyTouched, memcpy_limit, 64'000'000)->Name("memcpy_limit/64MB/touched");
BENCHMARK_CAPTURE(MemcpyTouched, memcpy_limit, 40'000'000)->Name("memcpy_limit/40MB/touched");

void MemsetTouched(benchmark::State& state, int64_t bytes) {
  std::vector<char> target(static_cast<size_t>(bytes), 1);
  for (auto _ : state) {
    std::memset(target.data(), 2, target.size());
    benchmark::DoNotOptimize(target.data());
    benchmark::ClobberMemory();
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}
BENCHMARK_CAPTURE(MemsetTouched, memset_limit, 8'000'000)->Name("memset_limit/8MB/touched");

}  // namespace
}  // namespace sheaf
