// OnOverflow::kNewChunk: where offsets would outgrow their width, the root begins a new chunk
// between two rows. Elements of the null type count and take no memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builder/huge_lists.h"
#include "sheaf/array/chunked_array.h"
#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/struct_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

using ::testing::ElementsAre;

const BuilderOptions kCut = Cutting();

template <typename Builder>
class NewChunkOfListsTest : public ::testing::Test {
 protected:
  static DataType Type() {
    return std::is_same_v<Builder, ListBuilder> ? List(Null()) : ListView(Null());
  }
};
using ListTypes = ::testing::Types<ListBuilder, ListViewBuilder>;
TYPED_TEST_SUITE(NewChunkOfListsTest, ListTypes);

TYPED_TEST(NewChunkOfListsTest, C05_ARowThatOutgrowsTheOffsetsBeginsAChunk) {
  const auto builder = BuilderOf<TypeParam>(this->Type(), kCut);
  ASSERT_OK(builder->AppendList(Nulls(kMost)));
  ASSERT_OK(builder->AppendList(Nulls(0)));  // Goes with the row before.
  ASSERT_OK(builder->AppendList(Nulls(1)));
  ASSERT_OK(builder->AppendNull());

  EXPECT_EQ(builder->length(), 4);
  EXPECT_EQ(builder->null_count(), 1);
  EXPECT_THAT(builder->Finish(), StatusIs(StatusCode::kFailedPrecondition, "2 chunks"));
  EXPECT_THAT(builder->Snapshot(), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_EQ(builder->length(), 4);
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
  EXPECT_EQ(SizesOf(chunks), (Sizes{{kMost, 0}, {1, 0}}));
  EXPECT_EQ(chunks.null_count(), 1);
  EXPECT_EQ(builder->length(), 0);
  ASSERT_OK(builder->AppendList(Nulls(5)));
  EXPECT_EQ(Finished(*builder).length(), 1);
}

TYPED_TEST(NewChunkOfListsTest, WithoutTheOptionItIsAnError) {
  const auto builder = BuilderOf<TypeParam>(this->Type());
  ASSERT_OK(builder->AppendList(Nulls(kMost)));
  EXPECT_THAT(builder->AppendList(Nulls(1)), StatusIs(StatusCode::kOutOfRange, "large_list"));
  EXPECT_EQ(builder->length(), 1);
  EXPECT_EQ(Finished(*builder).length(), 1);
}

TYPED_TEST(NewChunkOfListsTest, ARowTooLargeForAnyChunkChangesNothing) {
  const auto builder = BuilderOf<TypeParam>(this->Type(), kCut);
  ASSERT_OK(builder->AppendList(Nulls(7)));
  const int64_t bytes_used = builder->bytes_used();
  // The last row alone is larger than a chunk; the rows before it would fill two.
  const Array rows = LargeListsOver(Nulls(4 * kMost), {0, kMost, 2 * kMost, 4 * kMost});

  EXPECT_THAT(builder->AppendArray(rows), StatusIs(StatusCode::kOutOfRange));
  EXPECT_THAT(builder->AppendArray(RowOf(kMost + 1)), StatusIs(StatusCode::kOutOfRange));

  EXPECT_EQ(builder->length(), 1);
  EXPECT_EQ(builder->bytes_used(), bytes_used);
  EXPECT_EQ(Finished(*builder).length(), 1);
  ASSERT_OK(builder->AppendArray(rows, 0, 2));
  EXPECT_EQ(SizesOf(*builder->FinishChunked()), (Sizes{{kMost}, {kMost}}));
}

TYPED_TEST(NewChunkOfListsTest, AnArrayLargerThanAChunkIsCutBetweenItsRows) {
  constexpr int64_t kThird = kMost / 3;
  std::vector<int64_t> offsets;
  for (int64_t row = 0; row <= 7; ++row) offsets.push_back(row * kThird);
  const Array rows = LargeListsOver(Nulls(7 * kThird), offsets);
  const auto builder = BuilderOf<TypeParam>(this->Type(), kCut);
  ASSERT_OK(builder->AppendArray(rows));

  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
  EXPECT_EQ(SizesOf(chunks), (Sizes{{kThird, kThird, kThird}, {kThird, kThird, kThird}, {kThird}}));
}

TYPED_TEST(NewChunkOfListsTest, ChunkedArraysGoOnFromChunkToChunk) {
  const Array row = RowOf(kMost - 5);
  const Array none = RowOf(0).Slice(0, 0);
  const auto builder = BuilderOf<TypeParam>(this->Type(), kCut);
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks,
                       ChunkedArray::Make(LargeList(Null()), {RowOf(3), none, row, RowOf(5), row}));
  ASSERT_OK(builder->AppendChunked(chunks));

  ASSERT_OK_AND_ASSIGN(const ChunkedArray built, builder->FinishChunked());
  EXPECT_THAT(AllSizesOf(built), ElementsAre(3, kMost - 5, 5, kMost - 5));
  EXPECT_LE(built.num_chunks(), 3);
}

