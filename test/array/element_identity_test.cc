// Hashes and comparisons of rows by element identity, against the naive model and row by row.

#include "array/element_identity.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"
#include "testing/raw_buffers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using internal::HashRows;
using internal::SameRows;

std::vector<uint64_t> HashesOf(const Array& array, int64_t offset, int64_t length) {
  std::vector<uint64_t> hashes(static_cast<size_t>(length));
  EXPECT_OK(HashRows(array, {offset, length}, hashes.data(), MemoryPool::Default()));
  return hashes;
}
std::vector<uint64_t> HashesOf(const Array& array) { return HashesOf(array, 0, array.length()); }

bool HasHalfFloats(const DataType& type) {
  if (type.storage().id() == TypeId::kFloat16) return true;
  if (type.layout().id == LayoutId::kDictionary) return HasHalfFloats(type.value_type());
  for (const Field& field : type.storage().fields())
    if (HasHalfFloats(field.type())) return true;
  return false;
}

/// Every row of `a` with every row of `b`. Random half floats may be NaNs, which the model takes
/// for equal.
void ExpectSameWhereTheModelIs(const Array& a, const Array& b) {
  const Values left = Read(a);
  const Values right = Read(b);
  const std::vector<uint64_t> left_hashes = HashesOf(a);
  const std::vector<uint64_t> right_hashes = HashesOf(b);
  const bool by_model = !HasHalfFloats(a.type());
  for (size_t i = 0; i < left.size(); ++i) {
    for (size_t j = 0; j < right.size(); ++j) {
      const bool same = SameRows(a, static_cast<int64_t>(i), b, static_cast<int64_t>(j));
      if (by_model) {
        ASSERT_EQ(same, left[i] == right[j])
            << a.type().ToString() << ": " << ToText(left[i]) << " and " << ToText(right[j]);
      }
      ASSERT_EQ(left_hashes[i] == right_hashes[j], same)
          << a.type().ToString() << ": " << ToText(left[i]) << " and " << ToText(right[j]);
    }
  }
}

/// Whatever rows are hashed together.
void ExpectTheSameHashesBySlices(const Array& array, Random& random) {
  const std::vector<uint64_t> all = HashesOf(array);
  const int64_t begin = Draw(random, 0, array.length());
  const int64_t length = Draw(random, 0, array.length() - begin);
  const std::vector<uint64_t> expected(all.begin() + begin, all.begin() + begin + length);
  EXPECT_EQ(HashesOf(array, begin, length), expected) << array.type().ToString();
  EXPECT_EQ(HashesOf(array.Slice(begin, length)), expected) << array.type().ToString();
  for (int64_t i = 0; i < array.length(); ++i)
    EXPECT_EQ(HashesOf(array, i, 1)[0], all[static_cast<size_t>(i)]) << array.type().ToString();
}

RandomOptions OftenTheSame(Random& random) {
  return {.length = Draw(random, 0, 14),
          .null_rate = 0.4,
          .sliced = Chance(random, 0.5),
          .max_list_size = Draw(random, 0, 2)};
}

TEST(ElementIdentityTest, RowsOfEveryTypeAreTheSameWhereTheModelSaysSo) {
  for (const uint64_t seed : Seeds(6)) {
    Random random(seed);
    for (const TypeId id : AllTypeIds()) {
      const DataType type = SampleType(id);
      const Array array = RandomArray(type, OftenTheSame(random), random);
      ExpectSameWhereTheModelIs(array, RandomArray(type, OftenTheSame(random), random));
      ExpectSameWhereTheModelIs(array, array);
      ExpectTheSameHashesBySlices(array, random);
      if (HasFailure()) return;
    }
  }
}

TEST(ElementIdentityTest, RowsOfNestedTypesAreTheSameWhereTheModelSaysSo) {
  std::vector<TypeId> ids = AllTypeIds();
  std::erase_if(ids, [](TypeId id) {  // Whose random rows are seldom the same twice.
    return id > TypeId::kBoolean && id < TypeId::kList && id != TypeId::kUtf8;
  });
  for (const uint64_t seed : Seeds(150)) {
    Random random(seed);
    const DataType type = RandomType(ids, 5, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + type.ToString());
    const Array array = RandomArray(type, OftenTheSame(random), random);
    ExpectSameWhereTheModelIs(array, RandomArray(type, OftenTheSame(random), random));
    ExpectTheSameHashesBySlices(array, random);
    if (HasFailure()) return;
  }
}

