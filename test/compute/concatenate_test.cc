// Arrays one after the other: rows CAT-01 to CAT-08, exactly sized copies, what is shared, random
// arrays of every type cut into slices.

#include "sheaf/compute/concatenate.h"

#include <limits>
#include <string>
#include <sys/mman.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "array/with_children.h"
#include "sheaf/array/bytes.h"
#include "sheaf/array/chunked_array.h"
#include "sheaf/array/list_view_array.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/array/union_array.h"
#include "sheaf/base/bits.h"
#include "sheaf/compute/combine.h"
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

constexpr int32_t kMost32 = std::numeric_limits<int32_t>::max();

Array Joined(const std::vector<Array>& arrays) {
  Values expected;
  for (const Array& array : arrays) Append(&expected, Read(array));
  const StatusOr<Array> joined = Concatenate(arrays);
  EXPECT_OK(joined);
  if (!joined.ok()) return Array();
  EXPECT_EQ(joined->type(), arrays.front().type());
  EXPECT_THAT(*joined, IsValidArray());
  EXPECT_THAT(*joined, ReadsLike(expected));
  return *joined;
}

/// Bits behind the length of every bitmap are zero.
void ExpectCleanBitmaps(const Array& array) {
  if (array.layout().has_validity && array.has_nulls() && array.offset() == 0) {
    const int64_t bits = RoundUp8(array.length());
    for (int64_t i = array.length(); i < bits; ++i) {
      EXPECT_FALSE((BitSpan{array.buffer(0).data(), 0, bits}[i]));
    }
  }
  for (int i = 0; i < array.num_children(); ++i) ExpectCleanBitmaps(array.child(i));
}

/// Sums up what is allocated, and the largest block that grew.
class SummingPool final : public MemoryPool {
 public:
  uint8_t* Allocate(int64_t size) noexcept override {
    bytes += size;
    return Default()->Allocate(size);
  }
  uint8_t* Reallocate(uint8_t* block, int64_t old_size, int64_t new_size) noexcept override {
    if (new_size > old_size) bytes += new_size;
    return Default()->Reallocate(block, old_size, new_size);
  }
  void Free(uint8_t* block, int64_t size) noexcept override { Default()->Free(block, size); }
  MemoryCounts counts() const noexcept override { return Default()->counts(); }

  int64_t bytes = 0;
};

TEST(ConcatenateConformance, CAT_01_BitmapsAppearWhereAnyInputHasNulls) {
  const Array a = ListViewsOver(Range(0, 9), {4, 0, 2}, {2, 3, 1}, "101");
  const Array b = ListViewsOver(Range(10, 19), {0, 1, 3}, {2, 2, 0});
  const Array c = ListViewsOver(Range(20, 29), {6, 6, 0}, {3, 3, 1}, "110");
  Joined({a, b, c});
  const Array slices = Joined({a.Slice(1, 2), b.Slice(1, 2), c.Slice(0, 1)});
  EXPECT_EQ(slices.null_count(), 1);
  EXPECT_TRUE(Joined({b, b.Slice(1)}).buffer(0).absent());
}

TEST(ConcatenateConformance, CAT_02_SlicesOfRandomListViewsGiveTheWhole) {
  Random random(2);
  for (const int64_t length : {0, 1, 2, 4, 16, 31, 1234}) {
    for (const double null_rate : {0.0, 0.1, 0.5, 0.9, 1.0}) {
      const Array whole =
          RandomArray(TypeFrom("list_view<int32>"),
                      {.length = length, .null_rate = null_rate, .max_list_size = 8}, random);
      const int64_t first = Draw(random, 0, length);
      const int64_t second = Draw(random, first, length);
      const Array joined =
          Joined({whole.Slice(0, first), whole.Slice(first, second - first), whole.Slice(second)});
      EXPECT_EQ(joined, whole);
      ExpectCleanBitmaps(joined);
    }
  }
}

