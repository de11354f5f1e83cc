// DuckDB's rows of (offset, length) as list-views and back, at every block border.

#include "sheaf/engines/duckdb_layout.h"

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/list_view_array.h"
#include "sheaf/compute/list_view/rebuild.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using engines::DuckDbLists;
using ::testing::ElementsAre;

/// Stands in for `duckdb::list_entry_t`, constructors and all.
struct Entry {
  Entry() = default;
  Entry(uint64_t offset_, uint64_t length_) : offset(offset_), length(length_) {}
  uint64_t offset;
  uint64_t length;
};

constexpr uint64_t kGarbage = 0xDEADBEEFDEADBEEF;

template <typename Offset>
class DuckDbLayout : public ::testing::Test {
 protected:
  using ListViewType = BasicListViewArray<Offset>;

  static ListViewType Views(const DuckDbLists<Entry>& lists, const Array& elements) {
    const StatusOr<Array> array = engines::ListViewFromDuckDb<Offset>(lists, elements);
    EXPECT_OK(array);
    EXPECT_THAT(*array, IsValidArray());
    return *ListViewType::From(*array);
  }
};
using Widths = ::testing::Types<int32_t, int64_t>;
TYPED_TEST_SUITE(DuckDbLayout, Widths);

TYPED_TEST(DuckDbLayout, EntriesBecomeViewsOverTheSameElements) {
  const Array elements = Range(0, 10);
  const std::vector<Entry> entries = {{7, 3}, {0, 4}, {1, 2}, {10, 0}, {0, 10}};
  const auto views = this->Views({entries.data(), 5}, elements);
  EXPECT_THAT(views.offsets(), ElementsAre(7, 0, 1, 10, 0));
  EXPECT_THAT(views.sizes(), ElementsAre(3, 4, 2, 0, 10));
  EXPECT_THAT(views.elements(), SharesAllBuffersWith(elements));
  EXPECT_EQ(views.null_count(), 0);
  EXPECT_TRUE(views.validity().absent());
}

TYPED_TEST(DuckDbLayout, EntriesOfNullRowsAreNotReadAndKeepPackedListsPacked) {
  const std::vector<Entry> entries = {
      {kGarbage, kGarbage}, {0, 2}, {kGarbage, 1}, {2, 3}, {1, kGarbage}};
  const uint64_t validity = 0b01010 | (kGarbage << 5);  // Bits past the rows may be anything.
  const auto views = this->Views({entries.data(), 5, &validity}, Range(0, 5));
  EXPECT_THAT(views, ReadsAs("[null, [0, 1], null, [2, 3, 4], null]"));
  EXPECT_THAT(views.offsets(), ElementsAre(0, 0, 2, 2, 5));
  EXPECT_TRUE(views.zero_copy_to_list());
  EXPECT_EQ(views.null_count(), 3);
}

TYPED_TEST(DuckDbLayout, ASelectionSharesElementsAndTakesItsRowsValidity) {
  const std::vector<Entry> entries = {{0, 2}, {kGarbage, 0}, {2, 2}};
  const uint64_t validity = 0b101;
  const std::vector<uint32_t> selection = {2, 2, 1, 0, 2};
  const auto views = this->Views({entries.data(), 5, &validity, selection.data()}, Range(0, 4));
  EXPECT_THAT(views, ReadsAs("[[2, 3], [2, 3], null, [0, 1], [2, 3]]"));
  EXPECT_EQ(views.elements().length(), 4);
}

TYPED_TEST(DuckDbLayout, NoRowsAreAnArrayWithoutRows) {
  const auto views = this->Views({}, Range(0, 3));
  EXPECT_EQ(views.length(), 0);
  EXPECT_EQ(views.elements().length(), 3);
  EXPECT_OK(engines::WriteDuckDbLists<Entry>(views, nullptr, nullptr));
}

