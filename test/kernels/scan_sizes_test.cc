#include "kernels/scan_sizes.h"

#include <numeric>
#include <utility>

#include "kernels/on_every_target.h"

namespace sheaf {
namespace {

using namespace testing;
using kernels::OffsetLoops;

template <typename Widths>
class ScanSizes : public ::testing::Test {
 public:
  using In = typename Widths::first_type;
  using Out = typename Widths::second_type;
  static constexpr int64_t kMostIn = std::numeric_limits<In>::max();
  static constexpr int64_t kMostOut = std::numeric_limits<Out>::max();

  /// What EndsOfSizes gives, by every target and by the function that chooses one.
  static int64_t Ends(const std::vector<In>& sizes, int64_t start, std::vector<Out>* ends) {
    std::mt19937_64 random(sizes.size());
    const auto n = static_cast<int64_t>(sizes.size());
    const Input<In> in(sizes, random);
    int64_t last = 0;
    *ends = Written<Out>(n, random,
                         [&](Out* out) { last = kernels::EndsOfSizes(in.data(), n, start, out); });
    OnEveryTarget([&](const kernels::Kernels& table) {
      int64_t also = 0;
      const std::vector<Out> same = Written<Out>(n, random, [&](Out* out) {
        also = table.Of<OffsetLoops<In, Out>>().ends_of_sizes(in.data(), n, start, out);
      });
      EXPECT_EQ(also, last);
      if (last >= 0) {
        EXPECT_EQ(same, *ends);
      }
    });
    return last;
  }
};

using Widths = ::testing::Types<std::pair<int32_t, int32_t>, std::pair<int32_t, int64_t>,
                                std::pair<int64_t, int32_t>, std::pair<int64_t, int64_t>>;
TYPED_TEST_SUITE(ScanSizes, Widths);

TYPED_TEST(ScanSizes, EndsAreSumsAndTheirDifferencesTheSizes) {
  using In = typename TestFixture::In;
  using Out = typename TestFixture::Out;
  ForLengths([&](int64_t n, std::mt19937_64& random) {
    const auto start = static_cast<int64_t>(random() % 1000);
    const auto sizes = Drawn<In>(n, [&] { return random() % 5 == 0 ? random() % 100'000 : 0; });
    std::vector<Out> offsets{static_cast<Out>(start)};
    for (const In size : sizes) offsets.push_back(static_cast<Out>(offsets.back() + size));

    std::vector<Out> ends;
    EXPECT_EQ(TestFixture::Ends(sizes, start, &ends), offsets.back());
    EXPECT_EQ(ends, std::vector<Out>(offsets.begin() + 1, offsets.end()));

    const Input<Out> in(offsets, random);
    EXPECT_EQ(Written<In>(n, random, [&](In* out) { kernels::SizesOfOffsets(in.data(), n, out); }),
              sizes);
    OnEveryTarget([&](const kernels::Kernels& table) {
      EXPECT_EQ(Written<In>(n, random,
                            [&](In* out) {
                              table.Of<OffsetLoops<Out, In>>().sizes_of_offsets(in.data(), n, out);
                            }),
                sizes);
    });
  });
}

TYPED_TEST(ScanSizes, AnEndMayBeTheLargestNumberAndNotOneMore) {
  using In = typename TestFixture::In;
  using Out = typename TestFixture::Out;
  const int64_t most = TestFixture::kMostOut;
  std::vector<Out> ends;
  for (const int64_t n : {1, 2, 16, 17, 31, 64, 100, 200}) {
    SCOPED_TRACE(n);
    for (const int64_t row : {int64_t{0}, n / 2, n - 1}) {
      std::vector<In> sizes(static_cast<size_t>(n), 0);
      sizes[static_cast<size_t>(row)] = 7;
      EXPECT_EQ(TestFixture::Ends(sizes, most - 7, &ends), most);
      EXPECT_EQ(ends.back(), most);
      EXPECT_EQ(TestFixture::Ends(sizes, most - 6, &ends), -1);
      sizes[static_cast<size_t>(row)] =
          static_cast<In>(std::min<int64_t>(TestFixture::kMostIn, most));
      const int64_t rest = most - sizes[static_cast<size_t>(row)];
      EXPECT_EQ(TestFixture::Ends(sizes, rest, &ends), most);
      EXPECT_EQ(TestFixture::Ends(sizes, rest + 1, &ends), rest == most ? most : -1);
    }
  }
  EXPECT_EQ(TestFixture::Ends({}, 5, &ends), 5);
}

TYPED_TEST(ScanSizes, ASumThatWrapsBackIntoTheRangeIsFound) {
  using In = typename TestFixture::In;
  using Out = typename TestFixture::Out;
  // Each wrap of the sum comes by way of its sign: sizes as large as they may be, twice and more.
  std::vector<Out> ends;
  const int64_t largest = std::min<int64_t>(TestFixture::kMostIn, TestFixture::kMostOut);
  const bool from_zero = sizeof(In) == sizeof(Out) || sizeof(Out) == 4;  // Else from near the end.
  const int64_t start = from_zero ? 3 : TestFixture::kMostOut - largest;
  for (const int64_t n : {2, 3, 4, 20, 200}) {
    EXPECT_EQ(TestFixture::Ends(std::vector<In>(static_cast<size_t>(n), static_cast<In>(largest)),
                                start, &ends),
              -1);
  }
}

}  // namespace
}  // namespace sheaf
