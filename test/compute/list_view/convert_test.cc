// Conversions between list-like layouts: rows CNV-01 to CNV-10 and FSL-11, case C25, what is
// shared, what is refused.

#include "sheaf/compute/list_view/convert.h"

#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "array/with_children.h"
#include "sheaf/array/fixed_size_list_array.h"
#include "sheaf/array/list_array.h"
#include "sheaf/array/list_view_array.h"
#include "sheaf/array/map_array.h"
#include "sheaf/array/struct_array.h"
#include "sheaf/compute/list_view/rebuild.h"
#include "sheaf/type/extension.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using internal::IsSameArray;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr TypeId kLayouts[] = {TypeId::kList, TypeId::kLargeList, TypeId::kListView,
                               TypeId::kLargeListView};

/// Converted, valid, of the layout and with the rows of `array`.
Array Converted(const Array& array, TypeId target) {
  const StatusOr<Array> converted = ConvertLists(array, target);
  EXPECT_OK(converted);
  if (!converted.ok()) return Array();
  EXPECT_EQ(converted->type().storage().id(), target);
  EXPECT_THAT(*converted, IsValidArray());
  EXPECT_THAT(*converted, ReadsLike(array));
  EXPECT_EQ(converted->null_count(), array.null_count());
  return *converted;
}

ListViewArray ToListView(const Array& array) {
  return *ListViewArray::From(Converted(array, TypeId::kListView));
}
ListArray ToList(const Array& array) { return *ListArray::From(Converted(array, TypeId::kList)); }

TEST(ConvertConformance, CNV_01_LeadingElementsOfAListAreDropped) {
  const Array list = ListsOver(Range(0, 5), {2, 4, 5});
  const ListViewArray views = ToListView(list);
  EXPECT_THAT(views.offsets(), ElementsAre(0, 2));
  EXPECT_THAT(views.sizes(), ElementsAre(2, 1));
  EXPECT_THAT(views.elements(), ReadsAs("[2, 3, 4]"));
  EXPECT_TRUE(SharesBuffer(views.elements(), list.child(0), 1)) << "none is copied";
}

TEST(ConvertConformance, CNV_02_APackedListViewBecomesAListWithoutACopy) {
  // From a list, a builder or a rebuild: all leave the end behind the offsets.
  const Array literal = ListViewsOver(Range(0, 8), {1, 3, 3, 6}, {2, 0, 3, 1});
  ASSERT_OK_AND_ASSIGN(const Array views, Rebuild(literal, RebuildMode::kTrim));
  MemoryPool* pool = MemoryPool::Default();
  const int64_t before = pool->counts().allocation_count;
  const ListArray list = *ListArray::From(*ConvertLists(views, TypeId::kList));
  EXPECT_LE(pool->counts().allocation_count - before, 1) << "the node";
  EXPECT_THAT(list.offsets(), ElementsAre(0, 2, 2, 5, 6));
  EXPECT_TRUE(SharesBuffer(list, views, 0));
  EXPECT_TRUE(SharesBuffer(list, views, 1));
  EXPECT_THAT(list.elements(), SharesAllBuffersWith(views.child(0)));

  const Array of_list = ToListView(ListsOver(Range(0, 3), {0, 1, 3}));
  EXPECT_TRUE(SharesBuffer(ToList(of_list), of_list, 1));
}

TEST(ConvertConformance, CNV_03_AListWithANullThereAndBack) {
  const Array whole = ListsOver(FromJson("int32", "[10, 20, 7, 7, 50]"), {0, 2, 4, 5, 5}, "1011");
  for (const Array& list : {whole.Slice(0, 3), whole.Slice(1, 3)}) {
    const ListViewArray views = ToListView(list);
    EXPECT_TRUE(SharesBuffer(views, list, 0));
    EXPECT_EQ(views.sizes()[list.offset() == 0 ? 1 : 0], 2) << "null rows keep their elements";
    const ListArray back = ToList(views);
    EXPECT_TRUE(SharesBuffer(back, list, 0));
    EXPECT_EQ(back, list);
  }
}

