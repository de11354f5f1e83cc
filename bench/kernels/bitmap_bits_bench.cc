#include "kernels/bitmap_bits.h"
#include "kernels/over_targets.h"

// Validity of n rows: counted, moved to another bit, intersected.
namespace sheaf {
namespace {

using kernels::BitLoops;
using workloads::Lines;
using workloads::OverTargets;

template <typename Call>
struct Bits {
  Bits(int64_t rows, Call call_)
      : words(rows / 64),
        call(call_),
        a(rows / 8 + 8, [](int64_t i) { return i * 37; }),
        b(rows / 8 + 8, [](int64_t i) { return i * 101; }),
        out(rows / 8 + 8) {}
  void operator()(const kernels::Kernels& table) {
    call(table.Of<BitLoops>(), a.data(), b.data(), words, out.data());
  }
  int64_t words;
  Call call;
  Lines<uint8_t> a;
  Lines<uint8_t> b;
  Lines<uint8_t> out;
};

template <typename Call>
bool Register(const std::string& name, Call call) {
  return OverTargets(name, {512, 10240, 1024000}, [=](int64_t n) { return Bits<Call>(n, call); });
}

const bool registered =
    Register(
        "count_words",
        [](const BitLoops& loops, const uint8_t* a, const uint8_t*, int64_t words, uint8_t* out) {
          const int64_t count = loops.count_words(a, words);
          std::memcpy(out, &count, sizeof(count));
        }) &&
    Register("copy_words",
             [](const BitLoops& loops, const uint8_t* a, const uint8_t*, int64_t words,
                uint8_t* out) { loops.copy_words(a, 3, words, out); }) &&
    Register("and_words",
             [](const BitLoops& loops, const uint8_t* a, const uint8_t* b, int64_t words,
                uint8_t* out) { loops.and_words(a, 3, b, 5, words, out); });

}  // namespace
}  // namespace sheaf
