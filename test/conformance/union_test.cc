// Rows CAT-07 and CAT-08: builders of sparse and dense unions.

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/chunked_array.h"
#include "sheaf/array/union_array.h"
#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/union_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"
#include "testing/raw_buffers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;

constexpr TypeId kBoth[] = {TypeId::kSparseUnion, TypeId::kDenseUnion};

DataType UnionOf(TypeId id, std::vector<Field> fields, std::vector<int8_t> codes) {
  StatusOr<DataType> type = Union(id, std::move(fields), std::move(codes));
  if (!type.ok()) BadLiteral(type.status().ToString());
  return *std::move(type);
}
DataType Pair(TypeId id) { return UnionOf(id, {Field("i", Int32()), Field("t", Utf8())}, {2, 5}); }

Array Dense(const DataType& type, const std::vector<int64_t>& ids,
            const std::vector<int64_t>& offsets, std::vector<Array> children) {
  return MakeRaw({.type = type,
                  .length = static_cast<int64_t>(ids.size()),
                  .buffers = {Integers(ids, 8), Integers(offsets, 32)},
                  .children = std::move(children)});
}

TEST(UnionConformance, CAT_07_DenseOffsetsOfSlicesAreMovedByWhatTheChildrenHave) {
  const DataType type = Pair(TypeId::kDenseUnion);
  const Array first = Dense(type, {2, 5, 2, 5, 2}, {0, 0, 1, 1, 2},
                            {Ints({9, 1, 2, 3}).Slice(1), Utf8s({"x", "a", kNull}).Slice(1)});
  const Array second = Dense(type, {5, 5, 2}, {0, 1, 0}, {Ints({7}), Utf8s({"p", "q"})});
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf(type, options);
    ASSERT_OK(builder->AppendArray(first, 1, 3));
    ASSERT_OK(builder->AppendArray(second.Slice(1)));
    ASSERT_OK(builder->AppendArray(first, 3, 2));

    const UnionArray array = FinishedAs<UnionArray>(*builder);

    EXPECT_THAT(array, ReadsAs(R"([{"u": [5, "a"]}, {"u": [2, 2]}, {"u": [5, null]},
                                   {"u": [5, "q"]}, {"u": [2, 7]}, {"u": [5, null]},
                                   {"u": [2, 3]}])"));
    EXPECT_THAT(array.type_ids(), ElementsAre(5, 2, 5, 5, 2, 5, 2));
    EXPECT_THAT(array.offsets(), ElementsAre(0, 0, 1, 2, 1, 3, 2));
    EXPECT_THAT(array.child(0), ReadsAs("[2, 7, 3]"));
  }
}

TEST(UnionConformance, CAT_08_DenseUnionsWhoseOffsetsOutgrowAreRefused) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  const DataType type = UnionOf(TypeId::kDenseUnion, {Field("n", Null())}, {0});
  const Array nulls = *MakeNullArray(Null(), kMost);
  const Array array = Dense(type, {0, 0}, {0, kMost - 1}, {nulls});
  const auto builder = BuilderOf(type);
  ASSERT_OK(builder->AppendArray(array));
  EXPECT_THAT(builder->AppendArray(array),
              StatusIs(StatusCode::kOutOfRange, "outgrow 32-bit offsets"));
  EXPECT_EQ(builder->length(), 2);
  // To the last slot exactly.
  ASSERT_OK(builder->AppendArray(array, 0, 1));
  EXPECT_THAT(builder->AppendNull(), StatusIs(StatusCode::kOutOfRange));
  EXPECT_THAT(builder->AppendRepeated(array, 0, 2), StatusIs(StatusCode::kOutOfRange));
  const UnionArray built = FinishedAs<UnionArray>(*builder);
  EXPECT_THAT(built.offsets(), ElementsAre(0, kMost - 1, kMost));
}

