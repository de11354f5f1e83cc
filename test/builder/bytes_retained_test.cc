// bytes_retained: every allocation that a builder keeps alive, once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builder/random_rows.h"
#include "sheaf/array/bytes.h"
#include "sheaf/array/chunked_array.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

TEST(BytesRetainedTest, AnEmptyBuilderKeepsNothingAlive) {
  for (const TypeId id : BuiltIds()) {
    EXPECT_EQ(BuilderOf(SampleType(id))->bytes_retained(), 0);
  }
}

TEST(BytesRetainedTest, ASliceKeepsItsWholeSourceAliveAndCountsItOnce) {
  for (const TypeId id : BuiltIds()) {
    SCOPED_TRACE(SampleType(id).ToString());
    Random random(4);
    const Array source = RandomArray(SampleType(id), {.length = 500}, random);
    // Type ids, offsets and run ends are written anew.
    if (HasLayout(source.type(),
                  {LayoutId::kSparseUnion, LayoutId::kDenseUnion, LayoutId::kRunEndEncoded}))
      continue;
    const auto builder = BuilderOf(source.type(), kKeepAll);
    for (const int64_t row : {400, 10, 200}) {
      ASSERT_OK(builder->AppendArray(source, row, 5));
    }
    EXPECT_EQ(builder->bytes_retained(), RetainedBytes(source));
    Finished(*builder);
    EXPECT_EQ(builder->bytes_retained(), 0);
  }
}

TEST(BytesRetainedTest, ChildrenThatShareAnAllocationCountItOnce) {
  const Array values = Range(0, 1000, Int64());
  const Array rows = StructOver({Field("a", Int64()), Field("b", Int64())}, {values, values}, 1000);
  const auto builder = BuilderOf(rows.type(), kKeepAll);
  ASSERT_OK(builder->AppendArray(rows, 3, 9));
  EXPECT_EQ(builder->bytes_retained(), values.buffer(1).retained_bytes());
}

TEST(BytesRetainedTest, CapacityCountsBeforeAnyRow) {
  const auto builder = BuilderOf("struct<a: int64, b: list_view<utf8>>");
  ASSERT_OK(builder->Reserve(1000));
  EXPECT_GE(builder->bytes_retained(), 16 * 1000);
  EXPECT_LT(builder->bytes_retained(), 16 * 1000 + 1000);
  EXPECT_EQ(builder->bytes_used(), 0);
}

TEST(BytesRetainedTest, OfCopiedRowsItIsWhatThePoolGaveForBuffers) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), int64_t{1} << 30);
  const auto builder =
      BuilderOf("list<struct<a: int32, b: utf8>>",
                {.pool = pool.get(), .min_chunk_bytes = BuilderOptions::kNeverKeep});
  Random random(4);
  const Array rows = RandomArray(builder->type(), {.length = 500}, random);
  ASSERT_OK(builder->AppendArray(rows));
  ASSERT_OK(builder->AppendNulls(20));
  EXPECT_EQ(builder->bytes_retained(), pool->bytes_in_use());
}

TEST(BytesRetainedTest, ElementsKeptByAListViewCountToo) {
  const Array elements = Range(0, 5000, Int64());
  const Array views = ListViewsOver(elements, {0, 4000}, {3, 900});
  const auto builder = BuilderOf("list_view<int64>");  // The views are copied, the elements kept.
  ASSERT_OK(builder->AppendArray(views));
  EXPECT_GE(builder->bytes_retained(), RetainedBytes(elements));
  EXPECT_LT(builder->bytes_retained(), RetainedBytes(elements) + 1000);
}

