// Snapshot: an array of what is there while building goes on; nothing that comes later shows in it.

#include <atomic>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builder/random_rows.h"
#include "sheaf/array/boolean_array.h"
#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/boolean_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

void RunPrograms(const BuilderOptions& options) {
  ForRandomTypes(60, [&](const DataType& type, Random& random) {
    const auto builder = BuilderOf(type, options);
    RandomRows rows(type, random);
    std::vector<std::pair<Array, Values>> snapshots;
    Values model;
    for (int i = 0; i < 16; ++i) {
      rows.AppendTo(*builder, &model);
      const int64_t bytes_used = builder->bytes_used();
      const int64_t chunk_count = builder->chunk_count();
      ASSERT_OK_AND_ASSIGN(const Array snapshot, builder->Snapshot());
      EXPECT_THAT(snapshot, IsValidArray());
      EXPECT_EQ(builder->length(), static_cast<int64_t>(model.size()));
      EXPECT_EQ(builder->bytes_used(), bytes_used);
      EXPECT_EQ(builder->chunk_count(), chunk_count);
      snapshots.emplace_back(snapshot, model);
    }
    EXPECT_THAT(Finished(*builder), ReadsLike(model));
    for (const auto& [snapshot, values] : snapshots) EXPECT_THAT(snapshot, ReadsLike(values));
  });
}

TEST(SnapshotTest, RandomRowsStayWhatTheyWereAsTheBuilderGoesOn) {
  RunPrograms({});
  RunPrograms(kKeepAll);
  RunPrograms(kKeepNone);
}

TEST(SnapshotTest, ValuesAreSharedAndNotCopied) {
  FailingPool pool;
  const auto builder = BuilderOf<Int64Builder>(Int64(), {.pool = &pool});
  ASSERT_OK(builder->Reserve(20000));
  ASSERT_OK(builder->AppendValues(std::vector<int64_t>(10000, 7)));
  const int64_t bytes_before = pool.counts().allocated_bytes;

  ASSERT_OK_AND_ASSIGN(const Array early, builder->Snapshot());
  ASSERT_OK(builder->AppendValues(std::vector<int64_t>(5000, 8)));
  ASSERT_OK_AND_ASSIGN(const Array late, builder->Snapshot());

  EXPECT_LT(pool.counts().allocated_bytes - bytes_before, 2048);  // Two nodes.
  EXPECT_EQ(early.buffer(1).data(), late.buffer(1).data());
  EXPECT_EQ(early.length(), 10000);
  ASSERT_OK_AND_ASSIGN(const Array all, builder->Finish());
  EXPECT_EQ(all.buffer(1).data(), early.buffer(1).data());
  EXPECT_EQ(early.slots<int64_t>(1)[9999], 7);
}

TEST(SnapshotTest, GrowthLeavesTheSharedBytesWhereTheyAre) {
  const auto builder = BuilderOf<Int64Builder>(Int64());
  ASSERT_OK(builder->AppendValues(std::vector<int64_t>(1000, 7)));
  ASSERT_OK_AND_ASSIGN(const Array snapshot, builder->Snapshot());
  const auto* values = snapshot.slots<int64_t>(1);
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(builder->AppendValues(std::vector<int64_t>(1000 * (i + 1), 8)));
  }
  EXPECT_EQ(snapshot.slots<int64_t>(1), values);
  EXPECT_EQ(std::count(values, values + 1000, 7), 1000);
}

TEST(SnapshotTest, TheLastByteOfABitmapIsNotShared) {
  const auto builder = BuilderOf<BooleanBuilder>(Boolean());
  std::vector<Array> snapshots;
  for (int row = 0; row < 20; ++row) {
    ASSERT_OK(row % 3 == 0 ? builder->AppendNull() : builder->Append(true));
    ASSERT_OK_AND_ASSIGN(snapshots.emplace_back(), builder->Snapshot());
  }
  for (int rows = 1; rows <= 20; ++rows) {
    const Array& snapshot = snapshots[static_cast<size_t>(rows - 1)];
    std::string valid;
    for (int row = 0; row < rows; ++row) valid += row % 3 == 0 ? '0' : '1';
    EXPECT_EQ(ValidOf(snapshot), valid);
    const int used_bits = rows % 8;
    if (used_bits != 0) {
      EXPECT_EQ(snapshot.buffer(0).data()[rows / 8] >> used_bits, 0) << "bits behind the length";
      EXPECT_EQ(snapshot.buffer(1).data()[rows / 8] >> used_bits, 0) << "bits behind the length";
    }
  }
}

