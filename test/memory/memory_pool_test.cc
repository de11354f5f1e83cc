#include "sheaf/memory/memory_pool.h"

#include <cstring>
#include <limits>
#include <new>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/failing_pool.h"

namespace sheaf {
namespace {

bool IsAligned(const void* address) {
  return reinterpret_cast<uintptr_t>(address) % MemoryPool::kAlignment == 0;
}

/// Fills a block with bytes that tell their place.
void FillPattern(uint8_t* block, int64_t size_bytes) {
  for (int64_t i = 0; i < size_bytes; ++i) block[i] = static_cast<uint8_t>(i * 7 + 3);
}

bool HasPattern(const uint8_t* block, int64_t size_bytes) {
  for (int64_t i = 0; i < size_bytes; ++i) {
    if (block[i] != static_cast<uint8_t>(i * 7 + 3)) return false;
  }
  return true;
}

/// A resource that stops giving at a limit by throwing, as std::pmr ones do.
class ThrowingResource : public std::pmr::memory_resource {
 public:
  explicit ThrowingResource(size_t limit) : left_(limit) {}
  int64_t outstanding() const { return outstanding_; }

 private:
  void* do_allocate(size_t bytes, size_t alignment) override {
    if (bytes > left_) throw std::bad_alloc();
    left_ -= bytes;
    ++outstanding_;
    return ::operator new(bytes, std::align_val_t(alignment));
  }
  void do_deallocate(void* block, size_t bytes, size_t alignment) override {
    left_ += bytes;
    --outstanding_;
    ::operator delete(block, std::align_val_t(alignment));
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  size_t left_;
  int64_t outstanding_ = 0;
};

TEST(MemoryPool, BlocksOfAllSizesAreAligned) {
  MemoryPool* pool = MemoryPool::Default();
  std::vector<std::pair<uint8_t*, int64_t>> blocks;
  for (int64_t size = 1; size < 5'000'000; size = size * 3 / 2 + 1) {
    uint8_t* block = pool->Allocate(size);
    ASSERT_NE(block, nullptr);
    EXPECT_TRUE(IsAligned(block));
    FillPattern(block, size);
    blocks.emplace_back(block, size);
  }
  for (const auto& [block, size] : blocks) {
    EXPECT_TRUE(HasPattern(block, size));
    pool->Free(block, size);
  }
}

TEST(MemoryPool, GrowingAndShrinkingKeepsTheCommonPrefix) {
  for (const auto& owned : {MakeLimitedPool(MemoryPool::Default(), 1 << 30),
                            MakePmrPool(std::pmr::new_delete_resource())}) {
    MemoryPool* pool = owned.get();
    int64_t size = 1;
    uint8_t* block = pool->Allocate(size);
    FillPattern(block, size);
    // Small blocks between, so that realloc has to move, to an address of another alignment too.
    std::vector<uint8_t*> between;
    while (size < 3'000'000) {
      const int64_t grown = size * 2 + 13;
      between.push_back(pool->Allocate(1 + static_cast<int64_t>(between.size()) * 16));
      block = pool->Reallocate(block, size, grown);
      ASSERT_NE(block, nullptr);
      EXPECT_TRUE(IsAligned(block));
      EXPECT_TRUE(HasPattern(block, size));
      size = grown;
      FillPattern(block, size);
    }
    while (size > 10) {
      const int64_t shrunk = size / 3 + 1;
      block = pool->Reallocate(block, size, shrunk);
      ASSERT_NE(block, nullptr);
      EXPECT_TRUE(HasPattern(block, shrunk));
      size = shrunk;
    }
    pool->Free(block, size);
    for (size_t i = 0; i < between.size(); ++i) {
      pool->Free(between[i], 1 + static_cast<int64_t>(i) * 16);
    }
    EXPECT_EQ(pool->bytes_in_use(), 0);
  }
}

TEST(MemoryPool, CountsFollowEveryCall) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), 1 << 20);
  uint8_t* a = pool->Allocate(100);
  uint8_t* b = pool->Allocate(50);
  a = pool->Reallocate(a, 100, 300);
  pool->Free(b, 50);
  a = pool->Reallocate(a, 300, 10);
  const MemoryCounts counts = pool->counts();
  EXPECT_EQ(counts.bytes_in_use, 10);
  EXPECT_EQ(counts.peak_bytes, 350);
  EXPECT_EQ(counts.allocated_bytes, 350);
  EXPECT_EQ(counts.allocation_count, 2);
  EXPECT_EQ(counts.reallocation_count, 2);
  pool->Free(a, 10);
  EXPECT_EQ(pool->bytes_in_use(), 0);
  EXPECT_EQ(pool->peak_bytes(), 350);
}

TEST(MemoryPool, DefaultPoolCountsWhatOthersTakeThroughIt) {
  const MemoryCounts before = MemoryPool::Default()->counts();
  const auto pool = MakeLimitedPool(MemoryPool::Default(), 1000);
  uint8_t* block = pool->Allocate(1000);
  EXPECT_EQ(MemoryPool::Default()->bytes_in_use(), before.bytes_in_use + 1000);
  EXPECT_EQ(MemoryPool::Default()->counts().allocation_count, before.allocation_count + 1);
  pool->Free(block, 1000);
  EXPECT_EQ(MemoryPool::Default()->bytes_in_use(), before.bytes_in_use);
}

