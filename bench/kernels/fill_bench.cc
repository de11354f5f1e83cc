#include "kernels/fill.h"
#include "kernels/over_targets.h"

// Constant columns: a pattern over and over, and offsets that step by the size of one list.
namespace sheaf {
namespace {

using workloads::Lines;
using workloads::OverTargets;

struct Fill {
  Fill(int64_t rows, int64_t width_)
      : n(rows), width(width_), pattern(32, [](int64_t i) { return i; }), out(rows * width_) {}
  void operator()(const kernels::Kernels& table) {
    table.Of<kernels::PatternLoops>().fill_pattern(pattern.data(), width, n, out.data());
  }
  int64_t n;
  int64_t width;
  Lines<uint8_t> pattern;
  Lines<uint8_t> out;
};

template <typename Out>
struct Steps {
  explicit Steps(int64_t rows) : n(rows), out(rows) {}
  void operator()(const kernels::Kernels& table) {
    table.Of<kernels::StepLoops<Out>>().fill_steps(5, 3, n, out.data());
  }
  int64_t n;
  Lines<Out> out;
};

bool RegisterFills() {
  bool all = true;
  for (const int64_t width : {2, 4, 8, 12, 16, 32}) {
    all = OverTargets("fill_pattern/" + std::to_string(width), {20, 1000, 1000000},
                      [=](int64_t n) { return Fill(n, width); }) &&
          all;
  }
  return all;
}

const bool registered =
    RegisterFills() &&
    OverTargets("fill_steps/32", {20, 1000, 1000000},
                [](int64_t n) { return Steps<int32_t>(n); }) &&
    OverTargets("fill_steps/64", {20, 1000, 1000000}, [](int64_t n) { return Steps<int64_t>(n); });

}  // namespace
}  // namespace sheaf