TEST(UnionTest, ValueByValue) {
  for (const TypeId id : kBoth) {
    const auto builder = BuilderOf<UnionBuilder>(Pair(id));
    ASSERT_OK_AND_ASSIGN(Int32Builder* const numbers, builder->child_as<Int32Builder>(0));
    ASSERT_OK_AND_ASSIGN(BinaryBuilder* const texts, builder->child_as<BinaryBuilder>(1));
    ASSERT_OK(texts->Append("a"));
    EXPECT_THAT(builder->AppendNull(), StatusIs(StatusCode::kFailedPrecondition, "a row is open"));
    EXPECT_THAT(builder->Finish(), StatusIs(StatusCode::kFailedPrecondition));
    EXPECT_THAT(builder->Append(2), StatusIs(StatusCode::kFailedPrecondition));
    ASSERT_OK(builder->Append(5));
    ASSERT_OK(numbers->Append(7));
    ASSERT_OK(builder->Append(2));
    EXPECT_THAT(builder->Append(2), StatusIs(StatusCode::kFailedPrecondition, "0 values"));
    ASSERT_OK(texts->AppendNull());
    ASSERT_OK(builder->Append(5));
    const UnionArray array = FinishedAs<UnionArray>(*builder);
    EXPECT_THAT(array.type_ids(), ElementsAre(5, 2, 5));
    EXPECT_THAT(array, ReadsAs(R"([{"u": [5, "a"]}, {"u": [2, 7]}, {"u": [5, null]}])"));
    if (array.dense()) {
      EXPECT_THAT(array.offsets(), ElementsAre(0, 0, 1));
    }
  }
}

TEST(UnionTest, UnknownTypeIdsAreNamedBeforeAnythingIsWritten) {
  for (const TypeId id : kBoth) {
    const DataType type = Pair(id);
    const auto builder = BuilderOf<UnionBuilder>(type);
    ASSERT_OK(builder->AppendEmptyValues(2));
    for (const int unknown : {-1, 0, 3, 128, 1000}) {
      EXPECT_THAT(builder->Append(unknown),
                  StatusIs(StatusCode::kInvalidArgument,
                           "row 2: unknown type id: " + std::to_string(unknown)));
    }
    for (const int64_t unknown : {-3, 4}) {
      std::vector<Buffer> buffers = {Integers({2, unknown, 5}, 8)};
      if (id == TypeId::kDenseUnion) buffers.push_back(Integers({0, 0, 0}, 32));
      const Array bad = MakeRaw({.type = type,
                                 .length = 3,
                                 .buffers = buffers,
                                 .children = {Ints({1, 2, 3}), Utf8s({"a", "b", "c"})}});
      EXPECT_THAT(builder->AppendArray(bad),
                  StatusIs(StatusCode::kInvalidArgument,
                           "row 1: unknown type id: " + std::to_string(unknown)));
    }
    EXPECT_EQ(builder->length(), 2);
    EXPECT_THAT(Finished(*builder), ReadsAs(R"([{"u": [2, 0]}, {"u": [2, 0]}])"));
  }
}

TEST(UnionTest, SharedAndUnorderedSlotsAreGathered) {
  const DataType type = Pair(TypeId::kDenseUnion);
  const Array array = Dense(type, {2, 2, 5, 2, 5, 2}, {2, 0, 1, 0, 1, 3},
                            {Ints({10, 11, 12, 13}), Utf8s({"a", "b"})});
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll}) {
    const auto builder = BuilderOf(type, options);
    ASSERT_OK(builder->AppendArray(array));
    ASSERT_OK(builder->AppendArray(array, 3, 3));  // In order as far as this goes.
    const UnionArray built = FinishedAs<UnionArray>(*builder);
    EXPECT_THAT(built.offsets(), ElementsAre(0, 1, 0, 2, 1, 3, 4, 2, 7));
    EXPECT_THAT(built, ReadsAs(R"([12, 10, "b", 10, "b", 13, 10, "b", 13])"));
    EXPECT_THAT(built.child(1), ReadsAs(R"(["b", "b", "b"])"));
  }
}

