// Rows LVB-01 to LVB-16: the list-view builder's values, nulls, lists and whole arrays.

#include "sheaf/builder/list_view_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::Each;
using ::testing::ElementsAre;

constexpr char kType[] = "list_view<int32>";

/// One list, value by value.
template <typename ListBuilder>
void AppendValueByValue(ListBuilder& builder, const std::vector<std::optional<int32_t>>& values) {
  builder.BeginList();
  auto& elements = static_cast<Int32Builder&>(builder.elements());
  for (const auto& value : values) {
    ASSERT_OK(value.has_value() ? elements.Append(*value) : elements.AppendNull());
  }
  ASSERT_OK(builder.EndList());
}

TEST(ListViewBuilderConformance, LVB_01_NothingAppendedGivesAnEmptyArray) {
  const auto builder = BuilderOf<ListViewBuilder>(kType);

  const auto array = FinishedAs<ListViewArray>(*builder);

  EXPECT_EQ(array.length(), 0);
  EXPECT_EQ(array.type(), ListView(Int32()));
  EXPECT_EQ(array.elements().length(), 0);
  EXPECT_TRUE(array.buffer(0).absent());
  EXPECT_TRUE(array.zero_copy_to_list());
}

TEST(ListViewBuilderConformance, LVB_02_ValuesAppendedOneByOne) {
  const auto builder = BuilderOf<ListViewBuilder>(kType);
  AppendValueByValue(*builder, {1, 2, 3});
  AppendValueByValue(*builder, {});
  ASSERT_OK(builder->AppendNull());
  AppendValueByValue(*builder, {4, 5});
  EXPECT_TRUE(builder->zero_copy_to_list());

  const auto array = FinishedAs<ListViewArray>(*builder);

  EXPECT_THAT(array.offsets(), ElementsAre(0, 3, 3, 3));
  EXPECT_THAT(array.sizes(), ElementsAre(3, 0, 0, 2));
  EXPECT_EQ(ValidOf(array), "1101");
  EXPECT_THAT(array.elements(), ReadsAs("[1, 2, 3, 4, 5]"));
  EXPECT_TRUE(array.zero_copy_to_list());
}

TEST(ListViewBuilderConformance, LVB_03_EmptyValuesAndNullsSitAtTheRunningEnd) {
  const auto builder = BuilderOf<ListViewBuilder>(kType);
  ASSERT_OK(builder->AppendEmptyValues(2));
  EXPECT_EQ(builder->length(), 2);
  ASSERT_OK(builder->AppendNulls(2));
  EXPECT_EQ(builder->length(), 4);
  ASSERT_OK(builder->AppendList(Ints({10, 20})));
  EXPECT_EQ(builder->length(), 5);

  const auto array = FinishedAs<ListViewArray>(*builder);

  EXPECT_THAT(array.offsets(), ElementsAre(0, 0, 0, 0, 0));
  EXPECT_THAT(array.sizes(), ElementsAre(0, 0, 0, 0, 2));
  EXPECT_EQ(ValidOf(array), "11001");
  EXPECT_THAT(array.elements(), ReadsAs("[10, 20]"));
}

TEST(ListViewBuilderConformance, LVB_04_AppendingAnEmptyArrayChangesNothing) {
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<ListViewBuilder>(kType, options);
    ASSERT_OK(builder->AppendList(Ints({0})));
    ASSERT_OK(builder->AppendArray(FromJson(kType, "[[1, 2, 3], null, [4, 5]]")));
    const int64_t chunks = builder->chunk_count();
    const int64_t element_chunks = builder->elements().chunk_count();
    ASSERT_OK(builder->AppendArray(FromJson(kType, "[]")));
    EXPECT_EQ(builder->chunk_count(), chunks);
    EXPECT_EQ(builder->elements().chunk_count(), element_chunks);

    const auto array = FinishedAs<ListViewArray>(*builder);

    EXPECT_THAT(array, ReadsAs("[[0], [1, 2, 3], null, [4, 5]]"));
    EXPECT_EQ(array.elements().length(), 6);
    EXPECT_THAT(array.sizes(), ElementsAre(1, 3, 0, 2));
  }
}

TEST(ListViewBuilderConformance, LVB_05_ASliceBringsOnlyItsElements) {
  const Array source = FromJson(kType, "[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]");
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<ListViewBuilder>(kType, options);
    ASSERT_OK(builder->AppendArray(source.Slice(1, 3)));
    ASSERT_OK(builder->AppendArray(source.Slice(1, 3)));
    EXPECT_TRUE(builder->zero_copy_to_list());

    const auto array = FinishedAs<ListViewArray>(*builder);

    EXPECT_EQ(array.elements().length(), 12);
    EXPECT_THAT(array.offsets(), ElementsAre(0, 2, 4, 6, 8, 10));
    EXPECT_TRUE(array.zero_copy_to_list());
    EXPECT_THAT(array, ReadsAs("[[2, 3], [4, 5], [6, 7], [2, 3], [4, 5], [6, 7]]"));
  }
}

