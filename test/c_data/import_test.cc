#include "sheaf/c_data/import.h"

#include <limits>
#include <vector>

#include "c_data/foreign.h"
#include "sheaf/c_data/export.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

constexpr ValidationLevel kLevels[] = {ValidationLevel::kNone, ValidationLevel::kMinimal,
                                       ValidationLevel::kDefault, ValidationLevel::kFull};
const ImportOptions kFully{.level = ValidationLevel::kFull};

StatusOr<Array> Import(const ForeignArray& literal, const DataType& type,
                       const ImportOptions& options = kFully) {
  static int releases = 0;  // Outlives the arrays that are returned.
  const int before = releases;
  ArrowArray array = Make(literal, &releases);
  StatusOr<Array> imported = ImportArray(&array, type, options);
  EXPECT_EQ(array.release, nullptr);
  EXPECT_TRUE(imported.ok() || releases == before + 1) << imported.status().ToString();
  return imported;
}

ForeignArray Int8s(std::initializer_list<int8_t> values, int64_t offset = 0) {
  return {.length = static_cast<int64_t>(values.size()) - offset,
          .offset = offset,
          .buffers = {NoBuffer(), BufferOf<int8_t>(values)}};
}

TEST(CDataImport, CIM_01_ListViewOffsetsOfParentAndChildAddUp) {
  const auto views = [](int64_t length, int64_t offset, int64_t child_offset) {
    return ForeignArray{.length = length,
                        .offset = offset,
                        .buffers = {NoBuffer(), BufferOf<int32_t>({0, 2, 2, 5, 6}),
                                    BufferOf<int32_t>({2, 0, 3, 1, 2})},
                        .children = {Int8s({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, child_offset)}};
  };
  ASSERT_OK_AND_ASSIGN(const Array child, Import(views(5, 0, 1), ListView(Int8())));
  EXPECT_THAT(child, ReadsAs("[[2, 3], [], [4, 5, 6], [7], [8, 9]]"));
  ASSERT_OK_AND_ASSIGN(const Array parent, Import(views(4, 1, 0), ListView(Int8())));
  EXPECT_THAT(parent, ReadsAs("[[], [3, 4, 5], [6], [7, 8]]"));
  ASSERT_OK_AND_ASSIGN(const Array both, Import(views(4, 1, 2), ListView(Int8())));
  EXPECT_THAT(both, ReadsAs("[[], [5, 6, 7], [8], [9, 10]]"));
}

TEST(CDataImport, CIM_02_OffsetsOfListsAddUpAndThoseOfFixedSizeListsAreMultiplied) {
  const auto list = [](int64_t offset, int64_t child_offset) {
    return ForeignArray{.length = 3 - offset,
                        .offset = offset,
                        .buffers = {NoBuffer(), BufferOf<int32_t>({0, 2, 2, 4})},
                        .children = {Int8s({1, 2, 3, 4, 5, 6}, child_offset)}};
  };
  ASSERT_OK_AND_ASSIGN(const Array a, Import(list(0, 1), List(Int8())));
  EXPECT_THAT(a, ReadsAs("[[2, 3], [], [4, 5]]"));
  ASSERT_OK_AND_ASSIGN(const Array b, Import(list(1, 0), List(Int8())));
  EXPECT_THAT(b, ReadsAs("[[], [3, 4]]"));
  ASSERT_OK_AND_ASSIGN(const Array c, Import(list(2, 2), List(Int8())));
  EXPECT_THAT(c, ReadsAs("[[5, 6]]"));

  const DataType pairs = *FixedSizeList(Field("item", Int8()), 2);
  const ForeignArray fixed{.length = 2,
                           .offset = 1,
                           .buffers = {NoBuffer()},
                           .children = {Int8s({1, 2, 3, 4, 5, 6, 7}, 1)}};
  ASSERT_OK_AND_ASSIGN(const Array d, Import(fixed, pairs));
  EXPECT_THAT(d, ReadsAs("[[4, 5], [6, 7]]"));
}

// Three buffers of a variable-size array of length 0, in each way that producers have.
std::vector<ForeignArray> EmptyLists(const std::vector<ForeignArray>& children, bool has_data) {
  std::vector<ForeignArray> arrays;
  for (const ForeignBuffer& offsets :
       {NoBuffer(), DanglingBuffer(), BufferOf<int32_t>({123}), BufferOf<int64_t>({-1})}) {
    for (const int64_t offset : {0, 3}) {
      ForeignArray array{.offset = offset, .buffers = {NoBuffer(), offsets}, .children = children};
      if (has_data) array.buffers.push_back(DanglingBuffer());
      arrays.push_back(array);
    }
  }
  return arrays;
}

TEST(CDataImport, CIM_03_OffsetsOfEmptyArraysAreNotRead) {
  for (const DataType& type :
       {Utf8(), LargeUtf8(), Binary(), LargeBinary(), List(Int8()), LargeList(Int8())}) {
    const bool is_list = type.num_fields() == 1;
    const std::vector<ForeignArray> children =
        is_list ? std::vector{Int8s({1, 2})} : std::vector<ForeignArray>{};
    for (const ForeignArray& empty : EmptyLists(children, !is_list)) {
      for (const ValidationLevel level : kLevels) {
        ASSERT_OK_AND_ASSIGN(const Array array, Import(empty, type, {.level = level}));
        EXPECT_EQ(array.length(), 0);
        EXPECT_THAT(array, IsValidArray());
        ScopedArray out;
        ASSERT_OK(ExportArray(array, &out));
        EXPECT_EQ(*static_cast<const int64_t*>(out.buffers[1]), 0);
      }
    }
  }
}

TEST(CDataImport, CIM_04_TheOneOffsetOfAnEmptyArrayIsNotALength) {
  const ForeignArray empty{.buffers = {NoBuffer(), BufferOf<int32_t>({123}), NoBuffer()}};
  ASSERT_OK_AND_ASSIGN(const Array array, Import(empty, Utf8()));
  EXPECT_EQ(array.buffer(2).size_bytes(), 0);
  ScopedArray out;
  ASSERT_OK(ExportArray(array, &out));
  EXPECT_EQ(*static_cast<const int32_t*>(out.buffers[1]), 0);
}

TEST(CDataImport, CIM_05_TheNumberOfChildrenMustBeTheTypes) {
  const DataType type = Struct({Field("a", Int8()), Field("b", Int8())});
  for (const size_t children : {0, 1, 3}) {
    ForeignArray rows{.length = 1, .buffers = {NoBuffer()}};
    rows.children.assign(children, Int8s({1}));
    EXPECT_THAT(Import(rows, type, {.level = ValidationLevel::kNone}),
                StatusIs(StatusCode::kInvalidArgument, "children"));
  }
}

TEST(CDataImport, CIM_06_DictionariesMustBeWhereTheTypeHasThem) {
  EXPECT_THAT(Import(Int8s({0}), *Dictionary(Int8(), Int8())),
              StatusIs(StatusCode::kInvalidArgument, "dictionary is missing"));
  ForeignArray surprising = Int8s({0});
  surprising.dictionary = {Int8s({1})};
  EXPECT_THAT(Import(surprising, Int8()), StatusIs(StatusCode::kInvalidArgument, "not expected"));
}

TEST(CDataImport, CIM_07_AnArrayThatPointsBackToItsParentIsAnError) {
  int releases = 0;
  ArrowArray array =
      Make({.length = 1, .buffers = {NoBuffer()}, .children = {Int8s({1})}}, &releases);
  ArrowArray inner =
      array;  // A second copy, so that the cycle stays live when import moves the first.
  array.children[0] = &inner;
  DataType type = Int8();
  for (int i = 0; i < 10; ++i) type = Struct({Field("a", type)});
  EXPECT_THAT(ImportArray(&array, type),
              StatusIs(StatusCode::kInvalidArgument, "$.a.a.a.a.a.a.a.a.a.a"));
  EXPECT_EQ(releases, 1);
}

TEST(CDataImport, DepthIsLimitedToo) {
  DataType type = Int8();
  ForeignArray array = Int8s({1});
  for (int i = 0; i < 64; ++i) {
    type = Struct({Field("a", type)});
    array = {.length = 1, .buffers = {NoBuffer()}, .children = {array}};
  }
  EXPECT_THAT(Import(array, type), StatusIs(StatusCode::kInvalidArgument, "deeper than 64"));
  EXPECT_OK(Import(array, type, {.max_depth = 65}));
  int releases = 0;
  ArrowArray batch = Make(array, &releases);
  EXPECT_OK(ImportRecordBatch(&batch, Schema({type.fields().begin(), type.fields().end()})));
  EXPECT_EQ(releases, 1);
}

TEST(CDataImport, CIM_10_AFailingImportReleasesBothOnce) {
  int arrays = 0, schemas = 0;
  ArrowArray array = Make(Int8s({1}), &arrays);
  ArrowSchema schema = Make(ForeignSchema{.format = "oops"}, &schemas);
  EXPECT_THAT(ImportArray(&array, &schema), StatusIs(StatusCode::kInvalidArgument, "oops"));
  EXPECT_EQ(arrays, 1);
  EXPECT_EQ(schemas, 1);
  EXPECT_EQ(array.release, nullptr);
  EXPECT_EQ(schema.release, nullptr);

  ArrowArray list = Make(Int8s({1}), &arrays);
  ArrowSchema wanted = Make(ForeignSchema{.format = "+l", .children = {{.format = "c"}}}, &schemas);
  EXPECT_FALSE(ImportArray(&list, &wanted).ok());
  EXPECT_EQ(arrays, 2);
  EXPECT_EQ(schemas, 2);

  ArrowSchema alone = Make(ForeignSchema{.format = "c"}, &schemas);
  EXPECT_FALSE(ImportArray(&list, &alone).ok());  // The array is released already.
  EXPECT_EQ(schemas, 3);
  ArrowArray other = Make(Int8s({1}), &arrays);
  EXPECT_FALSE(ImportRecordBatch(&other, &alone).ok());  // The schema is.
  EXPECT_EQ(arrays, 3);
}

TEST(CDataImport, CIM_11_ReleasedStructuresCanBeFilledAgain) {
  ArrowArray array;
  ArrowSchema schema;
  for (int i = 0; i < 3; ++i) {
    const Array ints = Ints({i, kNull});
    ASSERT_OK(ExportArray(ints, &array, &schema));
    ASSERT_OK_AND_ASSIGN(const Array back, ImportArray(&array, &schema));
    EXPECT_EQ(back, ints);
  }
}

TEST(CDataImport, CIM_12_NullsAreCountedLazily) {
  ForeignArray array = Int8s({1, 2, 3, 4});
  array.null_count = -1;
  array.buffers[0] = BufferOf<uint8_t>({0b1010});
  ASSERT_OK_AND_ASSIGN(const Array counted, Import(array, Int8()));
  EXPECT_EQ(counted.null_count(), 2);
  ASSERT_OK_AND_ASSIGN(const Array nulls, Import({.length = 5, .null_count = -1}, Null()));
  EXPECT_EQ(nulls.null_count(), 5);
  // As Polars does.
  ASSERT_OK_AND_ASSIGN(const Array one_buffer,
                       Import({.length = 5, .null_count = 5, .buffers = {NoBuffer()}}, Null()));
  EXPECT_EQ(one_buffer.null_count(), 5);
}

TEST(CDataImport, CIM_13_ValuesAtAnyAddressReadRight) {
  const DataType decimals = *Decimal(TypeId::kDecimal128, 38, 0);
  for (const size_t misalign : {0, 1, 4, 8}) {
    ForeignBuffer values = BufferOf<int64_t>({7, 0, -1, -1});
    values.misalign = misalign;
    ASSERT_OK_AND_ASSIGN(const Array array,
                         Import({.length = 2, .buffers = {NoBuffer(), values}}, decimals));
    EXPECT_THAT(array, ReadsAs(R"(["7", "-1"])"));

    ForeignBuffer offsets = BufferOf<int32_t>({0, 1, 3});
    offsets.misalign = misalign;
    ASSERT_OK_AND_ASSIGN(
        const Array texts,
        Import({.length = 2, .buffers = {NoBuffer(), offsets, BufferOf("abb")}}, Utf8()));
    EXPECT_THAT(texts, ReadsAs(R"(["a", "bb"])"));
  }
}

TEST(CDataImport, CIM_14_ViewsWithoutBytes) {
  const ForeignArray null_data{
      .length = 1,
      .buffers = {NoBuffer(), BufferOf<int32_t>({0, 0, 0, 0}), NoBuffer(), BufferOf<int64_t>({0})}};
  ASSERT_OK_AND_ASSIGN(const Array array, Import(null_data, Utf8View()));
  EXPECT_THAT(array, ReadsAs(R"([""])"));
  const ForeignArray dangling{
      .buffers = {DanglingBuffer(), DanglingBuffer(), DanglingBuffer(), DanglingBuffer()}};
  ASSERT_OK_AND_ASSIGN(const Array empty, Import(dangling, Utf8View()));
  EXPECT_EQ(empty.length(), 0);
}

TEST(CDataImport, C22_InlineViewsInBothForms) {
  const ForeignBuffer view = BufferOf(std::string("\x02\0\0\0hi\0\0\0\0\0\0\0\0\0\0", 16));
  for (const std::vector<ForeignBuffer>& behind :
       {std::vector{NoBuffer()}, std::vector{NoBuffer(), BufferOf<int64_t>({0})}}) {
    ForeignArray array{.length = 1, .buffers = {NoBuffer(), view}};
    array.buffers.insert(array.buffers.end(), behind.begin(), behind.end());
    ASSERT_OK_AND_ASSIGN(const Array texts, Import(array, Utf8View()));
    EXPECT_THAT(texts, ReadsAs(R"(["hi"])"));
  }
  EXPECT_THAT(Import({.length = 1, .buffers = {NoBuffer(), view}}, Utf8View()),
              StatusIs(StatusCode::kInvalidArgument, "buffers"));
  EXPECT_THAT(
      Import({.length = 1, .buffers = {NoBuffer(), view, NoBuffer(), NoBuffer()}}, Utf8View()),
      StatusIs(StatusCode::kInvalidArgument, "sizes is null"));
  EXPECT_THAT(
      Import({.length = 1, .buffers = {NoBuffer(), view, NoBuffer(), BufferOf<int64_t>({13})}},
             Utf8View()),
      StatusIs(StatusCode::kInvalidArgument, "13 bytes is null"));
  EXPECT_THAT(
      Import({.length = 1, .buffers = {NoBuffer(), view, NoBuffer(), BufferOf<int64_t>({-1})}},
             Utf8View()),
      StatusIs(StatusCode::kInvalidArgument, "-1 bytes"));
}

TEST(CDataImport, CIM_15_OffsetsOfIndicesAndOfDictionariesAreApart) {
  ForeignArray words = Int8s({9, 1, 0, 1}, 1);
  words.dictionary = {
      {.length = 2,
       .offset = 1,
       .buffers = {NoBuffer(), BufferOf<int32_t>({0, 1, 3, 6}), BufferOf("abbccc")}}};
  const DataType type = *Dictionary(Int8(), Utf8());
  ASSERT_OK_AND_ASSIGN(const Array array, Import(words, type));
  EXPECT_THAT(array, ReadsAs(R"(["ccc", "bb", "ccc"])"));

  const ForeignArray list{
      .length = 2, .buffers = {NoBuffer(), BufferOf<int32_t>({0, 1, 3})}, .children = {words}};
  ASSERT_OK_AND_ASSIGN(const Array lists, Import(list, List(type)));
  EXPECT_THAT(lists, ReadsAs(R"([["ccc"], ["bb", "ccc"]])"));

  ForeignArray of_lists = Int8s({1, 0});
  of_lists.dictionary = {{.length = 2,
                          .buffers = {NoBuffer(), BufferOf<int32_t>({0, 1, 3})},
                          .children = {Int8s({1, 2, 3})}}};
  ASSERT_OK_AND_ASSIGN(const Array lists_of, Import(of_lists, *Dictionary(Int8(), List(Int8()))));
  EXPECT_THAT(lists_of, ReadsAs("[[2, 3], [1]]"));
}

TEST(CDataImport, CIM_16_NegativeLengthsAndOffsetsAreErrors) {
  for (const ValidationLevel level : kLevels) {
    ForeignArray array = Int8s({1, 2});
    array.length = -1;
    EXPECT_THAT(Import(array, Int8(), {.level = level}),
                StatusIs(StatusCode::kInvalidArgument, "length is -1"));
    array.length = 1;
    array.offset = -1;
    EXPECT_THAT(Import(array, Int8(), {.level = level}),
                StatusIs(StatusCode::kInvalidArgument, "offset is -1"));
  }
}

TEST(CDataImport, VAL_07_NoSizeWraps) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const ForeignArray child{.length = 1, .buffers = {NoBuffer(), BufferOf<int64_t>({5})}};
  const DataType type = Struct({Field("a", Int64())});
  for (const ValidationLevel level :
       {ValidationLevel::kMinimal, ValidationLevel::kDefault, ValidationLevel::kFull}) {
    for (const int64_t length : {kMost, kMost / 8, int64_t{1} << 58, int64_t{2}}) {
      const ForeignArray rows{
          .length = length, .offset = 1, .buffers = {NoBuffer()}, .children = {child}};
      EXPECT_THAT(Import(rows, type, {.level = level}), StatusIs(StatusCode::kInvalidArgument));
    }
  }
  // Widths too: 2^58 decimals of 32 bytes have more bytes than 64 bits count.
  const ForeignArray wide{.length = int64_t{1} << 58,
                          .buffers = {NoBuffer(), BufferOf<int64_t>({5})}};
  EXPECT_THAT(Import(wide, *Decimal(TypeId::kDecimal256, 76, 0), {.level = ValidationLevel::kNone}),
              StatusIs(StatusCode::kInvalidArgument, "more bytes"));
  EXPECT_THAT(Import(wide, *FixedSizeBinary(1 << 30), {.level = ValidationLevel::kNone}),
              StatusIs(StatusCode::kInvalidArgument, "more bytes"));
}

