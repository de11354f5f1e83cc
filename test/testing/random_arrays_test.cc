#include "testing/random_arrays.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

/// Views are in bounds whatever the shape; each shape is what its name says.
TEST(RandomArraysTest, ViewsHaveTheShapeOfTheirName) {
  Random random(1);
  for (const ViewShape shape : kViewShapes) {
    const RandomViews views = MakeViews(shape, 200, 6, random);
    ASSERT_EQ(views.sizes.size(), 200U) << Name(shape);
    int64_t sum = 0;
    bool packed = true;
    int64_t end = 0;
    for (size_t i = 0; i < 200; ++i) {
      ASSERT_GE(views.offsets[i], 0);
      ASSERT_LE(views.offsets[i] + views.sizes[i], views.elements) << Name(shape);
      packed &= views.offsets[i] == end;
      end = views.offsets[i] + views.sizes[i];
      sum += views.sizes[i];
    }
    EXPECT_EQ(packed, shape == ViewShape::kPacked) << Name(shape);
    const bool ascending = std::is_sorted(views.offsets.begin(), views.offsets.end());
    if (shape == ViewShape::kGaps) {
      EXPECT_TRUE(ascending && sum < views.elements);
    }
    if (shape == ViewShape::kOverlapping) {
      EXPECT_TRUE(ascending && sum > views.elements);
    }
    if (shape == ViewShape::kShuffled) {
      EXPECT_TRUE(!ascending && sum == views.elements);
    }
    if (shape == ViewShape::kEmpties) {
      EXPECT_GT(std::count(views.sizes.begin(), views.sizes.end(), 0), 120);
    }
    if (shape == ViewShape::kContained) {
      EXPECT_NE(std::find(views.sizes.begin(), views.sizes.end(), views.elements),
                views.sizes.end());
    }
  }
}

TEST(RandomArraysTest, EveryTypeGivesValidArrays) {
  Random random(2);
  for (const TypeId id : AllTypeIds()) {
    for (const bool sliced : {false, true}) {
      const DataType type = SampleType(id);
      const Array array = RandomArray(type, {.length = 30, .sliced = sliced}, random);
      EXPECT_EQ(array.length(), 30);
      EXPECT_THAT(array, IsValidArray()) << type.ToString();
      EXPECT_EQ(Read(array).size(), 30U) << type.ToString();
    }
  }
}

TEST(RandomArraysTest, NestedTypesGiveValidArrays) {
  Random random(3);
  const std::vector<TypeId> ids = AllTypeIds();
  for (int i = 0; i < 60; ++i) {
    const DataType type = RandomType(ids, 4, random);
    EXPECT_LE(Depth(type), 4) << type.ToString();
    const Array array = RandomArray(type, {.length = 12, .sliced = i % 2 == 1}, random);
    EXPECT_THAT(array, IsValidArray()) << type.ToString();
    EXPECT_EQ(Read(array).size(), 12U);
  }
}

TEST(RandomArraysTest, OneSeedGivesOneArray) {
  for (const uint64_t seed : Seeds(2)) {
    Random first(seed);
    Random second(seed);
    const Array array = RandomArray(SampleType(TypeId::kListView), {}, first);
    EXPECT_THAT(RandomArray(SampleType(TypeId::kListView), {}, second), ReadsLike(array));
  }
}

}  // namespace
}  // namespace sheaf
