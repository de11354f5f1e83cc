#include "kernels/shift_views.h"

#include <utility>

#include "kernels/on_every_target.h"

namespace sheaf {
namespace {

using namespace testing;
using kernels::OffsetLoops;

template <typename Widths>
class ShiftViews : public ::testing::Test {
 public:
  using In = typename Widths::first_type;
  using Out = typename Widths::second_type;
  static constexpr int64_t kMostIn = std::numeric_limits<In>::max();
  static constexpr int64_t kLeastIn = std::numeric_limits<In>::min();
  static constexpr int64_t kMostOut = std::numeric_limits<Out>::max();
  static constexpr int64_t kMostBoth = std::min<int64_t>(kMostIn, kMostOut);

  static int64_t Below(std::mt19937_64& random, int64_t most) {
    return static_cast<int64_t>(random() % (static_cast<uint64_t>(most) + 1));
  }

  /// What TryShift says, by every target and by the function that chooses one; it must be the same.
  static bool TryShift(const std::vector<In>& values, int64_t delta, std::vector<Out>* shifted) {
    std::mt19937_64 random(values.size());
    const auto n = static_cast<int64_t>(values.size());
    const Input<In> in(values, random);
    bool fits = false;
    *shifted = Written<Out>(
        n, random, [&](Out* out) { fits = kernels::TryShiftOffsets(in.data(), n, delta, out); });
    OnEveryTarget([&](const kernels::Kernels& table) {
      bool also = false;
      const std::vector<Out> same = Written<Out>(n, random, [&](Out* out) {
        also = table.Of<OffsetLoops<In, Out>>().try_shift(in.data(), n, delta, out);
      });
      EXPECT_EQ(also, fits);
      if (fits) {
        EXPECT_EQ(same, *shifted);
      }
    });
    return fits;
  }
};

using Widths = ::testing::Types<std::pair<int32_t, int32_t>, std::pair<int32_t, int64_t>,
                                std::pair<int64_t, int32_t>, std::pair<int64_t, int64_t>>;
TYPED_TEST_SUITE(ShiftViews, Widths);

TYPED_TEST(ShiftViews, MovesEveryOffsetByTheSame) {
  using In = typename TestFixture::In;
  using Out = typename TestFixture::Out;
  ForLengths([&](int64_t n, std::mt19937_64& random) {
    // Offsets that end beyond the middle of what fits, moved up or down to the other end.
    const int64_t most = TestFixture::kMostBoth;
    const int64_t delta = random() % 2 == 0 ? most / 2 : -(most / 4);
    const auto values = Drawn<In>(
        n, [&] { return std::max(-delta, int64_t{0}) + TestFixture::Below(random, most / 2); });
    std::vector<Out> expected;
    for (const In value : values) expected.push_back(static_cast<Out>(value + delta));
    const Input<In> in(values, random);
    EXPECT_EQ(
        Written<Out>(n, random, [&](Out* out) { kernels::ShiftOffsets(in.data(), n, delta, out); }),
        expected);
    OnEveryTarget([&](const kernels::Kernels& table) {
      EXPECT_EQ(Written<Out>(n, random,
                             [&](Out* out) {
                               table.Of<OffsetLoops<In, Out>>().shift(in.data(), n, delta, out);
                             }),
                expected);
    });
    std::vector<Out> shifted;
    EXPECT_TRUE(TestFixture::TryShift(values, delta, &shifted));
    EXPECT_EQ(shifted, expected);
  });
}

TYPED_TEST(ShiftViews, FindsTheOneOffsetThatLeavesTheRangeExactlyAtItsLimits) {
  using In = typename TestFixture::In;
  using Out = typename TestFixture::Out;
  const int64_t most_in = TestFixture::kMostIn;
  const int64_t most_out = TestFixture::kMostOut;
  std::vector<Out> shifted;
  for (const int64_t n : {1, 3, 16, 17, 40, 200}) {
    SCOPED_TRACE(n);
    for (const int64_t row : {int64_t{0}, n / 2, n - 1}) {
      const auto with = [&](int64_t other, int64_t value) {
        std::vector<In> values(static_cast<size_t>(n), static_cast<In>(other));
        values[static_cast<size_t>(row)] = static_cast<In>(value);
        return values;
      };
      // 0 is the least result.
      EXPECT_TRUE(TestFixture::TryShift(with(10, 7), -7, &shifted));
      EXPECT_EQ(shifted[static_cast<size_t>(row)], 0);
      EXPECT_FALSE(TestFixture::TryShift(with(10, 6), -7, &shifted));
      // The largest result is what Out holds.
      const int64_t top = std::min(most_in, most_out);
      EXPECT_TRUE(TestFixture::TryShift(with(0, top), most_out - top, &shifted));
      EXPECT_EQ(shifted[static_cast<size_t>(row)], most_out);
      EXPECT_FALSE(TestFixture::TryShift(with(0, top - 1), most_out - top + 2, &shifted));
      EXPECT_FALSE(TestFixture::TryShift(with(0, 1), most_out, &shifted));
      EXPECT_TRUE(TestFixture::TryShift(with(0, 0), most_out, &shifted));
      // From the other end of In, negative ones too.
      EXPECT_TRUE(TestFixture::TryShift(with(most_in, most_in), -most_in, &shifted));
      EXPECT_FALSE(TestFixture::TryShift(with(most_in, most_in - 1), -most_in, &shifted));
      EXPECT_FALSE(TestFixture::TryShift(with(0, -1), 0, &shifted));
      EXPECT_TRUE(TestFixture::TryShift(with(0, -1), 1, &shifted));
      EXPECT_FALSE(TestFixture::TryShift(with(0, TestFixture::kLeastIn), most_in, &shifted));
      // Sums that wrap in 64 bits, and in 32 bits, to where they would fit.
      constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
      constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
      EXPECT_FALSE(TestFixture::TryShift(with(5, 5), kMost, &shifted));
      EXPECT_FALSE(TestFixture::TryShift(with(-5, -5), kLeast, &shifted));
      EXPECT_FALSE(TestFixture::TryShift(with(0, 0), kLeast, &shifted));
      if (sizeof(Out) == 4) {
        EXPECT_FALSE(TestFixture::TryShift(with(5, 5), int64_t{1} << 32, &shifted));
        EXPECT_FALSE(TestFixture::TryShift(with(5, 5), -(int64_t{1} << 32), &shifted));
      }
    }
  }
}

TYPED_TEST(ShiftViews, SaysWhetherEveryOffsetFitsAsTheSumsDo) {
  using In = typename TestFixture::In;
  using Out = typename TestFixture::Out;
  ForLengths([&](int64_t n, std::mt19937_64& random) {
    const auto delta =
        random() % 2 == 0 ? AnyInteger<int64_t>(random) : int64_t{AnyInteger<int32_t>(random)};
    const auto near = static_cast<uint64_t>(random() % 5);
    const auto values = Drawn<In>(n, [&] {  // Most of them around what would just fit.
      if (random() % 8 == 0) return int64_t{AnyInteger<In>(random)};
      return static_cast<int64_t>(near + random() % 3 - static_cast<uint64_t>(delta));
    });
    bool expected = true;
    for (const In value : values) {
      int64_t sum = 0;
      expected = expected && !__builtin_add_overflow(int64_t{value}, delta, &sum) && sum >= 0 &&
                 sum <= TestFixture::kMostOut;
    }
    std::vector<Out> shifted;
    EXPECT_EQ(TestFixture::TryShift(values, delta, &shifted), expected) << delta;
    if (!expected) return;
    for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(shifted[i], values[i] + delta);
  });
}

TYPED_TEST(ShiftViews, ClampsBeforeItMoves) {
  using In = typename TestFixture::In;
  using Out = typename TestFixture::Out;
  ForLengths([&](int64_t n, std::mt19937_64& random) {
    // An end may be more than the width of the offsets holds.
    const int64_t shift = TestFixture::Below(random, 100);
    const int64_t least = shift + TestFixture::Below(random, 1000);
    const int64_t most =
        random() % 4 == 0 ? TestFixture::kMostIn : least + TestFixture::Below(random, 1000);
    const int64_t delta = TestFixture::Below(random, 50) - least;
    const int64_t reach = std::min<int64_t>(TestFixture::kMostBoth - 200, 3000);
    const auto values = Drawn<In>(n, [&] { return TestFixture::Below(random, reach); });
    std::vector<Out> expected;
    for (const In value : values) {
      expected.push_back(static_cast<Out>(std::clamp(value + shift, least, most) + delta));
    }
    const Input<In> in(values, random);
    EXPECT_EQ(Written<Out>(n, random,
                           [&](Out* out) {
                             kernels::ClampAndShift(in.data(), n, shift, least, most, delta, out);
                           }),
              expected);
    OnEveryTarget([&](const kernels::Kernels& table) {
      EXPECT_EQ(Written<Out>(n, random,
                             [&](Out* out) {
                               table.Of<OffsetLoops<In, Out>>().clamp_and_shift(
                                   in.data(), n, shift, least, most, delta, out);
                             }),
                expected);
    });
  });
}

TYPED_TEST(ShiftViews, CopiesIntegersThatFit) {
  using In = typename TestFixture::In;
  using Out = typename TestFixture::Out;
  ForLengths([&](int64_t n, std::mt19937_64& random) {
    const auto values = Drawn<In>(n, [&] {
      return sizeof(In) < sizeof(Out) ? int64_t{AnyInteger<In>(random)}
                                      : int64_t{AnyInteger<Out>(random)};
    });
    const std::vector<Out> expected(values.begin(), values.end());
    const Input<In> in(values, random);
    EXPECT_EQ(Written<Out>(n, random, [&](Out* out) { kernels::CopyIntegers(in.data(), n, out); }),
              expected);
    OnEveryTarget([&](const kernels::Kernels& table) {
      EXPECT_EQ(
          Written<Out>(n, random,
                       [&](Out* out) { table.Of<OffsetLoops<In, Out>>().copy(in.data(), n, out); }),
          expected);
    });
  });
}

}  // namespace
}  // namespace sheaf
