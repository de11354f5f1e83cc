#include "memory/warm_pool.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/default_pool.h"
#include "memory/size_class.h"
#include "testing/faulty_mapping.h"

namespace sheaf {
namespace {

using internal::PageStock;
using internal::SizeClass;
using internal::WarmPool;
using testing::FaultyMapping;

constexpr int64_t kMiB = int64_t{1} << 20;

PageStock::Options Holding(int64_t stock_bytes) {
  return {.held_limit_bytes = stock_bytes, .reserved_bytes = 2048 * kMiB};
}

constexpr int64_t kLargestSpan = WarmPool::kSmallestPagedBytes - 1;

/// Sizes of every kind of block, and around the borders between them.
const std::vector<int64_t> kSizes = {
    1,        64,        65,          1000, 1025,     5000,         32'768,
    32'769,   100'000,   kMiB - 1,    kMiB, kMiB + 1, kLargestSpan, kLargestSpan + 1,
    2 * kMiB, 3'000'000, 7 * kMiB + 5};

/// Bytes that tell their place and whose they are, at both ends and at every 4,096th.
void Fill(uint8_t* block, int64_t size_bytes, uint8_t mark) {
  for (int64_t i = 0; i < size_bytes; i += 4096) {
    block[i] = static_cast<uint8_t>(mark + i / 4096);
  }
  block[size_bytes - 1] = mark;
}

bool Holds(const uint8_t* block, int64_t size_bytes, uint8_t mark) {
  for (int64_t i = 0; i < size_bytes - 1; i += 4096) {
    if (block[i] != static_cast<uint8_t>(mark + i / 4096)) return false;
  }
  return block[size_bytes - 1] == mark;
}

/// What `Fill` wrote to a block of which only the front is left.
bool HoldsFront(const uint8_t* block, int64_t front_bytes, int64_t size_bytes, uint8_t mark) {
  for (int64_t i = 0; i < std::min(front_bytes, size_bytes - 1); i += 4096) {
    if (block[i] != static_cast<uint8_t>(mark + i / 4096)) return false;
  }
  return true;
}

TEST(SizeClass, HoldsEverySizeAndWastesAQuarterAtMost) {
  for (int64_t size = 1; size <= SizeClass::kLargestBytes; ++size) {
    const int size_class = SizeClass::Of(size);
    ASSERT_LT(size_class, SizeClass::kCount);
    const int64_t bytes = SizeClass::BytesOf(size_class);
    ASSERT_GE(bytes, size);
    ASSERT_EQ(bytes % MemoryPool::kAlignment, 0);
    ASSERT_LE(bytes - size, std::max<int64_t>(63, size / 4)) << size;
    ASSERT_TRUE(size_class == 0 || SizeClass::BytesOf(size_class - 1) < size) << size;
  }
}

TEST(WarmPool, BlocksOfEveryKindAreAlignedAndApart) {
  WarmPool pool(Holding(64 * kMiB));
  std::vector<std::pair<uint8_t*, int64_t>> blocks;
  for (int round = 0; round < 20; ++round) {
    for (const int64_t size : kSizes) {
      uint8_t* block = pool.Allocate(size);
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % MemoryPool::kAlignment, 0U);
      Fill(block, size, static_cast<uint8_t>(blocks.size()));
      blocks.emplace_back(block, size);
    }
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_TRUE(Holds(blocks[i].first, blocks[i].second, static_cast<uint8_t>(i)));
    pool.Free(blocks[i].first, blocks[i].second);
  }
  EXPECT_EQ(pool.bytes_in_use(), 0);
}

TEST(WarmPool, ReallocationKeepsTheCommonPrefixBetweenAllKinds) {
  WarmPool pool(Holding(64 * kMiB));
  for (const int64_t from : kSizes) {
    for (const int64_t to : kSizes) {
      uint8_t* block = pool.Allocate(from);
      Fill(block, from, 7);
      block = pool.Reallocate(block, from, to);
      ASSERT_NE(block, nullptr);
      EXPECT_TRUE(HoldsFront(block, to, from, 7)) << from << " to " << to;
      Fill(block, to, 9);
      EXPECT_EQ(pool.bytes_in_use(), to);
      pool.Free(block, to);
    }
  }
  EXPECT_EQ(pool.bytes_in_use(), 0);
  EXPECT_EQ(pool.counts().reallocation_count, static_cast<int64_t>(kSizes.size() * kSizes.size()));
}

TEST(WarmPool, ALargeBlockGrowsWithoutItsPagesBeingTouched) {
  FaultyMapping mapping;
  WarmPool pool(Holding(64 * kMiB), mapping);
  int64_t size = 2 * kMiB;
  uint8_t* block = pool.Allocate(size);
  ASSERT_NE(block, nullptr);
  const uint8_t* first = block;
  Fill(block, size, 3);
  for (; size < 64 * kMiB; size *= 2) {
    block = pool.Reallocate(block, size, 2 * size);
    ASSERT_EQ(block, first);
  }
  EXPECT_TRUE(HoldsFront(block, size, 2 * kMiB, 3));
  EXPECT_EQ(mapping.moved_bytes, 0);
  pool.Free(block, size);
}

TEST(WarmPool, ABlockAloneInItsPageGrowsFromASpanToPagesWhereItIs) {
  FaultyMapping mapping;
  WarmPool pool(Holding(64 * kMiB), mapping);
  int64_t size = 64 << 10;
  uint8_t* const block = pool.Allocate(size);
  Fill(block, size, 3);
  for (; size < 16 * kMiB; size *= 2) {
    ASSERT_EQ(pool.Reallocate(block, size, 2 * size), block) << size;
    EXPECT_TRUE(HoldsFront(block, 2 * size, 64 << 10, 3));
  }
  pool.Free(block, size);
  EXPECT_EQ(pool.bytes_in_use(), 0);
  EXPECT_EQ(pool.Trim(), mapping.opened_bytes);
}

TEST(WarmPool, ASpanWhosePageCannotGrowStaysOneUntilItIsCopied) {
  FaultyMapping mapping;
  WarmPool pool(Holding(64 * kMiB), mapping);
  uint8_t* block = pool.Allocate(kMiB);
  Fill(block, kMiB, 3);
  mapping.opens = false;
  uint8_t* moved = pool.Reallocate(block, kMiB, 5 * kMiB);  // The system's, as no page opens.
  ASSERT_NE(moved, nullptr);
  EXPECT_TRUE(HoldsFront(moved, 5 * kMiB, kMiB, 3));
  uint8_t* again = pool.Allocate(kMiB);
  EXPECT_EQ(again, block);  // The page was given back with the span.
  pool.Free(again, kMiB);
  pool.Free(moved, 5 * kMiB);
  EXPECT_EQ(pool.bytes_in_use(), 0);
  EXPECT_EQ(pool.Trim(), mapping.opened_bytes);
}

TEST(WarmPool, CountsFollowEveryCallOfOneThread) {
  WarmPool pool(Holding(64 * kMiB));
  uint8_t* small = pool.Allocate(100);
  uint8_t* large = pool.Allocate(3 * kMiB);
  uint8_t* middle = pool.Allocate(50'000);
  pool.Free(large, 3 * kMiB);
  small = pool.Reallocate(small, 100, 40'000);
  small = pool.Reallocate(small, 40'000, 10);
  const MemoryCounts counts = pool.counts();
  EXPECT_EQ(counts.bytes_in_use, 50'010);
  EXPECT_EQ(counts.peak_bytes, 3 * kMiB + 50'100);
  EXPECT_EQ(counts.allocated_bytes, 3 * kMiB + 90'000);
  EXPECT_EQ(counts.allocation_count, 3);
  EXPECT_EQ(counts.reallocation_count, 2);
  pool.Free(small, 10);
  pool.Free(middle, 50'000);
  EXPECT_EQ(pool.bytes_in_use(), 0);
}

TEST(WarmPool, ThePeakOfSmallBlocksIsExact) {
  WarmPool pool(Holding(64 * kMiB));
  std::vector<uint8_t*> blocks;
  for (int i = 0; i < 3000; ++i) blocks.push_back(pool.Allocate(100));
  for (uint8_t* block : blocks) pool.Free(block, 100);
  uint8_t* block = pool.Allocate(100);
  pool.Free(block, 100);
  EXPECT_EQ(pool.peak_bytes(), 300'000);
  EXPECT_EQ(pool.counts().allocated_bytes, 300'100);
  EXPECT_EQ(pool.bytes_in_use(), 0);
}

TEST(WarmPool, TrimGivesBackAllThatIsHeldInReserve) {
  FaultyMapping mapping;
  WarmPool pool(Holding(64 * kMiB), mapping);
  std::vector<std::pair<uint8_t*, int64_t>> blocks;
  for (int round = 0; round < 50; ++round) {
    for (const int64_t size : kSizes) blocks.emplace_back(pool.Allocate(size), size);
  }
  for (const auto& [block, size] : blocks) pool.Free(block, size);
  const int64_t given_back = pool.Trim();
  EXPECT_EQ(given_back % PageStock::kPageBytes, 0);
  EXPECT_GT(given_back, 0);
  EXPECT_LE(given_back, 66 * kMiB);
  EXPECT_EQ(mapping.closed_bytes, mapping.opened_bytes) << "something is still held";
  EXPECT_EQ(pool.Trim(), 0);

  uint8_t* block = pool.Allocate(100);
  Fill(block, 100, 1);
  EXPECT_EQ(pool.Trim(), 0);  // Its page is in use.
  EXPECT_TRUE(Holds(block, 100, 1));
  pool.Free(block, 100);
  EXPECT_EQ(pool.Trim(), PageStock::kPageBytes);
}

TEST(WarmPool, MoreBlocksThanTheStockHoldsAreGivenBackWhenFreed) {
  FaultyMapping mapping;
  WarmPool pool(Holding(4 * kMiB), mapping);
  std::vector<uint8_t*> blocks;
  for (int i = 0; i < 10; ++i) blocks.push_back(pool.Allocate(2 * kMiB));
  for (uint8_t* block : blocks) pool.Free(block, 2 * kMiB);
  EXPECT_EQ(mapping.closed_bytes, 16 * kMiB);
  pool.SetStockLimit(2 * kMiB);
  EXPECT_EQ(mapping.closed_bytes, 18 * kMiB);
  EXPECT_EQ(pool.Trim(), 2 * kMiB);
}

TEST(WarmPool, WithTheStockOffNothingIsHeld) {
  FaultyMapping mapping;
  WarmPool pool(Holding(0), mapping);
  uint8_t* block = pool.Allocate(5 * kMiB);
  Fill(block, 5 * kMiB, 1);
  pool.Free(block, 5 * kMiB);
  EXPECT_EQ(mapping.closed_bytes, mapping.opened_bytes);
  EXPECT_EQ(pool.Trim(), 0);
}

TEST(WarmPool, FreedSmallBlocksServeAgain) {
  WarmPool pool(Holding(64 * kMiB));
  uint8_t* first = pool.Allocate(200);
  uint8_t* second = pool.Allocate(200);
  pool.Free(first, 200);
  EXPECT_EQ(pool.Allocate(250), first);
  EXPECT_EQ(pool.Reallocate(first, 250, 193), first);  // Of one class: where it is.
  pool.Free(first, 193);
  pool.Free(second, 200);
}

TEST(WarmPool, WithoutMappingsTheSystemsAllocatorServes) {
  for (const bool reserves : {false, true}) {
    FaultyMapping mapping;
    mapping.reserves = reserves;
    mapping.opens = false;
    WarmPool pool(Holding(64 * kMiB), mapping);
    for (const int64_t from : kSizes) {
      for (const int64_t to : kSizes) {
        uint8_t* block = pool.Allocate(from);
        ASSERT_NE(block, nullptr);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % MemoryPool::kAlignment, 0U);
        Fill(block, from, 7);
        block = pool.Reallocate(block, from, to);
        ASSERT_NE(block, nullptr);
        EXPECT_TRUE(HoldsFront(block, to, from, 7));
        pool.Free(block, to);
      }
    }
    EXPECT_EQ(pool.bytes_in_use(), 0);
    EXPECT_EQ(pool.Trim(), 0);
  }
}

TEST(WarmPool, BlocksFromTheSystemGrowIntoPagesOnceThereAreSome) {
  FaultyMapping mapping;
  mapping.opens = false;
  WarmPool pool(Holding(64 * kMiB), mapping);
  uint8_t* block = pool.Allocate(3 * kMiB);
  Fill(block, 3 * kMiB, 5);
  mapping.opens = true;
  block = pool.Reallocate(block, 3 * kMiB, 6 * kMiB);
  EXPECT_EQ(mapping.opened_bytes, 6 * kMiB);
  EXPECT_TRUE(HoldsFront(block, 6 * kMiB, 3 * kMiB, 5));
  pool.Free(block, 6 * kMiB);
  EXPECT_EQ(pool.bytes_in_use(), 0);
}

TEST(WarmPool, SizesNobodyHasAreRefusedAndNothingIsLost) {
  WarmPool pool(Holding(64 * kMiB));
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  for (const int64_t size : {int64_t{0}, int64_t{-1}, kMax, kMax - 63}) {
    EXPECT_EQ(pool.Allocate(size), nullptr) << size;
    for (const int64_t old_size : kSizes) {
      uint8_t* block = pool.Allocate(old_size);
      Fill(block, old_size, 4);
      EXPECT_EQ(pool.Reallocate(block, old_size, size), nullptr);
      EXPECT_TRUE(Holds(block, old_size, 4));
      pool.Free(block, old_size);
    }
  }
  pool.Free(nullptr, 8);
  EXPECT_EQ(pool.bytes_in_use(), 0);
}

TEST(WarmPool, ALimitOnTopRefusesAndPassesTheRestOn) {
  WarmPool pool(Holding(64 * kMiB));
  const auto limited = MakeLimitedPool(&pool, 8 * kMiB);
  uint8_t* block = limited->Allocate(6 * kMiB);
  ASSERT_NE(block, nullptr);
  Fill(block, 6 * kMiB, 2);
  EXPECT_EQ(limited->Allocate(3 * kMiB), nullptr);
  EXPECT_EQ(limited->Reallocate(block, 6 * kMiB, 9 * kMiB), nullptr);
  EXPECT_TRUE(Holds(block, 6 * kMiB, 2));
  block = limited->Reallocate(block, 6 * kMiB, 8 * kMiB);
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(HoldsFront(block, 8 * kMiB, 6 * kMiB, 2));
  EXPECT_EQ(pool.bytes_in_use(), 8 * kMiB);
  limited->Free(block, 8 * kMiB);
  EXPECT_EQ(pool.bytes_in_use(), 0);
  limited->SetStockLimit(2 * kMiB);
  EXPECT_EQ(limited->Trim(), 2 * kMiB);
}

struct Handed {
  uint8_t* block;
  int64_t size;
  uint8_t mark;
};

/// Blocks that one thread leaves for another to check, resize and free.
class Exchange {
 public:
  Handed Swap(Handed mine, size_t slot) {
    const std::lock_guard lock(mutex_);
    return std::exchange(slots_[slot % slots_.size()], mine);
  }
  const std::vector<Handed>& slots() const { return slots_; }

 private:
  std::mutex mutex_;
  std::vector<Handed> slots_ = std::vector<Handed>(32);
};

void WorkOn(MemoryPool& pool, Exchange& exchange, unsigned seed, int steps,
            std::atomic<int>& faults) {
  std::mt19937 random(seed);
  for (int step = 0; step < steps; ++step) {
    const int64_t size = random() % 8 == 0 ? kSizes[random() % kSizes.size()]
                                           : static_cast<int64_t>(1 + random() % 3000);
    const auto mark = static_cast<uint8_t>(random());
    uint8_t* block = pool.Allocate(size);
    if (block == nullptr) continue;
    Fill(block, size, mark);
    Handed other = exchange.Swap({block, size, mark}, random());
    if (other.block == nullptr) continue;
    if (!Holds(other.block, other.size, other.mark)) ++faults;
    if (random() % 4 == 0) {
      const int64_t resized = kSizes[random() % kSizes.size()];
      if (uint8_t* moved = pool.Reallocate(other.block, other.size, resized); moved != nullptr) {
        if (!HoldsFront(moved, resized, other.size, other.mark)) ++faults;
        other = {moved, resized, 0};
      }
    }
    pool.Free(other.block, other.size);
    if (step % 64 == 0) pool.Trim();
    if (step % 50 == 0 && pool.bytes_in_use() < 0) ++faults;
  }
}

/// Threads that free and resize each other's blocks.
void WorkTogether(MemoryPool& pool) {
  Exchange exchange;
  std::atomic<int> faults = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] { WorkOn(pool, exchange, t, 500, faults); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Handed& left : exchange.slots()) {
    if (left.block == nullptr) continue;
    EXPECT_TRUE(Holds(left.block, left.size, left.mark));
    pool.Free(left.block, left.size);
  }
  EXPECT_EQ(faults, 0);
  EXPECT_EQ(pool.bytes_in_use(), 0);
}

TEST(WarmPool, ThreadsShareBlocksOfEveryKind) {
  for (const int64_t stock_bytes : {int64_t{0}, 8 * kMiB, 128 * kMiB}) {
    FaultyMapping mapping;
    WarmPool pool(Holding(stock_bytes), mapping);
    WorkTogether(pool);
    EXPECT_LE(pool.Trim(), stock_bytes + 8 * kMiB);
    EXPECT_EQ(mapping.closed_bytes, mapping.opened_bytes) << "pages were lost";
  }
}

TEST(WarmPool, ThreadsShareBlocksWhileMappingsFail) {
  FaultyMapping mapping;
  mapping.fail_every = 3;
  WarmPool pool(Holding(16 * kMiB), mapping);
  WorkTogether(pool);
}

TEST(WarmPool, ThreadsShareBlocksUnderALimit) {
  WarmPool pool(Holding(16 * kMiB));
  const auto limited = MakeLimitedPool(&pool, 20 * kMiB);
  WorkTogether(*limited);
  EXPECT_LE(limited->peak_bytes(), 20 * kMiB);
}

TEST(WarmPool, ThreadsShareBlocksWhileOthersTrimAndSetTheLimit) {
  FaultyMapping mapping;
  WarmPool pool(Holding(64 * kMiB), mapping);
  std::atomic<bool> done = false;
  std::vector<std::thread> meddlers;
  for (const int64_t limit : {int64_t{-1}, std::numeric_limits<int64_t>::max()}) {
    meddlers.emplace_back([&, limit] {
      while (!done) {
        pool.SetStockLimit(limit);
        pool.Trim();
        pool.counts();
      }
    });
  }
  WorkTogether(pool);
  done = true;
  for (std::thread& meddler : meddlers) meddler.join();
  pool.Trim();
  EXPECT_EQ(mapping.closed_bytes, mapping.opened_bytes) << "pages were lost";
}

TEST(WarmPool, ThreadsThatEndLeaveNothingBehind) {
  FaultyMapping mapping;
  WarmPool pool(Holding(64 * kMiB), mapping);
  std::vector<uint8_t*> blocks;
  for (int i = 0; i < 200; ++i) {  // More threads than there are shards.
    std::thread([&] {
      blocks.push_back(pool.Allocate(100));
      pool.Free(pool.Allocate(100), 100);
    }).join();
  }
  EXPECT_EQ(pool.bytes_in_use(), 20'000);
  for (uint8_t* block : blocks) pool.Free(block, 100);
  EXPECT_EQ(pool.counts().allocation_count, 400);
  EXPECT_EQ(pool.bytes_in_use(), 0);
  EXPECT_EQ(pool.Trim(), mapping.opened_bytes);
}

TEST(DefaultPool, IsUsableAndTrimsAtAnyTime) {
  MemoryPool* pool = MemoryPool::Default();
  uint8_t* block = pool->Allocate(5 * kMiB);
  Fill(block, 5 * kMiB, 1);
  EXPECT_GE(pool->Trim(), 0);
  EXPECT_TRUE(Holds(block, 5 * kMiB, 1));
  pool->Free(block, 5 * kMiB);
}

/// In a process of its own: what the default pool holds after a block of 9 MiB, in MiB; 99 where
/// a byte was lost. Never returns.
[[noreturn]] void UseDefaultPoolWith(const char* variable, const char* value) {
  setenv(variable, value, /*overwrite=*/1);
  MemoryPool* pool = MemoryPool::Default();
  uint8_t* block = pool->Allocate(3 * kMiB);
  if (block != nullptr) Fill(block, 3 * kMiB, 1);
  uint8_t* grown = block == nullptr ? nullptr : pool->Reallocate(block, 3 * kMiB, 9 * kMiB);
  const bool kept = grown != nullptr && HoldsFront(grown, 9 * kMiB, 3 * kMiB, 1);
  if (kept) pool->Free(grown, 9 * kMiB);
  std::_Exit(kept && pool->bytes_in_use() == 0 ? static_cast<int>(pool->Trim() / kMiB) : 99);
}

TEST(DefaultPoolDeathTest, SettingsThatMakeNoSenseCountForNothing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // A new process, whose pool is not made yet.
  const auto held = ::testing::ExitedWithCode(internal::kSanitized ? 0 : 10);
  const auto nothing = ::testing::ExitedWithCode(0);
  constexpr const char* kStock = "SHEAF_POOL_STOCK_BYTES";
  for (const char* value : {"", " ", "abc", "12abc", "1e9", "0x10", " 5", "+5", "1.5", "--1",
                            "9223372036854775808", "99999999999999999999999"}) {
    EXPECT_EXIT(UseDefaultPoolWith(kStock, value), held, "") << value;
  }
  EXPECT_EXIT(UseDefaultPoolWith(kStock, "9223372036854775807"), held, "");
  for (const char* value : {"0", "-1", "-9223372036854775808", "1", "2097151"}) {
    EXPECT_EXIT(UseDefaultPoolWith(kStock, value), nothing, "") << value;
  }
  for (const char* value : {"", "SYSTEM", "systems", "warm", "malloc"}) {
    EXPECT_EXIT(UseDefaultPoolWith("SHEAF_POOL", value), held, "") << value;
  }
  EXPECT_EXIT(UseDefaultPoolWith("SHEAF_POOL", "system"), nothing, "");
}

TEST(MakePools, GiveBlocksAndTakeThemBack) {
  for (const auto& pool :
       {MakeWarmPool({.stock_bytes = 4 * kMiB}), MakeWarmPool(), MakeSystemPool()}) {
    uint8_t* block = pool->Allocate(3 * kMiB);
    ASSERT_NE(block, nullptr);
    block = pool->Reallocate(block, 3 * kMiB, 9 * kMiB);
    Fill(block, 9 * kMiB, 1);
    EXPECT_EQ(pool->bytes_in_use(), 9 * kMiB);
    pool->Free(block, 9 * kMiB);
    pool->SetStockLimit(0);
    EXPECT_EQ(pool->Trim(), 0);
    EXPECT_EQ(pool->bytes_in_use(), 0);
  }
}

}  // namespace
}  // namespace sheaf