TYPED_TEST(NewChunkOfListsTest, AFailedAppendUndoesItsCut) {
  for (const int64_t min_chunk_bytes : {BuilderOptions::kAlwaysKeep, BuilderOptions::kNeverKeep}) {
    FailingPool pool;
    for (int k = 0;; ++k) {
      SCOPED_TRACE("allocation " + std::to_string(k));
      BuilderOptions options = Cutting(min_chunk_bytes);
      options.pool = &pool;
      const auto builder = BuilderOf<TypeParam>(this->Type(), options);
      ASSERT_OK(builder->AppendArray(RowOf(kMost)));
      const int64_t bytes_used = builder->bytes_used();
      const int64_t chunk_count = builder->chunk_count();
      const int64_t bytes_retained = builder->bytes_retained();
      const Array rows = LargeListsOver(Nulls(3 * kMost), {0, kMost, 2 * kMost, 3 * kMost});
      pool.FailAt(k);
      const Status status = builder->AppendArray(rows);
      const bool failed = pool.failed();
      pool.SwitchOff();
      if (!failed) {
        EXPECT_OK(status);
        EXPECT_GT(k, 2);
        break;
      }
      EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
      EXPECT_EQ(builder->length(), 1);
      EXPECT_EQ(builder->bytes_used(), bytes_used);
      EXPECT_EQ(builder->chunk_count(), chunk_count);
      EXPECT_GE(builder->bytes_retained(), bytes_retained);
      if (k % 2 == 0) {
        EXPECT_EQ(Finished(*builder).length(), 1);  // One chunk still.
        continue;
      }
      ASSERT_OK(builder->AppendArray(rows));
      ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
      EXPECT_EQ(SizesOf(chunks), (Sizes{{kMost}, {kMost}, {kMost}, {kMost}}));
    }
  }
}

TYPED_TEST(NewChunkOfListsTest, CountsAndTheByteLimitAreThoseOfAllChunks) {
  const auto builder = BuilderOf<TypeParam>(this->Type(), kCut);
  ASSERT_OK(builder->AppendList(Nulls(kMost)));
  const int64_t bytes_of_one = builder->bytes_used();
  ASSERT_OK(builder->AppendList(Nulls(kMost)));
  EXPECT_EQ(builder->bytes_used(), 2 * bytes_of_one);

  builder->set_byte_limit(2 * bytes_of_one);
  EXPECT_THAT(builder->AppendList(Nulls(kMost)), StatusIs(StatusCode::kResourceExhausted));
  EXPECT_THAT(builder->AppendNull(), StatusIs(StatusCode::kResourceExhausted));
  EXPECT_EQ(builder->length(), 2);
  builder->set_byte_limit(3 * bytes_of_one);
  ASSERT_OK(builder->AppendList(Nulls(kMost)));
  EXPECT_EQ(builder->length(), 3);

  builder->Reset();
  EXPECT_EQ(builder->length(), 0);
  EXPECT_EQ(builder->bytes_used(), 0);
  ASSERT_OK(builder->AppendList(Nulls(2)));
  EXPECT_EQ(SizesOf(*builder->FinishChunked()), (Sizes{{2}}));
}

TEST(NewChunkTest, RepeatsOfARowAreSpreadOverChunks) {
  const auto builder = BuilderOf<ListBuilder>(List(Null()), kCut);
  ASSERT_OK(builder->AppendRepeated(RowOf(kMost / 2), 0, 5));
  ASSERT_OK(builder->AppendRepeatedList(Nulls(kMost), 2));
  EXPECT_EQ(SizesOf(*builder->FinishChunked()),
            (Sizes{{kMost / 2, kMost / 2}, {kMost / 2, kMost / 2}, {kMost / 2}, {kMost}, {kMost}}));
}

TEST(NewChunkTest, RepeatsOfAListViewShareAndNeedNoChunk) {
  const auto builder = BuilderOf<ListViewBuilder>(ListView(Null()), kCut);
  ASSERT_OK(builder->AppendRepeatedList(Nulls(kMost), 5));
  EXPECT_FALSE(builder->zero_copy_to_list());
  EXPECT_EQ(Finished(*builder).length(), 5);
}

TEST(NewChunkTest, TheFlagIsThatOfAllChunks) {
  const auto builder = BuilderOf<ListViewBuilder>(ListView(Null()), kCut);
  ASSERT_OK(builder->AppendRepeatedList(Nulls(kMost), 2));
  EXPECT_FALSE(builder->zero_copy_to_list());
  ASSERT_OK(builder->AppendList(Nulls(3)));
  EXPECT_FALSE(builder->zero_copy_to_list());
  builder->Reset();
  EXPECT_TRUE(builder->zero_copy_to_list());
  ASSERT_OK(builder->AppendList(Nulls(kMost)));
  ASSERT_OK(builder->AppendList(Nulls(3)));
  EXPECT_TRUE(builder->zero_copy_to_list());
}

