#include "kernels/over_targets.h"
#include "kernels/shift_views.h"

// Offsets that move when arrays are joined, of either width into either.
namespace sheaf {
namespace {

using kernels::OffsetLoops;
using workloads::Lines;
using workloads::OverTargets;

template <typename In, typename Out, typename Call>
struct Move {
  Move(int64_t rows, Call call_)
      : n(rows), call(call_), in(rows, [](int64_t i) { return 3 * i; }), out(rows) {}
  void operator()(const kernels::Kernels& table) {
    call(table.Of<OffsetLoops<In, Out>>(), in.data(), n, out.data());
  }
  int64_t n;
  Call call;
  Lines<In> in;
  Lines<Out> out;
};

template <typename In, typename Out, typename Call>
bool Register(const std::string& name, Call call) {
  return OverTargets(name + std::to_string(8 * sizeof(In)) + "_" + std::to_string(8 * sizeof(Out)),
                     {20, 1000, 1000000}, [=](int64_t n) { return Move<In, Out, Call>(n, call); });
}

template <typename In, typename Out>
bool RegisterAll() {
  return Register<In, Out>("shift/", [](const auto& loops, const In* in, int64_t n,
                                        Out* out) { loops.shift(in, n, 7, out); }) &&
         Register<In, Out>("try_shift/",
                           [](const auto& loops, const In* in, int64_t n, Out* out) {
                             benchmark::DoNotOptimize(loops.try_shift(in, n, 7, out));
                           }) &&
         Register<In, Out>("clamp_and_shift/",
                           [](const auto& loops, const In* in, int64_t n, Out* out) {
                             loops.clamp_and_shift(in, n, 3, 100, 1 << 30, 7, out);
                           }) &&
         Register<In, Out>("copy/", [](const auto& loops, const In* in, int64_t n, Out* out) {
           loops.copy(in, n, out);
         });
}

const bool registered = RegisterAll<int32_t, int32_t>() && RegisterAll<int32_t, int64_t>() &&
                        RegisterAll<int64_t, int32_t>() && RegisterAll<int64_t, int64_t>();

}  // namespace
}  // namespace sheaf