TEST(CDataImport, C07_AUtf8ArrayWithAnOffset) {
  const ForeignArray narrow{
      .length = 2,
      .offset = 2,
      .buffers = {NoBuffer(), BufferOf<int32_t>({0, 1, 3, 6, 10}), BufferOf("abbcccdddd")}};
  const ForeignArray wide{
      .length = 2,
      .offset = 2,
      .buffers = {NoBuffer(), BufferOf<int64_t>({0, 1, 3, 6, 10}), BufferOf("abbcccdddd")}};
  for (const DataType& type : {Utf8(), Binary(), LargeUtf8(), LargeBinary()}) {
    const bool is_wide = type.layout().offset_bits == 64;
    ASSERT_OK_AND_ASSIGN(const Array array, Import(is_wide ? wide : narrow, type));
    EXPECT_THAT(array, ReadsAs(R"(["ccc", "dddd"])"));
    EXPECT_EQ(array.buffer(2).size_bytes(), 10);
    ScopedArray out;
    ASSERT_OK(ExportArray(array, &out));
    ASSERT_OK_AND_ASSIGN(const Array again, ImportArray(&out, type, kFully));
    EXPECT_THAT(again, ReadsLike(array));

    const ForeignArray list{.length = 1,
                            .buffers = {NoBuffer(), BufferOf<int32_t>({0, 2})},
                            .children = {is_wide ? wide : narrow}};
    ASSERT_OK_AND_ASSIGN(const Array lists, Import(list, List(type)));
    EXPECT_THAT(lists, ReadsAs(R"([["ccc", "dddd"]])"));
  }
}

