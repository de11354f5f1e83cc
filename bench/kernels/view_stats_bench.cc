#include "kernels/over_targets.h"
#include "kernels/view_stats.h"

// One pass over n list views of three elements: packed ones, as nearly all arrays have, and views
// that overlap.
namespace sheaf {
namespace {

using workloads::Lines;

template <typename Offset>
struct Scan {
  Scan(int64_t rows, int64_t step)
      : n(rows),
        offsets(rows, [=](int64_t i) { return i * step; }),
        sizes(rows, [](int64_t) { return 3; }) {}
  void operator()(const kernels::Kernels& table) {
    kernels::ViewScan scan;
    table.Of<kernels::ViewLoops<Offset>>().scan_views(offsets.data(), sizes.data(), n, 3 * n,
                                                      &scan);
    *out.data() = scan.sum_of_sizes + scan.end;
  }
  int64_t n;
  Lines<Offset> offsets;
  Lines<Offset> sizes;
  Lines<int64_t> out{1};
};

template <typename Offset>
auto Views(int64_t step) {
  return [=](int64_t n) { return Scan<Offset>(n, step); };
}

const bool registered =
    workloads::OverTargets("scan_views/packed_32", {20, 1000, 1000000}, Views<int32_t>(3)) &&
    workloads::OverTargets("scan_views/packed_64", {20, 1000, 1000000}, Views<int64_t>(3)) &&
    workloads::OverTargets("scan_views/overlapping_32", {20, 1000, 1000000}, Views<int32_t>(1)) &&
    workloads::OverTargets("scan_views/overlapping_64", {20, 1000, 1000000}, Views<int64_t>(1));

}  // namespace
}  // namespace sheaf