TEST(MemoryPool, SizesNobodyHasAreRefused) {
  MemoryPool* pool = MemoryPool::Default();
  const int64_t before = pool->bytes_in_use();
  EXPECT_EQ(pool->Allocate(std::numeric_limits<int64_t>::max()), nullptr);
  EXPECT_EQ(pool->Allocate(0), nullptr);
  EXPECT_EQ(pool->Allocate(-1), nullptr);
  uint8_t* block = pool->Allocate(8);
  FillPattern(block, 8);
  EXPECT_EQ(pool->Reallocate(block, 8, std::numeric_limits<int64_t>::max()), nullptr);
  EXPECT_TRUE(HasPattern(block, 8));
  pool->Free(block, 8);
  pool->Free(nullptr, 8);
  EXPECT_EQ(pool->bytes_in_use(), before);
}

TEST(MemoryPool, LimitRefusesWithoutLosingWhatIsThere) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), 1000);
  uint8_t* block = pool->Allocate(600);
  ASSERT_NE(block, nullptr);
  FillPattern(block, 600);
  EXPECT_EQ(pool->Allocate(401), nullptr);
  EXPECT_EQ(pool->Reallocate(block, 600, 1001), nullptr);
  EXPECT_TRUE(HasPattern(block, 600));
  EXPECT_EQ(pool->bytes_in_use(), 600);
  EXPECT_EQ(pool->peak_bytes(), 600);

  block = pool->Reallocate(block, 600, 1000);
  ASSERT_NE(block, nullptr);
  block = pool->Reallocate(block, 1000, 200);
  uint8_t* second = pool->Allocate(800);
  EXPECT_NE(second, nullptr);
  pool->Free(second, 800);
  pool->Free(block, 200);
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(MemoryPool, LimitIsGivenBackWhenTheParentRefuses) {
  testing::FailingPool parent;
  const auto pool = MakeLimitedPool(&parent, 1000);
  parent.FailAt(0);
  EXPECT_EQ(pool->Allocate(1000), nullptr);
  uint8_t* block = pool->Allocate(500);
  ASSERT_NE(block, nullptr);
  parent.FailAt(0);
  EXPECT_EQ(pool->Reallocate(block, 500, 1000), nullptr);
  block = pool->Reallocate(block, 500, 1000);
  EXPECT_NE(block, nullptr);
  pool->Free(block, 1000);
}

TEST(MemoryPool, ThreadsTogetherNeverPassTheLimit) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), 10'000);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&pool, t] {
      for (int i = 0; i < 20'000; ++i) {
        const int64_t size = 1 + (i * 37 + t * 101) % 4000;
        if (uint8_t* block = pool->Allocate(size)) {
          block[0] = block[size - 1] = 1;
          pool->Free(block, size);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool->bytes_in_use(), 0);
  EXPECT_LE(pool->peak_bytes(), 10'000);
}

TEST(MemoryPool, WhatAResourceThrowsIsARefusal) {
  ThrowingResource resource(1000);
  const auto pool = MakePmrPool(&resource);
  uint8_t* block = pool->Allocate(400);
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(IsAligned(block));
  FillPattern(block, 400);
  EXPECT_EQ(pool->Allocate(601), nullptr);
  EXPECT_EQ(pool->Reallocate(block, 400, 700), nullptr);
  EXPECT_TRUE(HasPattern(block, 400));
  EXPECT_EQ(pool->bytes_in_use(), 400);
  EXPECT_EQ(pool->counts().reallocation_count, 0);

  block = pool->Reallocate(block, 400, 600);
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(HasPattern(block, 400));
  EXPECT_EQ(resource.outstanding(), 1);
  pool->Free(block, 600);
  EXPECT_EQ(resource.outstanding(), 0);
  EXPECT_EQ(pool->counts().bytes_in_use, 0);
}

TEST(FailingPool, RefusesTheCallItWasTold) {
  testing::FailingPool pool;
  pool.FailAt(1);
  uint8_t* first = pool.Allocate(10);
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(pool.Reallocate(first, 10, 20), nullptr);
  EXPECT_TRUE(pool.failed());
  first = pool.Reallocate(first, 10, 20);
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(pool.calls(), 3);

  pool.FailAt(0, /*for_good=*/true);
  EXPECT_EQ(pool.Allocate(1), nullptr);
  EXPECT_EQ(pool.Allocate(1), nullptr);
  first = pool.Reallocate(first, 20, 5);  // Shrinking cannot fail.
  EXPECT_NE(first, nullptr);

  pool.SwitchOff();
  EXPECT_EQ(pool.calls(), 0);
  EXPECT_FALSE(pool.failed());
  pool.Free(first, 5);
}

}  // namespace
}  // namespace sheaf
