#include "kernels/gather.h"
#include "kernels/over_targets.h"

// Rows selected in random order out of as many.
namespace sheaf {
namespace {

using workloads::Lines;
using workloads::OverTargets;

template <typename Index>
struct Gathered {
  Gathered(int64_t rows, int row_)
      : n(rows),
        row(row_),
        values(rows << row_, [](int64_t i) { return i; }),
        indices(rows,
                [=](int64_t i) {
                  return (static_cast<uint64_t>(i) * 0x9E3779B97F4A7C15U >> 20) %
                         static_cast<uint64_t>(rows);
                }),
        out(rows << row_) {}
  void operator()(const kernels::Kernels& table) {
    table.Of<kernels::GatherLoops<Index>>().gather[row](values.data(), indices.data(), n,
                                                        out.data());
  }
  int64_t n;
  int row;
  Lines<uint8_t> values;
  Lines<Index> indices;
  Lines<uint8_t> out;
};

template <typename Index>
bool Register(const std::string& indices) {
  bool all = true;
  for (int row = 0; row < kernels::GatherLoops<Index>::kWidths; ++row) {
    all = OverTargets("gather/" + std::to_string(1 << row) + "_by_" + indices,
                      {20, 1000, 30000, 1000000},
                      [=](int64_t n) { return Gathered<Index>(n, row); }) &&
          all;
  }
  return all;
}

const bool registered = Register<int32_t>("32") && Register<int64_t>("64");

}  // namespace
}  // namespace sheaf
