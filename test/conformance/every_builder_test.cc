// Rows GEN-01 to GEN-10 and ZCL-11: what holds for every builder there is.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/memory/buffer_builder.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

/// One type an id that has a builder by now, and some nested ones.
std::vector<DataType> BuiltTypes() {
  std::vector<DataType> types;
  for (const TypeId id : AllTypeIds()) types.push_back(SampleType(id));
  types.push_back(TypeFrom("list_view<struct<a: utf8, b: large_list_view<float64>>>"));
  types.push_back(TypeFrom("list<list_view<bool>>"));
  std::erase_if(types, [](const DataType& type) { return !MakeBuilder(type).ok(); });
  return types;
}

TEST(EveryBuilderConformance, GEN_01_PiecesGiveTheWhole) {
  Random random(1);
  for (const DataType& type : BuiltTypes()) {
    for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
      const Array array = RandomArray(type, {.length = 100}, random);
      const auto builder = BuilderOf(type, options);
      const int64_t cuts[] = {0, 10, 10, 25, 60, 100};
      for (int i = 0; i + 1 < 6; ++i)
        ASSERT_OK(builder->AppendArray(array, cuts[i], cuts[i + 1] - cuts[i]));

      const Array joined = Finished(*builder);

      EXPECT_THAT(joined, ReadsLike(array)) << type.ToString();
      EXPECT_EQ(joined, array) << type.ToString();
    }
  }
}

TEST(EveryBuilderConformance, GEN_02_LengthsFollowEveryAppend) {
  Random random(2);
  for (const DataType& type : BuiltTypes()) {
    const auto builder = BuilderOf(type);
    const Array array =
        RandomArray(type, {.length = 16, .null_rate = 0, .shape = ViewShape::kGaps}, random);
    const Array nulls = *MakeNullArray(type, 16);
    int64_t expected = 0;
    for (const Array& source : {array, nulls}) {
      for (const auto& [offset, length] : {std::pair{0, 4}, {0, 0}, {1, 0}, {1, 4}}) {
        ASSERT_OK(builder->AppendArray(source, offset, length));
        expected += length;
        EXPECT_EQ(builder->length(), expected) << type.ToString();
      }
    }
    if (type.layout().has_validity) {
      EXPECT_EQ(builder->null_count(), 8) << type.ToString();
    }
    EXPECT_EQ(Finished(*builder).length(), 16);
  }
}

TEST(EveryBuilderConformance, GEN_03_EmptyValuesAreZerosAndNotNull) {
  for (const DataType& type : BuiltTypes()) {
    const auto builder = BuilderOf(type);
    ASSERT_OK(builder->AppendEmptyValues(5));

    const Array array = Finished(*builder);

    EXPECT_EQ(array.null_count(), type.id() == TypeId::kNull ? 5 : 0) << type.ToString();
    EXPECT_THAT(array, ReadsLike(testing::Values(5, EmptyValue(type)))) << type.ToString();
  }
}

TEST(EveryBuilderConformance, GEN_04_RepeatsKeepThePatternOfNulls) {
  const std::pair<const char*, const char*> cases[] = {
      {"bool", "[true, null, false, null, true]"},  {"int32", "[1, null, 2, null, 3]"},
      {"float64", "[1.5, null, 2.5, null, 3.5]"},   {"utf8", R"(["a", null, "", null, "bc"])"},
      {"binary", R"(["a", null, "", null, "bc"])"},
  };
  for (const auto& [type, rows] : cases) {
    const Array source = FromJson(type, rows);
    const auto builder = BuilderOf(type);
    testing::Values expected;
    for (int64_t row = 0; row < 5; ++row) {
      ASSERT_OK(builder->AppendRepeated(source, row, row + 1));
      AppendRepeated(&expected, Read(source)[static_cast<size_t>(row)], row + 1);
    }

    EXPECT_THAT(Finished(*builder), ReadsLike(expected));
  }
}

TEST(EveryBuilderConformance, GEN_05_ASliceThenNulls) {
  const auto builder = BuilderOf("int32");
  ASSERT_OK(builder->AppendArray(Ints({1, 2, 3, 4}), 2, 1));
  ASSERT_OK(builder->AppendNulls(2));

  const Array array = Finished(*builder);

  EXPECT_EQ(array.null_count(), 2);
  EXPECT_THAT(array, ReadsAs("[3, null, null]"));
}

