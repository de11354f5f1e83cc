#include "builder/memo_table.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using internal::MemoTable;

/// A table over plain values, whose hashes a test chooses, against a vector.
class Memo {
 public:
  explicit Memo(uint64_t hashes, MemoryPool* pool = MemoryPool::Default())
      : hashes_(hashes), table_(pool) {}

  uint64_t HashOf(int64_t value) const { return static_cast<uint64_t>(value) % hashes_; }
  int64_t Find(int64_t value) const {
    return table_.Find(HashOf(value), [&](int64_t i) {
      ++compared_;
      return values_[static_cast<size_t>(i)] == value;
    });
  }
  void Add(int64_t value) {
    ASSERT_OK(table_.Reserve(1));
    Find(value) < 0 ? table_.UnsafeInsert(HashOf(value)) : table_.UnsafeInsertTwin();
    values_.push_back(value);
  }
  void TruncateTo(int64_t size) {
    table_.TruncateTo(size);
    values_.resize(static_cast<size_t>(size));
  }
  void Check(int64_t most) const {
    ASSERT_EQ(table_.size(), std::ssize(values_));
    for (int64_t value = 0; value <= most; ++value) {
      const auto first = std::find(values_.begin(), values_.end(), value);
      ASSERT_EQ(Find(value), first == values_.end() ? -1 : first - values_.begin()) << value;
    }
  }

  MemoTable& table() { return table_; }
  int64_t compared() const { return compared_; }
  int64_t size() const { return table_.size(); }

 private:
  uint64_t hashes_;
  MemoTable table_;
  std::vector<int64_t> values_;
  mutable int64_t compared_ = 0;
};

TEST(MemoTableTest, FindsTheFirstOfTheValuesThatAreThere) {
  for (const uint64_t hashes : {uint64_t{1}, uint64_t{3}, uint64_t{64}, uint64_t{1} << 40}) {
    Random random(hashes);
    Memo memo(hashes);
    memo.Check(10);
    for (int step = 0; step < 60; ++step) {
      for (int64_t i = Draw(random, 0, 9); i > 0; --i) memo.Add(Draw(random, 0, 200));
      if (Chance(random, 0.4)) memo.TruncateTo(Draw(random, 0, memo.size()));
      memo.Check(210);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(MemoTableTest, WhatIsForgottenLeavesNoTrace) {
  Memo memo(1);  // All in one row of slots.
  for (int64_t value = 0; value < 5; ++value) memo.Add(value);
  memo.TruncateTo(2);
  memo.Add(9);
  memo.Check(10);
  memo.TruncateTo(0);
  memo.Check(10);
}

TEST(MemoTableTest, ValuesThatCameTwiceAreComparedOnce) {
  Memo memo(1);
  for (int64_t i = 0; i < 1000; ++i) memo.Add(7);
  EXPECT_EQ(memo.compared(), 999);
  EXPECT_EQ(memo.Find(7), 0);
}

TEST(MemoTableTest, AFailedReserveChangesNothing) {
  FailingPool pool;
  Memo memo(uint64_t{1} << 40, &pool);
  for (int64_t value = 0; value < 16; ++value) memo.Add(value);
  for (int64_t k = 0;; ++k) {
    pool.FailAt(k);
    const Status status = memo.table().Reserve(1000);
    if (!pool.failed()) {
      EXPECT_EQ(k, 2);
      EXPECT_OK(status);
      break;
    }
    EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
    memo.Check(20);
  }
  memo.Check(20);
  EXPECT_THAT(memo.table().Reserve(int64_t{1} << 60), StatusIs(StatusCode::kResourceExhausted));
  memo.table().Clear();
  EXPECT_EQ(memo.size(), 0);
}

TEST(MemoTableTest, MovesWithItsMemory) {
  Memo memo(5);
  for (int64_t value = 0; value < 40; ++value) memo.Add(value);
  MemoTable moved = std::move(memo.table());
  EXPECT_EQ(moved.size(), 40);
  memo.table() = std::move(moved);
  memo.Check(45);
}

}  // namespace
}  // namespace sheaf