TEST(UnionTest, ChildrenThatASourceLacks) {
  for (const TypeId id : kBoth) {
    const DataType type = UnionOf(
        id, {Field("i", Int32()), Field("t", Utf8()), Field("l", ListView(Int8()))}, {0, 1, 7});
    // Fewer children, in another order, one of another list layout.
    const DataType fewer = UnionOf(id, {Field("l", List(Int8())), Field("i", Int32())}, {7, 0});
    const Array source = FromJson(fewer, R"([[1], {"u": [0, 5]}, {"u": [7, null]}, [2, 3]])");
    const auto builder = BuilderOf(type);
    ASSERT_OK(builder->AppendArray(FromJson(type, R"(["a"])")));
    ASSERT_OK(builder->AppendArray(source, 1, 3));
    ASSERT_OK(builder->AppendRepeated(source, 0, 2));
    ASSERT_OK(builder->AppendSparse(source.Row(1), std::vector<int64_t>{1}, source.Row(3), 0, 3));
    EXPECT_THAT(Finished(*builder),
                ReadsAs(R"(["a", {"u": [0, 5]}, {"u": [7, null]}, [2, 3], [1], [1],
                            {"u": [0, 5]}, [2, 3], {"u": [0, 5]}])"));
    EXPECT_THAT(BuilderOf(fewer)->AppendArray(*MakeEmptyArray(type)),
                StatusIs(StatusCode::kInvalidArgument, "type code 1"));
  }
}

TEST(UnionTest, NullsAndEmptyValuesGoToTheFirstChildThatTakesThem) {
  for (const TypeId id : kBoth) {
    const DataType type = UnionOf(
        id, {Field("n", Null()), Field("i", Int32(), /*nullable=*/false), Field("t", Utf8())},
        {3, 4, 5});
    const auto builder = BuilderOf(type);
    ASSERT_OK(builder->AppendNulls(2));
    ASSERT_OK(builder->AppendEmptyValues(2));
    EXPECT_EQ(builder->null_count(), 0);
    EXPECT_THAT(Finished(*builder), ReadsAs(R"([{"u": [3, null]}, {"u": [3, null]}, {"u": [4, 0]},
                                                {"u": [4, 0]}])"));
    const auto strict = BuilderOf(UnionOf(id, {Field("i", Int32(), /*nullable=*/false)}, {0}));
    EXPECT_THAT(strict->AppendNull(), StatusIs(StatusCode::kInvalidArgument, "null"));
    const auto none = BuilderOf(UnionOf(id, {}, {}));
    EXPECT_THAT(none->AppendNull(), StatusIs(StatusCode::kInvalidArgument));
    EXPECT_THAT(none->AppendEmptyValue(), StatusIs(StatusCode::kInvalidArgument));
    ASSERT_OK(none->AppendNulls(0));
    EXPECT_EQ(Finished(*none).length(), 0);
  }
}

TEST(UnionTest, ANullIsRefusedWhereAChildMayNotHoldItAndARowReadsIt) {
  for (const TypeId id : kBoth) {
    const DataType type = UnionOf(id, {Field("i", Int32(), false), Field("t", Utf8())}, {0, 1});
    const DataType lax = UnionOf(id, {Field("i", Int32()), Field("t", Utf8())}, {0, 1});
    std::vector<Buffer> buffers = {Integers({0, 1, 0}, 8)};
    if (id == TypeId::kDenseUnion) buffers.push_back(Integers({0, 1, 2}, 32));
    // Row 1 does not read the null of `i` that lies beside it; row 2 does.
    const Array source = MakeRaw({.type = lax,
                                  .length = 3,
                                  .buffers = buffers,
                                  .children = {Ints({1, kNull, kNull}), Utf8s({"a", "b", "c"})}});
    const auto builder = BuilderOf<UnionBuilder>(type);
    EXPECT_THAT(builder->AppendArray(source), StatusIs(StatusCode::kInvalidArgument, "row 2"));
    EXPECT_THAT(builder->AppendRepeated(source, 2, 2), StatusIs(StatusCode::kInvalidArgument));
    ASSERT_OK(builder->AppendArray(source, 0, 2));
    ASSERT_OK(builder->child(0).AppendNull());
    EXPECT_THAT(builder->Append(0), StatusIs(StatusCode::kInvalidArgument, "not nullable"));
  }
}

