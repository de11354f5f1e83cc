// ExactBytes: what a flattened copy takes, against the naive way and against a copy really built.

#include <functional>

#include "sheaf/array/bytes.h"
#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/base/bits.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;

int64_t Exact(const Array& array) {
  const StatusOr<int64_t> bytes = ExactBytes(array);
  EXPECT_OK(bytes);
  return bytes.ok() ? *bytes : -1;
}

/// Bytes of a copy of these rows of the node, one after the other, every one written out.
int64_t Naive(const Array& array, const std::vector<int64_t>& rows);

int64_t NaiveWhole(const Array& array) {
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < array.length(); ++i) rows.push_back(i);
  return Naive(array, rows);
}

/// Of list-likes: the elements of all rows; null rows of list-views have none.
std::vector<int64_t> ElementsOf(const Array& array, const std::vector<int64_t>& rows) {
  const bool wide = array.layout().offset_bits == 64;
  const auto at = [&](int buffer, int64_t i) -> int64_t {
    return wide ? array.slots<int64_t>(buffer)[i] : array.slots<int32_t>(buffer)[i];
  };
  std::vector<int64_t> elements;
  for (const int64_t row : rows) {
    int64_t begin = 0;
    int64_t end = 0;
    if (array.layout().id == LayoutId::kList) {
      begin = at(1, row);
      end = at(1, row + 1);
    } else if (array.layout().id == LayoutId::kFixedSizeList) {
      const int64_t width = array.type().storage().list_size();
      begin = (array.offset() + row) * width;
      end = begin + width;
    } else if (array.IsValid(row)) {
      begin = at(1, row);
      end = begin + at(2, row);
    }
    for (; begin < end; ++begin) elements.push_back(begin);
  }
  return elements;
}

int64_t Naive(const Array& array, const std::vector<int64_t>& rows) {
  const auto n = static_cast<int64_t>(rows.size());
  int64_t bytes = array.has_dictionary() ? NaiveWhole(array.dictionary()) : 0;
  if (n == 0) return bytes;
  int64_t nulls = 0;
  for (const int64_t row : rows) nulls += array.layout().has_validity && array.IsNull(row) ? 1 : 0;
  if (nulls > 0) bytes += BytesForBits(n);
  const int64_t offset_bytes = array.layout().offset_bits / 8;
  std::vector<int64_t> moved;
  for (const int64_t row : rows) moved.push_back(array.offset() + row);
  switch (array.layout().id) {
    case LayoutId::kNull:
      return bytes;
    case LayoutId::kBoolean:
      return bytes + BytesForBits(n);
    case LayoutId::kFixedWidth:
      return bytes + n * array.type().storage().byte_width();
    case LayoutId::kDictionary:
      return bytes + n * array.type().storage().index_type().byte_width();
    case LayoutId::kBinary:
      for (const int64_t row : rows) {
        bytes += offset_bytes == 8
                     ? array.slots<int64_t>(1)[row + 1] - array.slots<int64_t>(1)[row]
                     : array.slots<int32_t>(1)[row + 1] - array.slots<int32_t>(1)[row];
      }
      return bytes + (n + 1) * offset_bytes;
    case LayoutId::kBinaryView:
      for (const int64_t row : rows) {
        const int32_t size = array.buffer(1).as<int32_t>()[4 * (array.offset() + row)];
        bytes += array.IsValid(row) && size > 12 ? size : 0;
      }
      return bytes + n * 16;
    case LayoutId::kList:
      return bytes + (n + 1) * offset_bytes + Naive(array.child(0), ElementsOf(array, rows));
    case LayoutId::kListView:
      return bytes + 2 * n * offset_bytes + Naive(array.child(0), ElementsOf(array, rows));
    case LayoutId::kFixedSizeList:
      return bytes + Naive(array.child(0), ElementsOf(array, rows));
    case LayoutId::kSparseUnion:
      bytes += n;
      [[fallthrough]];
    case LayoutId::kStruct:
      for (int i = 0; i < array.num_children(); ++i) bytes += Naive(array.child(i), moved);
      return bytes;
    case LayoutId::kDenseUnion:
      for (int i = 0; i < array.num_children(); ++i) {
        std::vector<int64_t> slots;
        for (const int64_t row : rows) {
          if (array.slots<int8_t>(0)[row] == array.type().storage().type_codes()[i])
            slots.push_back(array.slots<int32_t>(1)[row]);
        }
        bytes += Naive(array.child(i), slots);
      }
      return bytes + 5 * n;
    default:
      ADD_FAILURE() << "not in these tests: " << array.type().ToString();
      return bytes;
  }
}

