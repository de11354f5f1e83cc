#include <string>

#include <benchmark/benchmark.h>

#include "kernels/utf8.h"

// Strings that come from elsewhere: ASCII, and text of two bytes a letter.
namespace sheaf {
namespace {

void Utf8Checked(benchmark::State& state, const std::string& piece) {
  std::string text;
  while (text.size() < static_cast<size_t>(state.range(0))) text += piece;
  if (!kernels::IsUtf8(text)) return state.SkipWithError("not UTF-8");
  for (auto _ : state) benchmark::DoNotOptimize(kernels::IsUtf8(text));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK_CAPTURE(Utf8Checked, ascii, "a")
    ->Name("kernel/utf8/ascii")
    ->Arg(16)
    ->Arg(32)
    ->Arg(46)
    ->Arg(48)
    ->Arg(64)
    ->Arg(1000)
    ->Arg(1000000)
    ->MinTime(0.02);
BENCHMARK_CAPTURE(Utf8Checked, greek, "\xCE\xB1")
    ->Name("kernel/utf8/greek")
    ->Arg(16)
    ->Arg(32)
    ->Arg(46)
    ->Arg(48)
    ->Arg(64)
    ->Arg(1000)
    ->Arg(1000000)
    ->MinTime(0.02);

}  // namespace
}  // namespace sheaf
