// Rows CAT-06 and case C21: builders of run-ends, and of what run-ends hold.

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/chunked_array.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/builder/run_end_builder.h"
#include "sheaf/builder/struct_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;
using ::testing::HasSubstr;

DataType RunsOf(const DataType& values, const DataType& ends = Int32()) {
  return *RunEndEncoded(ends, Field("values", values));
}

Array Runs(const MaybeInts& ends, const Array& values, const DataType& end_type = Int32()) {
  StatusOr<RunEndArray> made = RunEndArray::Make(Ints(ends, end_type), values);
  if (!made.ok()) BadLiteral(made.status().ToString());
  return *std::move(made);
}

std::vector<int64_t> EndsOf(const Array& array) {
  const RunEndArray runs = *RunEndArray::From(array);
  std::vector<int64_t> ends;
  for (int64_t i = 0; i < runs.run_ends().length(); ++i) ends.push_back(runs.run_end(i));
  return ends;
}

std::vector<int64_t> EndsOf(ArrayBuilder& builder) {
  StatusOr<Array> snapshot = builder.Snapshot();
  EXPECT_OK(snapshot);
  return EndsOf(*snapshot);
}

TEST(RunEndConformance, CAT_06_EqualNeighbouringRunsMerge) {
  const auto builder = BuilderOf(RunsOf(Int32()));
  ASSERT_OK(builder->AppendArray(Runs({2, 4, 7}, Ints({1, 2, 3}))));
  ASSERT_OK(builder->AppendArray(Runs({3, 5}, Ints({3, 4}))));

  const Array array = Finished(*builder);

  EXPECT_THAT(EndsOf(array), ElementsAre(2, 4, 10, 12));
  EXPECT_THAT(array.child(1), ReadsAs("[1, 2, 3, 4]"));
}

TEST(RunEndConformance, C21_ASliceCutsRunsAndTheirEndsBeginAnew) {
  const Array array = Runs({3, 5, 9}, Utf8s({"a", kNull, "b"}));
  const auto builder = BuilderOf(array.type());
  ASSERT_OK(builder->AppendArray(array, 4, 3));

  const Array slice = Finished(*builder);

  EXPECT_THAT(slice, ReadsAs(R"([null, "b", "b"])"));
  EXPECT_THAT(EndsOf(slice), ElementsAre(1, 3));
  EXPECT_THAT(slice.child(1), ReadsAs(R"([null, "b"])"));
  ASSERT_OK(builder->AppendArray(array, 0, 0));
  ASSERT_OK(builder->AppendArray(array, 9, 0));
  ASSERT_OK(builder->AppendArray(array.Slice(4, 3), 1, 2));
  EXPECT_THAT(EndsOf(*builder), ElementsAre(2));
}

TEST(RunEndTest, RepeatsNullsAndEmptyValuesAreOneRunEach) {
  const auto builder = BuilderOf(RunsOf(Int32(), Int64()));
  const Array values = Ints({7, kNull, 0});
  ASSERT_OK(builder->AppendRepeated(values, 0, int64_t{1} << 40));
  ASSERT_OK(builder->AppendNulls(1000));
  ASSERT_OK(builder->AppendRepeated(values, 1, 10));  // Goes on with the nulls.
  ASSERT_OK(builder->AppendEmptyValues(5));
  ASSERT_OK(builder->AppendRepeated(values, 2, 5));
  const int64_t big = int64_t{1} << 40;
  EXPECT_EQ(builder->null_count(), 0);
  const Array array = Finished(*builder);
  EXPECT_THAT(EndsOf(array), ElementsAre(big, big + 1010, big + 1020));
  EXPECT_THAT(array.child(1), ReadsAs("[7, null, 0]"));
}

TEST(RunEndTest, ValuesAreTheSameByTheirBits) {
  const double nan = std::nan("1");
  const double other_nan = std::nan("2");
  const auto builder = BuilderOf(RunsOf(Float64()));
  for (const double value : {0.0, 0.0, -0.0, nan, nan, other_nan}) {
    ASSERT_OK(builder->AppendArray(Doubles({value})));
  }
  EXPECT_THAT(EndsOf(*builder), ElementsAre(2, 3, 5, 6));
  builder->Reset();
  ASSERT_OK(builder->AppendArray(Doubles({0.0, 0.0, -0.0, nan, nan, other_nan})));
  EXPECT_THAT(EndsOf(*builder), ElementsAre(2, 3, 5, 6));
}