TEST(EveryBuilderConformance, GEN_06_AnOffsetIsAppliedOnceToValuesAndBits) {
  const Array source = Ints({0, kNull, 2, kNull, 4, 5, kNull, 7, 8, kNull, 10});
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf("int32", options);
    const Array slice = source.Slice(2, 8);  // 2 null 4 5 null 7 8 null
    ASSERT_OK(builder->AppendArray(slice, 1, 4));
    ASSERT_OK(builder->AppendArray(slice, 5, 3));

    EXPECT_THAT(Finished(*builder), ReadsAs("[null, 4, 5, null, 7, 8, null]"));
  }
}

TEST(EveryBuilderConformance, GEN_07_CapacityDoublesWhenItGrows) {
  BufferBuilder buffer(MemoryPool::Default());
  ASSERT_OK(buffer.Reserve(1000));
  const int64_t first = buffer.capacity_bytes();
  EXPECT_GE(first, 1000);
  ASSERT_OK(buffer.Reserve(first + 30));
  EXPECT_GE(buffer.capacity_bytes(), 2 * first);
}

/// Every buffer of an array made here.
void ExpectAlignedAndPadded(const Array& array, const std::string& what) {
  for (int i = 0; i < array.num_buffers(); ++i) {
    const Buffer& buffer = array.buffer(i);
    if (buffer.absent()) continue;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0U) << what << " buffer " << i;
    // The offsets of a list-view may have a spare slot behind them, which holds the end.
    const bool spare = array.layout().id == LayoutId::kListView && i == 1;
    const int64_t spare_bytes = spare ? array.layout().offset_bits / 8 : 0;
    for (int64_t byte = buffer.size_bytes() + spare_bytes; byte % 64 != 0; ++byte) {
      EXPECT_EQ(buffer.data()[byte], 0) << what << " buffer " << i << " byte " << byte;
    }
  }
  for (int i = 0; i < array.num_children(); ++i)
    ExpectAlignedAndPadded(array.child(i), what + "." + std::to_string(i));
}

TEST(EveryBuilderConformance, GEN_08_BuffersAreAlignedAndPaddedWithZeros) {
  Random random(8);
  for (const DataType& type : BuiltTypes()) {
    const auto builder = BuilderOf(type, kKeepNone);
    ASSERT_OK(builder->AppendArray(RandomArray(type, {.length = 21, .sliced = true}, random)));
    ASSERT_OK(builder->AppendNulls(2));
    ExpectAlignedAndPadded(Finished(*builder), type.ToString());
  }
}

TEST(EveryBuilderConformance, GEN_09_TheNullBuilderCounts) {
  const auto builder = BuilderOf("null");
  ASSERT_OK(builder->AppendNulls(0));
  ASSERT_OK(builder->AppendNulls(2));
  ASSERT_OK(builder->AppendEmptyValue());

  const Array array = Finished(*builder);

  EXPECT_EQ(array.length(), 3);
  EXPECT_EQ(array.null_count(), 3);
}

TEST(EveryBuilderConformance, GEN_10_AnEmptyTextHasADataPointer) {
  const auto builder = BuilderOf<BinaryBuilder>("utf8");
  ASSERT_OK(builder->Append(""));

  const Array array = Finished(*builder);

  EXPECT_EQ(array.length(), 1);
  EXPECT_NE(array.buffer(2).data(), nullptr);
}

TEST(EveryBuilderConformance, ZCL_11_TheFlagFallsOnceAndStartsAnewAfterFinish) {
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", options);
    const Array packed = FromJson("list_view<int32>", "[[1, 2], [3]]");
    ASSERT_OK(builder->AppendArray(packed));
    EXPECT_TRUE(builder->zero_copy_to_list());
    ASSERT_OK(
        builder->AppendArray(ListViews({.offsets = {1, 0}, .sizes = {1, 1}, .elements = {1, 2}})));
    EXPECT_FALSE(builder->zero_copy_to_list());
    ASSERT_OK(builder->AppendArray(packed));
    EXPECT_FALSE(builder->zero_copy_to_list());
    EXPECT_FALSE(FinishedAs<ListViewArray>(*builder).zero_copy_to_list());
    EXPECT_TRUE(builder->zero_copy_to_list());
    ASSERT_OK(builder->AppendArray(packed));
    EXPECT_TRUE(FinishedAs<ListViewArray>(*builder).zero_copy_to_list());
  }
}

}  // namespace
}  // namespace sheaf