TEST(NewChunkTest, TheRootCutsWhereAnElementsOffsetsWouldOutgrow) {
  // The inner list is full after one row; the outer offsets are nowhere near.
  const DataType inner = List(Null());
  for (const DataType& type : {List(inner), ListView(inner), LargeList(inner)}) {
    SCOPED_TRACE(type.ToString());
    const auto builder = BuilderOf(type, kCut);
    const Array row = LargeListsOver(RowOf(kMost), {0, 1});
    ASSERT_OK(builder->AppendArray(row));
    ASSERT_OK(builder->AppendArray(row));
    EXPECT_EQ(builder->length(), 2);
    ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
    ASSERT_EQ(chunks.num_chunks(), 2);
    for (const Array& chunk : chunks.chunks()) {
      EXPECT_THAT(chunk, IsValidArray());
      EXPECT_EQ(SizesOf(*ChunkedArray::Make(inner, {chunk.child(0)})), (Sizes{{kMost}}));
    }
  }
}

TEST(NewChunkTest, AStructIsCutForItsFields) {
  const DataType type = Struct({Field("a", Int32()), Field("b", List(Null()))});
  const auto rows = [&](int32_t a, int64_t n) {
    return StructOver({Field("a", Int32()), Field("b", List(Null()))},
                      {Ints({a}), ListsOver(Nulls(n), {0, n})}, 1);
  };
  const auto builder = BuilderOf(type, kCut);
  ASSERT_OK(builder->AppendArray(rows(1, kMost)));
  ASSERT_OK(builder->AppendArray(rows(2, 9)));
  ASSERT_OK(builder->AppendArray(rows(3, kMost)));
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
  ASSERT_EQ(chunks.num_chunks(), 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(chunks.chunk(i).child(0), ReadsLike(Ints({i + 1})));
  }
}

TEST(NewChunkTest, ReferencesToElementsStayGood) {
  const auto builder = BuilderOf<ListBuilder>(List(Null()), kCut);
  ArrayBuilder& elements = builder->elements();
  ASSERT_OK(builder->AppendList(Nulls(kMost)));
  ASSERT_OK(builder->AppendList(Nulls(2)));
  EXPECT_EQ(&builder->elements(), &elements);
  EXPECT_EQ(elements.length(), 2);
  builder->BeginList();
  ASSERT_OK(elements.AppendNulls(3));
  ASSERT_OK(builder->EndList());
  EXPECT_EQ(SizesOf(*builder->FinishChunked()), (Sizes{{kMost}, {2, 3}}));
}

TEST(NewChunkTest, ElementsThemselvesAreNotCut) {
  const auto builder = BuilderOf<ListBuilder>(List(List(Null())), kCut);
  auto& inner = static_cast<ListBuilder&>(builder->elements());
  builder->BeginList();
  ASSERT_OK(inner.AppendList(Nulls(kMost)));
  EXPECT_THAT(inner.AppendList(Nulls(1)), StatusIs(StatusCode::kOutOfRange));
  ASSERT_OK(builder->EndList());
  EXPECT_EQ(Finished(*builder).length(), 1);
}

TEST(NewChunkTest, KeptArraysAreHandedThroughFromFullChunksToo) {
  const auto builder = BuilderOf<ListViewBuilder>(ListView(Null()), Cutting(0));
  const Array views = ListViewsOver(Nulls(kMost), {5, 0}, {kMost - 5, 4});
  ASSERT_OK(builder->AppendArray(views));
  const Array copy = ListViewsOver(Nulls(kMost), {5, 0}, {kMost - 5, 4});
  ASSERT_OK(builder->AppendArray(copy));
  EXPECT_EQ(builder->chunk_count(), 2);
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
  ASSERT_EQ(chunks.num_chunks(), 2);
  EXPECT_THAT(chunks.chunk(0), SharesAllBuffersWith(views));
  EXPECT_THAT(chunks.chunk(1), SharesAllBuffersWith(copy));
}

TEST(NewChunkTest, ARollBackGoesBackBehindCuts) {
  for (const int64_t min_chunk_bytes : {BuilderOptions::kAlwaysKeep, BuilderOptions::kNeverKeep}) {
    const auto builder = BuilderOf<ListViewBuilder>(ListView(Null()), Cutting(min_chunk_bytes));
    const Array source = ListViewsOver(Nulls(kMost), {10, 5, 0}, {20, 10, kMost});
    ASSERT_OK(builder->AppendArray(source, 0, 1));
    const int64_t bytes_used = builder->bytes_used();
    ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
    for (int round = 0; round < 2; ++round) {
      ASSERT_OK(builder->AppendArray(source, 1, 1));  // Widens the window, where it is kept.
      ASSERT_OK(builder->AppendArray(RowOf(kMost)));
      ASSERT_OK(builder->AppendArray(RowOf(kMost)));
      EXPECT_EQ(builder->length(), 4);
      ASSERT_OK(builder->RollBack(mark));
      EXPECT_EQ(builder->length(), 1);
      EXPECT_EQ(builder->bytes_used(), bytes_used);
    }
    ASSERT_OK(builder->AppendList(Nulls(kMost)));
    EXPECT_EQ(SizesOf(*builder->FinishChunked()), (Sizes{{20}, {kMost}}));
  }
}

}  // namespace
}  // namespace sheaf
