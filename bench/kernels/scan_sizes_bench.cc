#include "kernels/over_targets.h"
#include "kernels/scan_sizes.h"

// List to list-view, and back: sizes from offsets and offsets from sizes.
namespace sheaf {
namespace {

using kernels::OffsetLoops;
using workloads::Lines;
using workloads::OverTargets;

template <typename In, typename Out>
struct Ends {
  explicit Ends(int64_t rows) : n(rows), sizes(rows, [](int64_t i) { return i % 7; }), out(rows) {}
  void operator()(const kernels::Kernels& table) {
    benchmark::DoNotOptimize(
        table.Of<OffsetLoops<In, Out>>().ends_of_sizes(sizes.data(), n, 5, out.data()));
  }
  int64_t n;
  Lines<In> sizes;
  Lines<Out> out;
};

template <typename In, typename Out>
struct Sizes {
  explicit Sizes(int64_t rows)
      : n(rows), offsets(rows + 1, [](int64_t i) { return 3 * i; }), out(rows) {}
  void operator()(const kernels::Kernels& table) {
    table.Of<OffsetLoops<In, Out>>().sizes_of_offsets(offsets.data(), n, out.data());
  }
  int64_t n;
  Lines<In> offsets;
  Lines<Out> out;
};

template <typename In, typename Out>
bool Register(const std::string& widths) {
  return OverTargets("ends_of_sizes/" + widths, {20, 1000, 1000000},
                     [](int64_t n) { return Ends<In, Out>(n); }) &&
         OverTargets("sizes_of_offsets/" + widths, {20, 1000, 1000000},
                     [](int64_t n) { return Sizes<In, Out>(n); });
}

const bool registered = Register<int32_t, int32_t>("32_32") &&
                        Register<int32_t, int64_t>("32_64") &&
                        Register<int64_t, int32_t>("64_32") && Register<int64_t, int64_t>("64_64");

}  // namespace
}  // namespace sheaf
