// FinishChunked: pieces that read as what Finish gives, cut where kept data begins or ends, and
// sharing it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builder/random_rows.h"
#include "sheaf/array/chunked_array.h"
#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The chunks, each checked at full depth; the builder is empty afterwards.
std::vector<Array> Chunks(ArrayBuilder& builder) {
  const int64_t length = builder.length();
  const int64_t null_count = builder.null_count();
  StatusOr<ChunkedArray> chunks = builder.FinishChunked();
  EXPECT_TRUE(chunks.ok()) << chunks.status().ToString();
  if (!chunks.ok()) return {};
  EXPECT_TRUE(chunks->type().Identical(builder.type()));
  EXPECT_EQ(chunks->length(), length);
  if (builder.type().layout().has_validity) {
    EXPECT_EQ(chunks->null_count(), null_count);
  }
  for (const Array& chunk : chunks->chunks()) {
    EXPECT_THAT(chunk, IsValidArray());
    EXPECT_GT(chunk.length(), 0);
  }
  EXPECT_EQ(builder.length(), 0);
  EXPECT_EQ(builder.bytes_used(), 0);
  EXPECT_EQ(builder.chunk_count(), 0);
  return chunks->chunks();
}

std::vector<int64_t> Lengths(const std::vector<Array>& chunks) {
  std::vector<int64_t> lengths;
  for (const Array& chunk : chunks) lengths.push_back(chunk.length());
  return lengths;
}

Values ReadAll(const std::vector<Array>& chunks) {
  Values values;
  for (const Array& chunk : chunks) Append(&values, Read(chunk));
  return values;
}

/// Whether all bytes of `part`'s buffers lie in buffers of `whole`, children too.
void ExpectShared(const Array& part, const Array& whole) {
  ASSERT_EQ(part.num_buffers(), whole.num_buffers());
  for (int i = 0; i < part.num_buffers(); ++i) {
    if (part.buffer(i).size_bytes() == 0) continue;
    EXPECT_EQ(part.buffer(i).storage_id(), whole.buffer(i).storage_id()) << "buffer " << i;
    EXPECT_GE(part.buffer(i).data(), whole.buffer(i).data());
  }
  for (int i = 0; i < part.num_children(); ++i) ExpectShared(part.child(i), whole.child(i));
}

void RunPrograms(const BuilderOptions& options) {
  ForRandomTypes(150, [&](const DataType& type, Random& random) {
    const auto builder = BuilderOf(type, options);
    RandomRows rows(type, random);
    for (int round = 0; round < 2; ++round) {
      Values model;
      for (int i = 0; i < 12; ++i) rows.AppendTo(*builder, &model);
      EXPECT_THAT(ReadAll(Chunks(*builder)), ::testing::Eq(model));
      if (::testing::Test::HasFailure()) return;
    }
  });
}

TEST(FinishChunkedTest, RandomRowsReadAsTheModelWhateverIsKept) {
  RunPrograms({});
  RunPrograms(kKeepAll);
  RunPrograms(kKeepNone);
  RunPrograms({.min_chunk_bytes = 100});
}

TEST(FinishChunkedTest, EveryKeptArrayIsGivenAsItCame) {
  for (const TypeId id : BuiltIds()) {
    const DataType type = SampleType(id);
    if (id == TypeId::kNull) continue;  // Nothing to share.
    // Type ids, offsets and run ends are written anew; below them all is shared.
    if (HasLayout(type, {LayoutId::kSparseUnion, LayoutId::kDenseUnion, LayoutId::kRunEndEncoded}))
      continue;
    SCOPED_TRACE(type.ToString());
    Random random(11);
    // Under the nulls of views there must be zeros, which random arrays have not.
    const double null_rate = type.layout().id == LayoutId::kBinaryView ? 0 : 0.2;
    const Array array =
        RandomArray(type, {.length = 40, .null_rate = null_rate, .sliced = true}, random);
    const Array slice = array.Slice(7, 20);
    const auto builder = BuilderOf(type, kKeepAll);
    ASSERT_OK(builder->AppendArray(array));
    ASSERT_OK(builder->AppendNulls(3));
    ASSERT_OK(builder->AppendArray(slice));
    const std::vector<Array> chunks = Chunks(*builder);
    EXPECT_THAT(Lengths(chunks), ElementsAre(40, 3, 20));
    ExpectShared(chunks[0], array);
    ExpectShared(chunks[2], array);
  }
}

TEST(FinishChunkedTest, CopiedRowsAreSlicesOfTheBuildersMemory) {
  FailingPool pool;
  const auto builder = BuilderOf<Int64Builder>(
      Int64(), {.pool = &pool, .min_chunk_bytes = BuilderOptions::kAlwaysKeep});
  const std::vector<int64_t> values(10000, 5);
  const Array kept = Range(0, 100, Int64());
  ASSERT_OK(builder->AppendValues(values));
  ASSERT_OK(builder->AppendArray(kept));
  ASSERT_OK(builder->AppendValues(values));
  const int64_t bytes_before = pool.counts().allocated_bytes;

  const std::vector<Array> chunks = Chunks(*builder);

  EXPECT_THAT(Lengths(chunks), ElementsAre(10000, 100, 10000));
  EXPECT_EQ(chunks[0].buffer(1).storage_id(), chunks[2].buffer(1).storage_id());
  EXPECT_EQ(chunks[2].slots<int64_t>(1), chunks[0].slots<int64_t>(1) + 10000);
  EXPECT_EQ(chunks[1].slots<int64_t>(1), kept.slots<int64_t>(1));
  EXPECT_LT(pool.counts().allocated_bytes - bytes_before, 4096);  // Nodes and bookkeeping.
}