TEST(UnionTest, AFailedAppendLeavesEveryChildAsItWas) {
  for (const TypeId id : kBoth) {
    const DataType type = UnionOf(
        id, {Field("i", Int32()), Field("t", Utf8()), Field("s", Int32(), false)}, {0, 1, 2});
    const auto builder = BuilderOf<UnionBuilder>(type);
    ASSERT_OK(builder->AppendArray(FromJson(type, R"([1, "a", {"u": [2, 3]}])")));
    const DataType lax =
        UnionOf(id, {Field("i", Int32()), Field("t", Utf8()), Field("s", Int32())}, {0, 1, 2});
    const int64_t bytes_used = builder->bytes_used();
    // The third child refuses what the first two have staged.
    EXPECT_THAT(builder->AppendArray(FromJson(lax, R"([5, "b", {"u": [2, null]}])")),
                StatusIs(StatusCode::kInvalidArgument));
    EXPECT_EQ(builder->bytes_used(), bytes_used);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(builder->child(i).length(), id == kBoth[0] ? 3 : 1);
    ASSERT_OK(builder->AppendArray(FromJson(type, R"(["c"])")));
    EXPECT_THAT(Finished(*builder), ReadsAs(R"([1, "a", {"u": [2, 3]}, "c"])"));
  }
}

TEST(UnionTest, RepeatedRowsOfADenseUnionHaveSlotsOfTheirOwn) {
  const DataType type = Pair(TypeId::kDenseUnion);
  const Array rows = Dense(type, {5, 2, 5}, {1, 0, 0}, {Ints({4}), Utf8s({"a", "b"})});
  const auto builder = BuilderOf(*FixedSizeList(Field("item", type), 3));
  ASSERT_OK(builder->AppendRepeated(FixedSizeListsOver(rows, 3, 1), 0, 3));
  const Array array = Finished(*builder);
  const UnionArray unions = *UnionArray::From(array.child(0));
  EXPECT_THAT(unions.offsets(), ElementsAre(0, 0, 1, 2, 1, 3, 4, 2, 5));
  EXPECT_THAT(unions, ReadsAs(R"(["b", 4, "a", "b", 4, "a", "b", 4, "a"])"));
}

TEST(UnionTest, PiecesOfASparseUnionAreCutWhereItsChildrenAre) {
  const DataType type =
      UnionOf(TypeId::kSparseUnion, {Field("i", Int64()), Field("b", Int8())}, {0, 1});
  const auto rows = [&](int64_t n) {
    return MakeRaw({.type = type,
                    .length = n,
                    .buffers = {Integers(std::vector<int64_t>(n, 0), 8)},
                    .children = {Range(0, n, Int64()), Range(0, n, Int8())}});
  };
  const Array longer = rows(60);
  const auto builder = BuilderOf(type, {.min_chunk_bytes = 400});
  ASSERT_OK(builder->AppendArray(rows(10)));
  ASSERT_OK(builder->AppendArray(longer));
  ASSERT_OK(builder->AppendNulls(4));
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
  ASSERT_EQ(chunks.chunks().size(), 3);
  EXPECT_EQ(chunks.chunks()[1].child(0).buffer(1).data(), longer.child(0).buffer(1).data());
  for (const Array& chunk : chunks.chunks()) EXPECT_THAT(chunk, IsValidArray());
  EXPECT_THAT(chunks.chunks()[2], ReadsAs("[null, null, null, null]"));
}

}  // namespace
}  // namespace sheaf
