// Constant and sparse fills: rows RPT-09 to RPT-14 and case C33, every type against the naive
// model, and what is refused.

#include "sheaf/compute/fill.h"

#include <algorithm>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/bytes.h"
#include "sheaf/array/chunked_array.h"
#include "sheaf/array/list_array.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/builder/list_view_builder.h"
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

Array OneNull(const char* type) { return *MakeNullArray(TypeFrom(type), 1); }

/// What `FillSparse` gives in a new builder.
Array Filled(const DataType& type, const Array& fill, const Array& indices, const Array& patches,
             PageRows page, const BuilderOptions& options = {}) {
  const auto builder = BuilderOf(type, options);
  EXPECT_OK(FillSparse(*builder, fill, indices, patches, page));
  return Finished(*builder);
}

// The catalogue.

TEST(FillConformance, RPT_09_PatchesThatAreASlice) {
  constexpr char kType[] = "list_view<int32>";
  const Array rows = ListViews(
      {.offsets = {0, 1, 0, 1, 0, 1, 0, 1}, .sizes = {1, 1, 1, 1, 1, 1, 1, 1}, .elements = {1, 2}});

  const Array filled = Filled(TypeFrom(kType), OneNull(kType), Ints({0, 3, 4, 5}), rows.Slice(2, 4),
                              {.base = 0, .length = 6});

  EXPECT_THAT(filled, ReadsAs("[[1], null, null, [2], [1], [2]]"));
  EXPECT_EQ(filled.child(0).length(), 2);  // What the patches share stays shared.
}

TEST(FillConformance, RPT_10_BothFillRowsPointToOneCopy) {
  const Array patches = FromJson("list_view<int32>", "[[1], [2], [3], [4]]");
  const Array fill = FromJson("list_view<int32>", "[[5, 6, 7, 8]]");
  const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>");
  ASSERT_OK(FillSparse(*builder, fill, Ints({0, 3, 4, 5}), patches, {.base = 0, .length = 6}));

  const auto filled = FinishedAs<ListViewArray>(*builder);

  EXPECT_THAT(filled, ReadsAs("[[1], [5, 6, 7, 8], [5, 6, 7, 8], [2], [3], [4]]"));
  EXPECT_THAT(filled.sizes(), ElementsAre(1, 4, 4, 1, 1, 1));
  EXPECT_EQ(filled.offsets()[1], filled.offsets()[2]);
  EXPECT_EQ(filled.elements().length(), 8);
}

TEST(FillConformance, RPT_11_PatchesWhoseFirstOffsetIsNotZero) {
  const Array rows = FromJson("list_view<int32>", "[[0, 1], [2, 3, 4], [5], [6]]");

  const Array filled = Filled(rows.type(), OneNull("list_view<int32>"), Ints({0, 1}),
                              rows.Slice(1, 2), {.base = 0, .length = 5});

  EXPECT_THAT(filled, ReadsAs("[[2, 3, 4], [5], null, null, null]"));
  EXPECT_EQ(filled.child(0).length(), 4);
}

TEST(FillConformance, RPT_12_FixedSizeListsWithANullFill) {
  const char* type = "fixed_size_list<int32>[3]";
  const Array patches = FromJson(type, "[[1, 2, 3], [4, 5, 6], [7, 8, 9]]");

  const Array filled =
      Filled(TypeFrom(type), OneNull(type), Ints({0, 2, 3}), patches, {.base = 0, .length = 5});

  EXPECT_THAT(filled, ReadsAs("[[1, 2, 3], null, [4, 5, 6], [7, 8, 9], null]"));
  EXPECT_EQ(filled.child(0).length(), 15);
  EXPECT_EQ(ValidOf(filled), "10110");
}

