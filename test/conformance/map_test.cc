// Case C23: maps, whose entries and keys are never null.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/map_array.h"
#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/map_builder.h"
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

constexpr char kTexts[] = "map<utf8, int32>";

/// A map type that says of its keys and entries that they may be null.
DataType LaxMap() {
  return *MapOf(Field("e", Struct({Field("k", Utf8()), Field("v", Int32())})), false);
}

TEST(MapConformance, C23_ValuesMayBeNullAndRowsButNeitherKeysNorEntries) {
  const auto builder = BuilderOf<MapBuilder>(kTexts);
  builder->BeginMap();
  ASSERT_OK(static_cast<BinaryBuilder&>(builder->keys()).Append("a"));
  ASSERT_OK(static_cast<BinaryBuilder&>(builder->keys()).Append("b"));
  ASSERT_OK(static_cast<Int32Builder&>(builder->items()).Append(1));
  ASSERT_OK(builder->items().AppendNull());
  ASSERT_OK(builder->EndMap());
  ASSERT_OK(builder->AppendNull());
  builder->BeginMap();
  ASSERT_OK(builder->EndMap());

  const MapArray maps = FinishedAs<MapArray>(*builder);

  EXPECT_THAT(maps, ReadsAs(R"([{"a": 1, "b": null}, null, {}])"));
  EXPECT_THAT(maps.offsets(), ElementsAre(0, 2, 2, 2));
  EXPECT_EQ(ValidOf(maps), "101");
  EXPECT_EQ(maps.keys().null_count(), 0);
  EXPECT_EQ(maps.entries().null_count(), 0);
}

TEST(MapConformance, C23_ANullKeyIsAnErrorAndTheMapStaysOpen) {
  for (const DataType& type : {TypeFrom(kTexts), LaxMap()}) {
    SCOPED_TRACE(type.ToString());
    const auto builder = BuilderOf<MapBuilder>(type);
    ASSERT_OK(builder->AppendEmptyValue());
    ASSERT_OK_AND_ASSIGN(const BuilderMark mark, builder->Mark());
    builder->BeginMap();
    ASSERT_OK(builder->keys().AppendNull());
    ASSERT_OK(builder->items().AppendEmptyValue());
    EXPECT_THAT(builder->EndMap(), StatusIs(StatusCode::kInvalidArgument, "null"));
    EXPECT_THAT(builder->AppendNull(), StatusIs(StatusCode::kFailedPrecondition));
    ASSERT_OK(builder->RollBack(mark));
    EXPECT_THAT(Finished(*builder), ReadsAs("[{}]"));
  }
}

TEST(MapConformance, C23_NullEntriesAndKeysOfArraysAreRefusedWhateverTheirFieldsSay) {
  const DataType entry = LaxMap().value_type();
  const Array null_key =
      StructOver({entry.field(0), entry.field(1)}, {Utf8s({"a", kNull}), Ints({1, 2})}, 2);
  const Array null_entry =
      StructOver({entry.field(0), entry.field(1)}, {Utf8s({"a", "b"}), Ints({1, 2})}, 2, "10");
  for (const Array& entries : {null_key, null_entry}) {
    const Array maps = MakeRaw({.type = LaxMap(),
                                .length = 2,
                                .buffers = {Buffer(), Integers({0, 1, 2}, 32)},
                                .children = {entries}});
    const auto builder = BuilderOf<MapBuilder>(LaxMap());
    EXPECT_THAT(builder->AppendArray(maps), StatusIs(StatusCode::kInvalidArgument, "row 1"));
    EXPECT_THAT(builder->AppendRepeated(maps, 1, 3), StatusIs(StatusCode::kInvalidArgument));
    EXPECT_THAT(builder->AppendList(entries), StatusIs(StatusCode::kInvalidArgument, "null"));
    ASSERT_OK(builder->AppendArray(maps, 0, 1));
    EXPECT_THAT(Finished(*builder), ReadsAs(R"([{"a": 1}])"));
  }
}