TEST(ExactBytesTest, ListViewsCountEveryRowsOwnElements) {
  EXPECT_EQ(Exact(ListViewsOver(Range(0, 10), {2, 2, 3}, {3, 3, 3})), 3 * 8 + 9 * 4);
  EXPECT_EQ(Exact(LargeListViewsOver(Range(0, 10), {2, 2, 3}, {3, 3, 3})), 3 * 16 + 9 * 4);
  EXPECT_EQ(Exact(ListViewsOver(Range(0, 10), {2, 2, 3}, {3, 3, 3}, "101")), 3 * 8 + 1 + 6 * 4);
  EXPECT_EQ(Exact(ListViewsOver(Range(0, 10), {9}, {0})), 8);
  EXPECT_EQ(Exact(ListViewsOver(Range(0, 10), {}, {})), 0);
}

TEST(ExactBytesTest, BinaryViewsCountEveryLongValue) {
  const Array texts = Utf8s({"a text of some length", "short", kNull}, Utf8View());
  EXPECT_EQ(Exact(texts), 3 * 16 + 1 + 21);
  EXPECT_EQ(Exact(ListViewsOver(texts, {0, 0, 0}, {1, 1, 2})), 3 * 8 + 4 * 16 + 3 * 21);
}

TEST(ExactBytesTest, ABitmapCountsOnlyWhereANullIsCopied) {
  const Array elements = Ints({1, kNull, 3, 4});
  EXPECT_EQ(Exact(ListViewsOver(elements, {2, 2, 0}, {2, 2, 1})), 3 * 8 + 5 * 4);
  EXPECT_EQ(Exact(ListViewsOver(elements, {2, 2, 0}, {2, 2, 2})), 3 * 8 + 6 * 4 + 1);
}

