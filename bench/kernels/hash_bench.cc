#include "kernels/hash.h"
#include "kernels/over_targets.h"

// Contents of lists and strings, for tables of those seen before.
namespace sheaf {
namespace {

using workloads::Lines;

struct Hash {
  explicit Hash(int64_t bytes) : n(bytes), in(bytes, [](int64_t i) { return i * 37; }) {}
  void operator()(const kernels::Kernels& table) {
    *out.data() = table.Of<kernels::HashLoops>().hash_bytes(in.data(), n, 1);
  }
  int64_t n;
  Lines<uint8_t> in;
  Lines<uint64_t> out{1};
};

const bool registered = workloads::OverTargets("hash_bytes", {8, 32, 200, 1000, 100000},
                                               [](int64_t n) { return Hash(n); });

}  // namespace
}  // namespace sheaf