TEST(MapConformance, C23_ValuesThatAreNotNullableStayThatWay) {
  const DataType type = Map(Utf8(), Field("value", Int32(), /*nullable=*/false), true);
  const auto builder = BuilderOf<MapBuilder>(type);
  builder->BeginMap();
  ASSERT_OK(builder->keys().AppendEmptyValue());
  ASSERT_OK(builder->items().AppendNull());
  EXPECT_THAT(builder->EndMap(), StatusIs(StatusCode::kInvalidArgument, "value"));
  builder->Reset();
  ASSERT_OK(builder->AppendArray(FromJson(type, R"([{"a": 1}, null])")));

  const Array maps = Finished(*builder);

  EXPECT_TRUE(maps.type().Identical(type));
  EXPECT_TRUE(maps.type().keys_sorted());
  EXPECT_FALSE(maps.type().value_type().field(1).nullable());
}

TEST(MapTest, KeysAndItemsNeedNotComeInTurns) {
  const auto builder = BuilderOf<MapBuilder>("map<int32, int32>");
  builder->BeginMap();
  ASSERT_OK(builder->items().AppendArray(Range(10, 13)));
  EXPECT_THAT(builder->EndMap(), StatusIs(StatusCode::kFailedPrecondition));
  ASSERT_OK(builder->keys().AppendArray(Range(0, 3)));
  ASSERT_OK(builder->EndMap());
  // An entry that was ended as a row counts as well.
  builder->BeginMap();
  ASSERT_OK(builder->keys().AppendArray(Range(5, 6)));
  ASSERT_OK(builder->items().AppendArray(Range(6, 7)));
  ASSERT_OK(builder->entries().EndRow());
  ASSERT_OK(builder->EndList());
  EXPECT_THAT(Finished(*builder),
              ReadsAs(R"([{"m": [[0, 10], [1, 11], [2, 12]]}, {"m": [[5, 6]]}])"));
}

TEST(MapTest, NamesOfFieldsDoNotMatterButSortedKeysDo) {
  const auto builder = BuilderOf<MapBuilder>(kTexts);
  ASSERT_OK(builder->AppendArray(FromJson(LaxMap(), R"([{"x": 7}])")));
  EXPECT_THAT(builder->AppendArray(FromJson(Map(Utf8(), Field("value", Int32()), true), "[{}]")),
              StatusIs(StatusCode::kInvalidArgument, "sorted"));
  const Array maps = Finished(*builder);
  EXPECT_THAT(maps, ReadsAs(R"([{"x": 7}])"));
  EXPECT_TRUE(maps.type().Identical(TypeFrom(kTexts)));
}

TEST(ExtensionTest, TheBuilderIsThatOfTheStorageWithTheTypesName) {
  const DataType type = Extension("sheaf.test", "p", ListView(Int32()));
  const auto builder = BuilderOf<ListViewBuilder>(type);
  ASSERT_OK(builder->AppendList(Ints({1, 2})));
  const Array rows = FromJson(type, "[[3], null, []]");
  ASSERT_OK(builder->AppendArray(rows));
  ASSERT_OK(builder->AppendNull());
  // Stored as lists there: views of them are made.
  ASSERT_OK(
      builder->AppendArray(FromJson(Extension("sheaf.test", "p", List(Int32())), "[[4, 5]]")));
  EXPECT_THAT(builder->AppendArray(FromJson("list_view<int32>", "[[1]]")),
              StatusIs(StatusCode::kInvalidArgument));

  const Array array = Finished(*builder);

  EXPECT_TRUE(array.type().Identical(type));
  EXPECT_THAT(array, ReadsAs("[[1, 2], [3], null, [], null, [4, 5]]"));
}

TEST(ExtensionTest, EveryStorageIsBuilt) {
  for (const TypeId id : AllTypeIds()) {
    const DataType type = Extension("sheaf.test", "", SampleType(id));
    SCOPED_TRACE(type.ToString());
    Random random(2);
    const Array rows = RandomArray(type, {.length = 30, .sliced = true}, random);
    for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
      const auto builder = BuilderOf(type, options);
      ASSERT_OK(builder->AppendArray(rows));
      ASSERT_OK(builder->AppendRepeated(rows, 3, 4));
      const Array array = Finished(*builder);
      EXPECT_TRUE(array.type() == type);
      Values expected = Read(rows);
      testing::AppendRepeated(&expected, expected[3], 4);
      EXPECT_THAT(array, ReadsLike(expected));
    }
  }
}

}  // namespace
}  // namespace sheaf
