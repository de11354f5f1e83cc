// `EndList` with OnOverflow::kNewChunk: the list that outgrows a chunk begins the next one, with
// the elements that are there already.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builder/huge_lists.h"
#include "sheaf/builder/boolean_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/struct_builder.h"
#include "sheaf/type/field.h"
#include "testing/failing_pool.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

template <typename Builder>
class EndListTest : public ::testing::Test {
 protected:
  static DataType Of(const Field& elements) {
    return std::is_same_v<Builder, ListBuilder> ? List(elements) : ListView(elements);
  }
  static std::unique_ptr<Builder> Make(const Field& elements,
                                       const BuilderOptions& options = Cutting()) {
    return BuilderOf<Builder>(Of(elements), options);
  }
};
const Field kNulls("item", Null());
const Field kBytes("item", Int8());
using ListTypes = ::testing::Types<ListBuilder, ListViewBuilder>;
TYPED_TEST_SUITE(EndListTest, ListTypes);

/// Rows that leave room for six elements.
template <typename Builder>
void AlmostFill(Builder& builder) {
  ASSERT_OK(builder.AppendNull());
  ASSERT_OK(builder.AppendList(Nulls(kMost - 9)));
  ASSERT_OK(builder.AppendList(Nulls(3)));
}
const std::vector<int64_t> kFilled = {0, kMost - 9, 3};

template <typename Builder>
Status AppendOpenList(Builder& builder, int64_t size) {
  builder.BeginList();
  SHEAF_RETURN_IF_ERROR(builder.elements().AppendNulls(size));
  return builder.EndList();
}

TYPED_TEST(EndListTest, AListThatOutgrowsTheChunkBeginsTheNextOne) {
  const auto builder = this->Make(kNulls);
  AlmostFill(*builder);
  const int64_t bytes_used = builder->bytes_used();
  ASSERT_OK(AppendOpenList(*builder, 7));
  EXPECT_EQ(builder->length(), 4);
  EXPECT_EQ(builder->null_count(), 1);
  EXPECT_EQ(builder->elements().length(), 7) << "the rows before are a chunk of their own";
  const auto alone = this->Make(kNulls);
  ASSERT_OK(AppendOpenList(*alone, 7));
  EXPECT_EQ(builder->bytes_used(), bytes_used + alone->bytes_used());

  ASSERT_OK(AppendOpenList(*builder, kMost - 7));  // Fits exactly.
  ASSERT_OK(AppendOpenList(*builder, 0));
  ASSERT_OK(AppendOpenList(*builder, 1));
  ASSERT_OK(builder->AppendList(Nulls(2)));
  ASSERT_OK(AppendOpenList(*builder, kMost));
  EXPECT_EQ(SizesOf(*builder->FinishChunked()),
            (Sizes{kFilled, {7, kMost - 7, 0}, {1, 2}, {kMost}}));
  EXPECT_EQ(builder->length(), 0);
  ASSERT_OK(AppendOpenList(*builder, 5));
  EXPECT_EQ(Finished(*builder).length(), 1);
}

TYPED_TEST(EndListTest, AListTooLargeForAnyChunkStaysOpen) {
  for (const int64_t before : {0, 7}) {
    const auto builder = this->Make(kNulls);
    if (before > 0) {
      ASSERT_OK(builder->AppendList(Nulls(before)));
    }
    ASSERT_OK(builder->AppendNull());
    const int64_t chunk_count = builder->chunk_count();
    ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
    builder->BeginList();
    ASSERT_OK(builder->elements().AppendNulls(kMost + 1));
    const int64_t bytes_used = builder->bytes_used();
    EXPECT_THAT(builder->EndList(), StatusIs(StatusCode::kOutOfRange, "0 + 2147483648 elements"));
    EXPECT_EQ(builder->elements().length(), before + kMost + 1);
    EXPECT_EQ(builder->length(), before > 0 ? 2 : 1);
    EXPECT_EQ(builder->bytes_used(), bytes_used);
    EXPECT_EQ(builder->chunk_count(), chunk_count);
    EXPECT_THAT(builder->AppendNull(), StatusIs(StatusCode::kFailedPrecondition)) << "still open";
    EXPECT_THAT(builder->EndList(), StatusIs(StatusCode::kOutOfRange));
    ASSERT_OK(builder->RollBack(mark));
    EXPECT_EQ(Finished(*builder).child(0).length(), before);
  }
}

