// Mark and RollBack: whatever came since a mark is gone, at every level, and nothing else is.

#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
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

BuilderMark MarkOf(ArrayBuilder& builder) {
  StatusOr<BuilderMark> mark = builder.Mark();
  EXPECT_OK(mark);
  return mark.ok() ? *std::move(mark) : BuilderMark();
}

/// All types with a builder, and nests of them.
std::vector<DataType> Types() {
  std::vector<DataType> types;
  for (const TypeId id : AllTypeIds()) {
    if (MakeBuilder(SampleType(id)).ok()) types.push_back(SampleType(id));
  }
  for (const char* text :
       {"struct<a: utf8, b: list_view<int32>, c: list<utf8>>",
        "list_view<struct<a: int32, b: list_view<utf8>>>", "list<fixed_size_list<bool>[3]>",
        "large_list_view<list<large_list_view<float64>>>", "fixed_size_list<list_view<null>>[2]"}) {
    types.push_back(TypeFrom(text));
  }
  return types;
}

TEST(MarksTest, ARollBackLeavesTheRowsBeforeTheMark) {
  Random random(11);
  for (const DataType& type : Types()) {
    for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
      SCOPED_TRACE(type.ToString() + ", kept from " + std::to_string(options.min_chunk_bytes));
      const Array source = RandomArray(type, {.length = 90, .sliced = true}, random);
      const auto builder = BuilderOf(type, options);
      ASSERT_OK(builder->AppendArray(source, 20, 30));
      const int64_t bytes_used = builder->bytes_used();
      const int64_t chunk_count = builder->chunk_count();
      const BuilderMark mark = MarkOf(*builder);

      // What follows widens the windows that were kept, and starts others.
      ASSERT_OK(builder->AppendArray(source, 10, 70));
      ASSERT_OK(builder->AppendNulls(3));
      ASSERT_OK(builder->AppendRepeated(source, 5, 4));
      ASSERT_OK(builder->RollBack(mark));

      EXPECT_EQ(builder->length(), 30);
      EXPECT_EQ(builder->bytes_used(), bytes_used);
      EXPECT_EQ(builder->chunk_count(), chunk_count);
      ASSERT_OK(builder->AppendArray(source, 0, 90));  // The builder is as good as new.
      Values expected;
      AppendSlice(&expected, Read(source), 20, 30);
      Append(&expected, Read(source));
      EXPECT_THAT(Finished(*builder), ReadsLike(expected));
    }
  }
}

TEST(MarksTest, AMarkIsGoodForManyRollBacks) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>");
  ASSERT_OK(builder->AppendList(Ints({1, 2})));
  const BuilderMark mark = MarkOf(*builder);
  for (int64_t i = 0; i < 100; ++i) {
    ASSERT_OK(builder->AppendList(Ints({3, i})));
    ASSERT_OK(builder->AppendNulls(i % 3));
    ASSERT_OK(builder->RollBack(mark));
    ASSERT_TRUE(mark.alive());
  }
  EXPECT_THAT(Finished(*builder), ReadsAs("[[1, 2]]"));
}

TEST(MarksTest, ARowOfSeveralBuildersIsGivenUpWhole) {
  const auto ids = BuilderOf<Int64Builder>(Int64());
  const auto tags = BuilderOf<ListBuilder>("list<utf8>");
  const Array rows[] = {FromJson("list<utf8>", R"([["a", "b"]])"), Ints({1}),
                        FromJson("list<utf8>", R"([null])")};
  for (int64_t row = 0; row < 3; ++row) {
    const BuilderMark id_mark = MarkOf(*ids);
    const BuilderMark tag_mark = MarkOf(*tags);
    ASSERT_OK(ids->Append(row));
    if (!tags->AppendArray(rows[row]).ok()) {  // Row 1 does not fit.
      ASSERT_OK(ids->RollBack(id_mark));
      ASSERT_OK(tags->RollBack(tag_mark));
    }
  }
  EXPECT_THAT(Finished(*ids), ReadsAs("[0, 2]"));
  EXPECT_THAT(Finished(*tags), ReadsAs(R"([["a", "b"], null])"));
}

TEST(MarksTest, PastTheFirstNullThereIsNoBitmapAgain) {
  for (const DataType& type : Types()) {
    if (!type.layout().has_validity) continue;
    SCOPED_TRACE(type.ToString());
    const auto builder = BuilderOf(type);
    ASSERT_OK(builder->AppendEmptyValues(5));
    const BuilderMark mark = MarkOf(*builder);
    ASSERT_OK(builder->AppendNulls(2));
    ASSERT_OK(builder->RollBack(mark));
    ASSERT_OK(builder->AppendEmptyValues(6));

    const Array array = Finished(*builder);

    EXPECT_EQ(array.null_count(), 0);
    EXPECT_TRUE(array.buffer(0).absent());
  }
}