TEST(ConcatenateConformance, CAT_03_ElementsThatOutgrowTheOffsetsAreRefused) {
  std::vector<Array> arrays;
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK_AND_ASSIGN(const Array nulls, MakeNullArray(Null(), kMost32));
    arrays.push_back(ListViewsOver(nulls, {0}, {kMost32}));
  }
  EXPECT_THAT(Concatenate(arrays), StatusIs(StatusCode::kOutOfRange, "large_list_view"));
}

TEST(ConcatenateConformance, CAT_04_AnInnerTypeThatOutgrowsIsNamed) {
  // Bytes that are never read, and so never made.
  void* bytes =
      mmap(nullptr, size_t{1} << 31, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(bytes, MAP_FAILED);
  const auto strings = [&] {
    ArrayParts parts;
    parts.type = Utf8();
    parts.length = 1;
    parts.buffers = {Buffer(), Integers({0, kMost32}, 32), Buffer::Borrow(bytes, kMost32)};
    return MakeRaw(std::move(parts));
  };
  for (int layout = 0; layout < 3; ++layout) {
    std::vector<Array> arrays;
    for (int i = 0; i < 2; ++i) {
      arrays.push_back(layout == 0   ? ListsOver(strings(), {0, 1})
                       : layout == 1 ? Array(ListViewsOver(strings(), {0}, {1}))
                                     : FixedSizeListsOver(strings(), 1, 1));
    }
    EXPECT_THAT(Concatenate(arrays), StatusIs(StatusCode::kOutOfRange, "use large_utf8"));
  }
  munmap(bytes, size_t{1} << 31);
}

TEST(ConcatenateConformance, CAT_05_NoArrayOneArrayDifferentTypes) {
  EXPECT_THAT(Concatenate(std::span<const Array>()),
              StatusIs(StatusCode::kInvalidArgument, "no array"));
  const Array one = Range(0, 5).Slice(1, 3);
  ASSERT_OK_AND_ASSIGN(const Array same, Concatenate({&one, 1}));
  EXPECT_TRUE(IsSameArray(same, one));
  const std::vector<Array> mixed = {one, Utf8s({"a"}), one, Utf8s({"b"}), Bools({true})};
  EXPECT_THAT(Concatenate(mixed),
              StatusIs(StatusCode::kInvalidArgument, "different types: int32, utf8, bool"));
  const std::vector<Array> empties = {one.Slice(0, 0), Utf8s({})};
  EXPECT_THAT(Concatenate(empties), StatusIs(StatusCode::kInvalidArgument, "int32, utf8"))
      << "types count before rows do";
}

TEST(ConcatenateConformance, CAT_06_EqualNeighbouringRunsMerge) {
  ASSERT_OK_AND_ASSIGN(const Array a, RunEndArray::Make(Ints({2, 4, 7}), Ints({1, 2, 3})));
  ASSERT_OK_AND_ASSIGN(const Array b, RunEndArray::Make(Ints({3, 5}), Ints({3, 1})));
  const Array joined = Joined({a, b});
  EXPECT_THAT(joined.child(0), ReadsAs("[2, 4, 10, 12]"));
  EXPECT_THAT(Joined({a.Slice(1, 4), a.Slice(5), b.Slice(2)}).child(0), ReadsAs("[1, 3, 7, 9]"));
}

/// Codes 2 and 5, for numbers and texts.
Array DenseUnion(const std::vector<int64_t>& ids, const std::vector<int64_t>& offsets,
                 const Array& numbers, const Array& texts) {
  const DataType type =
      *Union(TypeId::kDenseUnion, {Field("n", numbers.type()), Field("t", texts.type())}, {2, 5});
  return *UnionArray::MakeDense(type, Integers(ids, 8), Integers(offsets, 32), {numbers, texts},
                                static_cast<int64_t>(ids.size()), ValidationLevel::kMinimal);
}

TEST(ConcatenateConformance, CAT_07_SlicedDenseUnions) {
  const Array a =
      DenseUnion({2, 5, 2, 2, 5}, {1, 0, 2, 3, 1}, Ints({9, 1, kNull, 3, 4}).Slice(0, 4),
                 Utf8s({"x", "a", "b"}).Slice(1));
  const Array b = DenseUnion({5, 5, 2}, {0, 2, 0}, Range(7, 9), Utf8s({"c", "d", kNull}));
  const Array joined = Joined({a.Slice(1, 3), b, a.Slice(3)});
  EXPECT_THAT(UnionArray::From(joined)->type_ids(), ElementsAre(5, 2, 2, 5, 5, 2, 2, 5));
  EXPECT_EQ(joined.type().type_codes()[1], 5);
}

TEST(ConcatenateConformance, CAT_08_DenseUnionsWhoseOffsetsOutgrow) {
  std::vector<Array> arrays;
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK_AND_ASSIGN(const Array nulls, MakeNullArray(Null(), kMost32));
    arrays.push_back(DenseUnion({2, 2}, {0, kMost32 - 1}, nulls, Utf8s({})));
  }
  EXPECT_THAT(Concatenate(arrays), StatusIs(StatusCode::kOutOfRange));
}