TEST(RunEndTest, NestedValuesMergeByWhatTheyRead) {
  const auto builder = BuilderOf(RunsOf(TypeFrom("list_view<utf8>")));
  ASSERT_OK(builder->AppendArray(FromJson("list_view<utf8>", R"([["a"], ["a"], null])")));
  ASSERT_OK(builder->AppendArray(FromJson("list<utf8>", R"([null, ["b", null]])")));
  ASSERT_OK(builder->AppendArray(FromJson("large_list<utf8>", R"([["b", null], []])")));
  const Array array = Finished(*builder);
  EXPECT_THAT(EndsOf(array), ElementsAre(2, 4, 6, 7));
  EXPECT_THAT(array.child(1), ReadsAs(R"([["a"], null, ["b", null], []])"));
}

TEST(RunEndTest, RangesOfOneAppendMergeAcrossTheirBorders) {
  // A list of runs: its null row's elements are left out, and what is left meets.
  const Array runs = Runs({2, 3, 6}, Ints({1, 2, 1}));
  const Array lists = FixedSizeListsOver(runs, 2, 3, "101");
  const auto builder = BuilderOf(List(runs.type()));
  ASSERT_OK(builder->AppendArray(lists));
  const Array array = Finished(*builder);
  EXPECT_THAT(array, ReadsAs("[[1, 1], null, [1, 1]]"));
  EXPECT_THAT(EndsOf(array.child(0)), ElementsAre(4));
}

TEST(RunEndTest, SeveralRowsManyTimesOver) {
  for (const char* rows : {"[1, 2]", "[1, 2, 1]", "[1, 1]", "[null, 1, 1, null]"}) {
    SCOPED_TRACE(rows);
    const DataType runs = RunsOf(Int32());
    const Array elements = FromJson(runs, rows);
    const DataType type = List(runs);
    const auto builder = BuilderOf(type);
    const Array list = ListsOver(elements, {0, elements.length()});
    ASSERT_OK(builder->AppendRepeated(list, 0, 3));
    const Array array = Finished(*builder);
    EXPECT_THAT(array.child(0).child(1).length(), ::testing::Le(9));
    EXPECT_THAT(array, IsValidArray());
    Values expected;
    testing::AppendRepeated(&expected, Read(list)[0], 3);
    EXPECT_THAT(array, ReadsLike(expected));
    // No two neighbours are the same.
    const Array& values = array.child(0).child(1);
    for (int64_t i = 1; i < values.length(); ++i) EXPECT_NE(values.Row(i - 1), values.Row(i));
  }
}

TEST(RunEndTest, AFailedAppendHasNotLengthenedTheOpenRun) {
  FailingPool pool;
  const DataType type = Struct({Field("a", RunsOf(Utf8())), Field("b", Utf8())});
  const auto builder = BuilderOf(type, {.pool = &pool});
  const Array rows = StructOver({type.field(0), type.field(1)},
                                {Runs({3}, Utf8s({"x"})), Utf8s({"p", "q", "r"})}, 3);
  ASSERT_OK(builder->AppendArray(rows));
  builder->set_byte_limit(builder->bytes_used());
  // The run takes no byte more, the texts beside it do.
  EXPECT_THAT(builder->AppendArray(rows), StatusIs(StatusCode::kResourceExhausted));
  builder->set_byte_limit(std::numeric_limits<int64_t>::max());
  // The run is staged when the texts beside it find no memory.
  const std::string text(1000, 'p');
  const Array longer = StructOver({type.field(0), type.field(1)},
                                  {Runs({3}, Utf8s({"x"})), Utf8s({text, text, text})}, 3);
  pool.FailAt(0, /*for_good=*/true);
  EXPECT_THAT(builder->AppendArray(longer), StatusIs(StatusCode::kResourceExhausted));
  pool.SwitchOff();
  const Array other =
      StructOver({type.field(0), type.field(1)}, {Runs({1}, Utf8s({"y"})), Utf8s({"s"})}, 1);
  ASSERT_OK(builder->AppendArray(other));
  const Array array = Finished(*builder);
  EXPECT_THAT(EndsOf(array.child(0)), ElementsAre(3, 4));
}

