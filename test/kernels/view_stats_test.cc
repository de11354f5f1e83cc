#include "kernels/view_stats.h"

#include <limits>
#include <random>

#include "kernels/on_every_target.h"

namespace sheaf {
namespace {

using namespace testing;
using kernels::ViewScan;

/// docs/list_views.md, "What is known about the views", one sentence after the other. Numbers are
/// small enough for int64 here.
template <typename Offset>
ViewScan Naive(const std::vector<Offset>& offsets, const std::vector<Offset>& sizes,
               int64_t elements) {
  ViewScan scan;
  const size_t n = offsets.size();
  bool any = false;
  for (size_t i = 0; i < n; ++i) {
    const int64_t offset = offsets[i];
    const int64_t size = sizes[i];
    if (offset < 0 || size < 0 || offset > elements || size > elements - offset)
      scan.in_bounds = false;
  }
  if (!scan.in_bounds) {
    scan.packed = scan.chained = scan.in_order = scan.ascending = false;
    scan.empties_outside = true;
    return scan;
  }
  for (size_t i = 0; i < n; ++i) {
    if (sizes[i] == 0) continue;
    const int64_t end = int64_t{offsets[i]} + sizes[i];
    scan.begin = any ? std::min<int64_t>(scan.begin, offsets[i]) : offsets[i];
    scan.end = any ? std::max<int64_t>(scan.end, end) : end;
    any = true;
    scan.sum_of_sizes += sizes[i];
    scan.max_size = std::max<int64_t>(scan.max_size, sizes[i]);
  }
  std::vector<int64_t> moved(offsets.begin(), offsets.end());
  for (size_t i = 0; i < n; ++i) {
    if (sizes[i] != 0) continue;
    moved[i] = std::clamp<int64_t>(moved[i], scan.begin, scan.end);
    scan.empties_outside |= moved[i] != offsets[i];
  }
  for (size_t i = 0; i + 1 < n; ++i) {
    const int64_t end = int64_t{offsets[i]} + sizes[i];
    scan.chained &= offsets[i + 1] == end;
    scan.packed &= moved[i + 1] == moved[i] + sizes[i];
    scan.in_order &= offsets[i + 1] >= offsets[i];
    scan.ascending &= offsets[i + 1] >= end;
  }
  return scan;
}

void ExpectSame(const ViewScan& scan, const ViewScan& naive) {
  ASSERT_EQ(scan.in_bounds, naive.in_bounds);
  ASSERT_EQ(scan.begin, naive.begin);
  ASSERT_EQ(scan.end, naive.end);
  ASSERT_EQ(scan.sum_of_sizes, naive.sum_of_sizes);
  ASSERT_EQ(scan.max_size, naive.max_size);
  ASSERT_EQ(scan.packed, naive.packed);
  ASSERT_EQ(scan.chained, naive.chained);
  ASSERT_EQ(scan.in_order, naive.in_order);
  ASSERT_EQ(scan.ascending, naive.ascending);
  ASSERT_EQ(scan.empties_outside, naive.empties_outside);
}

template <typename Offset>
void ExpectLikeNaive(const std::vector<Offset>& offsets, const std::vector<Offset>& sizes,
                     int64_t elements) {
  const ViewScan naive = Naive(offsets, sizes, elements);
  const auto length = static_cast<int64_t>(offsets.size());
  ViewScan scan;
  kernels::ScanViews(offsets.data(), sizes.data(), length, elements, &scan);
  ExpectSame(scan, naive);
  OnEveryTarget([&](const kernels::Kernels& table) {
    ViewScan found;
    table.Of<kernels::ViewLoops<Offset>>().scan_views(offsets.data(), sizes.data(), length,
                                                      elements, &found);
    ExpectSame(found, naive);
  });
}

template <typename Offset>
void ExpectRandomViewsLikeNaive() {
  std::mt19937_64 random(7);
  const auto draw = [&](int64_t most) {
    return static_cast<Offset>(random() % static_cast<uint64_t>(most + 1));
  };
  for (int round = 0; round < 4000; ++round) {
    const size_t n =
        round % 50 == 0 ? 1020 + random() % 3000 : random() % (round % 3 == 0 ? 200 : 20);
    const bool packed = random() % 2 == 0;
    std::vector<Offset> offsets(n);
    std::vector<Offset> sizes(n);
    Offset at = draw(3);
    for (size_t i = 0; i < n; ++i) {
      sizes[i] = random() % 3 == 0 ? Offset{0} : draw(4);
      offsets[i] = packed ? at : draw(20);
      at = static_cast<Offset>(at + sizes[i]);
    }
    for (size_t i = 0; i < n; ++i) {  // Some empty views move anywhere.
      if (sizes[i] == 0 && random() % 8 == 0) offsets[i] = draw(30);
    }
    if (n > 0 && random() % 10 == 0) offsets[random() % n] = static_cast<Offset>(-1 - draw(5));
    if (n > 0 && random() % 20 == 0) sizes[random() % n] = static_cast<Offset>(-1 - draw(5));
    ExpectLikeNaive(offsets, sizes, int64_t{at} + draw(30));
  }
}

TEST(ViewScan, AgreesWithTheDefinitionOnRandomViews32) { ExpectRandomViewsLikeNaive<int32_t>(); }
TEST(ViewScan, AgreesWithTheDefinitionOnRandomViews64) { ExpectRandomViewsLikeNaive<int64_t>(); }

TEST(ViewScan, ZCL_06_SumsOffsetAndSizeWider) {
  constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
  ExpectLikeNaive<int32_t>({kMost}, {kMost}, (int64_t{1} << 32) - 2);
  ExpectLikeNaive<int32_t>({kMost}, {kMost}, (int64_t{1} << 32) - 3);
}

TEST(ViewScan, LVA_12_SumDoesNotWrap) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  ExpectLikeNaive<int32_t>({std::numeric_limits<int32_t>::max() - 1}, {3}, 10);
  ExpectLikeNaive<int64_t>({kMost - 10}, {20}, kMost);
  ExpectLikeNaive<int64_t>({kMost - 10}, {10}, kMost);
}

TEST(ViewScan, ChainsMayEndAtTheLargestNumberAndNotOneMore) {
  for (const int64_t n : {1, 5, 16, 17, 100, 1500}) {
    SCOPED_TRACE(n);
    const auto check = [&]<typename Offset>(Offset most) {
      std::vector<Offset> sizes(static_cast<size_t>(n), 1);
      sizes[static_cast<size_t>(n / 2)] = static_cast<Offset>(most - (n - 1) - 7);
      std::vector<Offset> offsets{7};
      for (int64_t i = 0; i + 1 < n; ++i) {
        offsets.push_back(static_cast<Offset>(offsets.back() + sizes[static_cast<size_t>(i)]));
      }
      ExpectLikeNaive<Offset>(offsets, sizes, most);
      ExpectLikeNaive<Offset>(offsets, sizes, most - 1);
      ++sizes.back();  // Ends beyond what the offsets hold.
      if (sizeof(Offset) == 4) ExpectLikeNaive<Offset>(offsets, sizes, int64_t{most} + 1);
      ExpectLikeNaive<Offset>(offsets, sizes, most);
    };
    check(std::numeric_limits<int32_t>::max());
    check(std::numeric_limits<int64_t>::max());
  }
}

TEST(ViewScan, OneRowOutOfLineIsFoundInEveryBlock) {
  constexpr int64_t kRows = 2500;
  std::vector<int32_t> sizes(kRows, 3);
  std::vector<int32_t> offsets;
  for (int32_t i = 0; i < kRows; ++i) offsets.push_back(3 * i);
  for (const size_t row : {0, 1, 1023, 1024, 1025, 2048, 2498, 2499}) {
    SCOPED_TRACE(row);
    for (const int32_t other : {-1, 0, 3 * static_cast<int32_t>(row) + 1, 7497, 7498}) {
      std::vector<int32_t> moved = offsets;
      moved[row] = other;
      ExpectLikeNaive<int32_t>(moved, sizes, 3 * kRows);
    }
    std::vector<int32_t> emptied = sizes;
    emptied[row] = 0;
    ExpectLikeNaive<int32_t>(offsets, emptied, 3 * kRows);
    emptied[row] = -3;
    ExpectLikeNaive<int32_t>(offsets, emptied, 3 * kRows);
  }
}

TEST(ViewScan, SumOfSizesSaturates) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const std::vector<int64_t> offsets(5, 0);
  const std::vector<int64_t> sizes(5, kMost / 2);
  OnEveryTarget([&](const kernels::Kernels& table) {
    ViewScan scan;
    table.Of<kernels::ViewLoops<int64_t>>().scan_views(offsets.data(), sizes.data(), 5, kMost,
                                                       &scan);
    EXPECT_TRUE(scan.in_bounds);
    EXPECT_EQ(scan.sum_of_sizes, kMost);
  });
}

}  // namespace
}  // namespace sheaf