TEST(CDataImport, C18_NullCounts) {
  ForeignArray array{
      .length = 5,
      .offset = 1,
      .null_count = -1,
      .buffers = {BufferOf<uint8_t>({0x16}), BufferOf<int8_t>({9, 10, 20, 30, 40, 50})}};
  ASSERT_OK_AND_ASSIGN(const Array counted, Import(array, Int8()));
  EXPECT_THAT(counted, ReadsAs("[10, 20, null, 40, null]"));
  EXPECT_EQ(counted.null_count(), 2);
  ScopedArray out;
  ASSERT_OK(ExportArray(counted.Slice(0, 3), &out));
  EXPECT_EQ(out.null_count, 1);

  array.null_count = -2;
  EXPECT_THAT(Import(array, Int8()), StatusIs(StatusCode::kInvalidArgument, "null_count is -2"));
  array.null_count = 6;
  EXPECT_THAT(Import(array, Int8()), StatusIs(StatusCode::kInvalidArgument, "null_count is 6"));
  array.buffers[0] = NoBuffer();
  array.null_count = 2;
  EXPECT_THAT(Import(array, Int8()), StatusIs(StatusCode::kInvalidArgument, "no validity bitmap"));
  array.null_count = -1;
  ASSERT_OK_AND_ASSIGN(const Array without, Import(array, Int8()));
  EXPECT_EQ(without.null_count(), 0);
}