TEST(FillConformance, RPT_13_FillRowsBeforeTheFirstAndAfterTheLastPatch) {
  const DataType type = TypeFrom("fixed_size_list<int32>[2]");
  const Array patches = FromJson(type, "[[1, 2], [3, 4], [5, 6]]");

  const Array filled = Filled(type, FromJson(type, "[[99, 99]]"), Ints({5, 50, 95}), patches,
                              {.base = 0, .length = 100});

  Values expected(100, Read(FromJson(type, "[[99, 99]]"))[0]);
  expected[5] = Read(patches)[0];
  expected[50] = Read(patches)[1];
  expected[95] = Read(patches)[2];
  EXPECT_THAT(filled, ReadsLike(expected));
  EXPECT_EQ(filled.null_count(), 0);
}

TEST(FillConformance, RPT_14_StructsKeepTheirOwnNulls) {
  constexpr char kType[] = "struct<a: int32, b: utf8>";
  const Array patches =
      FromJson(kType, R"([{"a": 1, "b": "x"}, {"a": null, "b": "y"}, {"a": 3, "b": null}, null])");

  const Array filled = Filled(TypeFrom(kType), OneNull(kType), Ints({0, 1, 7, 8}), patches,
                              {.base = 0, .length = 10});

  EXPECT_EQ(ValidOf(filled), "1100000100");
  EXPECT_EQ(filled.child(0).length(), 10);
  EXPECT_EQ(filled.child(1).length(), 10);
  EXPECT_TRUE(filled.child(0).IsNull(1));
  EXPECT_TRUE(filled.child(1).IsNull(7));
  EXPECT_THAT(filled.Slice(0, 2), ReadsLike(patches.Slice(0, 2)));
  EXPECT_THAT(filled.Slice(7, 1), ReadsLike(patches.Slice(2, 1)));
}

TEST(FillConformance, C33_FillsAndPatchesInFixedSizeListsAndStructs) {
  const char* lists = "fixed_size_list<int32>[2]";
  const Array filled = Filled(TypeFrom(lists), FromJson(lists, "[[0, 0]]"), Ints({1, 4}),
                              FromJson(lists, "[[1, 2], null]"), {.base = 0, .length = 6});
  EXPECT_THAT(filled, ReadsAs("[[0, 0], [1, 2], [0, 0], [0, 0], null, [0, 0]]"));
  EXPECT_EQ(filled.child(0).length(), 12);

  const char* structs = "struct<a: int32, b: list_view<utf8>>";
  const Array row = FromJson(structs, R"([{"a": 7, "b": ["x", "y"]}])");
  const auto builder = BuilderOf(structs);
  ASSERT_OK(FillConstant(*builder, row, 5));
  ASSERT_OK(FillConstant(*builder, row, 0));
  ASSERT_OK(FillSparse(*builder, row, Ints({}), row.Slice(0, 0), {.base = 3, .length = 0}));
  EXPECT_EQ(builder->length(), 5);
  const Array rows = Finished(*builder);
  EXPECT_THAT(rows, ReadsLike(Values(5, Read(row)[0])));
  EXPECT_EQ(rows.child(1).child(0).length(), 2);
}

// Sharing.

TEST(FillTest, TheListsOfAStructAreSharedInItsChild) {
  constexpr char kType[] = "struct<a: int32, b: list_view<utf8>>";
  const Array fill = FromJson(kType, R"([{"a": 7, "b": ["x", "y"]}])");
  const Array patches =
      FromJson(kType, R"([{"a": 1, "b": ["p"]}, {"a": 2, "b": []}, {"a": 3, "b": null}])");

  const Array filled =
      Filled(fill.type(), fill, Ints({10, 500, 999}), patches, {.base = 0, .length = 1000});

  EXPECT_EQ(filled.child(1).child(0).length(), 3);
  EXPECT_THAT(filled.Slice(10, 1), ReadsLike(patches.Slice(0, 1)));
  EXPECT_THAT(filled.Slice(998, 1), ReadsLike(fill));
  EXPECT_THAT(filled.Slice(999, 1), ReadsLike(patches.Slice(2, 1)));
}