TEST(BytesRetainedTest, SourcesCountAsLongAsTheBuilderHasThem) {
  const Array elements = Range(0, 5000, Int64());
  const Array views = ListViewsOver(elements, {0, 4000, 10}, {3, 900, 2}, "101");
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int64>");
  ASSERT_OK(builder->AddSource(views.Slice(1, 2)));
  EXPECT_EQ(builder->bytes_retained(), RetainedBytes(views));
  // The same again, other views over the same elements, and the array itself.
  ASSERT_OK_AND_ASSIGN(const SourceHandle handle, builder->AddSource(views));
  EXPECT_EQ(builder->bytes_retained(), RetainedBytes(views));
  ASSERT_OK(builder->AddSource(ListViewsOver(elements, {7}, {20})));
  const int64_t with_others = builder->bytes_retained();
  EXPECT_GT(with_others, RetainedBytes(views));
  EXPECT_LT(with_others, RetainedBytes(views) + 1000);

  ASSERT_OK(
      builder->AppendViews(handle, 0, 1));  // Its elements are kept: nothing but a row's room.
  EXPECT_LT(builder->bytes_retained(), with_others + 1000);
  Finished(*builder);
  EXPECT_EQ(builder->bytes_retained(), 0);
  ASSERT_OK(builder->AddSource(views));
  EXPECT_EQ(builder->bytes_retained(), RetainedBytes(views));
  builder->Reset();
  EXPECT_EQ(builder->bytes_retained(), 0);
}

TEST(BytesRetainedTest, ConvertedViewsOfSourcesCountToo) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), int64_t{1} << 30);
  Random random(9);
  for (const char* type : {"list<int64>", "large_list<int64>", "large_list_view<int64>",
                           "fixed_size_list<int64>[4]"}) {
    SCOPED_TRACE(type);
    const Array source = RandomArray(TypeFrom(type), {.length = 3000}, random);
    const auto builder = BuilderOf<ListViewBuilder>(
        "list_view<int64>", {.pool = pool.get(), .min_chunk_bytes = BuilderOptions::kNeverKeep});
    ASSERT_OK(builder->AddSource(source));
    EXPECT_GE(builder->bytes_retained(), RetainedBytes(source) + 2 * 4 * 3000);
    EXPECT_LT(builder->bytes_retained(), RetainedBytes(source) + 2 * 4 * 3000 + 1000);
    // The pool gave the converted views, and the list of sources.
    EXPECT_GE(pool->bytes_in_use(), builder->bytes_retained() - RetainedBytes(source));
  }
}

TEST(BytesRetainedTest, SourcesOfElementsBuildersCountToo) {
  const Array views = ListViewsOver(Range(0, 5000, Int64()), {0, 4000}, {3, 900});
  const auto builder = BuilderOf<ListBuilder>("list<list_view<int64>>");
  auto& elements = static_cast<ListViewBuilder&>(builder->elements());
  ASSERT_OK(elements.AddSource(views));
  EXPECT_EQ(builder->bytes_retained(), RetainedBytes(views));
}

TEST(BytesRetainedTest, SnapshotsDoNotMakeItMore) {
  const auto builder = BuilderOf<Int64Builder>(Int64());
  ASSERT_OK(builder->AppendValues(std::vector<int64_t>(100, 3)));
  const int64_t bytes_retained = builder->bytes_retained();
  ASSERT_OK_AND_ASSIGN(const Array snapshot, builder->Snapshot());
  EXPECT_EQ(builder->bytes_retained(), bytes_retained);
}

TEST(BytesRetainedTest, FullChunksCountToo) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  const Array row = ListsOver(*MakeNullArray(Null(), kMost), {0, kMost});
  BuilderOptions options = kKeepAll;
  options.on_overflow = OnOverflow::kNewChunk;
  const auto builder = BuilderOf("list<null>", options);
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(builder->AppendArray(row));
  }
  EXPECT_EQ(builder->bytes_retained(), RetainedBytes(row));  // The same array in all three.
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
  EXPECT_EQ(chunks.num_chunks(), 3);
  EXPECT_EQ(builder->bytes_retained(), 0);
}

}  // namespace
}  // namespace sheaf