TEST(ExactBytesTest, NestedListViewsMultiply) {
  // 100 rows, each all of 100 rows, each all of 100 numbers.
  const std::vector<int64_t> zeros(100, 0);
  const std::vector<int64_t> hundreds(100, 100);
  Array array = Range(0, 100);
  for (int level = 0; level < 2; ++level) array = ListViewsOver(array, zeros, hundreds);
  EXPECT_EQ(Exact(array), 100 * 8 + 10'000 * 8 + 1'000'000 * 4);

  // Eight levels, of which the copy would have 10^18 numbers; one more exceeds 64 bits.
  for (int level = 2; level < 8; ++level) array = ListViewsOver(array, zeros, hundreds);
  EXPECT_GT(Exact(array), 4'000'000'000'000'000'000);
  array = ListViewsOver(array, zeros, hundreds);
  EXPECT_THAT(ExactBytes(array), StatusIs(StatusCode::kOutOfRange, "64 bits"));
}

TEST(ExactBytesTest, ManyLongViewsOverNullsAndTextsCostOnePass) {
  // 200,000 views of 200,000 texts each: 4 x 10^10 values if they were visited one by one.
  constexpr int64_t kRows = 200'000;
  MaybeTexts texts(kRows, "a text of some length");
  texts[7] = kNull;
  const std::vector<int64_t> zeros(kRows, 0);
  const std::vector<int64_t> sizes(kRows, kRows);
  const Array array = ListViewsOver(Utf8s(texts, Utf8View()), zeros, sizes);
  EXPECT_EQ(Exact(array),
            kRows * 8 + kRows * kRows * 16 + kRows * kRows / 8 + kRows * (kRows - 1) * 21);
}

TEST(ExactBytesTest, DictionariesCountWholeAndRunsByEachStretch) {
  ASSERT_OK_AND_ASSIGN(const DictionaryArray words,
                       DictionaryArray::Make(Ints({0, 1, 0}, Int8()), Utf8s({"ab", "cde"})));
  EXPECT_EQ(Exact(ListViewsOver(words, {0, 0}, {3, 3})), 2 * 8 + 6 + 17);
  ASSERT_OK_AND_ASSIGN(const RunEndArray runs, RunEndArray::Make(Ints({3, 5, 9}), Ints({1, 2, 3})));
  EXPECT_EQ(Exact(runs.Slice(3, 2)), 8);
  EXPECT_EQ(Exact(ListViewsOver(runs, {0, 4}, {3, 5})), 2 * 8 + (1 + 2) * 8);
}

TEST(ExactBytesTest, BadArraysAreErrors) {
  EXPECT_THAT(ExactBytes(ListViewsOver(Range(0, 3), {1}, {9})),
              StatusIs(StatusCode::kInvalidArgument, "row 0"));
}

TEST(ExactBytesTest, RandomArraysTakeWhatTheNaiveCopyTakes) {
  std::vector<TypeId> ids = AllTypeIds();
  std::erase(ids, TypeId::kRunEndEncoded);  // Their runs depend on how rows are put together.
  for (const uint64_t seed : Seeds(300)) {
    Random random(seed);
    const DataType type = RandomType(ids, 4, random);
    const Array array =
        RandomArray(type, {.length = Draw(random, 0, 30), .sliced = Chance(random, 0.5)}, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + type.ToString());
    EXPECT_EQ(Exact(array), NaiveWhole(array));
    if (HasFailure()) return;
  }
}

/// The type with lists in place of list-views, at every level; false where it has other children.
DataType WithLists(const DataType& type) {
  switch (type.id()) {
    case TypeId::kListView:
      return List(WithLists(type.value_type()));
    case TypeId::kLargeListView:
      return LargeList(WithLists(type.value_type()));
    case TypeId::kStruct:
      return Struct({Field("a", WithLists(type.field(0).type())),
                     Field("b", WithLists(type.field(1).type()))});
    default:
      return type;
  }
}

TEST(ExactBytesTest, AFlattenedBuildTakesAsMuchButForOffsets) {
  for (const char* text :
       {"list_view<int32>", "large_list_view<utf8>", "list_view<list_view<bool>>",
        "struct<a: list_view<list_view<int16>>, b: large_list_view<float64>>",
        "list_view<struct<a: list_view<utf8>, b: int8>>"}) {
    const DataType type = TypeFrom(text);
    for (const uint64_t seed : Seeds(20)) {
      Random random(seed);
      const Array array = RandomArray(type, {.length = 30, .sliced = true}, random);
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + text);
      ASSERT_OK_AND_ASSIGN(const auto builder, MakeBuilder(WithLists(type)));
      ASSERT_OK(builder->AppendArray(array));
      ASSERT_OK_AND_ASSIGN(const Array flat, builder->Finish());

      // A list has n + 1 offsets where a list-view has n offsets and n sizes.
      int64_t views = 0;
      const std::function<void(const Array&, const DataType&)> add = [&](const Array& copy,
                                                                         const DataType& was) {
        const bool view = was.id() == TypeId::kListView || was.id() == TypeId::kLargeListView;
        const int64_t bytes = was.layout().offset_bits / 8;
        if (view && copy.length() > 0) views += (2 * copy.length() - (copy.length() + 1)) * bytes;
        for (int i = 0; i < copy.num_children(); ++i) add(copy.child(i), was.field(i).type());
      };
      add(flat, type);
      EXPECT_EQ(Exact(array), *UsedBytes(flat) + views);
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace sheaf