TEST(CDataImport, C19_AFixedSizeListOfWidthZeroMayCarryAStrayElement) {
  const DataType type = *FixedSizeList(Field("item", Int8()), 0);
  const ForeignArray lists{.length = 3,
                           .null_count = 1,
                           .buffers = {BufferOf<uint8_t>({0b101})},
                           .children = {Int8s({1})}};
  ASSERT_OK_AND_ASSIGN(const Array array, Import(lists, type));
  EXPECT_THAT(array, ReadsAs("[[], null, []]"));
  ScopedArray out;
  ASSERT_OK(ExportArray(array, &out));
  EXPECT_EQ(out.children[0]->length, 0);
}

TEST(CDataImport, C24_ASparseUnionWithAnOffset) {
  const DataType type = TypeFrom("sparse_union<a: int32=0, b: utf8=1>");
  const ForeignArray rows{
      .length = 3,
      .offset = 1,
      .buffers = {BufferOf<int8_t>({0, 1, 0, 1})},
      .children = {{.length = 4,
                    .null_count = 1,
                    .buffers = {BufferOf<uint8_t>({0b1011}), BufferOf<int32_t>({1, 2, 0, 4})}},
                   {.length = 4,
                    .null_count = 1,
                    .buffers = {BufferOf<uint8_t>({0b0111}), BufferOf<int32_t>({0, 1, 2, 3, 3}),
                                BufferOf("abc")}}}};
  ASSERT_OK_AND_ASSIGN(const Array array, Import(rows, type));
  EXPECT_EQ(array.null_count(), 0);
  EXPECT_THAT(array, ReadsAs(R"([{"u": [1, "b"]}, {"u": [0, null]}, {"u": [1, null]}])"));
  // As arrow-java exports: type ids that are not the type's.
  const DataType others =
      *Union(TypeId::kSparseUnion, {Field("a", Int32()), Field("b", Utf8())}, {4, 24});
  EXPECT_THAT(Import(rows, others), StatusIs(StatusCode::kInvalidArgument));
}

