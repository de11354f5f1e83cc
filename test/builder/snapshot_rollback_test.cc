// Snapshots of a builder that is rolled back: they share its memory, and are read by other threads
// while it is written anew.

#include <atomic>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/builder/boolean_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

std::vector<DataType> Types() {
  std::vector<DataType> types;
  for (const TypeId id : AllTypeIds()) {
    if (MakeBuilder(SampleType(id)).ok()) types.push_back(SampleType(id));
  }
  for (const char* text : {"struct<a: utf8, b: list_view<bool>, c: list<utf8>>",
                           "list_view<list_view<utf8>>", "list<fixed_size_list<bool>[3]>"}) {
    types.push_back(TypeFrom(text));
  }
  return types;
}

Values Joined(const Array& first, const Array& second) {
  Values values = Read(first);
  Append(&values, Read(second));
  return values;
}

TEST(SnapshotRollBackTest, SnapshotsStayWhatTheyWere) {
  Random random(5);
  for (const DataType& type : Types()) {
    for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
      SCOPED_TRACE(type.ToString() + ", kept from " + std::to_string(options.min_chunk_bytes));
      // 13 and 21 rows: bits end inside a byte.
      const Array a = RandomArray(type, {.length = 13}, random);
      const Array b = RandomArray(type, {.length = 21}, random);
      const Array c = RandomArray(type, {.length = 40}, random);
      const auto builder = BuilderOf(type, options);
      ASSERT_OK_AND_ASSIGN(const BuilderMark nothing, builder->Mark());
      ASSERT_OK(builder->AppendArray(a));
      ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
      ASSERT_OK_AND_ASSIGN(const Array of_a, builder->Snapshot());
      ASSERT_OK(builder->AppendArray(b));
      ASSERT_OK_AND_ASSIGN(const Array of_both, builder->Snapshot());

      ASSERT_OK(builder->RollBack(mark));
      ASSERT_OK_AND_ASSIGN(const Array of_a_again, builder->Snapshot());
      ASSERT_OK(builder->AppendArray(c));
      ASSERT_OK_AND_ASSIGN(const Array of_a_and_c, builder->Snapshot());
      ASSERT_OK(builder->RollBack(nothing));
      ASSERT_OK_AND_ASSIGN(const Array of_nothing, builder->Snapshot());
      ASSERT_OK(builder->AppendArray(c));

      for (const Array* array : {&of_a, &of_both, &of_a_again, &of_a_and_c, &of_nothing}) {
        EXPECT_THAT(*array, IsValidArray());
      }
      EXPECT_THAT(of_a, ReadsLike(a));
      EXPECT_THAT(of_both, ReadsLike(Joined(a, b)));
      EXPECT_THAT(of_a_again, ReadsLike(a));
      EXPECT_THAT(of_a_and_c, ReadsLike(Joined(a, c)));
      EXPECT_EQ(of_nothing.length(), 0);
      EXPECT_THAT(Finished(*builder), ReadsLike(c));
    }
  }
}

TEST(SnapshotRollBackTest, BitsBehindTheRowsAreZero) {
  const auto builder = BuilderOf<BooleanBuilder>(Boolean());
  ASSERT_OK(builder->AppendNull());
  ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
  for (int i = 0; i < 4; ++i) ASSERT_OK(builder->Append(true));
  ASSERT_OK_AND_ASSIGN(const Array five, builder->Snapshot());
  ASSERT_OK(builder->RollBack(mark));
  ASSERT_OK_AND_ASSIGN(const Array one, builder->Snapshot());

  EXPECT_EQ(five.buffer(0).data()[0], 0b11110);
  EXPECT_EQ(five.buffer(1).data()[0], 0b11110);
  EXPECT_EQ(one.buffer(0).data()[0], 0);
  EXPECT_EQ(one.buffer(1).data()[0], 0);
}