TEST(FillTest, PatchesWithMoreBetweenThemThanTheyHoldAreStoredOneByOne) {
  std::vector<std::optional<int64_t>> elements;
  for (int64_t i = 0; i < 1000; ++i) elements.emplace_back(i);
  const Array patches = ListViews({.offsets = {900, 10}, .sizes = {2, 3}, .elements = elements});
  const Array fill = FromJson("list_view<int32>", "[[5]]");

  const Array filled = Filled(fill.type(), fill, Ints({1, 2}), patches, {.base = 0, .length = 4});

  EXPECT_THAT(filled, ReadsAs("[[5], [900, 901], [10, 11, 12], [5]]"));
  EXPECT_EQ(filled.child(0).length(), 6);
}

/// 1,000,000 rows of lists of 8 with a patch each 17 rows.
void FillAMillionRows(ArrayBuilder& builder) {
  constexpr int64_t kRows = 1'000'000;
  MaybeInts positions;
  for (int64_t row = 0; row < kRows; row += 17) positions.emplace_back(row);
  const auto num_patches = static_cast<int64_t>(positions.size());
  const Array patches = FixedSizeListsOver(Range(0, 8 * num_patches), 8, num_patches);
  const Array fill = FromJson("list_view<int32>", "[[-1, -2, -3, -4, -5, -6, -7, -8]]");
  ASSERT_OK(
      FillSparse(builder, fill, Ints(positions, Int32()), patches, {.base = 0, .length = kRows}));
}