TEST(CDataImport, BuffersThatShouldHoldBytesMustBeThere) {
  for (const ValidationLevel level : kLevels) {
    const ImportOptions options{.level = level};
    EXPECT_THAT(Import({.length = 1, .buffers = {NoBuffer(), NoBuffer()}}, Int8(), options),
                StatusIs(StatusCode::kInvalidArgument, "buffer 1 of 1 bytes is null"));
    EXPECT_THAT(
        Import({.length = 1, .buffers = {NoBuffer(), NoBuffer(), NoBuffer()}}, Utf8(), options),
        StatusIs(StatusCode::kInvalidArgument, "buffer 1"));
    EXPECT_THAT(
        Import({.length = 1, .buffers = {NoBuffer(), BufferOf<int32_t>({0, 3}), NoBuffer()}},
               Utf8(), options),
        StatusIs(StatusCode::kInvalidArgument, "buffer 2 of 3 bytes is null"));
    EXPECT_THAT(
        Import({.length = 1, .buffers = {NoBuffer(), BufferOf<int32_t>({0, -3}), NoBuffer()}},
               Utf8(), options),
        StatusIs(StatusCode::kInvalidArgument, "last offset is -3"));
    EXPECT_THAT(Import({.length = 1, .buffers = {NoBuffer()}}, Int8(), options),
                StatusIs(StatusCode::kInvalidArgument, "buffers"));
    // All strings empty: no data.
    EXPECT_OK(Import({.length = 1, .buffers = {NoBuffer(), BufferOf<int32_t>({0, 0}), NoBuffer()}},
                     Utf8(), options));
  }
}