TEST(RunEndTest, AfterARollBackTheRunBeforeGoesOn) {
  const auto builder = BuilderOf(RunsOf(Int32()));
  ASSERT_OK(builder->AppendArray(Ints({1, 1, 2})));
  ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
  ASSERT_OK(builder->AppendArray(Ints({2, 3})));
  ASSERT_OK(builder->AppendArray(Ints({4})));
  ASSERT_OK(builder->RollBack(mark));
  ASSERT_OK(builder->AppendArray(Ints({2, 5})));
  EXPECT_THAT(EndsOf(*builder), ElementsAre(2, 4, 5));
  ASSERT_OK(builder->RollBack(mark));
  ASSERT_OK(builder->AppendArray(Ints({3})));
  EXPECT_THAT(EndsOf(*builder), ElementsAre(2, 3, 4));
}

TEST(RunEndTest, RowsFillTheWidthOfRunEndsExactly) {
  for (const DataType& ends : {Int16(), Int32(), Int64()}) {
    SCOPED_TRACE(ends.ToString());
    const int64_t most = ends == Int16()   ? std::numeric_limits<int16_t>::max()
                         : ends == Int32() ? std::numeric_limits<int32_t>::max()
                                           : std::numeric_limits<int64_t>::max();
    const char* wider = ends == Int16() ? "int32" : "int64";
    const auto builder = BuilderOf(RunsOf(Int32(), ends));
    ASSERT_OK(builder->AppendArray(Ints({3, 4})));
    const Array value = Ints({4, 9});
    EXPECT_THAT(builder->AppendRepeated(value, 0, most - 1), StatusIs(StatusCode::kOutOfRange));
    ASSERT_OK(builder->AppendRepeated(value, 0, most - 2));
    EXPECT_EQ(builder->length(), most);
    for (const int64_t row : {0, 1}) {
      const Status status = builder->AppendArray(value, row, 1);
      EXPECT_THAT(status, StatusIs(StatusCode::kOutOfRange, ends == Int64() ? "" : wider));
    }
    EXPECT_THAT(builder->AppendNull(), StatusIs(StatusCode::kOutOfRange));
    EXPECT_THAT(EndsOf(*builder), ElementsAre(1, most));
  }
}

TEST(RunEndTest, ANewChunkBeginsWhereRunEndsAreOutgrown) {
  const auto builder = BuilderOf(RunsOf(Int32(), Int16()), {.on_overflow = OnOverflow::kNewChunk});
  ASSERT_OK(builder->AppendRepeated(Ints({4}), 0, 30000));
  ASSERT_OK(builder->AppendRepeated(Ints({4}), 0, 30000));
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
  EXPECT_EQ(chunks.length(), 60000);
  EXPECT_EQ(chunks.chunks().size(), 2);
  for (const Array& chunk : chunks.chunks()) EXPECT_THAT(chunk, IsValidArray());
}

TEST(RunEndTest, RunEndsOfAnyWidthGoIntoAnyOther) {
  for (const DataType& to : {Int16(), Int32(), Int64()}) {
    for (const DataType& from : {Int16(), Int32(), Int64()}) {
      const auto builder = BuilderOf(RunsOf(Int32(), to));
      ASSERT_OK(builder->AppendArray(Runs({5, 1000, 1001}, Ints({1, kNull, 2}), from), 3, 998));
      const Array array = Finished(*builder);
      EXPECT_THAT(EndsOf(array), ElementsAre(2, 997, 998));
      EXPECT_EQ(array.child(0).type(), to);
    }
  }
}