TEST(MarksTest, WindowsGoBackToWhatTheyWere) {
  const Array elements = Range(0, 1000);
  const ListViewArray source = ListViewsOver(elements, {400, 450, 100, 700}, {100, 100, 100, 100});
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", kKeepAll);
  ASSERT_OK(builder->AppendArray(source, 0, 2));  // [400, 550); the flag is false from here on.
  const int64_t bytes_used = builder->bytes_used();
  const BuilderMark first = MarkOf(*builder);
  ASSERT_OK(builder->AppendArray(source, 1, 2));  // [100, 550): wider to the left.
  const int64_t second_bytes_used = builder->bytes_used();
  const BuilderMark second = MarkOf(*builder);
  ASSERT_OK(builder->AppendArray(source, 0, 4));  // [100, 800): and to the right.
  EXPECT_EQ(builder->elements().length(), 700);

  ASSERT_OK(builder->RollBack(second));
  EXPECT_EQ(builder->bytes_used(), second_bytes_used);
  EXPECT_EQ(builder->elements().length(), 450);
  ASSERT_OK(builder->RollBack(first));
  EXPECT_EQ(builder->bytes_used(), bytes_used);
  const ListViewArray array = FinishedAs<ListViewArray>(*builder);

  EXPECT_THAT(array.offsets(), ::testing::ElementsAre(0, 50));
  EXPECT_THAT(array.sizes(), ::testing::ElementsAre(100, 100));
  EXPECT_EQ(array.elements().length(), 150);
  EXPECT_EQ(array.elements().slots<int32_t>(1)[0], 400);
}

TEST(MarksTest, TheFlagGoesBackToTrue) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>");
  ASSERT_OK(builder->AppendList(Ints({1, 2})));
  const BuilderMark mark = MarkOf(*builder);
  ASSERT_OK(builder->AppendRepeatedList(Ints({3}), 2));
  EXPECT_FALSE(builder->zero_copy_to_list());

  ASSERT_OK(builder->RollBack(mark));

  EXPECT_TRUE(builder->zero_copy_to_list());
}

TEST(MarksTest, AnArrayKeptSinceTheMarkIsLetGo) {
  bool released = false;
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", kKeepAll);
  const BuilderMark mark = MarkOf(*builder);
  {
    static const int32_t values[] = {1, 2, 3};
    ArrayParts parts;
    parts.type = Int32();
    parts.length = 3;
    ASSERT_OK_AND_ASSIGN(Buffer wrapped,
                         Buffer::Wrap(values, sizeof(values), [&] { released = true; }));
    parts.buffers = {Buffer(), std::move(wrapped)};
    ASSERT_OK_AND_ASSIGN(const Array elements, MakeArray(std::move(parts)));
    ASSERT_OK(builder->AppendArray(ListViewsOver(elements, {0, 1}, {2, 2})));
  }
  EXPECT_FALSE(released);

  ASSERT_OK(builder->RollBack(mark));

  EXPECT_TRUE(released);
}

// Rows that are open.

TEST(MarksTest, AHalfWrittenRowWithOpenListsIsGivenUp) {
  const auto builder =
      BuilderOf<StructBuilder>("struct<a: int32, b: list<list_view<utf8>>, c: int32>");
  ASSERT_OK(builder->AppendArray(FromJson("struct<a: int32, b: list<list_view<utf8>>, c: int32>",
                                          R"([{"a": 1, "b": [["x"]], "c": 2}])")));
  const BuilderMark mark = MarkOf(*builder);
  ASSERT_OK((*builder->field_as<Int32Builder>(0))->Append(7));
  auto& outer = **builder->field_as<ListBuilder>(1);
  auto& inner = static_cast<ListViewBuilder&>(outer.elements());
  outer.BeginList();
  inner.BeginList();
  ASSERT_OK(static_cast<BinaryBuilder&>(inner.elements()).Append("half"));
  EXPECT_THAT(builder->AppendNull(), StatusIs(StatusCode::kFailedPrecondition));

  ASSERT_OK(builder->RollBack(mark));

  ASSERT_OK(builder->AppendNull());
  EXPECT_THAT(Finished(*builder), ReadsAs(R"([{"a": 1, "b": [["x"]], "c": 2}, null])"));
}