TEST(CDataImport, LevelsLookAsFarAsTheySay) {
  const ForeignArray views{
      .length = 2,
      .buffers = {NoBuffer(), BufferOf<int32_t>({-1, 0}), BufferOf<int32_t>({1, 1})},
      .children = {Int8s({1, 2})}};
  for (const ValidationLevel level :
       {ValidationLevel::kNone, ValidationLevel::kMinimal, ValidationLevel::kDefault}) {
    ASSERT_OK_AND_ASSIGN(const Array array, Import(views, ListView(Int8()), {.level = level}));
    EXPECT_FALSE(array.Verify().ok());
  }
  EXPECT_THAT(Import(views, ListView(Int8())), StatusIs(StatusCode::kInvalidArgument, "row 0"));
}

TEST(CDataImport, TheProducersArrayIsReleasedWithTheLastBuffer) {
  int releases = 0;
  ArrowArray array = Make({.length = 2,
                           .buffers = {NoBuffer(), BufferOf<int32_t>({0, 1, 2})},
                           .children = {Int8s({1, 2})}},
                          &releases);
  Buffer last;
  {
    ASSERT_OK_AND_ASSIGN(const Array lists, ImportArray(&array, List(Int8())));
    last = lists.child(0).buffer(1);
    EXPECT_GE(last.retained_bytes(), 14);
  }
  EXPECT_EQ(releases, 0);
  EXPECT_EQ(last.data()[1], 2);
  last = Buffer();
  EXPECT_EQ(releases, 1);

  // Nothing to keep: released at once.
  ArrowArray nulls = Make({.length = 3, .null_count = 3}, &releases);
  ASSERT_OK_AND_ASSIGN(const Array kept, ImportArray(&nulls, Null()));
  EXPECT_EQ(releases, 2);
}