TYPED_TEST(EndListTest, WithoutTheOptionItIsAnError) {
  const auto builder = this->Make(kNulls, {});
  AlmostFill(*builder);
  EXPECT_THAT(AppendOpenList(*builder, 7), StatusIs(StatusCode::kOutOfRange, "large_list"));
  EXPECT_EQ(builder->length(), 3);
}

TYPED_TEST(EndListTest, OnlyTheRootCuts) {
  using Builder = TypeParam;
  {
    const auto builder =
        BuilderOf<StructBuilder>(Struct({Field("a", this->Of(kNulls))}), Cutting());
    auto& lists = static_cast<Builder&>(builder->field(0));
    AlmostFill(lists);
    EXPECT_THAT(AppendOpenList(lists, 7), StatusIs(StatusCode::kOutOfRange));
  }
  const auto builder = this->Make(Field("item", this->Of(kNulls)));
  auto& lists = static_cast<Builder&>(builder->elements());
  builder->BeginList();
  AlmostFill(lists);
  EXPECT_THAT(AppendOpenList(lists, 7), StatusIs(StatusCode::kOutOfRange));
}

TYPED_TEST(EndListTest, ValuesMoveWhetherCopiedOrKept) {
  const Array zeros = Zeros(kMost - 4);
  const Array kept = Zeros(1 << 20).Slice(5, 1 << 15);
  for (const bool null_before : {false, true}) {
    const auto builder = this->Make(kBytes);
    auto& elements = static_cast<Int8Builder&>(builder->elements());
    if (null_before) {
      ASSERT_OK(builder->AppendList(Ints({kNull}, Int8())));
    }
    ASSERT_OK(builder->AppendList(zeros));
    builder->BeginList();
    ASSERT_OK(elements.Append(1));
    ASSERT_OK(elements.AppendNull());
    ASSERT_OK(elements.AppendArray(Ints({2, 3, kNull, 4}, Int8()), 1, 3));
    ASSERT_OK(builder->EndList());
    builder->BeginList();
    ASSERT_OK(elements.Append(7));
    ASSERT_OK(builder->EndList());
    ASSERT_OK(builder->AppendList(Ints({8}, Int8())));
    const Rows first = null_before ? Rows{{"[null]", std::to_string(kMost - 4)}}
                                   : Rows{{std::to_string(kMost - 4)}};
    ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
    // The first chunk: a border where the kept zeros begin.
    const int last = chunks.num_chunks() - 1;
    const Rows rows = RowsOf(chunks);
    std::vector<std::string> before;
    for (int c = 0; c < last; ++c)
      before.insert(before.end(), rows[static_cast<size_t>(c)].begin(),
                    rows[static_cast<size_t>(c)].end());
    EXPECT_EQ(Rows{before}, first);
    EXPECT_EQ(rows.back(), (std::vector<std::string>{"[1, null, 3, null, 4]", "[7]", "[8]"}));
    EXPECT_EQ(chunks.chunk(last - 1).child(0).length(), kMost - 4)
        << "elements that moved are no longer behind those of the rows";
    EXPECT_EQ(chunks.chunk(last - 1).child(0).buffer(1).data(), zeros.buffer(1).data());
  }
  const auto builder = this->Make(kBytes);
  ASSERT_OK(builder->AppendList(zeros));
  builder->BeginList();
  ASSERT_OK(builder->elements().AppendArray(kept));
  ASSERT_OK(builder->EndList());
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
  EXPECT_EQ(SizesOf(chunks), (Sizes{{kMost - 4}, {1 << 15}}));
  EXPECT_EQ(chunks.chunk(1).child(0).slots<int8_t>(1), kept.slots<int8_t>(1))
      << "what was kept by reference still is";
}

