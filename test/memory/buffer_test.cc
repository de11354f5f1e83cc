#include "sheaf/memory/buffer.h"

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/failing_pool.h"

namespace sheaf {
namespace {

bool IsAligned(const void* address) { return reinterpret_cast<uintptr_t>(address) % 64 == 0; }

std::vector<uint8_t> Bytes(size_t size) {
  std::vector<uint8_t> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>(i + 1);
  return bytes;
}

TEST(Buffer, DefaultMadeIsAbsent) {
  const Buffer buffer;
  EXPECT_TRUE(buffer.absent());
  EXPECT_FALSE(buffer);
  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_EQ(buffer.size_bytes(), 0);
  EXPECT_EQ(buffer.retained_bytes(), 0);
}

TEST(Buffer, EmptyIsPresentAndReadableWithoutAnAllocation) {
  const int64_t before = MemoryPool::Default()->counts().allocation_count;
  const Buffer buffer = Buffer::Empty();
  EXPECT_EQ(MemoryPool::Default()->counts().allocation_count, before);
  EXPECT_FALSE(buffer.absent());
  EXPECT_EQ(buffer.size_bytes(), 0);
  EXPECT_TRUE(IsAligned(buffer.data()));
  for (int i = 0; i < 64; ++i) EXPECT_EQ(buffer.data()[i], 0);
}

TEST(Buffer, CopyIsAlignedAndPaddedWithZeros) {
  testing::FailingPool pool;
  for (const size_t size : {1, 3, 63, 64, 65, 1000}) {
    const std::vector<uint8_t> bytes = Bytes(size);
    const auto copy = Buffer::Copy(bytes, &pool);
    ASSERT_TRUE(copy.ok()) << copy.status();
    EXPECT_EQ(pool.calls(), 1) << "header and bytes are one block";
    EXPECT_TRUE(IsAligned(copy->data()));
    EXPECT_EQ(copy->size_bytes(), static_cast<int64_t>(size));
    EXPECT_EQ(std::memcmp(copy->data(), bytes.data(), size), 0);
    for (size_t i = size; i % 64 != 0; ++i) EXPECT_EQ(copy->data()[i], 0);
    EXPECT_GE(copy->retained_bytes(), copy->size_bytes());
    pool.SwitchOff();
  }
  const auto nothing = Buffer::Copy({}, &pool);
  ASSERT_TRUE(nothing.ok());
  EXPECT_EQ(pool.calls(), 0);
  EXPECT_FALSE(nothing->absent());
}

TEST(Buffer, MemoryGoesBackWhenTheLastHandleGoes) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), 1 << 20);
  Buffer slice;
  {
    auto copy = Buffer::Copy(Bytes(500), pool.get());
    ASSERT_TRUE(copy.ok());
    const int64_t in_use = pool->bytes_in_use();
    EXPECT_EQ(copy->retained_bytes(), in_use);
    Buffer second = *copy;
    Buffer third = std::move(second);
    second = third;
    third = Buffer();
    slice = copy->Slice(100, 20);
    EXPECT_EQ(slice.storage_id(), copy->storage_id());
    EXPECT_EQ(pool->bytes_in_use(), in_use);
  }
  EXPECT_GT(pool->bytes_in_use(), 0);
  EXPECT_EQ(slice.size_bytes(), 20);
  EXPECT_EQ(slice.data()[0], 101);
  slice = Buffer();
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(Buffer, RefusedMemoryIsAStatus) {
  testing::FailingPool pool;
  pool.FailAt(0);
  EXPECT_EQ(Buffer::Copy(Bytes(10), &pool).status().code(), StatusCode::kResourceExhausted);
  pool.FailAt(0);
  EXPECT_EQ(MutableBuffer::Allocate(10, &pool).status().code(), StatusCode::kResourceExhausted);
  pool.SwitchOff();
  EXPECT_EQ(MutableBuffer::Allocate(INT64_MAX, &pool).status().code(),
            StatusCode::kResourceExhausted);
  EXPECT_EQ(MutableBuffer::Allocate(-1, &pool).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(pool.calls(), 0);
}

TEST(Buffer, AdoptedVectorIsNotCopied) {
  std::vector<int32_t> values = {1, 2, 3};
  values.reserve(100);
  const int32_t* address = values.data();
  const auto buffer = Buffer::Adopt(std::move(values));
  ASSERT_TRUE(buffer.ok());
  EXPECT_EQ(buffer->as<int32_t>(), address);
  EXPECT_EQ(buffer->size_bytes(), 12);
  EXPECT_EQ(buffer->retained_bytes(), 400);
  EXPECT_EQ(buffer->as<int32_t>()[2], 3);

  const auto nothing = Buffer::Adopt(std::vector<int64_t>());
  ASSERT_TRUE(nothing.ok());
  EXPECT_FALSE(nothing->absent());
  EXPECT_EQ(nothing->size_bytes(), 0);
}

TEST(Buffer, WrappedBytesAreReleasedOnceByTheLastHandle) {
  int released = 0;
  const std::vector<uint8_t> bytes = Bytes(100);
  {
    Buffer kept;
    {
      // An address of any alignment is taken.
      const auto wrapped = Buffer::Wrap(bytes.data() + 1, 99, [&released] { ++released; });
      ASSERT_TRUE(wrapped.ok());
      EXPECT_EQ(wrapped->data(), bytes.data() + 1);
      EXPECT_EQ(wrapped->retained_bytes(), 99);
      kept = wrapped->Slice(10, 5);
    }
    EXPECT_EQ(released, 0);
    EXPECT_EQ(kept.data()[0], 12);
  }
  EXPECT_EQ(released, 1);
}

TEST(Buffer, WrapReleasesAlsoWhenItFails) {
  int released = 0;
  const auto null_bytes = Buffer::Wrap(nullptr, 8, [&released] { ++released; });
  EXPECT_EQ(null_bytes.status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(released, 1);
  const auto negative = Buffer::Wrap("x", -1, [&released] { ++released; });
  EXPECT_EQ(negative.status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(released, 2);
}

TEST(Buffer, WrappedNothingAtNullIsPresent) {
  int released = 0;
  {
    const auto wrapped = Buffer::Wrap(nullptr, 0, [&released] { ++released; });
    ASSERT_TRUE(wrapped.ok());
    EXPECT_FALSE(wrapped->absent());
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
}

TEST(Buffer, WrapTakesReleasesThatOwnSomething) {
  auto owned = std::make_shared<int>(7);
  const std::weak_ptr<int> watch = owned;
  {
    const int* bytes = owned.get();
    const auto wrapped = Buffer::Wrap(bytes, 4, [held = std::move(owned)] {});
    ASSERT_TRUE(wrapped.ok());
    EXPECT_EQ(*wrapped->as<int>(), 7);
    EXPECT_FALSE(watch.expired());
  }
  EXPECT_TRUE(watch.expired());
}

TEST(Buffer, ReleasedFromAnotherThread) {
  std::atomic<int> released = 0;
  const std::vector<uint8_t> bytes = Bytes(64);
  auto wrapped = Buffer::Wrap(bytes.data(), 64, [&released] { ++released; });
  ASSERT_TRUE(wrapped.ok());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([copy = *wrapped] {
      for (int i = 0; i < 10'000; ++i) Buffer again = copy;
    });
  }
  wrapped = Buffer();
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  EXPECT_EQ(released, 1);
}

TEST(Buffer, BorrowedBytesHaveNoOwner) {
  static constexpr uint8_t kBytes[] = {1, 2, 3};
  const Buffer buffer = Buffer::Borrow(kBytes, 3);
  EXPECT_EQ(buffer.data(), kBytes);
  EXPECT_EQ(buffer.retained_bytes(), 0);
  EXPECT_EQ(buffer.storage_id(), nullptr);
}

TEST(MutableBuffer, FinishedBufferHasTheBytesAndTheZeroPadding) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), 1 << 20);
  {
    auto buffer = MutableBuffer::Allocate(10, pool.get());
    ASSERT_TRUE(buffer.ok());
    EXPECT_TRUE(IsAligned(buffer->data()));
    std::memset(buffer->data(), 0xAB, 10);
    uint8_t* address = buffer->data();
    const Buffer finished = std::move(*buffer).Finish();
    EXPECT_EQ(finished.data(), address);
    EXPECT_EQ(finished.size_bytes(), 10);
    EXPECT_EQ(finished.data()[9], 0xAB);
    for (int i = 10; i < 64; ++i) EXPECT_EQ(finished.data()[i], 0);
  }
  {
    auto unfinished = MutableBuffer::Allocate(0, pool.get());
    ASSERT_TRUE(unfinished.ok());
    EXPECT_NE(unfinished->data(), nullptr);
    MutableBuffer moved = std::move(*unfinished);
    EXPECT_EQ(moved.size_bytes(), 0);
  }
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

}  // namespace
}  // namespace sheaf
