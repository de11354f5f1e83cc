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
  ForRandomTypes(150, [](const DataType& type, Random& random) {
    if (AppendsAllocate(type)) return;  // Not only where they copy.
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
  });
}

/// Policies plan in memory that is given back: nothing else is taken, and no buffer grows.
void ReserveForPolicies(ListViewPolicy policy) {
  ForRandomTypes(150, [&](const DataType& item, Random& random) {
    if (AppendsAllocate(item)) return;
    const DataType type = Chance(random, 0.5) ? ListView(item) : LargeListView(item);
    std::vector<Array> arrays;
    for (int i = 0; i < 4; ++i) {
      arrays.push_back(RandomArray(type,
                                   {.length = Draw(random, 0, 300),
                                    .null_rate = Chance(random, 0.5) ? 0.3 : 0,
                                    .shape = kViewShapes[static_cast<size_t>(Draw(random, 0, 7))],
                                    .sliced = Chance(random, 0.5)},
                                   random));
    }
    const auto pool = MakeLimitedPool(MemoryPool::Default(), int64_t{1} << 40);
    const auto builder = BuilderOf(type, {.pool = pool.get(),
                                          .min_chunk_bytes = BuilderOptions::kNeverKeep,
                                          .list_views = {.on_append = policy}});
    if (Chance(random, 0.5)) {
      ASSERT_OK(builder->AppendArray(arrays[0]));
    }
    ASSERT_OK(builder->ReserveFor(arrays));
    const int64_t bytes_retained = builder->bytes_retained();
    const int64_t bytes_in_use = pool->bytes_in_use();

    for (const Array& array : arrays) ASSERT_OK(builder->AppendArray(array));

    EXPECT_EQ(builder->bytes_retained(), bytes_retained);
    EXPECT_EQ(pool->bytes_in_use(), bytes_in_use);
  });
}

TEST(ReserveForTest, ViewsThatAreFlattenedFindRoom) { ReserveForPolicies(ListViewPolicy::kExact); }
TEST(ReserveForTest, ViewsThatBringTheFewestBytesFindRoom) {
  ReserveForPolicies(ListViewPolicy::kCheapest);
}

TEST(ReserveForTest, OnlyWhatThePolicyBringsIsReserved) {
  const Array elements = Range(0, 100'000, Int64());
  const Array few = ListViewsOver(elements, {10, 99'000, 50}, {5, 8, 90'000}, "110");
  const Array again =
      ListViewsOver(elements, std::vector<int64_t>(100, 7), std::vector<int64_t>(100, 10));
  const auto retained = [&](ListViewPolicy policy, const Array& views) {
    FailingPool pool;
    BuilderOptions options = kKeepNone;
    options.pool = &pool;
    options.list_views.on_append = policy;
    const auto builder = BuilderOf("list_view<int64>", options);
    EXPECT_OK(builder->ReserveFor(views));
    const int64_t bytes = builder->bytes_retained();
    EXPECT_OK(builder->AppendArray(views));
    EXPECT_EQ(builder->bytes_retained(), bytes);
    return bytes;
  };
  EXPECT_GT(retained(ListViewPolicy::kKeep, few), 8 * 90'000);
  EXPECT_LT(retained(ListViewPolicy::kCheapest, few), 1000);
  EXPECT_LT(retained(ListViewPolicy::kExact, few), 1000);
  EXPECT_LT(retained(ListViewPolicy::kKeep, again), 2000);
  EXPECT_LT(retained(ListViewPolicy::kCheapest, again), 2000);
  EXPECT_GE(retained(ListViewPolicy::kExact, again), 8 * 1000);  // A copy a list.
}

TEST(ReserveForTest, WindowsThatAreKeptBringNothingByPolicyEither) {
  const Array elements = Range(0, 100'000, Int64());
  const Array all = ListViewsOver(elements, {0}, {100'000});
  const Array gaps = ListViewsOver(elements, {10, 99'000}, {5, 8});
  const auto builder =
      BuilderOf("list_view<int64>", {.list_views = {.on_append = ListViewPolicy::kCheapest}});
  ASSERT_OK(builder->AppendArray(all));
  const int64_t bytes_retained = builder->bytes_retained();
  ASSERT_OK(builder->ReserveFor(gaps));
  EXPECT_EQ(builder->bytes_retained(), bytes_retained);
  ASSERT_OK(builder->AppendArray(gaps));
  EXPECT_EQ(builder->bytes_retained(), bytes_retained);
}

TEST(ReserveForTest, TooManyElementsForThePolicyAreSaid) {
  constexpr int64_t kMany = int64_t{1} << 30;
  const Array views = ListViewsOver(*MakeNullArray(Null(), kMany), {0, 0}, {kMany, kMany});
  EXPECT_OK(BuilderOf("list_view<null>")->ReserveFor(views));
  const auto exact =
      BuilderOf("list_view<null>", {.list_views = {.on_append = ListViewPolicy::kExact}});
  EXPECT_THAT(exact->ReserveFor(views), StatusIs(StatusCode::kOutOfRange, "large_list_view"));
  EXPECT_OK(exact->ReserveFor(views.Slice(0, 1)));
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