TYPED_TEST(EndListTest, ElementsWithChildrenMoveWhole) {
  const std::vector<Field> fields = {Field("a", Int8()), Field("b", Boolean()),
                                     Field("c", *FixedSizeList(kNulls, 2))};
  const Array zeros = StructOver(
      fields, {Zeros(kMost), ZeroBits(kMost), FixedSizeListsOver(Nulls(2 * kMost), 2, kMost)},
      kMost);
  const Array twos = FixedSizeListsOver(Nulls(6), 2, 3);
  const Array rows =
      StructOver(fields, {Ints({1, kNull, 3}, Int8()), Bools({true, false, true}), twos}, 3);
  const auto builder = this->Make(Field("item", Struct(fields)));
  auto& elements = static_cast<StructBuilder&>(builder->elements());
  ASSERT_OK(builder->AppendList(zeros));
  builder->BeginList();
  ASSERT_OK(elements.AppendArray(rows, 1, 2));
  ASSERT_OK(elements.AppendNull());
  ASSERT_OK(static_cast<Int8Builder&>(elements.field(0)).Append(9));
  ASSERT_OK(static_cast<BooleanBuilder&>(elements.field(1)).Append(true));
  ASSERT_OK(elements.field(2).AppendEmptyValue());
  ASSERT_OK(elements.EndRow());
  ASSERT_OK(builder->EndList());
  EXPECT_EQ(RowsOf(*builder->FinishChunked()),
            (Rows{{std::to_string(kMost)},
                  {"[{a: null, b: false, c: [null, null]}, {a: 3, b: true, c: [null, null]}, "
                   "null, {a: 9, b: true, c: [null, null]}]"}}));
}

TEST(NewChunkEndListTest, ListsWithinListsMove) {
  ArrayParts parts;
  parts.type = List(Int32());
  parts.length = kMost;
  parts.children = {Ints({})};
  parts.buffers = {Buffer(), ZeroBytes(4 * (kMost + 1))};
  const Array empties = *MakeArray(std::move(parts));
  const auto builder = BuilderOf<ListViewBuilder>(ListView(List(Int32())), Cutting());
  auto& lists = static_cast<ListBuilder&>(builder->elements());
  ASSERT_OK(builder->AppendList(empties));
  builder->BeginList();
  ASSERT_OK(lists.AppendList(Ints({1, 2})));
  ASSERT_OK(lists.AppendNull());
  lists.BeginList();
  EXPECT_THAT(builder->EndList(), StatusIs(StatusCode::kFailedPrecondition));
  ASSERT_OK(lists.elements().AppendArray(Ints({3})));
  ASSERT_OK(lists.EndList());
  ASSERT_OK(builder->EndList());
  ASSERT_OK(builder->AppendArray(ListViewsOver(ListsOver(Ints({4}), {0, 1}), {0}, {1})));
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
  ASSERT_EQ(chunks.num_chunks(), 2);
  EXPECT_EQ(chunks.chunk(0).child(0).length(), kMost);
  EXPECT_THAT(chunks.chunk(1), ReadsAs("[[[1, 2], null, [3]], [[4]]]"));
}

