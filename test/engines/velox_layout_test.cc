// Velox's ArrayVector convention as list-views and back: what is shared, and who keeps it alive.

#include "sheaf/engines/velox_layout.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/list_view_array.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using engines::VeloxArray;
using engines::VeloxLists;
using ::testing::ElementsAre;

/// Stands in for an ArrayVector: buffers of its own, and a count of those who were let go.
struct ArrayVector {
  std::vector<int32_t> offsets;
  std::vector<int32_t> sizes;
  std::vector<uint64_t> nulls;

  VeloxLists lists() const {
    return {static_cast<int64_t>(offsets.size()), nulls.empty() ? nullptr : nulls.data(),
            offsets.data(), sizes.data()};
  }
};

TEST(VeloxLists, BuffersAreSharedAndLetGoOnce) {
  const ArrayVector vector = {{3, 0, 1}, {2, 3, 2}, {0b101}};
  const Array elements = Range(0, 5);
  int released = 0;
  {
    ASSERT_OK_AND_ASSIGN(Array array,
                         engines::ListViewFromVelox(vector.lists(), elements, [&] { ++released; }));
    EXPECT_THAT(array, IsValidArray());
    EXPECT_THAT(array, ReadsAs("[[3, 4], null, [1, 2]]"));
    EXPECT_EQ(array.buffer(0).data(), reinterpret_cast<const uint8_t*>(vector.nulls.data()));
    EXPECT_EQ(array.buffer(1).data(), reinterpret_cast<const uint8_t*>(vector.offsets.data()));
    EXPECT_EQ(array.buffer(2).data(), reinterpret_cast<const uint8_t*>(vector.sizes.data()));
    EXPECT_THAT(array.child(0), SharesAllBuffersWith(elements));
    // The last buffer to go lets go of all three.
    const Buffer sizes = array.buffer(2);
    array = Array();
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
}

TEST(VeloxLists, ThereAndBackIsTheSameMemory) {
  const ArrayVector vector = {{0, 0, 4, 2}, {4, 4, 1, 0}, {}};
  ASSERT_OK_AND_ASSIGN(const Array array,
                       engines::ListViewFromVelox(vector.lists(), Range(0, 5), [] {}));
  ASSERT_OK_AND_ASSIGN(const VeloxArray back, engines::ToVelox(array));
  EXPECT_EQ(back.lists.length, 4);
  EXPECT_EQ(back.lists.nulls, nullptr);
  EXPECT_EQ(back.lists.offsets, vector.offsets.data());
  EXPECT_EQ(back.lists.sizes, vector.sizes.data());
  EXPECT_THAT(back.elements, SharesAllBuffersWith(array.child(0)));
}

TEST(VeloxLists, NullAndEmptyRowsMayLieAnywhereInVelox) {
  const ArrayVector vector = {{0, -7, 2, 900, 3}, {2, 1 << 30, 1, 0, 2}, {0b11101}};
  ASSERT_OK_AND_ASSIGN(const Array array,
                       engines::ListViewFromVelox(vector.lists(), Range(0, 5), [] {}));
  EXPECT_THAT(array, IsValidArray());
  EXPECT_THAT(array, ReadsAs("[[0, 1], null, [2], [], [3, 4]]"));
  const auto views = *ListViewArray::From(array);
  EXPECT_THAT(views.offsets(), ElementsAre(0, 2, 2, 3, 3));
  EXPECT_THAT(views.sizes(), ElementsAre(2, 0, 1, 0, 2));
  EXPECT_TRUE(views.zero_copy_to_list());
}

TEST(VeloxLists, AnyOtherRowOutOfBoundsIsRefusedAndLetGo) {
  const int32_t most = std::numeric_limits<int32_t>::max();
  const std::vector<std::pair<int32_t, int32_t>> wrong = {{-1, 1}, {0, -1},      {5, 1},
                                                          {0, 6},  {most, most}, {-3, 5}};
  for (const auto& [offset, size] : wrong) {
    const ArrayVector vector = {{0, offset, 900}, {1, size, 0}, {}};
    int released = 0;
    EXPECT_THAT(
        engines::ListViewFromVelox(vector.lists(), Range(0, 5), [&] { ++released; }).status(),
        StatusIs(StatusCode::kInvalidArgument, "row 1"));
    EXPECT_EQ(released, 1);
  }
}

TEST(VeloxLists, LengthsThatAreNoneAreRefusedAndLetGo) {
  const int32_t value = 0;
  for (const int64_t length : {int64_t{-1}, std::numeric_limits<int64_t>::max()}) {
    int released = 0;
    EXPECT_THAT(engines::ListViewFromVelox({length, nullptr, &value, &value}, Range(0, 5),
                                           [&] { ++released; })
                    .status(),
                StatusIs(StatusCode::kInvalidArgument));
    EXPECT_EQ(released, 1);
  }
}

TEST(VeloxLists, NoRowsNeedNoPointers) {
  ASSERT_OK_AND_ASSIGN(const Array array, engines::ListViewFromVelox({}, Range(0, 5), [] {}));
  EXPECT_THAT(array, IsValidArray());
  EXPECT_EQ(array.length(), 0);
  ASSERT_OK_AND_ASSIGN(const VeloxArray back, engines::ToVelox(array));
  EXPECT_EQ(back.lists.length, 0);
}

TEST(VeloxLists, SlicesMoveThePointersAndCopyTheBitmapOnlyInsideAWord) {
  ArrayVector vector;
  for (int32_t i = 0; i < 200; ++i) {
    vector.offsets.push_back(i);
    vector.sizes.push_back(1);
  }
  vector.nulls.assign(4, 0x5555555555555555);
  ASSERT_OK_AND_ASSIGN(const Array array,
                       engines::ListViewFromVelox(vector.lists(), Range(0, 200), [] {}));
  ASSERT_OK_AND_ASSIGN(const VeloxArray at_word, engines::ToVelox(array.Slice(64, 100)));
  EXPECT_EQ(at_word.lists.offsets, vector.offsets.data() + 64);
  EXPECT_EQ(at_word.lists.sizes, vector.sizes.data() + 64);
  EXPECT_EQ(at_word.lists.nulls, vector.nulls.data() + 1);
  EXPECT_EQ(at_word.offsets.size_bytes(), 400);

  ASSERT_OK_AND_ASSIGN(const VeloxArray inside, engines::ToVelox(array.Slice(3, 100)));
  EXPECT_EQ(inside.lists.offsets, vector.offsets.data() + 3);
  EXPECT_NE(inside.lists.nulls, vector.nulls.data());
  EXPECT_EQ(inside.lists.nulls[0], 0xAAAAAAAAAAAAAAAA);
  EXPECT_EQ(inside.lists.nulls[1], 0xAAAAAAAAAAAAAAAA & ((uint64_t{1} << 36) - 1));
  ASSERT_OK_AND_ASSIGN(const VeloxArray valid, engines::ToVelox(array.Slice(4, 1)));
  EXPECT_EQ(valid.lists.nulls, nullptr);
}

TEST(VeloxLists, ABitmapAtAnOddAddressIsCopied) {
  const std::vector<uint8_t> bytes = {0xFF, 0x05, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  ArrayParts parts{.type = ListView(Int32()), .length = 3};
  parts.buffers = {Buffer::Borrow(bytes.data() + 1, 1), Integers({0, 1, 2}, 32),
                   Integers({1, 1, 1}, 32)};
  parts.children = {Range(0, 3)};
  ASSERT_OK_AND_ASSIGN(const VeloxArray velox, engines::ToVelox(*MakeArray(std::move(parts))));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(velox.lists.nulls) % 8, 0);
  EXPECT_EQ(velox.lists.nulls[0], 0b101);
}

TEST(VeloxLists, TheBuffersKeepThePointersAliveWithoutTheArray) {
  VeloxArray velox;
  {
    auto vector = std::make_shared<ArrayVector>(ArrayVector{{1, 0}, {1, 2}, {0b10}});
    const VeloxLists lists = vector->lists();
    ASSERT_OK_AND_ASSIGN(const Array array,
                         engines::ListViewFromVelox(lists, Range(0, 2), [held = vector] {}));
    vector.reset();
    ASSERT_OK_AND_ASSIGN(velox, engines::ToVelox(array));
  }
  EXPECT_EQ(velox.lists.offsets[0], 1);
  EXPECT_EQ(velox.lists.sizes[1], 2);
  EXPECT_EQ(velox.lists.nulls[0] & 3, 0b10);
  EXPECT_THAT(velox.elements, ReadsAs("[0, 1]"));
}

TEST(VeloxLists, LargeListViewsAreNarrowedWhereTheyFit) {
  const Array large = LargeListViews(
      {.offsets = {3, 1, 0}, .sizes = {1, 2, 1}, .elements = {7, 8, 9, 10}, .valid = "011"});
  ASSERT_OK_AND_ASSIGN(const VeloxArray velox, engines::ToVelox(large.Slice(1)));
  EXPECT_EQ(velox.lists.length, 2);
  EXPECT_EQ(velox.lists.offsets[0], 1);
  EXPECT_EQ(velox.lists.sizes[0], 2);
  EXPECT_EQ(velox.lists.offsets[1], 0);
  ASSERT_OK_AND_ASSIGN(const Array many, MakeNullArray(Null(), int64_t{1} << 31));
  EXPECT_THAT(
      engines::ToVelox(LargeListViewsOver(many, {0}, {1})).status(),
      StatusIs(StatusCode::kOutOfRange, "2147483648 elements exceed the limit of 2147483647"));
}

TEST(VeloxLists, WhatIsNoListViewOrHasBadViewsIsRefused) {
  EXPECT_THAT(engines::ToVelox(Range(0, 1)).status(),
              StatusIs(StatusCode::kInvalidArgument, "int32 is no list-view"));
  const Array bad = ListViews({.offsets = {3}, .sizes = {1}, .elements = {1, 2, 3}});
  EXPECT_THAT(engines::ToVelox(bad).status(), StatusIs(StatusCode::kInvalidArgument, "row 0"));
}

TEST(VeloxLists, MemoryThatIsRefusedIsAStatusAndLetsGo) {
  const ArrayVector vector = {{0, -7}, {2, 1 << 30}, {0b01}};  // Stray rows: the most allocations.
  FailingPool pool;
  int refused = 0;
  for (int64_t k = 0;; ++k) {
    pool.FailAt(k);
    int released = 0;
    const Status status = engines::ListViewFromVelox(
                              vector.lists(), Range(0, 5), [&] { ++released; }, &pool)
                              .status();
    EXPECT_EQ(released, 1);
    if (!pool.failed()) break;
    EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
    ++refused;
  }
  EXPECT_GT(refused, 2);
}

}  // namespace
}  // namespace sheaf
