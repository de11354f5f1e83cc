#include "kernels/narrow_integers.h"
#include "kernels/over_targets.h"

// Integers that are hoped to fit a narrower type: indices, run ends.
namespace sheaf {
namespace {

using workloads::Lines;
using workloads::OverTargets;

template <typename In, typename Out>
struct Narrow {
  explicit Narrow(int64_t rows) : n(rows), in(rows, [](int64_t i) { return i % 100; }), out(rows) {}
  void operator()(const kernels::Kernels& table) {
    benchmark::DoNotOptimize(
        table.Of<kernels::NarrowLoops<In, Out>>().try_narrow(in.data(), n, out.data()));
  }
  int64_t n;
  Lines<In> in;
  Lines<Out> out;
};

template <typename In, typename Out>
bool Register(const std::string& widths) {
  return OverTargets("try_narrow/" + widths, {20, 1000, 1000000},
                     [](int64_t n) { return Narrow<In, Out>(n); });
}

const bool registered =
    Register<int64_t, int32_t>("64_32") && Register<int64_t, int16_t>("64_16") &&
    Register<int64_t, int8_t>("64_8") && Register<int64_t, uint32_t>("64_u32") &&
    Register<int64_t, uint16_t>("64_u16") && Register<int64_t, uint8_t>("64_u8") &&
    Register<int32_t, int16_t>("32_16") && Register<int32_t, int8_t>("32_8") &&
    Register<int32_t, uint16_t>("32_u16") && Register<int32_t, uint8_t>("32_u8");

}  // namespace
}  // namespace sheaf