TEST(FinishChunkedTest, WithoutARowThereIsNoChunk) {
  for (const TypeId id : BuiltIds()) {
    const auto builder = BuilderOf(SampleType(id));
    EXPECT_THAT(Chunks(*builder), IsEmpty());
    ASSERT_OK(builder->AppendArray(*MakeEmptyArray(builder->type())));
    EXPECT_THAT(Chunks(*builder), IsEmpty());
  }
}

TEST(FinishChunkedTest, AStructIsCutWhereAnyOfItsFieldsIs) {
  // `a` is kept from 400 bytes on, `b` never reaches them: borders at both ends of the long array.
  const DataType type = TypeFrom("struct<a: int64, b: int8>");
  const auto rows = [&](int64_t n) {
    return StructOver({Field("a", Int64()), Field("b", Int8())},
                      {Range(0, n, Int64()), Range(0, n, Int8())}, n);
  };
  const auto builder = BuilderOf(type, {.min_chunk_bytes = 400});
  const Array longer = rows(60);
  ASSERT_OK(builder->AppendArray(rows(10)));
  ASSERT_OK(builder->AppendArray(longer));
  ASSERT_OK(builder->AppendArray(rows(5)));
  ASSERT_OK(builder->AppendNulls(4));
  const std::vector<Array> chunks = Chunks(*builder);

  EXPECT_THAT(Lengths(chunks), ElementsAre(10, 60, 9));
  EXPECT_EQ(chunks[1].child(0).buffer(1).data(), longer.child(0).buffer(1).data());
  EXPECT_EQ(chunks[0].child(1).buffer(1).storage_id(), chunks[2].child(1).buffer(1).storage_id());
  EXPECT_THAT(chunks[2].Slice(4, 2), ReadsAs(R"([{"a": 4, "b": 4}, null])"));
}

TEST(FinishChunkedTest, ListsAreCutWhereTheirElementsAre) {
  for (const char* type :
       {"list<int64>", "large_list<int64>", "list_view<int64>", "large_list_view<int64>"}) {
    SCOPED_TRACE(type);
    const auto builder = BuilderOf(type, {.min_chunk_bytes = 1000});
    const Array kept = Range(0, 200, Int64());
    const Array lists = FromJson("list<int64>", "[[1, 2], null, [3]]");
    ASSERT_OK(builder->AppendArray(lists));
    ASSERT_OK(builder->AppendArray(ListsOver(kept, {0, 120, 120, 200})));
    ASSERT_OK(builder->AppendArray(lists));
    const std::vector<Array> chunks = Chunks(*builder);

    EXPECT_THAT(Lengths(chunks), ElementsAre(3, 3, 3));
    EXPECT_EQ(chunks[1].child(0).buffer(1).data(), kept.buffer(1).data());
    EXPECT_EQ(chunks[0].child(0).buffer(1).storage_id(), chunks[2].child(0).buffer(1).storage_id());
    EXPECT_THAT(chunks[2], ReadsAs("[[1, 2], null, [3]]"));
  }
}

/// Rows 0 and 2 by value, row 1 of two kept arrays.
template <typename Builder>
void ExpectOneJoinedRow(const char* type) {
  SCOPED_TRACE(type);
  const auto builder = BuilderOf<Builder>(type, kKeepAll);
  const Array first = Range(0, 3, Int64());
  const Array second = Range(3, 6, Int64());
  for (const int round : {0, 1, 2}) {
    builder->BeginList();
    ASSERT_OK(builder->elements().AppendArray(first));
    if (round == 1) {
      ASSERT_OK(builder->elements().AppendArray(second));
    }
    ASSERT_OK(builder->EndList());
  }
  const std::vector<Array> chunks = Chunks(*builder);

  EXPECT_THAT(Lengths(chunks), ElementsAre(1, 1, 1));
  EXPECT_EQ(chunks[0].child(0).buffer(1).data(), first.buffer(1).data());
  EXPECT_THAT(chunks[1], ReadsAs("[[0, 1, 2, 3, 4, 5]]"));
  EXPECT_EQ(chunks[2].child(0).buffer(1).data(), first.buffer(1).data());
}

TEST(FinishChunkedTest, OnlyARowWhoseElementsLieInSeveralChunksIsJoined) {
  ExpectOneJoinedRow<ListBuilder>("list<int64>");
  ExpectOneJoinedRow<LargeListBuilder>("large_list<int64>");
  ExpectOneJoinedRow<ListViewBuilder>("list_view<int64>");
  ExpectOneJoinedRow<LargeListViewBuilder>("large_list_view<int64>");
}