TEST(ElementIdentityTest, FloatsAreTheirBits) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Array values = Doubles({0.0, -0.0, nan, -nan, 0.0, nan, kNull});
  const std::vector<uint64_t> hashes = HashesOf(values);
  EXPECT_FALSE(SameRows(values, 0, values, 1));
  EXPECT_NE(hashes[0], hashes[1]);
  EXPECT_FALSE(SameRows(values, 2, values, 3));
  EXPECT_NE(hashes[2], hashes[3]);
  EXPECT_TRUE(SameRows(values, 0, values, 4));
  EXPECT_EQ(hashes[0], hashes[4]);
  EXPECT_TRUE(SameRows(values, 2, values, 5));
  EXPECT_EQ(hashes[2], hashes[5]);
  EXPECT_FALSE(SameRows(values, 6, values, 0));
  EXPECT_NE(hashes[6], hashes[0]);

  const Array lists = ListsOver(values, {0, 1, 2, 3, 4, 5, 6});
  EXPECT_FALSE(SameRows(lists, 0, lists, 1));
  EXPECT_TRUE(SameRows(lists, 2, lists, 5));
  EXPECT_EQ(HashesOf(lists)[2], HashesOf(lists)[5]);
}

TEST(ElementIdentityTest, NullsAreTheSameWhateverLiesUnderThem) {
  const Array elements = Ints({1, 2, 3, 3});
  const Array lists = ListViewsOver(elements, {0, 1, 2}, {1, 1, 2}, "001");
  EXPECT_TRUE(SameRows(lists, 0, lists, 1));
  EXPECT_EQ(HashesOf(lists)[0], HashesOf(lists)[1]);
  EXPECT_FALSE(SameRows(lists, 1, lists, 2));

  // A null is no empty list, and no list of a null.
  const Array others = FromJson("list<int32>", "[null, [], [null], [null, null]]");
  const std::vector<uint64_t> hashes = HashesOf(others);
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 4; ++j) {
      EXPECT_EQ(SameRows(others, i, others, j), i == j);
      EXPECT_EQ(hashes[static_cast<size_t>(i)] == hashes[static_cast<size_t>(j)], i == j);
    }
  }
}

TEST(ElementIdentityTest, ListsFarApartAreHashedByThemselves) {
  // Two lists at both ends of a long child, and an empty one anywhere.
  const Array elements = Range(0, 100'000);
  const Array far = ListViewsOver(elements, {99'990, 5, 77, 5}, {3, 4, 0, 4});
  const Array near =
      ListViewsOver(Ints({5, 6, 7, 8, 99'990, 99'991, 99'992}), {4, 0, 0}, {3, 4, 0});
  const std::vector<uint64_t> hashes = HashesOf(far);
  EXPECT_EQ(hashes[0], HashesOf(near)[0]);
  EXPECT_EQ(hashes[1], HashesOf(near)[1]);
  EXPECT_EQ(hashes[2], HashesOf(near)[2]);
  EXPECT_EQ(hashes[3], hashes[1]);
}

TEST(ElementIdentityTest, ListsOfManyNullsTakeNoMemory) {
  ASSERT_OK_AND_ASSIGN(const Array nulls, MakeNullArray(Null(), int64_t{1} << 40));
  const Array lists =
      LargeListsOver(nulls, {0, int64_t{1} << 39, int64_t{1} << 40, int64_t{1} << 40});
  const std::vector<uint64_t> hashes = HashesOf(lists);
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_NE(hashes[1], hashes[2]);
}

TEST(ElementIdentityTest, AFailedAllocationIsAStatus) {
  Random random(3);
  for (const TypeId id :
       {TypeId::kList, TypeId::kListView, TypeId::kFixedSizeList, TypeId::kStruct, TypeId::kMap,
        TypeId::kSparseUnion, TypeId::kDenseUnion, TypeId::kDictionary, TypeId::kRunEndEncoded}) {
    const Array array = RandomArray(SampleType(id), {.shape = ViewShape::kPacked}, random);
    std::vector<uint64_t> hashes(static_cast<size_t>(array.length()));
    FailingPool pool;
    for (int64_t k = 0;; ++k) {
      pool.FailAt(k);
      const Status status = HashRows(array, {0, array.length()}, hashes.data(), &pool);
      if (!pool.failed()) {
        EXPECT_GT(k, 0) << array.type().ToString();
        EXPECT_OK(status);
        break;
      }
      EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
    }
  }
}

}  // namespace
}  // namespace sheaf
