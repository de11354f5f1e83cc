// ReserveFor: after it the appends of those arrays ask the pool for nothing where they copy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builder/random_rows.h"
#include "sheaf/array/bytes.h"
#include "sheaf/array/chunked_array.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

TEST(ReserveForTest, AppendsOfCopiedArraysAllocateNothingMore) {
  const std::vector<TypeId> ids = BuiltIds();
  for (const uint64_t seed : Seeds(150)) {
    Random random(seed);
    const DataType type = RandomType(ids, 4, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + type.ToString());
    std::vector<Array> arrays;
    for (int i = 0; i < 4; ++i) {
      arrays.push_back(RandomArray(
          type, {.length = Draw(random, 0, 300), .sliced = Chance(random, 0.5)}, random));
    }
    FailingPool pool;
    const auto builder =
        BuilderOf(type, {.pool = &pool, .min_chunk_bytes = BuilderOptions::kNeverKeep});
    if (Chance(random, 0.5)) {
      ASSERT_OK(builder->AppendArray(arrays[0]));
    }
    const int64_t bytes_used = builder->bytes_used();
    ASSERT_OK(builder->ReserveFor(arrays));
    EXPECT_EQ(builder->bytes_used(), bytes_used);
    const int64_t bytes_retained = builder->bytes_retained();

    pool.FailAt(0, /*for_good=*/true);
    for (const Array& array : arrays) EXPECT_OK(builder->AppendArray(array));
    EXPECT_EQ(pool.calls(), 0);
    EXPECT_EQ(builder->bytes_retained(), bytes_retained);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(ReserveForTest, OneAllocationABufferNotMore) {
  FailingPool pool;
  const BuilderOptions options = {.pool = &pool, .min_chunk_bytes = BuilderOptions::kNeverKeep};
  const auto builder = BuilderOf("struct<a: int64, b: list<utf8>>", options);
  Random random(5);
  const Array rows = RandomArray(builder->type(), {.length = 400}, random);
  pool.SwitchOff();
  ASSERT_OK(builder->ReserveFor(std::vector<Array>(20, rows)));
  // Bits of struct, a, b and the texts; values; ends; offsets; bytes.
  EXPECT_LE(pool.calls(), 8);
}

TEST(ReserveForTest, WhatIsKeptByReferenceNeedsNoRoom) {
  for (const char* type :
       {"int64", "utf8", "list_view<int64>", "list<int64>", "bool", "struct<a: int64, b: utf8>"}) {
    SCOPED_TRACE(type);
    Random random(6);
    const Array rows = RandomArray(TypeFrom(type), {.length = 5000, .null_rate = 0}, random);
    const auto builder = BuilderOf(type, kKeepAll);
    ASSERT_OK(builder->ReserveFor(rows));
    // An empty bitmap is kept, too: of a struct without nulls only counts are left.
    EXPECT_EQ(builder->bytes_retained(), 0);
    ASSERT_OK(builder->AppendArray(rows));
    EXPECT_EQ(builder->bytes_retained(), RetainedBytes(rows));
  }
}

TEST(ReserveForTest, OnlyWhatTheViewsReachIsReserved) {
  const Array elements = Range(0, 100'000, Int64());
  const Array views = ListViewsOver(elements, {10, 12, 10}, {5, 8, 5});
  const auto builder = BuilderOf("list_view<int64>", kKeepNone);
  ASSERT_OK(builder->ReserveFor(views));
  EXPECT_LT(builder->bytes_retained(), 1000);
  const auto lists = BuilderOf("list<int64>", kKeepNone);
  ASSERT_OK(lists->ReserveFor(views));
  EXPECT_LT(lists->bytes_retained(), 1000);
}

TEST(ReserveForTest, ChunkedArraysAndSingleOnes) {
  FailingPool pool;
  const auto builder = BuilderOf<ListBuilder>(
      "list<utf8>", {.pool = &pool, .min_chunk_bytes = BuilderOptions::kNeverKeep});
  Random random(7);
  const Array rows = RandomArray(builder->type(), {.length = 100}, random);
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, ChunkedArray::Make(rows.type(), {rows, rows}));
  ASSERT_OK(builder->ReserveFor(chunks));
  pool.FailAt(0, /*for_good=*/true);
  ASSERT_OK(builder->AppendChunked(chunks));
  pool.SwitchOff();
  ASSERT_OK(builder->ReserveFor(rows));
  pool.FailAt(0, /*for_good=*/true);
  ASSERT_OK(builder->AppendArray(rows));
  pool.SwitchOff();
  EXPECT_EQ(Finished(*builder).length(), 300);
}

TEST(ReserveForTest, ErrorsLeaveTheBuilderAsItWas) {
  const auto builder = BuilderOf("list<null>");
  ASSERT_OK(builder->AppendNulls(2));
  EXPECT_THAT(builder->ReserveFor(Ints({1})), StatusIs(StatusCode::kInvalidArgument, "int32"));
  EXPECT_THAT(builder->ReserveFor(*ChunkedArray::Make(Int32(), {})),
              StatusIs(StatusCode::kInvalidArgument, "int32"));
  constexpr int64_t kHalf = (int64_t{1} << 30) + 1;
  const Array row = ListsOver(*MakeNullArray(Null(), kHalf), {0, kHalf});
  EXPECT_OK(builder->ReserveFor(row));
  EXPECT_THAT(builder->ReserveFor(std::vector<Array>{row, row}),
              StatusIs(StatusCode::kOutOfRange, "large_list"));
  EXPECT_EQ(builder->length(), 2);
  ASSERT_OK(builder->AppendArray(row));
  EXPECT_EQ(Finished(*builder).length(), 3);
}

TEST(ReserveForTest, ABuilderThatCutsReservesNothingForMoreThanAChunk) {
  const auto builder = BuilderOf("list<null>", {.on_overflow = OnOverflow::kNewChunk});
  constexpr int64_t kHalf = (int64_t{1} << 30) + 1;
  const Array row = ListsOver(*MakeNullArray(Null(), kHalf), {0, kHalf});
  EXPECT_OK(builder->ReserveFor(std::vector<Array>{row, row}));
  ASSERT_OK(builder->AppendArray(row));
  ASSERT_OK(builder->AppendArray(row));
  EXPECT_EQ(builder->FinishChunked()->num_chunks(), 2);
}

}  // namespace
}  // namespace sheaf