TEST(ConcatenateTest, SlicesOfOneShuffledArrayKeepOneCopyOfItsElements) {
  Random random(16);
  for (const char* elements : {"int32", "utf8", "struct<a: int8, b: list_view<int8>>"}) {
    const Array whole =
        RandomArray(ListView(TypeFrom(elements)),
                    {.length = 1600, .shape = ViewShape::kShuffled, .max_list_size = 9}, random);
    std::vector<Array> slices;
    for (int64_t i = 0; i < 16; ++i) slices.push_back(whole.Slice(i * 100, 100));
    EXPECT_LE(Joined(slices).child(0).length(), whole.child(0).length()) << elements;
    std::vector<Array> fields;
    for (const Array& slice : slices) {
      fields.push_back(StructOver({{"v", whole.type()}}, {slice}, slice.length()));
    }
    EXPECT_LE(Joined(fields).child(0).child(0).length(), whole.child(0).length()) << elements;
  }
}

TEST(ConcatenateTest, OneExactlySizedCopyALeaf) {
  Random random(4);
  for (const char* text :
       {"int64", "bool", "utf8", "large_binary", "utf8_view", "list<int32>", "list_view<int16>",
        "fixed_size_list<int32>[4]", "struct<a: int32, b: utf8, c: struct<d: float64>>",
        "fixed_size_list<struct<a: int8, b: fixed_size_list<int16>[3]>>[2]", "map<utf8, int32>"}) {
    for (const double null_rate : {0.0, 0.3}) {
      std::vector<Array> chunks;
      for (int i = 0; i < 5; ++i) {
        chunks.push_back(
            RandomArray(TypeFrom(text), {.length = 4000, .null_rate = null_rate}, random));
      }
      SummingPool pool;
      ASSERT_OK_AND_ASSIGN(const Array joined, Concatenate(chunks, &pool));
      ASSERT_OK_AND_ASSIGN(const int64_t used, UsedBytes(joined));
      // Besides the bytes: nodes, headers and padding of buffers, and lists of five chunks.
      EXPECT_LE(pool.bytes, used + used / 50 + 16'000) << text;
    }
  }
}

TEST(ConcatenateTest, SlicesOfAnyTypeGiveTheWhole) {
  for (const uint64_t seed : Seeds(100)) {
    Random random(seed);
    const DataType type = RandomType(AllTypeIds(), 5, random);
    SCOPED_TRACE(type.ToString() + ", seed " + std::to_string(seed));
    const Array whole = RandomArray(type, {.length = Draw(random, 0, 40), .sliced = true}, random);
    const int64_t first = Draw(random, 0, whole.length());
    const int64_t second = Draw(random, first, whole.length());
    const Array other = RandomArray(type, {.length = Draw(random, 0, 9)}, random);
    Joined({whole.Slice(0, first), whole.Slice(first, second - first), whole.Slice(second), other});
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(ConcatenateTest, StructNullsAndListsOfNoElements) {
  const Array a = StructOver({{"x", Int32()}, {"y", Utf8()}},
                             {Ints({1, kNull, 3}), Utf8s({"a", "b", kNull})}, 3, "101");
  const Array b = StructOver({{"x", Int32()}, {"y", Utf8()}}, {Ints({4, 5}), Utf8s({"d", "e"})}, 2);
  EXPECT_EQ(Joined({a, b, a.Slice(1)}).null_count(), 2);
  EXPECT_EQ(Joined({b.Slice(1), a.Slice(1, 1), b}).null_count(), 1);

  const Array none = StructOver({}, {}, 3, "101");
  EXPECT_EQ(Joined({none, none.Slice(1)}).length(), 5);
  const Array width_0 = FixedSizeListsOver(Range(0, 1), 0, 3, "101");
  EXPECT_EQ(Joined({width_0, width_0.Slice(1), width_0}).length(), 8);
  EXPECT_EQ(Joined({width_0, width_0}).child(0).length(), 0);
  const Array in_struct = StructOver({{"w", width_0.type()}}, {width_0}, 3, "110");
  EXPECT_EQ(Joined({in_struct, in_struct.Slice(2)}).null_count(), 2);
}

TEST(ConcatenateTest, AnArrayAmongEmptyOnesIsNotCopied) {
  const Array rows = Range(0, 100);
  const std::vector<Array> arrays = {rows.Slice(0, 0), rows, rows.Slice(7, 0)};
  ASSERT_OK_AND_ASSIGN(const Array joined, Concatenate(arrays));
  EXPECT_TRUE(SharesBuffer(joined, rows, 1));
}

TEST(ConcatenateTest, ABadArrayIsAnError) {
  const Array bad = ListViewsOver(Range(0, 5), {0, 4}, {2, 2});
  const std::vector<Array> arrays = {bad.Slice(0, 1), bad};
  EXPECT_THAT(Concatenate(arrays), StatusIs(StatusCode::kInvalidArgument, "row 1"));
}

TEST(ConcatenateTest, ARefusedAllocationIsAStatus) {
  Random random(5);
  std::vector<Array> arrays;
  for (int i = 0; i < 3; ++i) {
    arrays.push_back(
        RandomArray(TypeFrom("struct<a: list_view<utf8>, b: fixed_size_list<int8>[2]>"),
                    {.length = 30, .sliced = true}, random));
  }
  FailingPool pool;
  for (int64_t k = 0;; ++k) {
    pool.FailAt(k);
    const StatusOr<Array> joined = Concatenate(arrays, &pool);
    if (!pool.failed()) {
      EXPECT_EQ(*joined, Joined(arrays));
      break;
    }
    EXPECT_THAT(joined, StatusIs(StatusCode::kResourceExhausted));
  }
}

TEST(CombineTest, ChunksBecomeOneArray) {
  Random random(6);
  const DataType type = TypeFrom("struct<a: int32, b: fixed_size_list<utf8>[2]>");
  std::vector<Array> chunks;
  for (int i = 0; i < 3; ++i) chunks.push_back(RandomArray(type, {.length = 10}, random));
  ASSERT_OK_AND_ASSIGN(const ChunkedArray three, ChunkedArray::Make(type, chunks));
  ASSERT_OK_AND_ASSIGN(const Array combined, Combine(three));
  EXPECT_EQ(combined, Joined(chunks));
  ASSERT_OK_AND_ASSIGN(const ChunkedArray one, ChunkedArray::Make(type, {chunks[0]}));
  ASSERT_OK_AND_ASSIGN(const Array only, Combine(one));
  EXPECT_TRUE(IsSameArray(only, chunks[0]));
  ASSERT_OK_AND_ASSIGN(const ChunkedArray none, ChunkedArray::Make(type, {}));
  ASSERT_OK_AND_ASSIGN(const Array empty, Combine(none));
  EXPECT_EQ(empty.length(), 0);
  EXPECT_EQ(empty.type(), type);
}

}  // namespace
}  // namespace sheaf