TEST(RunEndTest, EveryBuilderOfValuesTakesRuns) {
  for (const TypeId id : AllTypeIds()) {
    const DataType type = SampleType(id);
    SCOPED_TRACE(type.ToString());
    Random random(3);
    const Array runs = RandomArray(RunsOf(type, Int64()), {.length = 200, .sliced = true}, random);
    const Values values = Read(runs);
    for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
      const auto builder = BuilderOf(type, options);
      ASSERT_OK(builder->ReserveFor(runs));
      ASSERT_OK(builder->AppendArray(runs));
      ASSERT_OK(builder->AppendArray(runs, 17, 90));
      ASSERT_OK(builder->AppendRepeated(runs, 5, 11));
      Values expected = values;
      testing::AppendSlice(&expected, values, 17, 90);
      testing::AppendRepeated(&expected, values[5], 11);
      EXPECT_THAT(Finished(*builder), ReadsLike(expected));
    }
  }
}

TEST(RunEndTest, EveryPlainArrayIsEncodedAndReadsTheSame) {
  for (const TypeId id : AllTypeIds()) {
    const DataType type = SampleType(id);
    SCOPED_TRACE(type.ToString());
    Random random(3);
    const Array plain = RandomArray(type, {.length = 60, .sliced = true}, random);
    const auto builder = BuilderOf(RunsOf(type));
    ASSERT_OK(builder->AppendArray(plain, 5, 40));
    ASSERT_OK(builder->AppendRepeated(plain, 7, 1000));
    Values expected = Slice(Read(plain), 5, 40);
    testing::AppendRepeated(&expected, Read(plain)[7], 1000);
    const Array array = Finished(*builder);
    EXPECT_LE(array.child(1).length(), 41);
    EXPECT_THAT(array, ReadsLike(expected));
  }
}

TEST(RunEndTest, ANullOfRunsIsFoundWhereNoneMayGo) {
  const Array runs = Runs({2, 4}, Ints({1, kNull}));
  const DataType strict = Struct({Field("a", Int32(), /*nullable=*/false)});
  const Array rows = StructOver({Field("a", runs.type())}, {runs}, 4);
  const auto builder = BuilderOf(strict);
  EXPECT_THAT(builder->AppendArray(rows),
              StatusIs(StatusCode::kInvalidArgument, "a: int32 not null"));
  ASSERT_OK(builder->AppendArray(rows, 0, 2));
  EXPECT_THAT(Finished(*builder), ReadsAs(R"([{"a": 1}, {"a": 1}])"));

  const auto values = BuilderOf(*RunEndEncoded(Int32(), Field("values", Int32(), false)));
  EXPECT_THAT(values->AppendArray(runs), StatusIs(StatusCode::kInvalidArgument, "not nullable"));
  EXPECT_THAT(values->AppendArray(Ints({1, kNull})), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(values->AppendNull(), StatusIs(StatusCode::kInvalidArgument));
  ASSERT_OK(values->AppendArray(runs, 1, 1));
  EXPECT_THAT(Finished(*values), ReadsAs("[1]"));
}

TEST(RunEndTest, PiecesAreCutWhereTheirValuesAre) {
  const Array longer = Runs({1, 2, 4}, Range(0, 3, Int64()));
  const auto builder = BuilderOf(longer.type(), {.min_chunk_bytes = 24});
  ASSERT_OK(builder->AppendArray(Range(10, 12, Int64())));
  ASSERT_OK(builder->AppendArray(longer));
  ASSERT_OK(builder->AppendNulls(7));
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
  ASSERT_EQ(chunks.chunks().size(), 3);
  EXPECT_THAT(EndsOf(chunks.chunks()[1]), ElementsAre(1, 2, 4));
  EXPECT_EQ(chunks.chunks()[1].child(1).buffer(1).data(), longer.child(1).buffer(1).data());
  EXPECT_THAT(EndsOf(chunks.chunks()[2]), ElementsAre(7));
}

TEST(RunEndTest, SnapshotsStayAsTheyAre) {
  const auto builder = BuilderOf(RunsOf(Int32()));
  ASSERT_OK(builder->AppendArray(Ints({1, 2})));
  ASSERT_OK_AND_ASSIGN(const Array snapshot, builder->Snapshot());
  ASSERT_OK(builder->AppendArray(Ints({2, 3})));
  EXPECT_THAT(EndsOf(snapshot), ElementsAre(1, 2));
  EXPECT_THAT(EndsOf(Finished(*builder)), ElementsAre(1, 3, 4));
  EXPECT_THAT(snapshot, ReadsAs("[1, 2]"));
}

}  // namespace
}  // namespace sheaf