TEST(ConvertConformance, CNV_04_ShuffledViewsBecomeAListInOrder) {
  const ListArray list = ToList(ListViewsOver(Range(0, 10), {5, 2, 8, 0, 1}, {3, 2, 2, 2, 4}));
  EXPECT_THAT(list, ReadsAs("[[5, 6, 7], [2, 3], [8, 9], [0, 1], [1, 2, 3, 4]]"));
  EXPECT_THAT(list.offsets(), ElementsAre(0, 3, 5, 7, 9, 13));
}

TEST(ConvertConformance, CNV_05_NullRowsOfShuffledViews) {
  const ListArray list = ToList(ListViewsOver(Range(1, 10), {0, 6, 3}, {3, 3, 3}, "010"));
  EXPECT_THAT(list, ReadsAs("[null, [7, 8, 9], null]"));
  EXPECT_THAT(list.offsets(), ElementsAre(0, 0, 3, 3));
}

TEST(ConvertConformance, CNV_06_EmptyListsOverAnUnusedElement) {
  const ListArray list = ToList(ListViewsOver(Range(0, 1), {1, 0, 1, 0}, {0, 0, 0, 0}));
  EXPECT_THAT(list.offsets(), ElementsAre(0, 0, 0, 0, 0));
  EXPECT_EQ(list.elements().length(), 0);
  const ListViewArray back = ToListView(list);
  EXPECT_THAT(back.offsets(), ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(back.elements().length(), 0);
}

TEST(ConvertConformance, CNV_07_EveryLevelOfANestedArrayIsConverted) {
  Random random(7);
  for (const char* text :
       {"list_view<list_view<int32>>", "struct<a: int32, b: list_view<utf8>>",
        "fixed_size_list<list_view<int32>>[2]", "list_view<struct<a: list_view<int16>>>",
        "large_list_view<list_view<large_list_view<bool>>>", "list<large_list_view<utf8_view>>"}) {
    const Array array = RandomArray(TypeFrom(text), {.length = 30, .sliced = true}, random);
    SCOPED_TRACE(text);
    ASSERT_OK_AND_ASSIGN(const Array lists, ConvertNested(array, TypeId::kList));
    EXPECT_THAT(lists.type().ToString(), Not(HasSubstr("view<")));
    EXPECT_THAT(lists, IsValidArray());
    EXPECT_THAT(lists, ReadsLike(array));
    ASSERT_OK_AND_ASSIGN(const Array again, ConvertNested(lists, TypeId::kLargeList));
    EXPECT_TRUE(IsSameArray(again, lists)) << "without a list-view nothing is done";
  }
}

TEST(ConvertConformance, CNV_08_ThereAndBackInBothWidths) {
  for (const char* rows : {"[[1, 2], [3], [], [4], null]", "[[1, 2], [], [100000]]", "[]"}) {
    for (const TypeId from : kLayouts) {
      const Array array = Converted(FromJson("list<int32>", rows), from);
      for (const TypeId to : kLayouts) EXPECT_EQ(Converted(Converted(array, to), from), array);
    }
  }
}

TEST(ConvertConformance, CNV_09_NullRowsOfAnySizeBecomeFixedSize) {
  for (const int64_t size : {0, 1, 2, 3}) {
    const Array views = ListViewsOver(Range(1, 7), {0, 2, 3, 1}, {3, size, 3, size}, "1010");
    ASSERT_OK_AND_ASSIGN(const Array fixed, ConvertToFixedSizeLists(views, 3));
    EXPECT_THAT(fixed, IsValidArray());
    EXPECT_THAT(fixed, ReadsAs("[[1, 2, 3], null, [4, 5, 6], null]"));
    const Array shuffled = ListViewsOver(Range(1, 7), {3, 2, 0, 1}, {3, size, 3, size}, "1010");
    ASSERT_OK_AND_ASSIGN(const Array in_order, ConvertToFixedSizeLists(shuffled, 3));
    EXPECT_THAT(in_order, ReadsAs("[[4, 5, 6], null, [1, 2, 3], null]"));
  }
}

TEST(ConvertConformance, CNV_10_ARowOfAnotherSizeIsNamed) {
  const Array views = ListViewsOver(Range(0, 20), {0, 3, 5, 9}, {3, 2, 4, 3});
  EXPECT_THAT(ConvertToFixedSizeLists(views, 3),
              StatusIs(StatusCode::kInvalidArgument, "row 1 has 2 elements, not 3"));
  EXPECT_THAT(ConvertToFixedSizeLists(FixedSizeListsOver(Range(0, 4), 2, 2), 3),
              StatusIs(StatusCode::kInvalidArgument, "row 0 has 2 elements, not 3"));
  EXPECT_THAT(ConvertToFixedSizeLists(views, -1), StatusIs(StatusCode::kInvalidArgument));
}

TEST(ConvertConformance, FSL_11_FixedSizeListsAsListViewsFlattened) {
  const Array fixed = FixedSizeListsOver(Range(0, 8), 2, 4, "1011");
  const auto flattened = [](const Array& rows) {
    return Rebuild(ToListView(rows), RebuildMode::kExact)->child(0);
  };
  EXPECT_THAT(flattened(fixed), ReadsAs("[0, 1, 4, 5, 6, 7]"));
  EXPECT_THAT(flattened(fixed.Slice(1, 2)), ReadsAs("[4, 5]"));
  EXPECT_EQ(ToListView(fixed).elements().length(), 8) << "null rows keep theirs until then";
}

TEST(ConvertConformance, C25_OffsetsBeyond32BitsAndTheWayDown) {
  ASSERT_OK_AND_ASSIGN(const Array nulls, MakeNullArray(Null(), 3'000'000'005));
  const Array large = LargeListsOver(nulls, {0, 3'000'000'000, 3'000'000'005});
  const auto views = *LargeListViewArray::From(*ConvertLists(large, TypeId::kLargeListView));
  EXPECT_THAT(views.offsets(), ElementsAre(0, 3'000'000'000));
  EXPECT_THAT(views.sizes(), ElementsAre(3'000'000'000, 5));
  for (const Array& array : {large, Array(views)}) {
    for (const TypeId narrow : {TypeId::kList, TypeId::kListView}) {
      EXPECT_THAT(ConvertLists(array, narrow),
                  StatusIs(StatusCode::kOutOfRange, "3000000005 elements"));
      ASSERT_OK_AND_ASSIGN(const Array last, ConvertLists(array.Slice(1, 1), narrow));
      EXPECT_THAT(last, IsValidArray());
      EXPECT_EQ(last.child(0).length(), 5);
      EXPECT_EQ(last.buffer(1).as<int32_t>()[0], 0);
      ASSERT_OK_AND_ASSIGN(const Array none, ConvertLists(array.Slice(1, 0), narrow));
      EXPECT_EQ(none.length(), 0);
      if (narrow == TypeId::kList) {
        EXPECT_THAT(ListArray::From(none)->offsets(), ElementsAre(0));
      }
    }
  }
}

TEST(ConvertTest, OffsetsOfAListAreSharedAndSizesMade) {
  const Array list = ListsOver(Range(0, 5), {0, 2, 2, 5});
  const ListViewArray views = ToListView(list);
  EXPECT_TRUE(SharesBuffer(views, list, 1));
  EXPECT_TRUE(SharesBuffer(views.elements(), list.child(0), 1));
  EXPECT_THAT(views.sizes(), ElementsAre(2, 0, 3));
  const Array first_rows = list.Slice(0, 2);
  EXPECT_TRUE(SharesBuffer(ToListView(first_rows), list, 1));
  EXPECT_EQ(ToListView(first_rows).elements().length(), 2) << "and so are those behind";
}

TEST(ConvertTest, ASliceOfAPackedListViewNeedsNoSpareSlot) {
  const Array views = ListViewsOver(Range(0, 6), {0, 2, 3, 4}, {2, 1, 1, 2});
  EXPECT_FALSE(SharesBuffer(ToList(views), views, 1)) << "nothing is known of what lies behind";
  EXPECT_THAT(ToList(views).offsets(), ElementsAre(0, 2, 3, 4, 6));
  // The offset of the row behind is the end of the last.
  EXPECT_TRUE(SharesBuffer(ToList(views.Slice(0, 3)), views, 1));
  EXPECT_THAT(ToList(views.Slice(0, 3)).offsets(), ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(ToList(views.Slice(1, 2)).offsets(), ElementsAre(0, 1, 2));
}

TEST(ConvertTest, RowsThatShareElementsMayNeedLargeOffsetsOnceFlattened) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  ASSERT_OK_AND_ASSIGN(const Array nulls, MakeNullArray(Null(), kMost));
  const Array views = ListViewsOver(nulls, {0, 0}, {kMost, kMost});
  EXPECT_THAT(ConvertLists(views, TypeId::kList), StatusIs(StatusCode::kOutOfRange));
  ASSERT_OK_AND_ASSIGN(const Array large, ConvertLists(views, TypeId::kLargeList));
  EXPECT_EQ(large.child(0).length(), 2 * kMost);
  ASSERT_OK_AND_ASSIGN(const Array wide, ConvertLists(views, TypeId::kLargeListView));
  EXPECT_EQ(wide.child(0).length(), kMost) << "views go on sharing";
}

TEST(ConvertTest, WideningKeepsViewsAndAllElements) {
  const Array views = ListViewsOver(Range(0, 10), {6, 8, 1, 2, 9}, {2, 1, 3, 2, 0}, "10111");
  const auto wide = *LargeListViewArray::From(Converted(views, TypeId::kLargeListView));
  EXPECT_THAT(wide.offsets(), ElementsAre(6, 8, 1, 2, 9));
  EXPECT_EQ(wide.elements().data(), views.child(0).data());
  const ListViewArray back = ToListView(wide);
  EXPECT_THAT(back.offsets(), ElementsAre(6, 8, 1, 2, 9));
  EXPECT_EQ(back.elements().data(), views.child(0).data());
}

TEST(ConvertTest, TheElementsOfFixedSizeListsAreSharedBothWays) {
  const Array whole = FixedSizeListsOver(Range(0, 30), 3, 10, "1011111011");
  for (const Array& fixed : {whole, whole.Slice(1, 7)}) {
    for (const TypeId layout : kLayouts) {
      const Array lists = Converted(fixed, layout);
      EXPECT_EQ(lists.child(0).slots<int32_t>(1),
                whole.child(0).slots<int32_t>(1) + 3 * fixed.offset());
      ASSERT_OK_AND_ASSIGN(const Array back, ConvertToFixedSizeLists(lists, 3));
      EXPECT_EQ(back.child(0).slots<int32_t>(1), lists.child(0).slots<int32_t>(1));
      EXPECT_EQ(back, fixed);
      EXPECT_THAT(back, IsValidArray());
    }
  }
  ASSERT_OK_AND_ASSIGN(const Array same, ConvertToFixedSizeLists(whole, 3));
  EXPECT_TRUE(IsSameArray(same, whole));
}

TEST(ConvertTest, ListsOfNoElementsKeepTheirNumber) {
  const Array fixed = FixedSizeListsOver(Range(0, 1), 0, 4, "1011");
  for (const TypeId layout : kLayouts) {
    const Array lists = Converted(fixed, layout);
    EXPECT_EQ(lists.length(), 4);
    ASSERT_OK_AND_ASSIGN(const Array back, ConvertToFixedSizeLists(lists, 0));
    EXPECT_EQ(back, fixed);
  }
  EXPECT_THAT(ConvertToFixedSizeLists(fixed, 2), StatusIs(StatusCode::kInvalidArgument, "row 0"));
}

TEST(ConvertTest, MapsAreListsOfStructsAndBack) {
  const Array map =
      FromJson("map<utf8, int32>", R"([{"a": 1, "b": null}, null, {}, {"c": 3, "d": 4}])");
  const ListArray list = ToList(map);
  EXPECT_EQ(list.type().ToString(),
            "list<entries: struct<key: utf8 not null, value: int32> not null>");
  EXPECT_THAT(list, SharesAllBuffersWith(map));
  for (const TypeId layout : kLayouts) {
    for (const Array& rows : {map, map.Slice(1, 3)}) {
      const Array back = Converted(Converted(rows, layout), TypeId::kMap);
      EXPECT_EQ(back, rows);
    }
  }
}

TEST(ConvertTest, WhatIsNoEntryIsNoMap) {
  const auto lists_of = [](const char* key, const char* valid) {
    const Array entries = StructOver({{"key", Utf8()}, {"value", Int32()}},
                                     {FromJson("utf8", key), Range(0, 3)}, 3, valid);
    return ListsOver(entries, {0, 1, 3}, "10");
  };
  EXPECT_OK(ConvertLists(lists_of(R"(["a", "b", "c"])", ""), TypeId::kMap));
  // What lies under a null row is nobody's key.
  EXPECT_OK(ConvertLists(lists_of(R"(["a", null, "c"])", ""), TypeId::kMap));
  EXPECT_THAT(ConvertLists(lists_of(R"([null, "b", "c"])", ""), TypeId::kMap),
              StatusIs(StatusCode::kInvalidArgument, "key"));
  EXPECT_THAT(ConvertLists(lists_of(R"(["a", "b", "c"])", "011"), TypeId::kMap),
              StatusIs(StatusCode::kInvalidArgument, "not nullable"));
  EXPECT_THAT(ConvertLists(ListsOver(Range(0, 3), {0, 3}), TypeId::kMap),
              StatusIs(StatusCode::kInvalidArgument, "list<int32> as a map"));
}

TEST(ConvertTest, TheFieldOfTheElementsSurvives) {
  const Field point("point", Int32(), /*nullable=*/false, {{"unit", "mm"}});
  ArrayParts parts;
  parts.type = ListView(point);
  const Array plain = ListViewsOver(Range(0, 9), {4, 0, 2}, {2, 2, 2});
  parts.length = 3;
  for (int i = 0; i < 3; ++i) parts.buffers.push_back(plain.buffer(i));
  parts.children = {plain.child(0)};
  ASSERT_OK_AND_ASSIGN(Array array, MakeArray(std::move(parts)));
  for (const TypeId layout : kLayouts) {
    array = Converted(array, layout);
    EXPECT_TRUE(array.type().field(0).Identical(point)) << array.type().ToString();
  }
  ASSERT_OK_AND_ASSIGN(array, ConvertToFixedSizeLists(array, 2));
  EXPECT_TRUE(array.type().field(0).Identical(point));
  EXPECT_THAT(array, ReadsLike(plain));
}

TEST(ConvertTest, AnExtensionStaysOneUnlessItsStorageIsRefused) {
  const Array list = ListsOver(Range(0, 5), {0, 2, 5});
  const auto extension_of = [&](const char* name) {
    ArrayParts parts;
    parts.type = Extension(name, "v1", list.type());
    parts.length = list.length();
    parts.buffers = {list.buffer(0), list.buffer(1)};
    parts.children = {list.child(0)};
    return *MakeArray(std::move(parts));
  };
  const Array ranges = extension_of("example.ranges");
  for (const TypeId layout : kLayouts) {
    const Array converted = Converted(ranges, layout);
    EXPECT_EQ(converted.type().extension_name(), "example.ranges");
    EXPECT_EQ(converted.type().extension_metadata(), "v1");
    EXPECT_EQ(Converted(converted, TypeId::kList), ranges);
  }
  ASSERT_OK(RegisterExtension("example.lists", [](const DataType& storage, string_view) {
    if (storage.id() == TypeId::kList) return OkStatus();
    return Status(StatusCode::kInvalidArgument, "example.lists are stored as lists");
  }));
  EXPECT_THAT(ConvertLists(extension_of("example.lists"), TypeId::kListView),
              StatusIs(StatusCode::kInvalidArgument, "stored as lists"));
  EXPECT_THAT(ConvertNested(StructOver({{"r", extension_of("example.lists").type()}},
                                       {extension_of("example.lists")}, 2),
                            TypeId::kListView),
              StatusIs(StatusCode::kInvalidArgument, "$.r"));
  ASSERT_OK(UnregisterExtension("example.lists"));
}

TEST(ConvertTest, OtherTypesAndTargetsAreRefused) {
  const Array list = ListsOver(Range(0, 3), {0, 3});
  for (const TypeId target : {TypeId::kFixedSizeList, TypeId::kStruct, TypeId::kInt32}) {
    EXPECT_THAT(ConvertLists(list, target), StatusIs(StatusCode::kInvalidArgument, "convert"));
    EXPECT_THAT(ConvertNested(list, target), StatusIs(StatusCode::kInvalidArgument, "convert"));
  }
  EXPECT_THAT(ConvertLists(Range(0, 3), TypeId::kList),
              StatusIs(StatusCode::kInvalidArgument, "int32 as list"));
  EXPECT_THAT(ConvertToFixedSizeLists(Range(0, 3), 1),
              StatusIs(StatusCode::kInvalidArgument, "int32 as fixed_size_list"));
}

TEST(ConvertTest, BadOffsetsAreAnErrorInsteadOfARead) {
  const Array bad_views = ListViewsOver(Range(0, 5), {0, 4}, {2, 2});
  const Array bad_list = ListsOver(Range(0, 5), {0, 9, 4});
  for (const Array& bad : {bad_views, bad_list}) {
    for (const TypeId target : kLayouts) {
      if (bad.type().id() == target) continue;
      EXPECT_THAT(ConvertLists(bad, target), StatusIs(StatusCode::kInvalidArgument, "row"));
    }
    EXPECT_THAT(ConvertToFixedSizeLists(bad, 2), StatusIs(StatusCode::kInvalidArgument, "row"));
  }
  // Elements that a slice does not reach may hold anything.
  const Array rows = ListsOver(bad_views, {0, 1, 2});
  ASSERT_OK_AND_ASSIGN(const Array first, ConvertNested(rows.Slice(0, 1), TypeId::kList));
  EXPECT_THAT(first, ReadsAs("[[[0, 1]]]"));
  EXPECT_THAT(ConvertNested(rows, TypeId::kList), StatusIs(StatusCode::kInvalidArgument, "row"));
  ASSERT_OK_AND_ASSIGN(const Array none, ConvertNested(rows.Slice(2, 0), TypeId::kList));
  EXPECT_EQ(none.length(), 0);
}

TEST(ConvertTest, ABatchGoesToAnEngineThatKnowsNoListView) {
  Random random(11);
  const Array columns = RandomArray(
      TypeFrom("struct<a: int32, b: list_view<utf8>, c: map<utf8, list_view<int32>>, "
               "d: dictionary<int8, list_view<int32>>, e: run_end_encoded<int32, list_view<int8>>, "
               "f: dense_union<x: list_view<int32> = 3, y: utf8 = 5>, "
               "g: sparse_union<x: list_view<bool> = 0>>"),
      {.length = 40, .sliced = true}, random);
  std::vector<Field> fields;
  std::vector<Array> arrays;
  for (int i = 0; i < columns.num_children(); ++i) {
    fields.push_back(columns.type().field(i).WithMetadata({{"column", std::to_string(i)}}));
    arrays.push_back(columns.child(i).Slice(columns.offset() + 3, 20));
  }
  ASSERT_OK_AND_ASSIGN(const RecordBatch batch,
                       RecordBatch::Make(Schema(fields, {{"made", "here"}}), 20, arrays));
  ASSERT_OK_AND_ASSIGN(const RecordBatch lists, ConvertNested(batch, TypeId::kList));
  EXPECT_THAT(lists.schema().ToString(), Not(HasSubstr("list_view")));
  EXPECT_OK(lists.Validate());
  ASSERT_OK_AND_ASSIGN(const RecordBatch back, ConvertNested(lists, TypeId::kListView));
  EXPECT_TRUE(back.schema().Identical(batch.schema()));
  for (int i = 0; i < batch.num_columns(); ++i) {
    EXPECT_THAT(lists.column(i), ReadsLike(batch.column(i)))
        << fields[static_cast<size_t>(i)].name();
    EXPECT_EQ(back.column(i), batch.column(i));
  }
  EXPECT_TRUE(IsSameArray(lists.column(0), batch.column(0)));
  ASSERT_OK_AND_ASSIGN(const RecordBatch same, ConvertNested(lists, TypeId::kList));
  for (int i = 0; i < batch.num_columns(); ++i) {
    EXPECT_TRUE(IsSameArray(same.column(i), lists.column(i)));
  }
}

}  // namespace
}  // namespace sheaf