TEST(SnapshotRollBackTest, MemoryIsWrittenAnewOnceTheSnapshotIsGone) {
  FailingPool pool;
  const auto builder = BuilderOf<Int64Builder>(Int64(), {.pool = &pool});
  ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
  ASSERT_OK(builder->AppendValues(std::vector<int64_t>(1000, 7)));
  {
    ASSERT_OK(builder->Snapshot());
  }
  ASSERT_OK(builder->RollBack(mark));
  pool.FailAt(0);
  ASSERT_OK(builder->AppendValues(std::vector<int64_t>(1000, 8)));
  EXPECT_EQ(pool.calls(), 0);
}

TEST(SnapshotRollBackTest, AnAppendThatFindsNoFreshMemoryChangesNothing) {
  Random random(6);
  const DataType type = TypeFrom("struct<a: int32, b: list_view<bool>>");
  const Array rows = RandomArray(type, {.length = 30}, random);
  const Array others = RandomArray(type, {.length = 20}, random);
  FailingPool pool;
  int refused = 0;
  for (int64_t k = 0;; ++k) {
    BuilderOptions options = kKeepNone;
    options.pool = &pool;
    const auto builder = BuilderOf(type, options);
    ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
    ASSERT_OK(builder->AppendArray(rows));
    ASSERT_OK_AND_ASSIGN(const Array snapshot, builder->Snapshot());
    ASSERT_OK(builder->RollBack(mark));
    pool.FailAt(k);
    const Status status = builder->AppendArray(others);
    const bool failed = pool.failed();
    pool.SwitchOff();
    EXPECT_THAT(snapshot, ReadsLike(rows));
    if (!failed) break;
    EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
    EXPECT_EQ(builder->length(), 0);
    ASSERT_OK(builder->AppendArray(others));
    EXPECT_THAT(Finished(*builder), ReadsLike(others));
    EXPECT_THAT(snapshot, ReadsLike(rows));
    ++refused;
  }
  EXPECT_GT(refused, 3);
}

/// One thread reads a snapshot, again and again, while the builder is rolled back into it and
/// written anew: the thread sanitizer must see no byte that both touch.
void ReadWhileRollingBack(const DataType& type, const BuilderOptions& options) {
  SCOPED_TRACE(type.ToString());
  Random random(9);
  const Array rows = RandomArray(type, {.length = 13, .null_rate = 0.3}, random);
  const Array others = RandomArray(type, {.length = 11, .null_rate = 0.3}, random);
  const auto builder = BuilderOf(type, options);
  ASSERT_OK_AND_ASSIGN(const BuilderMark nothing, builder->Mark());
  ASSERT_OK(builder->AppendArray(rows, 0, 5));
  ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
  ASSERT_OK(builder->AppendArray(rows, 5, 8));
  ASSERT_OK_AND_ASSIGN(const Array snapshot, builder->Snapshot());
  const Values expected = Read(rows);
  std::atomic<bool> started = false;
  std::thread reader([&] {
    for (int i = 0; i < 20; ++i) {
      EXPECT_TRUE(Read(snapshot) == expected);
      started = true;
    }
  });
  while (!started) std::this_thread::yield();
  for (int i = 0; i < 5; ++i) {
    EXPECT_OK(builder->RollBack(mark));
    EXPECT_OK(builder->AppendArray(others));
    EXPECT_OK(builder->Snapshot());
  }
  EXPECT_OK(builder->RollBack(nothing));
  EXPECT_OK(builder->AppendArray(others));
  reader.join();
  EXPECT_THAT(Finished(*builder), ReadsLike(others));
}

TEST(SnapshotRollBackTest, OtherThreadsReadItWhileTheBuilderIsRolledBack) {
  for (const char* type : {"bool", "int64", "utf8", "utf8_view", "list<int32>", "list_view<utf8>",
                           "struct<a: int8, b: list_view<bool>>", "fixed_size_list<int16>[3]"}) {
    ReadWhileRollingBack(TypeFrom(type), kKeepNone);
    ReadWhileRollingBack(TypeFrom(type), kKeepAll);
  }
}

}  // namespace
}  // namespace sheaf