TEST(MarksTest, AListThatWasOpenAtTheMarkIsOpenAgain) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>");
  auto& elements = static_cast<Int32Builder&>(builder->elements());
  builder->BeginList();
  ASSERT_OK(elements.Append(1));
  const BuilderMark mark = MarkOf(*builder);
  ASSERT_OK(elements.Append(2));
  ASSERT_OK(builder->EndList());
  ASSERT_OK(builder->AppendNull());

  ASSERT_OK(builder->RollBack(mark));

  EXPECT_THAT(builder->Finish(), StatusIs(StatusCode::kFailedPrecondition));
  ASSERT_OK(elements.Append(3));
  ASSERT_OK(builder->EndList());
  EXPECT_THAT(Finished(*builder), ReadsAs("[[1, 3]]"));
}

TEST(MarksTest, ElementsOfAnOpenListCanBeGivenUpAlone) {
  const auto builder = BuilderOf<ListBuilder>("list<int32>");
  auto& elements = static_cast<Int32Builder&>(builder->elements());
  builder->BeginList();
  ASSERT_OK(elements.Append(1));
  const BuilderMark mark = MarkOf(elements);
  ASSERT_OK(elements.AppendNulls(2));

  ASSERT_OK(elements.RollBack(mark));

  ASSERT_OK(builder->EndList());
  EXPECT_THAT(Finished(*builder), ReadsAs("[[1]]"));
}

