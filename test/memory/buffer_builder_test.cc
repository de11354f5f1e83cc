#include "sheaf/memory/buffer_builder.h"

#include <cstring>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/staged_vector.h"
#include "testing/failing_pool.h"

namespace sheaf {
namespace {

/// Writes text behind the staged end.
Status Stage(const std::string& text, BufferBuilder* builder) {
  const auto size = static_cast<int64_t>(text.size());
  SHEAF_RETURN_IF_ERROR(builder->Reserve(size));
  std::memcpy(builder->UnsafeStage(size), text.data(), text.size());
  return OkStatus();
}

std::string TextOf(const Buffer& buffer) {
  return {reinterpret_cast<const char*>(buffer.data()), static_cast<size_t>(buffer.size_bytes())};
}

TEST(BufferBuilder, CommittedBytesStayStagedOnesAreForgotten) {
  BufferBuilder builder(MemoryPool::Default());
  ASSERT_TRUE(Stage("kept ", &builder).ok());
  builder.Commit();
  ASSERT_TRUE(Stage("lost", &builder).ok());
  EXPECT_EQ(builder.size_bytes(), 5);
  EXPECT_EQ(builder.staged_size_bytes(), 9);
  builder.Discard();
  ASSERT_TRUE(Stage("too", &builder).ok());
  builder.Commit();
  EXPECT_EQ(TextOf(builder.Share()), "kept too");
}

TEST(BufferBuilder, NothingIsAnEmptyBufferThatIsPresent) {
  testing::FailingPool pool;
  BufferBuilder builder(&pool);
  const Buffer buffer = builder.Share();
  EXPECT_FALSE(buffer.absent());
  EXPECT_EQ(buffer.size_bytes(), 0);
  EXPECT_EQ(pool.calls(), 0);
}

TEST(BufferBuilder, SharedBytesAreAlignedPaddedAndNotMuchLargerThanNeeded) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), 1 << 24);
  BufferBuilder builder(pool.get());
  ASSERT_TRUE(builder.Reserve(1 << 20).ok());
  std::memset(builder.data(), 0xFF, 1 << 20);
  ASSERT_TRUE(Stage(std::string(1000, 'x'), &builder).ok());
  builder.Commit();
  Buffer buffer = builder.Share();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0U);
  for (int i = 1000; i < 1024 + 64; ++i) EXPECT_EQ(buffer.data()[i], 0);
  EXPECT_LT(buffer.retained_bytes(), 2000);
  builder.Reset();
  EXPECT_EQ(TextOf(buffer), std::string(1000, 'x'));
  buffer = Buffer();
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(BufferBuilder, SharedBytesStayWhenTheBuilderGoesOn) {
  BufferBuilder builder(MemoryPool::Default());
  ASSERT_TRUE(Stage("first", &builder).ok());
  builder.Commit();
  const Buffer first = builder.Share();
  ASSERT_TRUE(Stage(std::string(10'000, 'y'), &builder).ok());
  builder.Commit();
  const Buffer second = builder.Share();
  EXPECT_EQ(TextOf(first), "first");
  EXPECT_EQ(TextOf(second), "first" + std::string(10'000, 'y'));
}

TEST(BufferBuilder, SharedBytesStayWhenTheBuilderIsTruncatedIntoThem) {
  BufferBuilder builder(MemoryPool::Default());
  ASSERT_TRUE(Stage("first row, second row", &builder).ok());
  builder.Commit();
  const Buffer shared = builder.Share();
  builder.TruncateTo(9);
  EXPECT_FALSE(builder.HasRoom(1));
  ASSERT_TRUE(Stage(", another one", &builder).ok());
  builder.Commit();
  EXPECT_EQ(TextOf(shared), "first row, second row");
  EXPECT_EQ(TextOf(builder.Share()), "first row, another one");
}

TEST(BufferBuilder, TruncatedBytesThatNobodyHoldsAreWrittenInPlace) {
  testing::FailingPool pool;
  BufferBuilder builder(&pool);
  ASSERT_TRUE(Stage("first row, second row", &builder).ok());
  builder.Commit();
  {
    const Buffer gone = builder.Share();
  }
  const uint8_t* const address = builder.data();
  builder.TruncateTo(9);
  pool.FailAt(0);
  ASSERT_TRUE(Stage(", another one", &builder).ok());
  builder.Commit();
  EXPECT_EQ(builder.data(), address);
  EXPECT_EQ(TextOf(builder.Share()), "first row, another one");
}

TEST(BufferBuilder, AppendsBehindSharedBytesStayInTheSameMemory) {
  testing::FailingPool pool;
  BufferBuilder builder(&pool);
  ASSERT_TRUE(Stage(std::string(100, 'x'), &builder).ok());
  builder.Commit();
  const Buffer shared = builder.Share();
  pool.FailAt(0);
  ASSERT_TRUE(Stage(std::string(20, 'y'), &builder).ok());
  builder.Commit();
  EXPECT_EQ(builder.data(), shared.data());
  EXPECT_EQ(TextOf(shared), std::string(100, 'x'));
}

TEST(BufferBuilder, RefusedFreshMemoryChangesNothing) {
  testing::FailingPool pool;
  BufferBuilder builder(&pool);
  ASSERT_TRUE(Stage("first row, second row", &builder).ok());
  builder.Commit();
  const Buffer shared = builder.Share();
  builder.TruncateTo(9);
  pool.FailAt(0);
  EXPECT_EQ(Stage(", another one", &builder).code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(TextOf(builder.Share()), "first row");
  EXPECT_EQ(TextOf(shared), "first row, second row");
  EXPECT_TRUE(Stage(", another one", &builder).ok());
}

TEST(BufferBuilder, ASpareValueThatIsSharedStays) {
  BufferBuilder builder(MemoryPool::Default());
  ASSERT_TRUE(builder.Reserve(64).ok());
  builder.UnsafePush(1);
  const Buffer shared = builder.Share();
  ASSERT_TRUE(builder.ShareSpare(7));
  const Buffer again = builder.Share();
  EXPECT_FALSE(builder.ShareSpare(8));
  ASSERT_TRUE(builder.Reserve(sizeof(int)).ok());
  builder.UnsafePush(2);
  EXPECT_EQ(shared.as<int>()[1], 7);
  EXPECT_EQ(again.as<int>()[1], 7);
  EXPECT_EQ(builder.as<int>()[0], 1);
  EXPECT_EQ(builder.as<int>()[1], 2);
}

TEST(BufferBuilder, ManySharesDoNotMakeTheMemoryLarger) {
  BufferBuilder builder(MemoryPool::Default());
  ASSERT_TRUE(builder.ReserveBits(0, 1000).ok());
  FillBits(builder.data(), 0, 1000, true);
  const int64_t first = builder.capacity_bytes();
  for (int64_t length = 1000; length < 1100; ++length) {
    ASSERT_TRUE(builder.ReserveBits(length, length + 1).ok());
    FillBits(builder.data(), length, 1, false);
    const StatusOr<Buffer> shared = builder.ShareBits(length + 1);
    ASSERT_TRUE(shared.ok());
  }
  EXPECT_LE(builder.capacity_bytes(), 4 * first);
}

TEST(BufferBuilder, SmallAppendsReallocateLogarithmicallyOften) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), int64_t{1} << 30);
  BufferBuilder builder(pool.get());
  for (int32_t i = 0; i < 1 << 20; ++i) {
    ASSERT_TRUE(builder.Reserve(sizeof(i)).ok());
    builder.UnsafePush(i);
  }
  EXPECT_LT(pool->counts().reallocation_count + pool->counts().allocation_count, 64);
  EXPECT_EQ(builder.as<int32_t>()[777'777], 777'777);
}

TEST(BufferBuilder, GrowthMakesBlocksOfWholePages) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), int64_t{1} << 30);
  constexpr int64_t kPage = int64_t{2} << 20;
  BufferBuilder builder(pool.get());
  int64_t grown = 0;
  for (int64_t i = 0; i < 9 * kPage / 8; ++i) {
    ASSERT_TRUE(builder.Reserve(8).ok());
    builder.UnsafePush(i);
    const int64_t block = pool->bytes_in_use();
    if (block <= kPage || block == grown) continue;
    EXPECT_EQ(block % kPage, 0);
    grown = block;
  }
  EXPECT_GE(grown, 10 * kPage);
  EXPECT_EQ(builder.as<int64_t>()[1'000'000], 1'000'000);
}

TEST(BufferBuilder, RefusedGrowthChangesNothing) {
  testing::FailingPool pool;
  BufferBuilder builder(&pool);
  pool.FailAt(0);
  EXPECT_EQ(Stage("x", &builder).code(), StatusCode::kResourceExhausted);
  ASSERT_TRUE(Stage("abc", &builder).ok());
  builder.Commit();
  pool.FailAt(0);
  EXPECT_EQ(Stage(std::string(5000, 'x'), &builder).code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(TextOf(builder.Share()), "abc");
  EXPECT_EQ(builder.Reserve(std::numeric_limits<int64_t>::max()).code(), StatusCode::kOutOfRange);
  EXPECT_EQ(TextOf(builder.Share()), "abc");
}

TEST(BufferBuilder, MovedBuilderTakesTheMemoryAlong) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), 1 << 20);
  {
    BufferBuilder builder(pool.get());
    ASSERT_TRUE(Stage("moved", &builder).ok());
    builder.Commit();
    BufferBuilder other = std::move(builder);
    EXPECT_EQ(TextOf(other.Share()), "moved");
  }
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(StagedVector, ItemsBeyondTheMarkAreDestroyedByDiscard) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), 1 << 20);
  const auto item = std::make_shared<int>(1);
  {
    internal::StagedVector<std::shared_ptr<int>> items(pool.get());
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(items.Stage(item).ok());
    items.Commit();
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(items.Stage(item).ok());
    EXPECT_EQ(item.use_count(), 41);
    EXPECT_EQ(items.committed_size(), 10);
    items.Discard();
    EXPECT_EQ(items.size(), 10);
    EXPECT_EQ(item.use_count(), 11);
  }
  EXPECT_EQ(item.use_count(), 1);
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(StagedVector, CommittedItemsBehindATruncationAreDestroyed) {
  const auto item = std::make_shared<int>(1);
  internal::StagedVector<std::shared_ptr<int>> items(MemoryPool::Default());
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(items.Stage(item).ok());
  items.Commit();
  items.TruncateTo(3);
  EXPECT_EQ(items.committed_size(), 3);
  EXPECT_EQ(item.use_count(), 4);
  items.Discard();
  EXPECT_EQ(items.size(), 3);
}

TEST(StagedVector, RefusedGrowthKeepsTheItems) {
  testing::FailingPool pool;
  internal::StagedVector<std::string> items(&pool);
  const std::string text(100, 'x');
  int64_t staged = 0;
  for (; staged < 4; ++staged) ASSERT_TRUE(items.Stage(text).ok());
  pool.FailAt(0);
  EXPECT_EQ(items.Stage(text).code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(items.size(), staged);
  EXPECT_EQ(items.back(), text);
  EXPECT_TRUE(items.Stage(text).ok());
}

}  // namespace
}  // namespace sheaf