TEST(ListViewBuilderConformance, LVB_06_ANullRowKeepsItsView) {
  const ListViewArray source = ListViews(
      {.offsets = {0, 1, 0}, .sizes = {2, 2, 1}, .elements = {10, 20, 30}, .valid = "101"});
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<ListViewBuilder>(kType, options);
    ASSERT_OK(builder->AppendArray(source));
    EXPECT_FALSE(builder->zero_copy_to_list());

    const auto array = FinishedAs<ListViewArray>(*builder);

    EXPECT_THAT(array, ReadsAs("[[10, 20], null, [10]]"));
    EXPECT_THAT(array.offsets(), ElementsAre(0, 1, 0));
    EXPECT_THAT(array.sizes(), ElementsAre(2, 2, 1));
    EXPECT_EQ(array.elements().length(), 3);
    EXPECT_FALSE(array.zero_copy_to_list());
  }
}

TEST(ListViewBuilderConformance, LVB_07_ElementsOfAnotherTypeAreAnError) {
  const auto builder = BuilderOf<ListViewBuilder>(kType);
  ASSERT_OK(builder->AppendList(Ints({7})));

  const Status status = builder->AppendList(Ints({1, 2, 3}, Int64()));

  EXPECT_THAT(status, StatusIs(StatusCode::kInvalidArgument, "int64"));
  EXPECT_THAT(status, StatusIs(StatusCode::kInvalidArgument, "int32"));
  EXPECT_EQ(builder->length(), 1);
  EXPECT_EQ(builder->elements().length(), 1);
  EXPECT_TRUE(builder->zero_copy_to_list());
  EXPECT_THAT(Finished(*builder), ReadsAs("[[7]]"));
}

TEST(ListViewBuilderConformance, LVB_08_EverySourceGoesIntoEveryTarget) {
  constexpr char kRows[] = "[[0, 1, 2], null, [4, 5]]";
  for (const char* target : {"list_view<int32>", "large_list_view<int32>"}) {
    for (const char* source :
         {"list<int32>", "large_list<int32>", "list_view<int32>", "large_list_view<int32>"}) {
      const auto builder = BuilderOf(target);
      ASSERT_OK(builder->AppendArray(FromJson(source, kRows))) << source << " into " << target;

      const Array array = Finished(*builder);

      EXPECT_EQ(array.type(), TypeFrom(target));
      EXPECT_THAT(array, ReadsAs(kRows));
    }
  }
}

TEST(ListViewBuilderConformance, LVB_09_ListViewsOfListViewsValueByValue) {
  const auto builder = BuilderOf<ListViewBuilder>("list_view<list_view<int32>>");
  auto& inner = static_cast<ListViewBuilder&>(builder->elements());
  builder->BeginList();
  AppendValueByValue(inner, {1, 2});
  AppendValueByValue(inner, {3, 4});
  ASSERT_OK(builder->EndList());
  builder->BeginList();
  AppendValueByValue(inner, {5, 6, 7});
  ASSERT_OK(inner.AppendNull());
  AppendValueByValue(inner, {8});
  ASSERT_OK(builder->EndList());
  ASSERT_OK(builder->AppendNull());
  builder->BeginList();
  AppendValueByValue(inner, {9, 10});
  ASSERT_OK(builder->EndList());

  const auto array = FinishedAs<ListViewArray>(*builder);

  EXPECT_THAT(array.offsets(), ElementsAre(0, 2, 5, 5));
  EXPECT_THAT(array.sizes(), ElementsAre(2, 3, 0, 1));
  EXPECT_EQ(array.null_count(), 1);
  ASSERT_OK_AND_ASSIGN(const ListViewArray lists, ListViewArray::From(array.elements()));
  EXPECT_THAT(lists.offsets(), ElementsAre(0, 2, 4, 7, 7, 8));
  EXPECT_THAT(lists.sizes(), ElementsAre(2, 2, 3, 0, 1, 2));
  EXPECT_EQ(lists.null_count(), 1);
  EXPECT_EQ(lists.elements().length(), 10);
  EXPECT_THAT(array, ReadsAs("[[[1, 2], [3, 4]], [[5, 6, 7], null, [8]], null, [[9, 10]]]"));
}

TEST(ListViewBuilderConformance, LVB_10_NullsOfListsAndElementsAreApart) {
  const auto builder = BuilderOf<ListViewBuilder>(kType);
  AppendValueByValue(*builder, {1, 2, 7, kNull});
  AppendValueByValue(*builder, {});
  AppendValueByValue(*builder, {4, 5});
  ASSERT_OK(builder->AppendNull());

  const auto array = FinishedAs<ListViewArray>(*builder);

  EXPECT_THAT(array.offsets(), ElementsAre(0, 4, 4, 6));
  EXPECT_THAT(array.sizes(), ElementsAre(4, 0, 2, 0));
  EXPECT_EQ(array.null_count(), 1);
  EXPECT_TRUE(array.IsNull(3));
  EXPECT_EQ(array.elements().null_count(), 1);
  EXPECT_TRUE(array.elements().IsNull(3));
}