TEST(FinishChunkedTest, FixedSizeListsAreCutInMultiplesOfTheirWidth) {
  const auto builder =
      BuilderOf<FixedSizeListBuilder>(*FixedSizeList(Field("item", Int64()), 4), kKeepAll);
  const Array elements = Range(0, 6, Int64());
  for (int64_t row = 0; row < 3; ++row) {  // 6 + 6 elements are three rows.
    builder->BeginList();
    if (row == 0) {
      ASSERT_OK(builder->elements().AppendArray(elements, 0, 4));
    }
    if (row == 1) {
      ASSERT_OK(builder->elements().AppendArray(elements, 4, 2));
      ASSERT_OK(builder->elements().AppendArray(elements, 0, 2));
    }
    if (row == 2) {
      ASSERT_OK(builder->elements().AppendArray(elements, 2, 4));
    }
    ASSERT_OK(builder->EndList());
  }
  const std::vector<Array> chunks = Chunks(*builder);

  EXPECT_THAT(Lengths(chunks), ElementsAre(1, 1, 1));
  EXPECT_EQ(chunks[0].child(0).buffer(1).data(), elements.buffer(1).data());
  EXPECT_THAT(chunks[1], ReadsAs("[[4, 5, 0, 1]]"));
  EXPECT_EQ(chunks[2].child(0).buffer(1).data(), elements.buffer(1).data());
  EXPECT_THAT(chunks[2], ReadsAs("[[2, 3, 4, 5]]"));
}

TEST(FinishChunkedTest, AListViewKeepsItsSourcesElementsOffsetsAndSizes) {
  FailingPool pool;
  const auto builder = BuilderOf<ListViewBuilder>(
      "list_view<int32>", {.pool = &pool, .min_chunk_bytes = BuilderOptions::kAlwaysKeep});
  const Array views =
      ListViews({.offsets = {5, 1, 2}, .sizes = {1, 2, 2}, .elements = {0, 1, 2, 3, 4, 5, 6}});
  ASSERT_OK(builder->AppendArray(views));
  ASSERT_OK(builder->AppendArray(views, 1, 2));
  const std::vector<Array> chunks = Chunks(*builder);

  EXPECT_THAT(Lengths(chunks), ElementsAre(3, 2));
  EXPECT_THAT(chunks[0], SharesAllBuffersWith(views));
  EXPECT_THAT(chunks[1], SharesAllBuffersWith(views));
  EXPECT_THAT(chunks[1], ReadsAs("[[1, 2], [2, 3]]"));
}

TEST(FinishChunkedTest, CopiedViewsOverKeptElementsShareTheBuildersOffsets) {
  // Three views are copied; 600 elements of 8 bytes are kept, and once more from another array.
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int64>", {.min_chunk_bytes = 4096});
  const Array first = Range(0, 600, Int64());
  const Array second = Range(600, 1200, Int64());
  ASSERT_OK(builder->AppendArray(ListViewsOver(first, {0, 100, 50}, {300, 500, 100})));
  ASSERT_OK(builder->AppendArray(ListViewsOver(second, {0, 100, 50}, {300, 500, 100})));
  const std::vector<Array> chunks = Chunks(*builder);

  ASSERT_THAT(Lengths(chunks), ElementsAre(3, 3));
  EXPECT_EQ(chunks[0].child(0).buffer(1).data(), first.buffer(1).data());
  EXPECT_EQ(chunks[1].child(0).buffer(1).data(), second.buffer(1).data());
  EXPECT_EQ(chunks[0].buffer(1).storage_id(), chunks[1].buffer(1).storage_id());
  EXPECT_EQ(chunks[0].buffer(2).storage_id(), chunks[1].buffer(2).storage_id());
}

TEST(FinishChunkedTest, ChunksOfAnotherNameGetTheBuildersType) {
  const DataType named = List(Field("foo", Int64()));
  Random random(2);
  for (const DataType& source_type : {named, ListView(Field("foo", Int64()))}) {
    const Array source = RandomArray(source_type, {.length = 30, .sliced = true}, random);
    const DataType type = source_type.id() == TypeId::kList ? List(Int64()) : ListView(Int64());
    const auto builder = BuilderOf(type, kKeepAll);
    ASSERT_OK(builder->AppendArray(source));
    ASSERT_OK(builder->AppendArray(source, 3, 9));
    const std::vector<Array> chunks = Chunks(*builder);
    Values expected = Read(source);
    AppendSlice(&expected, Read(source), 3, 9);
    EXPECT_TRUE(ReadAll(chunks) == expected);
    for (const Array& chunk : chunks) EXPECT_TRUE(chunk.type().Identical(type));
  }
}

TEST(FinishChunkedTest, AnOpenListIsRefused) {
  const auto builder = BuilderOf<ListBuilder>("list<int32>");
  builder->BeginList();
  EXPECT_THAT(builder->FinishChunked(), StatusIs(StatusCode::kFailedPrecondition));
  ASSERT_OK(builder->EndList());
  EXPECT_THAT(Chunks(*builder)[0], ReadsAs("[[]]"));
}

}  // namespace
}  // namespace sheaf