TYPED_TEST(DuckDbLayout, EveryLengthComesBackAsItWas) {
  std::mt19937_64 random(7);
  const Array elements = Range(0, 1000);
  for (int64_t n = 1; n <= 200; ++n) {
    std::vector<Entry> entries(static_cast<size_t>(n));
    std::vector<uint64_t> validity(static_cast<size_t>(n + 63) / 64);
    for (Entry& entry : entries) {
      entry.offset = random() % 1001;
      entry.length = random() % (1001 - entry.offset);
    }
    const bool nulls = n % 3 == 0;
    for (uint64_t& word : validity) word = nulls ? random() | random() : ~uint64_t{0};
    const auto views = this->Views({entries.data(), n, validity.data()}, elements);

    std::vector<Entry> back(entries.size(), Entry(kGarbage, kGarbage));
    std::vector<uint64_t> bits(validity.size(), kGarbage);
    ASSERT_OK(engines::WriteDuckDbLists(views, back.data(), bits.data()));
    for (int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<size_t>(i);
      const bool valid = ((validity[at / 64] >> (at % 64)) & 1) != 0;
      ASSERT_EQ(((bits[at / 64] >> (at % 64)) & 1) != 0, valid) << n << " " << i;
      ASSERT_EQ(views.IsValid(i), valid) << n << " " << i;
      if (!valid) continue;
      ASSERT_EQ(back[at].offset, entries[at].offset) << n << " " << i;
      ASSERT_EQ(back[at].length, entries[at].length) << n << " " << i;
      ASSERT_EQ(views.offsets()[at], static_cast<TypeParam>(entries[at].offset));
    }
    if (n % 64 == 0) continue;
    EXPECT_EQ(bits.back() >> (n % 64), 0) << n;
  }
}

TYPED_TEST(DuckDbLayout, SlicesAreWrittenFromTheirOwnFirstRow) {
  std::vector<Entry> entries;
  for (uint64_t i = 0; i < 150; ++i) entries.emplace_back(i, 2);
  const std::vector<uint64_t> validity = {~uint64_t{1 << 5}, ~uint64_t{0}, ~uint64_t{0}};
  const auto views = this->Views({entries.data(), 150, validity.data()}, Range(0, 151));
  std::vector<Entry> back(100);
  std::vector<uint64_t> bits(2, kGarbage);
  ASSERT_OK(engines::WriteDuckDbLists(views.Slice(3, 100), back.data(), bits.data()));
  EXPECT_EQ(back[0].offset, 3);
  EXPECT_EQ(back[99].offset, 102);
  EXPECT_EQ(bits[0], ~uint64_t{1 << 2});
  EXPECT_EQ(bits[1], (uint64_t{1} << 36) - 1);
}

TYPED_TEST(DuckDbLayout, ASliceTrimmedFirstHasAChildOfItsOwnElementsOnly) {
  std::vector<Entry> entries;
  for (uint64_t i = 0; i < 10; ++i) entries.emplace_back(3 * i, 3);
  const auto views = this->Views({entries.data(), 10}, Range(0, 30));
  ASSERT_OK_AND_ASSIGN(const Array part, Rebuild(views.Slice(4, 2), RebuildMode::kTrim));
  std::vector<Entry> back(2);
  uint64_t bits = 0;
  ASSERT_OK(engines::WriteDuckDbLists(part, back.data(), &bits));
  EXPECT_EQ(part.child(0).length(), 6);
  EXPECT_EQ(back[0].offset, 0);
  EXPECT_EQ(back[1].offset, 3);
  EXPECT_EQ(part.child(0).buffer(1).data(), views.elements().buffer(1).data());
}