TEST(ListViewBuilderConformance, LVB_11_TheElementFieldKeepsNameAndNullability) {
  const auto builder =
      BuilderOf<ListViewBuilder>(ListView(Field("bar", Int32(), /*nullable=*/false)));
  ASSERT_OK(builder->AppendList(Ints({1, 2, 3})));
  ASSERT_OK(builder->AppendNull());
  ASSERT_OK(builder->AppendList(Ints({4})));
  const Array first = Finished(*builder);
  ASSERT_OK(builder->AppendList(Ints({4, 5})));
  const Array second = Finished(*builder);

  for (const Array& array : {first, second}) {
    EXPECT_EQ(array.type().field(0).name(), "bar");
    EXPECT_FALSE(array.type().field(0).nullable());
  }
  EXPECT_THAT(first, ReadsAs("[[1, 2, 3], null, [4]]"));
  EXPECT_THAT(second, ReadsAs("[[4, 5]]"));
}

TEST(ListViewBuilderConformance, LVB_12_ANullInANonNullableFieldIsAnError) {
  const auto builder =
      BuilderOf<ListViewBuilder>(ListView(Field("item", Int32(), /*nullable=*/false)));
  ASSERT_OK(builder->AppendList(Ints({7})));

  EXPECT_THAT(builder->AppendList(Ints({1, kNull})),
              StatusIs(StatusCode::kInvalidArgument, "item"));
  builder->BeginList();
  ASSERT_OK(builder->elements().AppendNull());
  EXPECT_THAT(builder->EndList(), StatusIs(StatusCode::kInvalidArgument, "item"));
}

TEST(ListViewBuilderConformance, LVB_13_NullsOnly) {
  for (const int64_t n : {2, 3}) {
    const auto builder = BuilderOf<ListViewBuilder>(kType);
    if (n == 2) {
      ASSERT_OK(builder->AppendNull());
      ASSERT_OK(builder->AppendNull());
    } else {
      ASSERT_OK(builder->AppendNulls(n));
    }

    const auto array = FinishedAs<ListViewArray>(*builder);

    EXPECT_EQ(array.length(), n);
    EXPECT_EQ(array.null_count(), n);
    EXPECT_THAT(array.offsets(), Each(0));
    EXPECT_EQ(array.elements().length(), 0);
    EXPECT_NE(array.elements().buffer(1).data(), nullptr);
  }
}

TEST(ListViewBuilderConformance, LVB_14_UnreachedElementsAreNeverVisible) {
  const std::vector<int32_t> offsets = {0, 3, 3};
  const std::vector<int32_t> sizes = {3, 0, 1};
  const Buffer valid = Bits("101");
  const auto builder = BuilderOf<ListViewBuilder>(kType);
  ASSERT_OK(builder->AppendViews(Range(0, 7), offsets, sizes, {valid.data(), 0, 3}));

  const auto array = FinishedAs<ListViewArray>(*builder);

  EXPECT_THAT(array, ReadsAs("[[0, 1, 2], null, [3]]"));
  EXPECT_TRUE(array.elements().length() == 4 || !array.zero_copy_to_list());
}

TEST(ListViewBuilderConformance, LVB_15_SpareCapacityNeverBecomesVisible) {
  const auto builder = BuilderOf<ListViewBuilder>(kType);
  ASSERT_OK(builder->AppendNull());
  ASSERT_OK(builder->elements().Reserve(100));

  EXPECT_THAT(Finished(*builder), ReadsAs("[null]"));
}

TEST(ListViewBuilderConformance, LVB_16_TheElementsMayFillTheOffsetsAndNoMore) {
  constexpr int64_t kLimit = (int64_t{1} << 31) - 1;
  const auto nulls = [](int64_t n) { return *MakeNullArray(Null(), n); };
  const auto builder = BuilderOf<ListViewBuilder>("list_view<null>");
  ASSERT_OK(builder->AppendList(nulls(kLimit)));
  EXPECT_THAT(builder->AppendList(nulls(1)), StatusIs(StatusCode::kOutOfRange, "large_list_view"));
  EXPECT_EQ(builder->length(), 1);
  EXPECT_EQ(Finished(*builder).child(0).length(), kLimit);

  ASSERT_OK(builder->AppendList(nulls(2)));
  EXPECT_THAT(builder->AppendList(nulls(kLimit - 1)), StatusIs(StatusCode::kOutOfRange));
  ASSERT_OK(builder->AppendNull());
  ASSERT_OK(builder->AppendList(nulls(3)));
  EXPECT_THAT(builder->AppendList(nulls(kLimit - 4)), StatusIs(StatusCode::kOutOfRange));
  ASSERT_OK(builder->AppendList(nulls(kLimit - 5)));

  const auto array = FinishedAs<ListViewArray>(*builder);
  EXPECT_THAT(array.offsets(), ElementsAre(0, 2, 2, 5));
  EXPECT_THAT(array.sizes(), ElementsAre(2, 0, 3, kLimit - 5));
}

}  // namespace
}  // namespace sheaf
