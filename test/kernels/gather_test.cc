#include "kernels/gather.h"

#include "kernels/on_every_target.h"

namespace sheaf {
namespace {

using namespace testing;

template <typename Index>
void ExpectGathered(int64_t width, int64_t n, std::mt19937_64& random) {
  const auto count = static_cast<int64_t>(1 + random() % 300);
  const auto values = Drawn<uint8_t>(count * width, [&] { return random(); });
  const auto indices = Drawn<Index>(n, [&] { return random() % static_cast<uint64_t>(count); });
  std::vector<uint8_t> expected;
  for (const Index index : indices) {
    const auto value = values.begin() + static_cast<std::ptrdiff_t>(index * width);
    expected.insert(expected.end(), value, value + static_cast<std::ptrdiff_t>(width));
  }
  const Input<uint8_t> from(values, random);  // At any address, not only at multiples of a width.
  const Input<Index> at(indices, random);
  EXPECT_EQ(Written<uint8_t>(
                n * width, random,
                [&](uint8_t* out) { kernels::Gather(from.data(), width, at.data(), n, out); }),
            expected);
  OnEveryTarget([&](const kernels::Kernels& table) {
    const auto& gather = table.Of<kernels::GatherLoops<Index>>().gather;
    EXPECT_EQ(Written<uint8_t>(n * width, random,
                               [&](uint8_t* out) {
                                 gather[std::countr_zero(static_cast<uint64_t>(width))](
                                     from.data(), at.data(), n, out);
                               }),
              expected);
  });
}

TEST(Gather, CopiesTheValueOfEachIndexInEveryWidth) {
  ForLengths([](int64_t n, std::mt19937_64& random) {
    for (const int64_t width : {1, 2, 4, 8, 16}) {
      SCOPED_TRACE(width);
      ExpectGathered<int32_t>(width, n, random);
      ExpectGathered<int64_t>(width, n, random);
    }
  });
}

}  // namespace
}  // namespace sheaf
