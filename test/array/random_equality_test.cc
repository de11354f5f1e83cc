// Equality row by row against the naive model: few different values, many places and layouts for
// them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/array.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

/// Every row of `a` with every row of `b`.
void ExpectEqualWhereTheModelIs(const Array& a, const Array& b) {
  const Values left = Read(a);
  const Values right = Read(b);
  for (int64_t i = 0; i < a.length(); ++i) {
    for (int64_t j = 0; j < b.length(); ++j) {
      const bool equal = left[static_cast<size_t>(i)] == right[static_cast<size_t>(j)];
      ASSERT_EQ(a.Row(i) == b.Row(j), equal) << a.type().ToString() << ": rows " << i << " and "
                                             << j << ", " << ToText(left[static_cast<size_t>(i)])
                                             << " and " << ToText(right[static_cast<size_t>(j)]);
    }
  }
  EXPECT_EQ(a == b, left == right);
  EXPECT_TRUE(a == a.Slice(0));
}

/// Short lists and many nulls, so that rows are often equal.
RandomOptions OftenEqual(Random& random) {
  return {.length = 12,
          .null_rate = 0.4,
          .sliced = Chance(random, 0.5),
          .max_list_size = Draw(random, 0, 2)};
}

TEST(RandomEqualityTest, RowsOfEveryType) {
  for (const uint64_t seed : Seeds(3)) {
    Random random(seed);
    for (const TypeId id : AllTypeIds()) {
      const DataType type = SampleType(id);
      ExpectEqualWhereTheModelIs(RandomArray(type, OftenEqual(random), random),
                                 RandomArray(type, OftenEqual(random), random));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(RandomEqualityTest, RowsOfNestedTypes) {
  const std::vector<TypeId> ids = {TypeId::kNull,
                                   TypeId::kBoolean,
                                   TypeId::kList,
                                   TypeId::kListView,
                                   TypeId::kLargeListView,
                                   TypeId::kStruct,
                                   TypeId::kFixedSizeList,
                                   TypeId::kSparseUnion,
                                   TypeId::kDenseUnion,
                                   TypeId::kRunEndEncoded,
                                   TypeId::kMap};
  for (const uint64_t seed : Seeds(80)) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const DataType type = RandomType(ids, 4, random);
    ExpectEqualWhereTheModelIs(RandomArray(type, OftenEqual(random), random),
                               RandomArray(type, OftenEqual(random), random));
    if (HasFatalFailure()) return;
  }
}

TEST(RandomEqualityTest, ASliceEqualsItsRowsAnywhereElse) {
  for (const uint64_t seed : Seeds(40)) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const DataType type = RandomType(AllTypeIds(), 4, random);
    const Array array = RandomArray(type, {.length = 40, .sliced = true}, random);
    const int64_t offset = Draw(random, 0, 40);
    const int64_t length = Draw(random, 0, 40 - offset);
    EXPECT_EQ(array.Slice(offset, length), array.Slice(offset).Slice(0, length)) << type.ToString();
    EXPECT_THAT(array.Slice(offset, length), ReadsLike(Slice(Read(array), offset, length)));
  }
}

}  // namespace
}  // namespace sheaf