TEST(SnapshotTest, AFailedAppendDoesNotShowInIt) {
  FailingPool pool;
  const DataType type = TypeFrom("struct<a: int32, b: list_view<utf8>>");
  Random random(3);
  const Array rows = RandomArray(type, {.length = 30}, random);
  const Array many = RandomArray(type, {.length = 300}, random);
  const auto builder = BuilderOf(type, {.pool = &pool});
  ASSERT_OK(builder->AppendArray(rows));
  ASSERT_OK_AND_ASSIGN(const Array snapshot, builder->Snapshot());
  for (int k = 0; k < 4; ++k) {
    pool.FailAt(k);
    EXPECT_THAT(builder->AppendArray(many), StatusIs(StatusCode::kResourceExhausted));
    EXPECT_THAT(snapshot, ReadsLike(rows));
  }
  pool.SwitchOff();
  EXPECT_THAT(Finished(*builder), ReadsLike(rows));
}

TEST(SnapshotTest, AnOpenListIsRefused) {
  const auto builder = BuilderOf<ListBuilder>("list<int32>");
  builder->BeginList();
  EXPECT_THAT(builder->Snapshot(), StatusIs(StatusCode::kFailedPrecondition));
}

TEST(SnapshotTest, AnEmptyBuilderGivesAnEmptyArray) {
  for (const TypeId id : BuiltIds()) {
    const auto builder = BuilderOf(SampleType(id));
    ASSERT_OK_AND_ASSIGN(const Array snapshot, builder->Snapshot());
    EXPECT_THAT(snapshot, IsValidArray());
    EXPECT_EQ(snapshot.length(), 0);
    ASSERT_OK(builder->AppendNulls(3));
    EXPECT_EQ(Finished(*builder).length(), 3);
  }
}

/// One thread appends and takes snapshots, another reads them: the thread sanitizer must see no
/// byte that both touch.
void ReadWhileAppending(const DataType& type, const BuilderOptions& options) {
  SCOPED_TRACE(type.ToString());
  Random random(8);
  const Array rows = RandomArray(type, {.length = 13, .null_rate = 0.3}, random);
  const Values expected = Read(rows);
  const auto builder = BuilderOf(type, options);
  std::mutex mutex;
  Array published = *MakeEmptyArray(type);
  std::atomic<bool> done = false;
  std::thread reader([&] {
    for (bool last = false; !last;) {
      last = done;
      const Array snapshot = [&] {
        const std::lock_guard lock(mutex);
        return published;
      }();
      EXPECT_OK(Validate(snapshot));
      const Values values = Read(snapshot);
      for (size_t i = 0; i < values.size(); ++i) {
        ASSERT_TRUE(values[i] == expected[i % expected.size()]) << "row " << i;
      }
    }
  });
  for (int i = 0; i < 40; ++i) {
    EXPECT_OK(builder->AppendArray(rows));
    StatusOr<Array> snapshot = builder->Snapshot();
    EXPECT_OK(snapshot);
    const std::lock_guard lock(mutex);
    published = *snapshot;
  }
  done = true;
  reader.join();
}

TEST(SnapshotTest, OtherThreadsReadItWhileAppendsGoOn) {
  for (const char* type : {"bool", "int64", "utf8", "list<int32>", "list_view<utf8>",
                           "struct<a: int8, b: list_view<bool>>", "fixed_size_list<int16>[3]"}) {
    ReadWhileAppending(TypeFrom(type), kKeepNone);
    ReadWhileAppending(TypeFrom(type), kKeepAll);
  }
}

}  // namespace
}  // namespace sheaf