TEST(CDataImport, ABatchMustHaveNoNullsAtTheTop) {
  const Schema schema({Field("a", Int8())});
  const auto rows = [](uint8_t validity, int64_t null_count) {
    return Make({.length = 2,
                 .null_count = null_count,
                 .buffers = {BufferOf<uint8_t>({validity})},
                 .children = {Int8s({1, 2})}});
  };
  ArrowArray nulls = rows(0b01, -1);
  EXPECT_THAT(ImportRecordBatch(&nulls, schema), StatusIs(StatusCode::kInvalidArgument));
  ArrowArray none = rows(0b11, 0);
  ASSERT_OK_AND_ASSIGN(const RecordBatch batch, ImportRecordBatch(&none, schema));
  EXPECT_EQ(batch.num_rows(), 2);
}

TEST(CDataImport, AFailureOfAnyAllocationReleasesTheInput) {
  ForeignBuffer misaligned = BufferOf<int32_t>({0, 1, 2});
  misaligned.misalign = 1;
  ForeignArray words = Int8s({0, 0});
  words.dictionary = {Int8s({1})};
  const ForeignArray rows{
      .length = 2,
      .buffers = {NoBuffer()},
      .children = {{.length = 2, .buffers = {NoBuffer(), misaligned}, .children = {Int8s({1, 2})}},
                   words}};
  const DataType type = Struct({Field("a", List(Int8())), Field("b", *Dictionary(Int8(), Int8()))});
  FailingPool pool;
  const int64_t before = pool.bytes_in_use();
  for (int64_t k = 0;; ++k) {
    int releases = 0;
    ArrowArray array = Make(rows, &releases);
    pool.FailAt(k);
    {
      const StatusOr<Array> imported = ImportArray(&array, type, {.pool = &pool});
      if (!pool.failed()) {
        EXPECT_OK(imported);
        EXPECT_EQ(k, 8);  // Its owner and the dictionary's, one realigned buffer, five nodes.
        break;
      }
      EXPECT_THAT(imported, StatusIs(StatusCode::kResourceExhausted));
    }
    EXPECT_EQ(releases, 1);
    EXPECT_EQ(array.release, nullptr);
    EXPECT_EQ(pool.bytes_in_use(), before);
  }
  EXPECT_EQ(pool.bytes_in_use(), before);
}

}  // namespace
}  // namespace sheaf
