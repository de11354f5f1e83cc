#include "memory/page_stock.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/faulty_mapping.h"

namespace sheaf {
namespace {

using internal::PageStock;
using testing::FaultyMapping;

constexpr int64_t kPage = PageStock::kPageBytes;

PageStock::Options Small(int64_t held_pages, int64_t reserved_pages = 256) {
  return {.held_limit_bytes = held_pages * kPage, .reserved_bytes = reserved_pages * kPage};
}

/// Bytes at both ends of every page that tell the page's place in the block.
void Stamp(uint8_t* block, int64_t pages, uint64_t stamp, int64_t from_page = 0) {
  for (int64_t i = from_page; i < pages; ++i) {
    const uint64_t value = stamp * 1000 + static_cast<uint64_t>(i);
    std::memcpy(block + i * kPage, &value, sizeof(value));
    std::memcpy(block + (i + 1) * kPage - 8, &value, sizeof(value));
  }
}

bool HasStamp(const uint8_t* block, int64_t pages, uint64_t stamp) {
  for (int64_t i = 0; i < pages; ++i) {
    const uint64_t value = stamp * 1000 + static_cast<uint64_t>(i);
    if (std::memcmp(block + i * kPage, &value, sizeof(value)) != 0) return false;
    if (std::memcmp(block + (i + 1) * kPage - 8, &value, sizeof(value)) != 0) return false;
  }
  return true;
}

TEST(PageStock, BlocksAreWholePagesThatCanBeWritten) {
  PageStock stock(Small(64));
  uint8_t* block = stock.Allocate(3);
  if (block == nullptr) GTEST_SKIP() << "this system maps no pages";
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % kPage, 0U);
  EXPECT_TRUE(stock.Contains(block));
  EXPECT_TRUE(stock.Contains(block + 3 * kPage - 1));
  EXPECT_FALSE(stock.Contains(reinterpret_cast<const uint8_t*>(&stock)));
  std::memset(block, 1, static_cast<size_t>(3 * kPage));
  stock.Free(block, 3);
}

TEST(PageStock, AFreedBlockServesSmallerAndEqualOnesWithoutASystemCall) {
  FaultyMapping mapping;
  PageStock stock(Small(64), mapping);
  uint8_t* block = stock.Allocate(5);
  ASSERT_NE(block, nullptr);
  Stamp(block, 5, 1);
  stock.Free(block, 5);
  EXPECT_EQ(stock.held_bytes(), 5 * kPage);
  const int64_t calls = mapping.calls;

  EXPECT_EQ(stock.Allocate(5), block);
  EXPECT_EQ(stock.held_bytes(), 0);
  stock.Free(block, 5);
  EXPECT_EQ(stock.Allocate(2), block);
  EXPECT_EQ(stock.Allocate(3), block + 2 * kPage);
  EXPECT_EQ(mapping.calls, calls);
}

TEST(PageStock, FreedPagesOfAnyPlaceServeALargerBlock) {
  FaultyMapping mapping;
  PageStock stock(Small(64), mapping);
  std::vector<uint8_t*> blocks;
  for (int i = 0; i < 6; ++i) {
    blocks.push_back(stock.Allocate(2));
    Stamp(blocks.back(), 2, static_cast<uint64_t>(i));
  }
  for (int i = 0; i < 6; i += 2) stock.Free(blocks[static_cast<size_t>(i)], 2);
  EXPECT_EQ(stock.held_bytes(), 6 * kPage);

  uint8_t* large = stock.Allocate(7);
  ASSERT_NE(large, nullptr);
  EXPECT_EQ(mapping.moved_bytes, 6 * kPage);
  EXPECT_EQ(stock.held_bytes(), 0);
  Stamp(large, 7, 99);
  EXPECT_TRUE(HasStamp(large, 7, 99));
  for (int i = 1; i < 6; i += 2) {
    EXPECT_TRUE(HasStamp(blocks[static_cast<size_t>(i)], 2, static_cast<uint64_t>(i)));
  }
}

TEST(PageStock, ABlockGrowsWhereItLies) {
  FaultyMapping mapping;
  PageStock stock(Small(64), mapping);
  uint8_t* block = stock.Allocate(1);
  uint8_t* other = stock.Allocate(1);
  Stamp(block, 1, 1);
  Stamp(other, 1, 2);
  EXPECT_EQ(stock.Resize(block, 1, 20), block);
  Stamp(block, 20, 1, 1);
  EXPECT_TRUE(HasStamp(block, 20, 1));
  EXPECT_TRUE(HasStamp(other, 1, 2));
  EXPECT_EQ(mapping.moved_bytes, 0);

  EXPECT_EQ(stock.Resize(block, 20, 4), block);
  EXPECT_EQ(stock.held_bytes(), 16 * kPage);
  const int64_t calls = mapping.calls;
  EXPECT_EQ(stock.Resize(block, 4, 4), block);
  EXPECT_EQ(mapping.calls, calls);
  EXPECT_EQ(stock.Resize(block, 4, 20), block);  // Into the pages it gave back.
  EXPECT_EQ(stock.held_bytes(), 0);
  EXPECT_TRUE(HasStamp(block, 4, 1));
}

/// Two blocks side by side, so that the first can only grow by moving.
struct Neighbours {
  explicit Neighbours(PageStock& stock) {
    uint8_t* both = stock.Allocate(5);
    first = both;
    second = both + 3 * kPage;
    Stamp(first, 3, 1);
    Stamp(second, 2, 2);
  }
  uint8_t* first;
  uint8_t* second;
};

TEST(PageStock, ABlockWithANeighbourMovesAndKeepsItsBytes) {
  for (const bool moves_runs : {true, false}) {
    FaultyMapping mapping;
    PageStock stock(Small(64), mapping);
    const Neighbours blocks(stock);
    mapping.moves_runs = moves_runs;
    uint8_t* grown = stock.Resize(blocks.first, 3, 9);
    ASSERT_NE(grown, nullptr);
    EXPECT_NE(grown, blocks.first);
    EXPECT_EQ(mapping.moved_bytes, 3 * kPage);
    EXPECT_TRUE(HasStamp(grown, 3, 1));
    Stamp(grown, 9, 3);
    EXPECT_TRUE(HasStamp(grown, 9, 3));
    EXPECT_TRUE(HasStamp(blocks.second, 2, 2));
  }
}

TEST(PageStock, WhatTheSystemDoesNotMoveIsCopied) {
  FaultyMapping mapping;
  PageStock stock(Small(64), mapping);
  const Neighbours blocks(stock);
  mapping.moves = false;
  uint8_t* grown = stock.Resize(blocks.first, 3, 9);
  ASSERT_NE(grown, nullptr);
  EXPECT_TRUE(HasStamp(grown, 3, 1));
  EXPECT_TRUE(HasStamp(blocks.second, 2, 2));
  EXPECT_EQ(mapping.moved_bytes, 0);
}

TEST(PageStock, WarmPagesThatCannotBeMovedStayInStock) {
  FaultyMapping mapping;
  PageStock stock(Small(64), mapping);
  const Neighbours blocks(stock);
  stock.Free(blocks.first, 3);
  mapping.moves = false;
  uint8_t* block = stock.Allocate(4);
  ASSERT_NE(block, nullptr);
  Stamp(block, 4, 3);
  EXPECT_EQ(stock.held_bytes(), 3 * kPage);
  EXPECT_EQ(stock.Allocate(3), blocks.first);
}

TEST(PageStock, RefusedMappingsChangeNothing) {
  FaultyMapping mapping;
  PageStock stock(Small(64), mapping);
  const Neighbours blocks(stock);
  mapping.opens = false;
  EXPECT_EQ(stock.Allocate(1), nullptr);
  EXPECT_EQ(stock.Resize(blocks.first, 3, 4), nullptr);
  EXPECT_EQ(stock.Resize(blocks.second, 2, 4), nullptr);
  EXPECT_TRUE(HasStamp(blocks.first, 3, 1));
  EXPECT_TRUE(HasStamp(blocks.second, 2, 2));
  EXPECT_EQ(stock.held_bytes(), 0);

  mapping.opens = true;
  EXPECT_EQ(stock.Resize(blocks.second, 2, 200), blocks.second);
  EXPECT_TRUE(HasStamp(blocks.second, 2, 2));
}

TEST(PageStock, GrowthOverWarmAndClosedPagesOpensTheClosedOnes) {
  FaultyMapping mapping;
  PageStock stock(Small(64), mapping);
  uint8_t* block = stock.Allocate(4);
  ASSERT_NE(block, nullptr);
  ASSERT_EQ(stock.Resize(block, 4, 1), block);  // | 1 | 3 warm | closed ...
  Stamp(block, 1, 7);
  ASSERT_EQ(stock.Resize(block, 1, 3), block);
  EXPECT_EQ(mapping.opened_bytes, 4 * kPage);  // No closed page was needed.
  ASSERT_EQ(stock.Resize(block, 3, 6), block);
  EXPECT_EQ(mapping.opened_bytes, 6 * kPage);
  EXPECT_TRUE(HasStamp(block, 1, 7));
  stock.Free(block, 6);
  EXPECT_EQ(stock.Trim(), 6 * kPage);
  EXPECT_EQ(mapping.closed_bytes, mapping.opened_bytes);
}

TEST(PageStock, GrowthOverWarmAndClosedPagesThatIsRefusedPutsThemBack) {
  FaultyMapping mapping;
  PageStock stock(Small(64), mapping);
  const Neighbours blocks(stock);
  stock.Free(blocks.second, 2);
  mapping.opens = false;
  EXPECT_EQ(stock.Resize(blocks.first, 3, 9), nullptr);
  EXPECT_EQ(stock.held_bytes(), 2 * kPage);
  EXPECT_EQ(stock.Allocate(2), blocks.second);
}

TEST(PageStock, WithoutARangeEverythingIsRefused) {
  FaultyMapping mapping;
  mapping.reserves = false;
  PageStock stock(Small(64), mapping);
  EXPECT_EQ(stock.Allocate(1), nullptr);
  EXPECT_FALSE(stock.Contains(nullptr));
  EXPECT_EQ(stock.Trim(), 0);
}

TEST(PageStock, SizesPastTheRangeAreRefused) {
  PageStock stock(Small(64, 16));
  EXPECT_EQ(stock.Allocate(17), nullptr);
  EXPECT_EQ(stock.Allocate(INT64_MAX / kPage), nullptr);
  EXPECT_EQ(stock.Allocate(0), nullptr);
  uint8_t* block = stock.Allocate(16);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(stock.Allocate(1), nullptr);
  EXPECT_EQ(stock.Resize(block, 16, 17), nullptr);
  stock.Free(block, 16);
  EXPECT_EQ(stock.Allocate(16), block);
}

TEST(PageStock, NoMoreIsHeldThanTheBound) {
  FaultyMapping mapping;
  PageStock stock(Small(4), mapping);
  uint8_t* first = stock.Allocate(3);
  uint8_t* second = stock.Allocate(3);
  stock.Free(first, 3);
  EXPECT_EQ(stock.held_bytes(), 3 * kPage);
  stock.Free(second, 3);
  EXPECT_EQ(stock.held_bytes(), 4 * kPage);
  EXPECT_EQ(mapping.closed_bytes, 2 * kPage);

  stock.SetHeldLimit(2 * kPage);
  EXPECT_EQ(stock.held_bytes(), 2 * kPage);
  stock.SetHeldLimit(0);
  EXPECT_EQ(stock.held_bytes(), 0);
  uint8_t* block = stock.Allocate(2);
  Stamp(block, 2, 1);
  stock.Free(block, 2);
  EXPECT_EQ(stock.held_bytes(), 0);
  EXPECT_EQ(mapping.closed_bytes, 8 * kPage);
}

TEST(PageStock, TrimGivesBackWhatIsHeldAndSaysHowMuch) {
  FaultyMapping mapping;
  PageStock stock(Small(64), mapping);
  const Neighbours blocks(stock);
  uint8_t* third = stock.Allocate(7);
  stock.Free(blocks.first, 3);
  stock.Free(third, 7);
  EXPECT_EQ(stock.Trim(), 10 * kPage);
  EXPECT_EQ(mapping.closed_bytes, 10 * kPage);
  EXPECT_EQ(stock.Trim(), 0);
  EXPECT_TRUE(HasStamp(blocks.second, 2, 2));
}

TEST(PageStock, WithManyMappingsPagesAreNoLongerMoved) {
  FaultyMapping mapping;
  PageStock::Options options = Small(64);
  options.max_mappings = 4;
  PageStock stock(options, mapping);
  std::vector<uint8_t*> blocks;
  for (int i = 0; i < 8; ++i) blocks.push_back(stock.Allocate(1));
  for (size_t i = 0; i < blocks.size(); i += 2) stock.Free(blocks[i], 1);
  uint8_t* large = stock.Allocate(4);
  ASSERT_NE(large, nullptr);
  Stamp(large, 4, 5);
  EXPECT_TRUE(HasStamp(large, 4, 5));
  EXPECT_LE(mapping.moved_bytes, kPage);
}

/// Random calls against what the blocks should hold, while mappings fail now and then.
void RunRandomCalls(PageStock& stock, unsigned seed, int steps) {
  struct Block {
    uint8_t* address;
    int64_t pages;
    uint64_t stamp;
  };
  std::mt19937 random(seed);
  std::vector<Block> blocks;
  for (int step = 0; step < steps; ++step) {
    const auto stamp = static_cast<uint64_t>(seed) * 100'000 + static_cast<uint64_t>(step);
    const auto pages = static_cast<int64_t>(1 + random() % 9);
    if (blocks.empty() || random() % 3 == 0) {
      if (uint8_t* address = stock.Allocate(pages); address != nullptr) {
        Stamp(address, pages, stamp);
        blocks.push_back({address, pages, stamp});
      }
      continue;
    }
    Block& block = blocks[random() % blocks.size()];
    ASSERT_TRUE(HasStamp(block.address, block.pages, block.stamp)) << "step " << step;
    if (random() % 2 == 0) {
      if (uint8_t* address = stock.Resize(block.address, block.pages, pages); address != nullptr) {
        ASSERT_TRUE(HasStamp(address, std::min(pages, block.pages), block.stamp));
        block = {address, pages, stamp};
        Stamp(address, pages, stamp);
      }
    } else {
      stock.Free(block.address, block.pages);
      block = blocks.back();
      blocks.pop_back();
    }
  }
  for (const Block& block : blocks) {
    ASSERT_TRUE(HasStamp(block.address, block.pages, block.stamp));
    stock.Free(block.address, block.pages);
  }
}

TEST(PageStock, RandomCallsKeepEveryBlocksBytes) {
  for (const int64_t held_pages : {0, 5, 64}) {
    for (const int64_t fail_every : {0, 5, 2}) {
      FaultyMapping mapping;
      PageStock stock(Small(held_pages, 48), mapping);
      mapping.fail_every = fail_every;
      RunRandomCalls(stock, static_cast<unsigned>(held_pages + fail_every), 400);
      EXPECT_LE(stock.held_bytes(), held_pages * kPage);
      stock.Trim();
      mapping.fail_every = 0;
      EXPECT_NE(stock.Allocate(48), nullptr) << "pages were lost";
    }
  }
}

TEST(PageStock, ThreadsKeepTheirBlocksApart) {
  FaultyMapping mapping;
  PageStock stock(Small(12, 96), mapping);
  mapping.fail_every = 7;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&stock, t] { RunRandomCalls(stock, t + 1, 150); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(stock.held_bytes(), 12 * kPage);
  stock.Trim();
  mapping.fail_every = 0;
  EXPECT_NE(stock.Allocate(96), nullptr) << "pages were lost";
}

}  // namespace
}  // namespace sheaf
