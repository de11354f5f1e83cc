#include "kernels/view_stats.h"

#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/kernel_table.h"

namespace sheaf {
namespace {

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

template <typename Offset>
void ExpectLikeNaive(const std::vector<Offset>& offsets, const std::vector<Offset>& sizes,
                     int64_t elements) {
  const ViewScan naive = Naive(offsets, sizes, elements);
  for (const kernels::Kernels* table : kernels::Runnable()) {
    SCOPED_TRACE(table->target);
    ViewScan scan;
    table->ScanViews(offsets.data(), sizes.data(), static_cast<int64_t>(offsets.size()), elements,
                     &scan);
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
}

template <typename Offset>
void ExpectRandomViewsLikeNaive() {
  std::mt19937_64 random(7);
  const auto draw = [&](int64_t most) {
    return static_cast<Offset>(random() % static_cast<uint64_t>(most + 1));
  };
  for (int round = 0; round < 4000; ++round) {
    const size_t n = round % 50 == 0 ? 1020 + random() % 3000 : random() % 12;
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

TEST(ViewScan, SumOfSizesSaturates) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const std::vector<int64_t> offsets(5, 0);
  const std::vector<int64_t> sizes(5, kMost / 2);
  ViewScan scan;
  kernels::Best().ScanViews(offsets.data(), sizes.data(), 5, kMost, &scan);
  EXPECT_TRUE(scan.in_bounds);
  EXPECT_EQ(scan.sum_of_sizes, kMost);
}

TEST(KernelTable, NamesItsTargetsAndEndsWithScalar) {
  EXPECT_STREQ(kernels::Runnable().back()->target, "scalar");
}

}  // namespace
}  // namespace sheaf