TYPED_TEST(EndListTest, NullsOfElementsThatMayNotBeNullAreStillRefused) {
  const auto builder = this->Make(Field("item", Int8(), /*nullable=*/false));
  ASSERT_OK(builder->AppendList(Zeros(kMost)));
  builder->BeginList();
  ASSERT_OK(builder->elements().AppendNull());
  EXPECT_THAT(builder->EndList(), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_EQ(builder->length(), 1);
}

TYPED_TEST(EndListTest, ARollBackGoesBackBehindTheCutAndIntoTheOpenList) {
  const auto builder = this->Make(kBytes);
  auto& elements = static_cast<Int8Builder&>(builder->elements());
  ASSERT_OK(builder->AppendList(Ints({5, 6}, Int8())));
  ASSERT_OK(builder->AppendList(Zeros(kMost - 5)));
  ASSERT_OK_AND_ASSIGN(const BuilderMark between, builder->Mark());
  const int64_t bytes_between = builder->bytes_used();
  builder->BeginList();
  ASSERT_OK(elements.Append(1));
  ASSERT_OK_AND_ASSIGN(const BuilderMark within, builder->Mark());
  ASSERT_OK_AND_ASSIGN(const BuilderMark of_elements, elements.Mark());
  const int64_t bytes_within = builder->bytes_used();
  const auto end_large = [&](int8_t value, int64_t size) -> Status {
    SHEAF_RETURN_IF_ERROR(elements.AppendArray(Ints({value, kNull, value}, Int8())));
    SHEAF_RETURN_IF_ERROR(builder->EndList());
    EXPECT_EQ(elements.length(), size) << "cut";
    builder->BeginList();
    SHEAF_RETURN_IF_ERROR(elements.Append(9));
    return builder->EndList();
  };
  for (int round = 0; round < 2; ++round) {
    ASSERT_OK(end_large(2, 4));
    EXPECT_FALSE(of_elements.alive());
    EXPECT_EQ(builder->length(), 4);
    ASSERT_OK(builder->RollBack(within));
    EXPECT_EQ(builder->length(), 2);
    EXPECT_EQ(elements.length(), kMost - 2);
    EXPECT_EQ(elements.null_count(), 0);
    EXPECT_EQ(builder->bytes_used(), bytes_within);
  }
  ASSERT_OK(end_large(3, 4));
  ASSERT_OK_AND_ASSIGN(const BuilderMark behind, builder->Mark());
  ASSERT_OK(builder->AppendList(Zeros(kMost - 1)));
  ASSERT_OK(builder->RollBack(behind));
  EXPECT_EQ(builder->length(), 4);
  ASSERT_OK(builder->RollBack(between));
  EXPECT_EQ(builder->bytes_used(), bytes_between);
  builder->BeginList();
  ASSERT_OK(elements.Append(4));
  ASSERT_OK(builder->EndList());
  EXPECT_EQ(elements.length(), kMost - 2) << "it fits";
  builder->BeginList();
  ASSERT_OK(end_large(7, 3));
  std::vector<std::string> rows;
  for (const std::vector<std::string>& chunk : RowsOf(*builder->FinishChunked()))
    rows.insert(rows.end(), chunk.begin(), chunk.end());
  EXPECT_EQ(rows, (std::vector<std::string>{"[5, 6]", std::to_string(kMost - 5), "[4]",
                                            "[7, null, 7]", "[9]"}));
}

TYPED_TEST(EndListTest, TheByteLimitIsThatOfAllChunks) {
  const auto builder = this->Make(kBytes);
  auto& elements = static_cast<Int8Builder&>(builder->elements());
  ASSERT_OK(builder->AppendList(Zeros(kMost - 2)));
  builder->BeginList();
  ASSERT_OK(elements.AppendArray(Ints({1, 2, 3}, Int8())));
  const int64_t bytes_used = builder->bytes_used();
  builder->set_byte_limit(bytes_used + 3);
  EXPECT_THAT(builder->EndList(), StatusIs(StatusCode::kResourceExhausted));
  EXPECT_EQ(builder->bytes_used(), bytes_used);
  EXPECT_EQ(builder->length(), 1);
  EXPECT_EQ(elements.length(), kMost + 1);
  builder->set_byte_limit(bytes_used + 8);
  ASSERT_OK(builder->EndList());
  EXPECT_EQ(RowsOf(*builder->FinishChunked()), (Rows{{std::to_string(kMost - 2)}, {"[1, 2, 3]"}}));
}

TYPED_TEST(EndListTest, WhatBothChunksReferToIsRetainedOnce) {
  const Array zeros = Zeros(kMost - 4);
  const auto builder = this->Make(kBytes);
  ASSERT_OK(builder->AppendList(zeros));
  const int64_t before = builder->bytes_retained();
  builder->BeginList();
  std::vector<int8_t> values(1 << 20, 3);
  ASSERT_OK(static_cast<Int8Builder&>(builder->elements()).AppendValues(values));
  ASSERT_OK(builder->EndList());
  EXPECT_EQ(builder->elements().chunk_count(), 1) << "by reference";
  EXPECT_LT(builder->bytes_retained(), before + (3 << 20));
}

}  // namespace
}  // namespace sheaf
