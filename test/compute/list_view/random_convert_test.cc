// Conversions of random rows, each list-like layout into each other, every shape of views with
// every kind of elements: the values of the naive model, known statistics that a pass would find,
// nothing lost by a refused allocation.

#include <string>

#include <gtest/gtest.h>

#include "sheaf/array/list_view_array.h"
#include "sheaf/compute/list_view/convert.h"
#include "sheaf/type/field.h"
#include "testing/failing_pool.h"
#include "testing/from_json.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

constexpr TypeId kLayouts[] = {TypeId::kList, TypeId::kLargeList, TypeId::kListView,
                               TypeId::kLargeListView};

DataType ListOf(TypeId id, const DataType& elements) {
  switch (id) {
    case TypeId::kList:
      return List(elements);
    case TypeId::kLargeList:
      return LargeList(elements);
    case TypeId::kListView:
      return ListView(elements);
    default:
      return LargeListView(elements);
  }
}

/// What is known of views is what a pass over a copy of them finds.
template <typename Views>
void CheckStatistics(const Array& array) {
  if (array.type().id() != Views::From(array)->type().id()) return;
  const Views views = *Views::From(array);
  ASSERT_OK_AND_ASSIGN(
      const Views anew,
      Views::Make(
          views.elements(),
          Buffer::Borrow(views.offsets().data(),
                         static_cast<int64_t>(views.offsets().size_bytes())),
          Buffer::Borrow(views.sizes().data(), static_cast<int64_t>(views.sizes().size_bytes())),
          views.length(), {}, ValidationLevel::kFull, &array.type()));
  const ViewStats known = views.stats(), found = anew.stats();
  EXPECT_EQ(known.begin, found.begin);
  EXPECT_EQ(known.end, found.end);
  EXPECT_EQ(known.sum_of_sizes, found.sum_of_sizes);
  EXPECT_GE(known.max_size, found.max_size);
  EXPECT_EQ(known.packed, found.packed);
  EXPECT_EQ(known.in_order, found.in_order);
  EXPECT_EQ(known.ascending, found.ascending);
  EXPECT_EQ(known.zero_copy_to_list, found.zero_copy_to_list);
  EXPECT_EQ(known.empties_outside, found.empties_outside);
}

void CheckConverted(const Array& array, TypeId target) {
  ASSERT_OK_AND_ASSIGN(const Array converted, ConvertLists(array, target));
  EXPECT_EQ(converted.type().id(), target);
  EXPECT_THAT(converted, IsValidArray());
  EXPECT_THAT(converted, ReadsLike(array));
  EXPECT_EQ(converted.null_count(), array.null_count());
  if (target == TypeId::kListView) CheckStatistics<ListViewArray>(converted);
  if (target == TypeId::kLargeListView) CheckStatistics<LargeListViewArray>(converted);
  ASSERT_OK_AND_ASSIGN(const Array slice, ConvertLists(converted.Slice(1), array.type().id()));
  EXPECT_THAT(slice, ReadsLike(array.Slice(1)));
}

constexpr const char* kElements[] = {
    "int8",
    "int32",
    "bool",
    "null",
    "utf8",
    "utf8_view",
    "list<int16>",
    "list_view<utf8>",
    "fixed_size_list<int32>[2]",
    "struct<a: int32, b: list_view<utf8>>",
};

TEST(RandomConvertTest, EveryLayoutIntoEveryOther) {
  for (const uint64_t seed : Seeds(2)) {
    Random random(seed);
    for (const char* elements : kElements) {
      for (const TypeId from : kLayouts) {
        for (const ViewShape shape : kViewShapes) {
          for (const bool sliced : {false, true}) {
            SCOPED_TRACE(std::string(elements) + ", " + Name(shape) + ", seed " +
                         std::to_string(seed) + (sliced ? ", sliced" : ""));
            const Array array = RandomArray(ListOf(from, TypeFrom(elements)),
                                            {.length = Draw(random, 0, 40),
                                             .null_rate = Chance(random, 0.5) ? 0.3 : 0,
                                             .shape = shape,
                                             .sliced = sliced},
                                            random);
            for (const TypeId to : kLayouts) CheckConverted(array, to);
            if (::testing::Test::HasFailure()) return;
            if (from < TypeId::kListView) break;  // Shapes are of views.
          }
        }
      }
    }
  }
}

TEST(RandomConvertTest, FixedSizesThereAndBack) {
  for (const uint64_t seed : Seeds(3)) {
    Random random(seed);
    for (const char* elements : kElements) {
      for (const int32_t size : {0, 1, 3}) {
        SCOPED_TRACE(std::string(elements) + "[" + std::to_string(size) + "], seed " +
                     std::to_string(seed));
        ASSERT_OK_AND_ASSIGN(const DataType type,
                             FixedSizeList(Field("item", TypeFrom(elements)), size));
        const Array array = RandomArray(type, {.length = 30, .sliced = true}, random);
        for (const TypeId to : kLayouts) {
          ASSERT_OK_AND_ASSIGN(const Array lists, ConvertLists(array, to));
          EXPECT_THAT(lists, IsValidArray());
          EXPECT_THAT(lists, ReadsLike(array));
          if (to == TypeId::kListView) CheckStatistics<ListViewArray>(lists);
          ASSERT_OK_AND_ASSIGN(const Array back, ConvertToFixedSizeLists(lists.Slice(1), size));
          EXPECT_THAT(back, IsValidArray());
          EXPECT_THAT(back, ReadsLike(array.Slice(1)));
        }
      }
    }
  }
}

TEST(RandomConvertTest, NestedListsOfAnyTypeThereAndBack) {
  for (const uint64_t seed : Seeds(60)) {
    Random random(seed);
    const DataType type = RandomType(AllTypeIds(), 5, random);
    SCOPED_TRACE(type.ToString() + ", seed " + std::to_string(seed));
    const Array array = RandomArray(type, {.length = Draw(random, 0, 30), .sliced = true}, random);
    for (const TypeId target : kLayouts) {
      ASSERT_OK_AND_ASSIGN(const Array converted, ConvertNested(array, target));
      EXPECT_THAT(converted, IsValidArray());
      EXPECT_THAT(converted, ReadsLike(array));
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(RandomConvertTest, ARefusedAllocationIsAStatus) {
  Random random(3);
  const Array nested = RandomArray(
      TypeFrom(
          "struct<a: list_view<list_view<utf8>>, b: fixed_size_list<large_list_view<int8>>[2]>"),
      {.length = 40, .shape = ViewShape::kShuffled, .sliced = true}, random);
  for (const TypeId target : {TypeId::kList, TypeId::kLargeList}) {
    FailingPool pool;
    for (int64_t k = 0;; ++k) {
      pool.FailAt(k);
      const StatusOr<Array> converted = ConvertNested(nested, target, &pool);
      if (!pool.failed()) {
        EXPECT_THAT(*converted, ReadsLike(nested));
        break;
      }
      EXPECT_THAT(converted, StatusIs(StatusCode::kResourceExhausted));
    }
  }
}

}  // namespace
}  // namespace sheaf