TEST(FillTest, AMillionRowsStoreTheFillOnceAndEachPatchOnce) {
  const auto views = BuilderOf("list_view<int32>");
  ASSERT_NO_FATAL_FAILURE(FillAMillionRows(*views));
  EXPECT_EQ(views->bytes_used(), 9'882'400);  // 8 bytes a row, 4 an element.
  const Array filled = Finished(*views);
  EXPECT_EQ(filled.child(0).length(), 470'600);
  EXPECT_THAT(filled.Slice(999'990, 3),
              ReadsAs("[[-1, -2, -3, -4, -5, -6, -7, -8], [470584, 470585, 470586, 470587, "
                      "470588, 470589, 470590, 470591], [-1, -2, -3, -4, -5, -6, -7, -8]]"));

  const auto lists = BuilderOf("list<int32>");
  ASSERT_NO_FATAL_FAILURE(FillAMillionRows(*lists));
  const Array copied = Finished(*lists);
  EXPECT_EQ(copied.child(0).length(), 8'000'000);
  EXPECT_THAT(copied.Slice(0, 20), ReadsLike(filled.Slice(0, 20)));
}

TEST(FillTest, TheFlagIsTrueExactlyWhereRowsFollowEachOther) {
  constexpr char kType[] = "list_view<int32>";
  const Array patches = FromJson(kType, "[[1], [2, 3]]");
  struct Case {
    const char* fill;
    std::vector<std::optional<int64_t>> indices;
    int64_t length;
    bool flag;
  };
  for (const Case& fills : {Case{"[null]", {1, 4}, 6, true}, Case{"[[]]", {1, 4}, 6, true},
                            Case{"[[7]]", {1, 2}, 3, true}, Case{"[[7]]", {0, 1}, 3, false},
                            Case{"[[7]]", {0, 2}, 3, false}, Case{"[[7]]", {0, 1}, 2, true},
                            Case{"[[7]]", {2, 3}, 4, false}}) {
    SCOPED_TRACE(fills.fill);
    const auto builder = BuilderOf<ListViewBuilder>(kType);
    ASSERT_OK(builder->AppendArray(patches));
    ASSERT_OK(FillSparse(*builder, FromJson(kType, fills.fill), Ints(fills.indices), patches,
                         {.base = 0, .length = fills.length}));
    EXPECT_EQ(builder->zero_copy_to_list(), fills.flag);

    const auto filled = FinishedAs<ListViewArray>(*builder);

    EXPECT_EQ(filled.zero_copy_to_list(), fills.flag);
  }
}

// Every type.

Values SparseValues(const Values& fill, const std::vector<int64_t>& positions,
                    const Values& patches, PageRows page) {
  Values rows(static_cast<size_t>(page.length), fill[0]);
  for (size_t j = 0; j < positions.size(); ++j) {
    rows[static_cast<size_t>(positions[j] - page.base)] = patches[j];
  }
  return rows;
}

/// Positions within the page: some, none or all rows, in runs or scattered.
std::vector<int64_t> RandomPositions(PageRows page, Random& random) {
  const double rate =
      std::array{0.0, 0.05, 0.5, 0.95, 1.0}[static_cast<size_t>(Draw(random, 0, 4))];
  std::vector<int64_t> positions;
  for (int64_t row = 0; row < page.length; ++row) {
    if (Chance(random, rate)) positions.push_back(page.base + row);
  }
  return positions;
}

Array IndicesOf(const std::vector<int64_t>& positions, Random& random) {
  const DataType types[] = {Int16(), UInt16(), Int32(), UInt32(), Int64(), UInt64()};
  MaybeInts values = {kNull, 7};  // Sliced off.
  for (const int64_t position : positions) values.emplace_back(position);
  return Ints(values, types[Draw(random, 0, 5)]).Slice(2);
}

/// The type, or another list-like one with the same elements.
DataType AnyLikeType(const DataType& type, Random& random) {
  if (!IsListLike(type.id()) || type.id() == TypeId::kFixedSizeList || Chance(random, 0.5))
    return type;
  const Field& item = type.field(0);
  switch (Draw(random, 0, 4)) {
    case 0:
      return List(item);
    case 1:
      return LargeList(item);
    case 2:
      return ListView(item);
    case 3:
      return LargeListView(item);
    default:
      return *FixedSizeList(item, 2);
  }
}

void CheckRandomFill(const DataType& type, const BuilderOptions& options, Random& random) {
  const PageRows page = {.base = Chance(random, 0.5) ? 0 : Draw(random, 0, 20'000),
                         .length = Draw(random, 0, Chance(random, 0.1) ? 5000 : 60)};
  const std::vector<int64_t> positions = RandomPositions(page, random);
  const double null_rate = Chance(random, 0.7) ? 0.3 : 0;
  const Array fill = RandomArray(AnyLikeType(type, random),
                                 {.length = 1, .null_rate = null_rate, .sliced = true}, random);
  const Array patches = RandomArray(AnyLikeType(type, random),
                                    {.length = static_cast<int64_t>(positions.size()),
                                     .null_rate = null_rate,
                                     .sliced = Chance(random, 0.5)},
                                    random);
  const Array around = RandomArray(type, {.length = Draw(random, 0, 20)}, random);
  const auto builder = BuilderOf(type, options);
  ASSERT_OK(builder->AppendArray(around));
  ASSERT_OK(FillSparse(*builder, fill, IndicesOf(positions, random), patches, page));
  ASSERT_OK(FillConstant(*builder, fill, 3));
  ASSERT_OK(builder->AppendArray(around));
  const int64_t bytes_used = builder->bytes_used();
  std::optional<bool> flag;
  if (type.id() == TypeId::kListView)
    flag = static_cast<ListViewBuilder&>(*builder).zero_copy_to_list();

  const Array filled = Finished(*builder);

  if (flag.has_value()) {
    EXPECT_EQ(*flag, StatsOf(filled).zero_copy_to_list);
  }
  Values expected = Read(around);
  Append(&expected, SparseValues(Read(fill), positions, Read(patches), page));
  AppendRepeated(&expected, Read(fill)[0], 3);
  Append(&expected, Read(around));
  EXPECT_THAT(filled, ReadsLike(expected));
  ASSERT_OK_AND_ASSIGN(const int64_t used, UsedBytes(filled));
  EXPECT_EQ(bytes_used, used);
}

TEST(RandomFill, EveryTypeReadsLikeTheModel) {
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    for (const TypeId id : AllTypeIds()) {
      const DataType type = SampleType(id);
      if (!MakeBuilder(type).ok()) continue;
      for (const uint64_t seed : Seeds(12)) {
        SCOPED_TRACE(type.ToString() + ", seed " + std::to_string(seed));
        Random random(seed);
        CheckRandomFill(type, options, random);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(RandomFill, EveryNestReadsLikeTheModel) {
  std::vector<TypeId> ids = AllTypeIds();
  std::erase_if(ids, [](TypeId id) { return !MakeBuilder(SampleType(id)).ok(); });
  for (const BuilderOptions& options : {BuilderOptions{}, kKeepAll, kKeepNone}) {
    for (const uint64_t seed : Seeds(150)) {
      Random random(seed);
      const DataType type = RandomType(ids, 5, random);
      SCOPED_TRACE(type.ToString() + ", seed " + std::to_string(seed));
      CheckRandomFill(type, options, random);
      if (HasFailure()) return;
    }
  }
}

TEST(FillTest, BlocksOfSeveralViewsInFixedSizeLists) {
  const char* type = "fixed_size_list<list_view<int32>>[2]";
  const Array patches = FromJson(type, "[[[1], [2, 3]], null, [[], null]]");
  for (const char* fill : {"[[[4, 5], [6]]]", "[null]", "[[[], null]]"}) {
    const Array filled = Filled(TypeFrom(type), FromJson(type, fill), Ints({1, 2, 4}), patches,
                                {.base = 0, .length = 6});
    EXPECT_THAT(filled, ReadsLike(SparseValues(Read(FromJson(type, fill)), {1, 2, 4}, Read(patches),
                                               {.base = 0, .length = 6})));
  }
}

// What is refused.

/// The refusals of a builder with rows in it, which it must not notice.
class RefusedFill : public ::testing::TestWithParam<const char*> {
 protected:
  RefusedFill() : builder_(BuilderOf(GetParam())) {
    Random random(1);
    rows_ = RandomArray(builder_->type(), {.length = 3, .null_rate = 0}, random);
    EXPECT_OK(builder_->AppendArray(rows_));
    bytes_used_ = builder_->bytes_used();
  }
  ~RefusedFill() override {
    EXPECT_EQ(builder_->bytes_used(), bytes_used_);
    EXPECT_THAT(Finished(*builder_), ReadsLike(rows_));
  }

  Status Fill(const Array& indices, PageRows page, int64_t num_patches = 2) {
    return FillSparse(*builder_, rows_.Slice(0, 1), indices, rows_.Slice(1, num_patches), page);
  }

  std::unique_ptr<ArrayBuilder> builder_;
  Array rows_;
  int64_t bytes_used_ = 0;
};

TEST_P(RefusedFill, IndicesOutsideOfThePage) {
  EXPECT_THAT(Fill(Ints({100, 105}), {.base = 100, .length = 5}),
              StatusIs(StatusCode::kInvalidArgument,
                       "position 1 of the patches is 105, outside of rows [100, 105)"));
  EXPECT_THAT(Fill(Ints({99, 101}), {.base = 100, .length = 5}),
              StatusIs(StatusCode::kInvalidArgument, "position 0 of the patches is 99"));
  EXPECT_THAT(Fill(Ints({-1, 1}), {.base = 0, .length = 5}),
              StatusIs(StatusCode::kInvalidArgument, "is -1, outside of rows [0, 5)"));
  EXPECT_THAT(Fill(Ints({0, -1}, UInt64()), {.base = 0, .length = 5}),
              StatusIs(StatusCode::kInvalidArgument, "index 1 is 18446744073709551615"));
}

TEST_P(RefusedFill, IndicesThatDoNotAscend) {
  EXPECT_THAT(Fill(Ints({3, 3}), {.base = 0, .length = 5}),
              StatusIs(StatusCode::kInvalidArgument,
                       "position 1 of the patches is 3, not above the one before, 3"));
  EXPECT_THAT(Fill(Ints({3, 1}, UInt8()), {.base = 0, .length = 5}),
              StatusIs(StatusCode::kInvalidArgument, "is 1, not above the one before, 3"));
}

TEST_P(RefusedFill, NullIndicesAndOtherCountsAndTypes) {
  const PageRows page = {.base = 0, .length = 5};
  EXPECT_THAT(Fill(Ints({1, kNull}), page),
              StatusIs(StatusCode::kInvalidArgument, "index 1 is null"));
  EXPECT_THAT(Fill(Ints({1}), page),
              StatusIs(StatusCode::kInvalidArgument, "1 positions for 2 patches"));
  EXPECT_THAT(Fill(Doubles({1, 2}), page),
              StatusIs(StatusCode::kInvalidArgument, "float64, where integers are wanted"));
  const Array other = FromJson("date32", "[1]");
  EXPECT_THAT(FillSparse(*builder_, other, Ints({1}), rows_.Slice(0, 1), page),
              StatusIs(StatusCode::kInvalidArgument, "date32"));
  EXPECT_THAT(FillSparse(*builder_, rows_.Slice(0, 1), Ints({1}), other, page),
              StatusIs(StatusCode::kInvalidArgument, "date32"));
  EXPECT_THAT(FillSparse(*builder_, rows_.Slice(0, 2), Ints({1}), rows_.Slice(0, 1), page),
              StatusIs(StatusCode::kInvalidArgument, "a fill of 2 rows"));
  EXPECT_THAT(FillConstant(*builder_, rows_.Slice(0, 2), 1),
              StatusIs(StatusCode::kInvalidArgument, "2 values, where one is wanted"));
}

TEST_P(RefusedFill, PagesThatCannotBe) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(Fill(Ints({1, 2}), {.base = 0, .length = -1}),
              StatusIs(StatusCode::kInvalidArgument, "negative number of rows: -1"));
  EXPECT_THAT(Fill(Ints({1, 2}), {.base = -1, .length = 9}),
              StatusIs(StatusCode::kInvalidArgument, "9 rows from row -1 on"));
  EXPECT_FALSE(Fill(Ints({1, 2}), {.base = 1, .length = kMost - 3}).ok());
  EXPECT_FALSE(Fill(Ints({1, 2}), {.base = 9, .length = kMost - 3}).ok());
}

TEST_P(RefusedFill, MoreBytesThanTheLimit) {
  builder_->set_byte_limit(bytes_used_ + 20);
  EXPECT_THAT(Fill(Ints({1, 2}), {.base = 0, .length = 1000}),
              StatusIs(StatusCode::kResourceExhausted));
  EXPECT_THAT(Fill(Ints({1, 2}), {.base = 0, .length = int64_t{1} << 60}),
              StatusIs(StatusCode::kResourceExhausted));
}

INSTANTIATE_TEST_SUITE_P(Types, RefusedFill,
                         ::testing::Values("bool", "int16", "decimal128(38, 2)", "utf8",
                                           "list<int32>", "list_view<int32>",
                                           "large_list_view<utf8>", "fixed_size_list<int8>[3]",
                                           "struct<a: int32, b: list_view<bool>>"));

TEST(FillTest, ANullInANonNullableFieldIsRefused) {
  const DataType type = TypeFrom("struct<a: int32 not null>");
  const Array bad = FromJson("struct<a: int32>", R"([{"a": null}])");
  const Array good = FromJson("struct<a: int32>", R"([{"a": 1}])");
  const auto builder = BuilderOf(type);
  const PageRows page = {.base = 0, .length = 3};
  EXPECT_THAT(FillSparse(*builder, bad, Ints({1}), good, page),
              StatusIs(StatusCode::kInvalidArgument, "not nullable"));
  EXPECT_THAT(FillSparse(*builder, good, Ints({1}), bad, page),
              StatusIs(StatusCode::kInvalidArgument, "not nullable"));
  EXPECT_EQ(builder->length(), 0);
  ASSERT_OK(FillSparse(*builder, *MakeNullArray(type, 1), Ints({1}), good, page));
  EXPECT_THAT(Finished(*builder), ReadsAs(R"([null, {"a": 1}, null])"));
}

TEST(FillTest, AListOfAnotherSizeIsRefusedByFixedSizeLists) {
  const auto builder = BuilderOf("fixed_size_list<int32>[2]");
  const Array good = FromJson("list<int32>", "[[1, 2]]");
  const Array bad = FromJson("list<int32>", "[[1]]");
  const PageRows page = {.base = 0, .length = 3};
  EXPECT_THAT(FillSparse(*builder, bad, Ints({1}), good, page),
              StatusIs(StatusCode::kInvalidArgument, "a list of 1 elements"));
  EXPECT_THAT(FillSparse(*builder, good, Ints({1}), bad, page),
              StatusIs(StatusCode::kInvalidArgument, "a list of 1 elements"));
  ASSERT_OK(FillSparse(*builder, good, Ints({1}), FromJson("list<int32>", "[null]"), page));
  EXPECT_THAT(Finished(*builder), ReadsAs("[[1, 2], null, [1, 2]]"));
}

TEST(FillTest, ElementsThatOutgrowOffsetsAreRefused) {
  const auto builder = BuilderOf("list<null>");
  const Array fill = *ListArray::Make(*MakeNullArray(Null(), 1 << 20), Ints({0, 1 << 20}));
  EXPECT_THAT(FillSparse(*builder, fill, Ints({0}), FromJson("list<null>", "[[]]"),
                         {.base = 0, .length = 4000}),
              StatusIs(StatusCode::kOutOfRange, "large_list"));
  EXPECT_EQ(builder->length(), 0);
}

TEST(FillTest, FillsGoOnInANewChunk) {
  constexpr int64_t kThird = std::numeric_limits<int32_t>::max() / 3;
  const BuilderOptions options = {.on_overflow = OnOverflow::kNewChunk};
  const auto row = [](int64_t n) { return LargeListsOver(*MakeNullArray(Null(), n), {0, n}); };
  const Array patches = LargeListsOver(*MakeNullArray(Null(), 4 * kThird),
                                       {0, kThird, 2 * kThird, 3 * kThird, 4 * kThird});
  for (const char* type : {"list<null>", "list_view<null>"}) {
    SCOPED_TRACE(type);
    const auto builder = BuilderOf(type, options);
    ASSERT_OK(FillConstant(*builder, row(kThird), 4));
    ASSERT_OK(FillSparse(*builder, row(3), Ints({1, 2, 4, 6}, UInt8()), patches,
                         {.base = 0, .length = 8}));
    ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
    EXPECT_GE(chunks.num_chunks(), 2);
    std::vector<int64_t> sizes;
    for (const Array& chunk : chunks.chunks()) {
      EXPECT_THAT(chunk, IsValidArray());
      for (int64_t i = 0; i < chunk.length(); ++i) {
        const int32_t* slots = chunk.slots<int32_t>(1) + i;
        const bool is_view = chunk.layout().id == LayoutId::kListView;
        sizes.push_back(is_view ? chunk.slots<int32_t>(2)[i] : slots[1] - slots[0]);
      }
    }
    EXPECT_THAT(sizes, ElementsAre(kThird, kThird, kThird, kThird, 3, kThird, kThird, 3, kThird, 3,
                                   kThird, 3));
  }
}

}  // namespace
}  // namespace sheaf