TEST(MarksTest, WhatAParentTookOverCannotBeRolledBackInTheChild) {
  const auto builder = BuilderOf<StructBuilder>("struct<a: int32, b: list_view<int32>>");
  auto& numbers = **builder->field_as<Int32Builder>(0);
  auto& lists = **builder->field_as<ListViewBuilder>(1);
  const Array rows = FromJson("struct<a: int32, b: list_view<int32>>", R"([{"a": 1, "b": [2]}])");
  const BuilderMark parent = MarkOf(*builder);

  const BuilderMark before_append = MarkOf(numbers);
  ASSERT_OK(builder->AppendArray(rows));
  EXPECT_THAT(numbers.RollBack(before_append), StatusIs(StatusCode::kFailedPrecondition));

  const BuilderMark before_row = MarkOf(numbers);
  const BuilderMark before_list = MarkOf(lists.elements());
  ASSERT_OK(numbers.Append(3));
  lists.BeginList();
  ASSERT_OK(lists.elements().AppendNull());
  ASSERT_TRUE(before_list.alive());
  ASSERT_OK(lists.EndList());
  EXPECT_THAT(lists.elements().RollBack(before_list), StatusIs(StatusCode::kFailedPrecondition));
  ASSERT_TRUE(before_row.alive());
  ASSERT_OK(builder->EndRow());
  EXPECT_THAT(numbers.RollBack(before_row), StatusIs(StatusCode::kFailedPrecondition));

  const BuilderMark after = MarkOf(numbers);
  ASSERT_OK(builder->RollBack(parent));
  EXPECT_THAT(numbers.RollBack(after), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_EQ(builder->length(), 0);
}

// Marks that are good for nothing.

TEST(MarksTest, AMarkOfAnotherBuilderIsRefused) {
  const auto one = BuilderOf<Int32Builder>(Int32());
  const auto other = BuilderOf<Int32Builder>(Int32());
  ASSERT_OK(other->Append(1));
  const BuilderMark mark = MarkOf(*one);

  EXPECT_THAT(other->RollBack(mark), StatusIs(StatusCode::kFailedPrecondition, "another builder"));
  EXPECT_THAT(other->RollBack(BuilderMark()), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_EQ(other->length(), 1);
}

TEST(MarksTest, FinishAndResetGiveUpMarks) {
  const auto builder = BuilderOf<Int32Builder>(Int32());
  const BuilderMark before_finish = MarkOf(*builder);
  ASSERT_OK(builder->Finish());
  const BuilderMark before_reset = MarkOf(*builder);
  builder->Reset();
  ASSERT_OK(builder->Append(1));

  EXPECT_THAT(builder->RollBack(before_finish),
              StatusIs(StatusCode::kFailedPrecondition, "Finish"));
  EXPECT_THAT(builder->RollBack(before_reset), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_EQ(builder->length(), 1);
}

TEST(MarksTest, ARollBackGivesUpLaterMarksOnly) {
  const auto builder = BuilderOf<Int32Builder>(Int32());
  const BuilderMark first = MarkOf(*builder);
  ASSERT_OK(builder->Append(1));
  const BuilderMark second = MarkOf(*builder);
  ASSERT_OK(builder->Append(2));
  const BuilderMark third = MarkOf(*builder);
  ASSERT_OK(builder->RollBack(second));
  ASSERT_OK(builder->Append(3));

  EXPECT_THAT(builder->RollBack(third), StatusIs(StatusCode::kFailedPrecondition, "earlier"));
  EXPECT_EQ(builder->length(), 2);
  ASSERT_OK(builder->RollBack(second));
  EXPECT_EQ(builder->length(), 1);
  ASSERT_OK(builder->RollBack(first));
  EXPECT_EQ(builder->length(), 0);
  EXPECT_FALSE(second.alive());
}

TEST(MarksTest, MarksMayBeMovedAndDestroyedInAnyOrder) {
  auto builder = BuilderOf<Int32Builder>(Int32());
  std::vector<BuilderMark> marks;
  for (int32_t i = 0; i < 20; ++i) {  // The vector moves them as it grows.
    marks.push_back(MarkOf(*builder));
    ASSERT_OK(builder->Append(i));
  }
  marks.erase(marks.begin() + 3);
  marks[5] = std::move(marks[9]);
  EXPECT_FALSE(marks[9].alive());
  ASSERT_OK(builder->RollBack(marks[5]));  // The mark before row 10.
  EXPECT_EQ(builder->length(), 10);
  EXPECT_FALSE(marks[10].alive());
  EXPECT_TRUE(marks[8].alive());
  ASSERT_OK(builder->RollBack(marks[0]));
  EXPECT_EQ(builder->length(), 0);
  builder.reset();
  EXPECT_FALSE(marks[0].alive());
}

// What marks cost.

TEST(MarksTest, TheMarkOfALargeTreeTakesMemoryOfThePool) {
  std::string text = "struct<f0: utf8";
  for (int i = 1; i < 20; ++i) text += ", f" + std::to_string(i) + ": utf8";
  FailingPool pool;
  const auto limited = MakeLimitedPool(&pool, int64_t{1} << 30);
  BuilderOptions options;
  options.pool = limited.get();
  const auto builder = BuilderOf(TypeFrom(text + ">"), options);
  {
    BuilderMark mark = MarkOf(*builder);
    EXPECT_GT(limited->bytes_in_use(), 0);
    const BuilderMark moved = std::move(mark);
    ASSERT_OK(builder->AppendNulls(5));
    ASSERT_OK(builder->RollBack(moved));
    EXPECT_EQ(builder->length(), 0);
  }
  builder->Reset();
  EXPECT_EQ(limited->bytes_in_use(), 0);
  pool.FailAt(0);
  EXPECT_THAT(builder->Mark(), StatusIs(StatusCode::kResourceExhausted, "struct"));
}

TEST(MarksTest, TheMarkOfASmallTreeAllocatesNothing) {
  FailingPool pool;
  BuilderOptions options;
  options.pool = &pool;
  const auto builder = BuilderOf("struct<a: int32, b: utf8, c: list_view<int32>>", options);
  ASSERT_OK(builder->AppendEmptyValues(3));
  pool.FailAt(0);

  const BuilderMark mark = MarkOf(*builder);
  ASSERT_OK(builder->RollBack(mark));

  EXPECT_EQ(pool.calls(), 0);
}

/// Bytes that a builder takes for many appends that each widen its one kept window.
int64_t BytesOfWidenings(ListViewBuilder& builder, const MemoryPool& pool) {
  const int64_t before = pool.bytes_in_use();
  const Array elements = Range(0, 20'000);
  // Two views that overlap clear the flag, so that windows may join.
  EXPECT_OK(builder.AppendArray(ListViewsOver(elements, {9000, 9500}, {1000, 1000})));
  for (int64_t i = 0; i < 1000; ++i) {
    EXPECT_OK(builder.AppendArray(ListViewsOver(elements, {9000 - i}, {1500 + 2 * i})));
  }
  EXPECT_EQ(builder.elements().chunk_count(), 1);
  return pool.bytes_in_use() - before;
}

TEST(MarksTest, WideningsAreRememberedOnlyWhileAMarkIsAlive) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), int64_t{1} << 30);
  const BuilderOptions options = {.pool = pool.get(), .min_chunk_bytes = 1000};
  const auto plain = BuilderOf<ListViewBuilder>("list_view<int32>", options);
  const auto unmarked = BuilderOf<ListViewBuilder>("list_view<int32>", options);
  const auto marked = BuilderOf<ListViewBuilder>("list_view<int32>", options);
  {
    const BuilderMark gone = MarkOf(*unmarked);
  }
  const BuilderMark mark = MarkOf(*marked);

  const int64_t plain_bytes = BytesOfWidenings(*plain, *pool);
  EXPECT_EQ(BytesOfWidenings(*unmarked, *pool), plain_bytes);
  EXPECT_GT(BytesOfWidenings(*marked, *pool), plain_bytes + 1000 * 32);

  ASSERT_OK(marked->RollBack(mark));
  EXPECT_EQ(marked->length(), 0);
  EXPECT_EQ(marked->elements().length(), 0);
}

}  // namespace
}  // namespace sheaf
