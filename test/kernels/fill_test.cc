#include "kernels/fill.h"

#include "kernels/on_every_target.h"

namespace sheaf {
namespace {

using namespace testing;

void ExpectFilled(const std::vector<uint8_t>& pattern, int64_t n, std::mt19937_64& random) {
  const auto width = static_cast<int64_t>(pattern.size());
  std::vector<uint8_t> expected;
  for (int64_t i = 0; i < n; ++i) expected.insert(expected.end(), pattern.begin(), pattern.end());
  const Input<uint8_t> from(pattern, random);
  EXPECT_EQ(
      Written<uint8_t>(n * width, random,
                       [&](uint8_t* out) { kernels::FillPattern(from.data(), width, n, out); }),
      expected);
  OnEveryTarget([&](const kernels::Kernels& table) {
    EXPECT_EQ(Written<uint8_t>(n * width, random,
                               [&](uint8_t* out) {
                                 table.Of<kernels::PatternLoops>().fill_pattern(from.data(), width,
                                                                                n, out);
                               }),
              expected);
  });
}

TEST(Fill, RepeatsPatternsOfEveryWidth) {
  std::mt19937_64 random(1);
  for (int64_t width = 0; width <= 40; ++width) {
    SCOPED_TRACE(width);
    const auto pattern = Drawn<uint8_t>(width, [&] { return random(); });
    for (const int64_t n : {0, 1, 2, 3, 5, 8, 17, 31, 100, 199, 600, 1100, 4099}) {
      SCOPED_TRACE(n);
      ExpectFilled(pattern, n, random);
    }
  }
}

TEST(Fill, RepeatsPatternsLongerThanABlock) {
  std::mt19937_64 random(2);
  for (const int64_t width : {5000, 8192, 9001}) {
    ExpectFilled(Drawn<uint8_t>(width, [&] { return random(); }), 5, random);
  }
}

TEST(Fill, RepeatsOneByteAsEveryWidth) {
  std::mt19937_64 random(3);
  for (const int64_t width : {1, 2, 4, 8, 16}) {
    for (const uint8_t byte : {0, 0xFF, 7}) {
      const auto size = static_cast<size_t>(width);
      ExpectFilled(std::vector<uint8_t>(size, byte), 999, random);
      std::vector<uint8_t> nearly(size, byte);
      nearly.back() ^= 1;
      ExpectFilled(nearly, 999, random);
    }
  }
}

template <typename Out>
void ExpectSteps() {
  ForLengths([](int64_t n, std::mt19937_64& random) {
    const int64_t most = std::numeric_limits<Out>::max();
    for (const int64_t step : {int64_t{0}, int64_t{1}, int64_t{12345}, int64_t{-3}}) {
      const int64_t first = step < 0 ? most : most - step * n;  // Up to the limit.
      std::vector<Out> expected;
      for (int64_t i = 0; i < n; ++i) expected.push_back(static_cast<Out>(first + i * step));
      EXPECT_EQ(Written<Out>(n, random, [&](Out* out) { kernels::FillSteps(first, step, n, out); }),
                expected);
      OnEveryTarget([&](const kernels::Kernels& table) {
        EXPECT_EQ(Written<Out>(n, random,
                               [&](Out* out) {
                                 table.Of<kernels::StepLoops<Out>>().fill_steps(first, step, n,
                                                                                out);
                               }),
                  expected);
      });
    }
  });
}

TEST(Fill, WritesStepsUpToTheLimit32) { ExpectSteps<int32_t>(); }
TEST(Fill, WritesStepsUpToTheLimit64) { ExpectSteps<int64_t>(); }

}  // namespace
}  // namespace sheaf
