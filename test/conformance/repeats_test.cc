// Rows RPT-01 to RPT-08, RPT-15, RPT-16 and case C32: repeats and constants.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::Each;
using ::testing::ElementsAre;

constexpr char kType[] = "list_view<int32>";

TEST(RepeatConformance, RPT_01_NoRepeatStoresNothing) {
  const auto builder = BuilderOf<ListViewBuilder>(kType);
  ASSERT_OK(builder->AppendRepeatedList(Ints({1, 2}), 0));

  EXPECT_EQ(builder->length(), 0);
  EXPECT_EQ(builder->elements().length(), 0);
  EXPECT_TRUE(builder->zero_copy_to_list());
}

TEST(RepeatConformance, RPT_02_TheFlagStaysWhereNoElementIsShared) {
  const auto builder = BuilderOf<ListViewBuilder>(kType);
  ASSERT_OK(builder->AppendRepeatedList(Ints({}), 3));
  EXPECT_TRUE(builder->zero_copy_to_list());
  ASSERT_OK(builder->AppendRepeatedList(Ints({1}), 1));
  EXPECT_TRUE(builder->zero_copy_to_list());

  const auto array = FinishedAs<ListViewArray>(*builder);

  EXPECT_THAT(array, ReadsAs("[[], [], [], [1]]"));
  EXPECT_TRUE(array.zero_copy_to_list());
}

TEST(RepeatConformance, RPT_03_AConstantListMadeFlat) {
  const auto views = BuilderOf<ListViewBuilder>(kType);
  ASSERT_OK(views->AppendRepeatedList(Ints({1, 2}), 2));
  const auto constant = FinishedAs<ListViewArray>(*views);
  EXPECT_EQ(constant.elements().length(), 2);
  EXPECT_FALSE(constant.zero_copy_to_list());

  const auto lists = BuilderOf<ListBuilder>("list<int32>");
  ASSERT_OK(lists->AppendArray(constant));
  const Array flat = Finished(*lists);

  EXPECT_THAT(flat.child(0), ReadsAs("[1, 2, 1, 2]"));
  EXPECT_THAT(OffsetsOf(flat), ElementsAre(0, 2, 4));
}

TEST(RepeatConformance, RPT_04_ConstantEmptyAndNullLists) {
  const auto builder = BuilderOf<ListViewBuilder>(kType);
  const Array rows = FromJson(kType, "[[], null]");
  for (const int64_t row : {0, 1}) {
    ASSERT_OK(builder->AppendRepeated(rows, row, 2));
    EXPECT_TRUE(builder->zero_copy_to_list());

    const auto array = FinishedAs<ListViewArray>(*builder);

    EXPECT_EQ(array.elements().length(), 0);
    EXPECT_THAT(array.offsets(), ElementsAre(0, 0));
    EXPECT_THAT(array.sizes(), ElementsAre(0, 0));
    EXPECT_EQ(array.null_count(), row == 1 ? 2 : 0);
  }
}

TEST(RepeatConformance, RPT_05_ARepeatedStructStoresAChildsListOnce) {
  constexpr char kStruct[] = "struct<a: int32, b: utf8, c: list_view<int32>>";
  const Array row = FromJson(kStruct, R"([{"a": 42, "b": "hi", "c": [1, 2, 3]}])");
  const auto repeated = BuilderOf(kStruct);
  ASSERT_OK(repeated->AppendRepeated(row, 0, 1000));
  const auto row_wise = BuilderOf(kStruct);
  for (int i = 0; i < 1000; ++i) ASSERT_OK(row_wise->AppendArray(row));

  const Array array = Finished(*repeated);

  EXPECT_EQ(array.child(2).child(0).length(), 3);
  EXPECT_EQ(array, Finished(*row_wise));
}

TEST(RepeatConformance, RPT_06_NullsOfElementsRepeat) {
  const DataType type = *FixedSizeList(Field("item", Int32()), 3);
  const auto builder = BuilderOf(type);
  ASSERT_OK(builder->AppendRepeated(FromJson(type, "[[100, null, 200]]"), 0, 3));

  const Array array = Finished(*builder);

  EXPECT_EQ(ValidOf(array.child(0)), "101101101");
  EXPECT_THAT(array, ReadsAs("[[100, null, 200], [100, null, 200], [100, null, 200]]"));
}