TYPED_TEST(DuckDbLayout, AnEntryOutOfBoundsIsNamedWhereverItStands) {
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  const std::vector<Entry> wrong = {{11, 0},
                                    {0, 11},
                                    {5, 6},
                                    {most, 1},
                                    {1, most},
                                    {most, most},
                                    {most - 4, 5},
                                    {1ULL << 63, 0},
                                    {0, 1ULL << 63},
                                    {1ULL << 63, 1ULL << 63},
                                    {1ULL << 32, 0},
                                    {3, (1ULL << 63) - 1},
                                    {(1ULL << 63) - 1, (1ULL << 63) - 1}};
  for (const Entry& bad : wrong) {
    for (const int64_t n : {1, 3, 4, 64, 67, 130}) {
      for (const int64_t row : {int64_t{0}, n / 2, n - 1}) {
        std::vector<Entry> entries(static_cast<size_t>(n), Entry(5, 5));
        entries[static_cast<size_t>(row)] = bad;
        for (size_t later = static_cast<size_t>(row) + 1; later < entries.size(); later += 5)
          entries[later] = wrong[0];
        EXPECT_THAT(engines::ListViewFromDuckDb<TypeParam>(DuckDbLists<Entry>{entries.data(), n},
                                                           Range(0, 10)),
                    StatusIs(StatusCode::kInvalidArgument,
                             "DuckDB lists, row " + std::to_string(row) +
                                 ": offset + length past the end of elements: " +
                                 std::to_string(bad.offset) + " + " + std::to_string(bad.length) +
                                 " > 10"));
      }
    }
  }
}

TYPED_TEST(DuckDbLayout, AWrongRowBetweenNullsIsNamedNotTheNullsBeforeIt) {
  const std::vector<Entry> entries = {{kGarbage, 1}, {0, 1}, {0, 2}};
  const uint64_t validity = 0b110;
  EXPECT_THAT(engines::ListViewFromDuckDb<TypeParam>(
                  DuckDbLists<Entry>{entries.data(), 3, &validity}, Range(0, 1)),
              StatusIs(StatusCode::kInvalidArgument, "row 2: "));
}

TYPED_TEST(DuckDbLayout, MemoryThatIsRefusedIsAStatus) {
  const std::vector<Entry> entries(100, Entry(0, 1));
  const std::vector<uint64_t> validity(2, 5);
  FailingPool pool;
  int64_t refused = 0;
  for (int64_t k = 0;; ++k) {
    pool.FailAt(k);
    const StatusOr<Array> array = engines::ListViewFromDuckDb<TypeParam>(
        DuckDbLists<Entry>{entries.data(), 100, validity.data()}, Range(0, 1), &pool);
    if (!pool.failed()) break;
    EXPECT_THAT(array, StatusIs(StatusCode::kResourceExhausted));
    ++refused;
  }
  EXPECT_GT(refused, 2);
}

TEST(DuckDbLists, MoreElementsThanOffsetsCountNameTheLargerType) {
  ASSERT_OK_AND_ASSIGN(const Array many, MakeNullArray(Null(), int64_t{1} << 31));
  const Entry entry = {(uint64_t{1} << 31) - 1, 1};
  const DuckDbLists<Entry> lists = {&entry, 1};
  EXPECT_THAT(engines::ListViewFromDuckDb<int32_t>(lists, many),
              StatusIs(StatusCode::kOutOfRange, "use large_list_view"));
  ASSERT_OK_AND_ASSIGN(const Array large, engines::ListViewFromDuckDb<int64_t>(lists, many));
  EXPECT_THAT(LargeListViewArray::From(large)->offsets(), ElementsAre(2147483647));
}

TEST(DuckDbLists, ANegativeLengthIsRefused) {
  EXPECT_THAT(engines::ListViewFromDuckDb(DuckDbLists<Entry>{nullptr, -1}, Range(0, 1)),
              StatusIs(StatusCode::kInvalidArgument, "-1"));
}

TEST(DuckDbLists, WhatIsNoListViewOrHasBadViewsWritesNothing) {
  Entry entry = {kGarbage, kGarbage};
  uint64_t bits = kGarbage;
  EXPECT_THAT(engines::WriteDuckDbLists(Range(0, 1), &entry, &bits),
              StatusIs(StatusCode::kInvalidArgument, "int32 is no list-view"));
  const Array bad = ListViews({.offsets = {3}, .sizes = {1}, .elements = {1, 2, 3}});
  EXPECT_THAT(engines::WriteDuckDbLists(bad, &entry, &bits),
              StatusIs(StatusCode::kInvalidArgument, "row 0"));
  EXPECT_EQ(entry.offset, kGarbage);
  EXPECT_EQ(bits, kGarbage);
}

}  // namespace
}  // namespace sheaf
