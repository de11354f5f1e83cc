#include "kernels/narrow_integers.h"

#include <utility>

#include "kernels/on_every_target.h"

namespace sheaf {
namespace {

using namespace testing;
using kernels::NarrowLoops;

template <typename Widths>
class NarrowIntegers : public ::testing::Test {
 public:
  using In = typename Widths::first_type;
  using Out = typename Widths::second_type;

  static void ExpectNarrowed(const std::vector<In>& values, std::mt19937_64& random) {
    bool expected = true;
    for (const In value : values) expected = expected && std::in_range<Out>(value);
    const auto n = static_cast<int64_t>(values.size());
    const Input<In> in(values, random);
    const auto check = [&](auto&& narrow) {
      bool fits = !expected;
      const std::vector<Out> narrowed =
          Written<Out>(n, random, [&](Out* out) { fits = narrow(in.data(), n, out); });
      ASSERT_EQ(fits, expected);
      if (expected) {
        ASSERT_TRUE(std::equal(values.begin(), values.end(), narrowed.begin()));
      }
    };
    check([](const In* from, int64_t m, Out* out) { return kernels::TryNarrow(from, m, out); });
    OnEveryTarget(
        [&](const kernels::Kernels& table) { check(table.Of<NarrowLoops<In, Out>>().try_narrow); });
  }
};

using Widths = ::testing::Types<std::pair<int64_t, int32_t>, std::pair<int64_t, int16_t>,
                                std::pair<int64_t, int8_t>, std::pair<int64_t, uint32_t>,
                                std::pair<int64_t, uint16_t>, std::pair<int64_t, uint8_t>,
                                std::pair<int32_t, int16_t>, std::pair<int32_t, int8_t>,
                                std::pair<int32_t, uint16_t>, std::pair<int32_t, uint8_t>>;
TYPED_TEST_SUITE(NarrowIntegers, Widths);

TYPED_TEST(NarrowIntegers, WhatFitsIsCopied) {
  using In = typename TestFixture::In;
  using Out = typename TestFixture::Out;
  ForLengths([&](int64_t n, std::mt19937_64& random) {
    TestFixture::ExpectNarrowed(
        Drawn<In>(n, [&] { return static_cast<In>(AnyInteger<Out>(random)); }), random);
  });
}

TYPED_TEST(NarrowIntegers, TheOneThatDoesNotFitIsFoundWhereverItStands) {
  using In = typename TestFixture::In;
  using Out = typename TestFixture::Out;
  constexpr In kMost = std::numeric_limits<Out>::max();
  constexpr In kLeast = std::numeric_limits<Out>::min();
  ForLengths([&](int64_t n, std::mt19937_64& random) {
    for (const In other : {static_cast<In>(kMost + 1), static_cast<In>(kLeast - 1),
                           std::numeric_limits<In>::max(), std::numeric_limits<In>::min(), kMost,
                           kLeast, static_cast<In>(In{1} << (8 * sizeof(In) - 2))}) {
      if (n == 0) continue;
      auto values = Drawn<In>(n, [&] { return static_cast<In>(AnyInteger<Out>(random)); });
      values[random() % static_cast<uint64_t>(n)] = other;
      TestFixture::ExpectNarrowed(values, random);
    }
  });
}

}  // namespace
}  // namespace sheaf