TEST(RepeatConformance, RPT_08_ANullStructWithANonNullableField) {
  const DataType type = Struct({Field("a", Int32(), /*nullable=*/false)});
  ASSERT_OK_AND_ASSIGN(const Array nulls, MakeNullArray(type, 3));
  EXPECT_THAT(nulls, IsValidArray());
  EXPECT_THAT(nulls, ReadsAs("[null, null, null]"));
  EXPECT_EQ(nulls.child(0).length(), 3);

  const auto builder = BuilderOf(type);
  ASSERT_OK(builder->AppendNull());
  ASSERT_OK(builder->AppendRepeated(nulls, 1, 2));
  EXPECT_THAT(Finished(*builder), ReadsAs("[null, null, null]"));
}

TEST(RepeatConformance, RPT_15_SixteenCopiesOfOneValueOfEveryType) {
  Random random(15);
  for (const TypeId id : AllTypeIds()) {
    const DataType type = SampleType(id);
    if (!MakeBuilder(type).ok()) continue;  // Its builder comes with a later issue.
    const Array row =
        RandomArray(type, {.length = 1, .null_rate = 0, .shape = ViewShape::kPacked}, random);
    const auto builder = BuilderOf(type);
    ASSERT_OK(builder->AppendRepeated(row, 0, 16));

    const Array array = Finished(*builder);

    for (const int64_t i : {0, 8, 15}) EXPECT_THAT(array.Row(i), ReadsLike(row)) << type.ToString();
    const Array slice = array.Slice(1, 4);
    EXPECT_THAT(slice, IsValidArray()) << type.ToString();
    EXPECT_EQ(slice.null_count(), type.id() == TypeId::kNull ? 4 : 0);
  }
}

TEST(RepeatConformance, RPT_16_AllNullArraysOfEveryType) {
  for (const TypeId id : AllTypeIds()) {
    const DataType type = SampleType(id);
    for (const int64_t length : {0, 1, 16, 133}) {
      ASSERT_OK_AND_ASSIGN(const Array array, MakeNullArray(type, length));
      EXPECT_EQ(array.length(), length);
      EXPECT_THAT(array, IsValidArray()) << type.ToString();
      const bool has_nulls = type.layout().has_validity || id == TypeId::kNull;
      EXPECT_EQ(array.null_count(), has_nulls ? length : 0) << type.ToString();
      const Values values = Read(array);
      const auto is_null = [](const Value& value) {
        const auto* of_union = std::get_if<UnionValue>(&value.data);
        return value.is_null() || (of_union != nullptr && of_union->value[0].is_null());
      };
      EXPECT_EQ(std::count_if(values.begin(), values.end(), is_null), length) << type.ToString();
    }
  }
}

TEST(RepeatConformance, C32_OneListAMillionTimes) {
  constexpr int64_t kRows = 1'000'000;
  FailingPool pool;
  const int64_t before = pool.bytes_in_use();
  const auto builder = BuilderOf<ListViewBuilder>(kType, {.pool = &pool});
  ASSERT_OK(builder->AppendRepeatedList(Range(0, 1000), kRows));
  EXPECT_LT(pool.bytes_in_use() - before, int64_t{64} << 20);

  ASSERT_OK_AND_ASSIGN(const Array array, builder->Finish());
  ASSERT_OK_AND_ASSIGN(const ListViewArray views, ListViewArray::From(array));

  EXPECT_EQ(views.length(), kRows);
  EXPECT_EQ(views.elements().length(), 1000);
  EXPECT_THAT(views.offsets(), Each(0));
  EXPECT_THAT(views.sizes(), Each(1000));
  const auto lists = BuilderOf("list<int32>");
  ASSERT_OK(lists->AppendArray(views, 500'000, 3));
  EXPECT_EQ(Finished(*lists).child(0).length(), 3000);
  ASSERT_OK(builder->AppendNulls(kRows));
  ASSERT_OK(builder->AppendRepeatedList(Ints({}), kRows));
  EXPECT_EQ(Finished(*builder).child(0).length(), 0);
}

}  // namespace
}  // namespace sheaf
