// Equal elements and lists, found by hash and by order: hashes that all collide change nothing.

#include "compute/list_view/equal_lists.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compute/list_view/row_order.h"
#include "compute/list_view/symbols.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;

template <typename T>
std::vector<T> ValuesOf(const StatusOr<Buffer>& buffer) {
  EXPECT_OK(buffer);
  return {buffer->as<T>(), buffer->as<T>() + static_cast<size_t>(buffer->size_bytes()) / sizeof(T)};
}

template <typename Number = uint32_t>
std::vector<Number> Numbers(const Array& elements, uint64_t hash_mask = ~uint64_t{0}) {
  return ValuesOf<Number>(internal::NumberElements<Number>(elements, {0, elements.length()},
                                                           MemoryPool::Default(), hash_mask));
}

std::vector<int64_t> Firsts(const Array& views, uint64_t hash_mask = ~uint64_t{0}) {
  return ValuesOf<int64_t>(
      internal::FirstOfEqualLists(views, StatsOf(views), MemoryPool::Default(), hash_mask));
}

TEST(EqualListsTest, ElementsAreNumberedInTheOrderOfTheirFirst) {
  const Array texts = Utf8s({"b", "a", kNull, "b", "", kNull, "a"});
  EXPECT_THAT(Numbers(texts), ElementsAre(0, 1, 2, 0, 3, 2, 1));
  EXPECT_THAT(Numbers<uint64_t>(texts), ElementsAre(0, 1, 2, 0, 3, 2, 1));
}

TEST(EqualListsTest, TheFirstOfEqualListsIsFound) {
  const Array views =
      ListViewsOver(Ints({1, 2, 1, 2, 3}), {0, 2, 1, 0, 3, 1}, {2, 2, 1, 0, 1, 1}, "111101");
  EXPECT_THAT(Firsts(views), ElementsAre(0, 0, 2, 3, 4, 2));
}

/// Many different values of any type, each several times.
Array Elements(const DataType& type, Random& random) {
  return RandomArray(type, {.length = 400, .null_rate = 0.1}, random);
}

TEST(EqualListsTest, CollidingHashesGiveTheSameResult) {
  for (const uint64_t seed : Seeds(2)) {
    for (const TypeId id : AllTypeIds()) {
      Random random(seed);
      const Array elements = Elements(SampleType(id), random);
      SCOPED_TRACE(elements.type().ToString() + ", seed " + std::to_string(seed));
      EXPECT_EQ(Numbers(elements, 0), Numbers(elements)) << "all hashes are one";
      EXPECT_EQ(Numbers(elements, 7), Numbers(elements));
    }
    Random random(seed);
    const Array views = RandomArray(TypeFrom("list_view<int8>"),
                                    {.length = 2000, .shape = ViewShape::kShuffled}, random);
    EXPECT_EQ(Firsts(views, 0), Firsts(views));
  }
}

TEST(EqualListsTest, AllHashesEqualIsNotQuadratic) {
  // 200,000 different lists and elements: compared with each other they would take minutes.
  constexpr int64_t kRows = 200'000;
  const Array elements = Range(0, kRows);
  std::vector<int64_t> offsets(kRows), sizes(kRows, 1);
  for (int64_t i = 0; i < kRows; ++i) offsets[static_cast<size_t>(i)] = i;
  const auto firsts = Firsts(ListViewsOver(elements, offsets, sizes), 0);
  EXPECT_EQ(firsts, offsets);
  const auto numbers = Numbers(elements, 0);
  EXPECT_EQ(numbers.back(), kRows - 1);
}

TEST(RowOrderTest, IsATotalOrderOfAllTypes) {
  for (const TypeId id : AllTypeIds()) {
    Random random(3);
    const Array rows = RandomArray(SampleType(id), {.length = 30, .sliced = true}, random);
    SCOPED_TRACE(rows.type().ToString());
    const auto order = [&](int64_t a, int64_t b) { return internal::OrderOfRows(rows, a, b); };
    for (int64_t a = 0; a < rows.length(); ++a) {
      EXPECT_EQ(order(a, a), 0);
      for (int64_t b = 0; b < rows.length(); ++b) {
        EXPECT_EQ(order(a, b), -order(b, a)) << a << " " << b;
        for (int64_t c = 0; c < rows.length(); ++c) {
          if (order(a, b) <= 0 && order(b, c) <= 0) {
            EXPECT_LE(order(a, c), 0);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace sheaf
