// Dictionary arrays given to builders of their values: decoded, whatever the layout, and at any
// depth.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/chunked_array.h"
#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/list_view_array.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

Array DictionaryOf(const MaybeInts& indices, const Array& values, const DataType& index = Int32()) {
  return *DictionaryArray::Make(Ints(indices, index), values);
}

TEST(DecodedSourcesTest, ANullInsideTheDictionaryIsANullRow_C14) {
  const Array array = DictionaryOf({0, 1, 2, kNull}, Utf8s({"aa", kNull, "cc"}));
  for (const char* type : {"utf8", "utf8_view", "large_utf8"}) {
    const Array values = Utf8s({"aa", kNull, "cc"}, TypeFrom(type));
    const Array rows = DictionaryOf({0, 1, 2, kNull}, values);
    const auto builder = BuilderOf(type);
    ASSERT_OK(builder->AppendArray(rows));
    EXPECT_EQ(builder->null_count(), 2);
    EXPECT_THAT(Finished(*builder), ReadsAs(R"(["aa", null, "cc", null])"));
  }
  EXPECT_THAT(BuilderOf("binary")->AppendArray(array), StatusIs(StatusCode::kInvalidArgument));
}

TEST(DecodedSourcesTest, EveryLayoutAndEveryIndexType) {
  Random random(5);
  for (const TypeId id : AllTypeIds()) {
    const DataType type = SampleType(id);
    if (!MakeBuilder(type).ok()) continue;
    for (const DataType& index :
         {Int8(), UInt8(), Int16(), UInt16(), Int32(), UInt32(), Int64(), UInt64()}) {
      SCOPED_TRACE(type.ToString() + ", " + index.ToString());
      for (const double null_rate : {0.0, 0.3}) {
        const Array rows =
            RandomArray(*Dictionary(index, type),
                        {.length = 200, .null_rate = null_rate, .sliced = true}, random);
        for (const BuilderOptions& options : {BuilderOptions(), kKeepAll, kKeepNone}) {
          const auto builder = BuilderOf(type, options);
          ASSERT_OK(builder->ReserveFor(rows));
          ASSERT_OK(builder->AppendArray(rows));
          ASSERT_OK(builder->AppendArray(rows, 50, 100));
          ASSERT_OK(builder->AppendRepeated(rows, 7, 3));
          const std::vector<int64_t> positions = {1, 4};
          ASSERT_OK(builder->AppendSparse(rows.Row(3), positions, rows.Slice(10, 2), 0, 6));
          Values expected = Read(rows);
          AppendSlice(&expected, Read(rows), 50, 100);
          AppendRepeated(&expected, Read(rows)[7], 3);
          for (const size_t row : {3, 10, 3, 3, 11, 3}) expected.push_back(Read(rows)[row]);
          // A union's null is one of a child.
          for (Value& value : expected) value = value.is_null() ? NullOf(type) : value;
          EXPECT_THAT(Finished(*builder), ReadsLike(expected));
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(DecodedSourcesTest, WithinOtherTypes) {
  const Array texts = DictionaryOf({1, kNull, 0, 1}, Utf8s({"a", "b"}), Int8());
  const Array lists = ListsOver(texts, {0, 2, 2, 4}, "101");
  const auto builder = BuilderOf("list<utf8>");
  ASSERT_OK(builder->AppendArray(lists));
  EXPECT_THAT(Finished(*builder), ReadsAs(R"([["b", null], null, ["a", "b"]])"));

  const DataType source = Struct({Field("x", texts.type()), Field("y", Int32())});
  const Array rows = StructOver({source.field(0), source.field(1)}, {texts, Range(0, 4)}, 4);
  const auto structs = BuilderOf("struct<x: utf8, y: int32>");
  ASSERT_OK(structs->AppendArray(rows));
  ASSERT_OK(structs->AppendRepeated(rows, 2, 2));
  EXPECT_THAT(Finished(*structs), ReadsAs(R"([{"x": "b", "y": 0}, {"x": null, "y": 1},
      {"x": "a", "y": 2}, {"x": "b", "y": 3}, {"x": "a", "y": 2}, {"x": "a", "y": 2}])"));

  // And the other way: values into the dictionaries of a nested type.
  const auto encoded = BuilderOf("list_view<dictionary<int8, utf8>>", kKeepAll);
  ASSERT_OK(encoded->AppendArray(FromJson("list_view<utf8>", R"([["p", "q"], ["p"]])")));
  ASSERT_OK(encoded->AppendArray(lists));
  EXPECT_THAT(Finished(*encoded), ReadsAs(R"([["p", "q"], ["p"], ["b", null], null, ["a", "b"]])"));
}

TEST(DecodedSourcesTest, ListViewsShareTheElementsOfADictionary) {
  const Array lists = FromJson("list<int32>", "[[1, 2, 3], [], null, [4, 5]]");
  const Array rows = DictionaryOf({0, 3, 0, kNull, 2, 1, 0, 3}, lists, UInt8());
  for (const BuilderOptions& options : {BuilderOptions(), kKeepAll}) {
    const auto builder = BuilderOf<ListViewBuilder>("list_view<int32>", options);
    ASSERT_OK(builder->AppendArray(rows));
    EXPECT_EQ(builder->elements().length(), 5);
    EXPECT_FALSE(builder->zero_copy_to_list());
    ASSERT_OK_AND_ASSIGN(const SourceHandle source, builder->AddSource(rows));
    ASSERT_OK(builder->AppendViews(source, 1, 3));
    ASSERT_OK(builder->AppendRepeated(source, 0, 2));
    const Array array = Finished(*builder);
    EXPECT_THAT(array, ReadsAs("[[1, 2, 3], [4, 5], [1, 2, 3], null, null, [], [1, 2, 3], [4, 5], "
                               "[4, 5], [1, 2, 3], null, [1, 2, 3], [1, 2, 3]]"));
  }
  // A child that 32 bits do not count: lists are brought by themselves.
  ASSERT_OK_AND_ASSIGN(const Array nulls, MakeNullArray(Null(), int64_t{1} << 33));
  const Array far = LargeListsOver(nulls, {(int64_t{1} << 32) - 3, int64_t{1} << 32});
  const auto builder = BuilderOf("list_view<null>");
  ASSERT_OK(builder->AppendArray(DictionaryOf({0, 0}, far)));
  EXPECT_THAT(Finished(*builder), ReadsAs("[[null, null, null], [null, null, null]]"));
}

TEST(DecodedSourcesTest, ANullValueIsRefusedWhereNoneMayBe) {
  const Array texts = DictionaryOf({0, 1}, Utf8s({"a", kNull}));
  const Array good = DictionaryOf({0, 0}, Utf8s({"a", kNull}));
  const Field required("x", Utf8(), /*nullable=*/false);
  const auto structs = BuilderOf(Struct({required}));
  const auto in_struct = [&](const Array& child) {
    return StructOver({Field("x", child.type())}, {child}, child.length());
  };
  EXPECT_THAT(structs->AppendArray(in_struct(texts)),
              StatusIs(StatusCode::kInvalidArgument, "not nullable"));
  EXPECT_OK(structs->AppendArray(in_struct(good)));
  EXPECT_OK(structs->AppendArray(in_struct(texts), 0, 1));

  for (const DataType& type : {List(required), ListView(required)}) {
    const auto lists = BuilderOf(type);
    EXPECT_THAT(lists->AppendArray(ListsOver(texts, {0, 1, 2})),
                StatusIs(StatusCode::kInvalidArgument, "not nullable"));
    EXPECT_OK(lists->AppendArray(ListsOver(texts, {0, 1, 2}), 0, 1));
    EXPECT_OK(lists->AppendArray(ListsOver(good, {0, 1, 2})));
  }
}

TEST(DecodedSourcesTest, ChunksOfBothKinds) {
  const DataType type = *Dictionary(Int8(), Utf8());
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks,
                       ChunkedArray::Make(type, {DictionaryOf({0, 1}, Utf8s({"a", "b"}), Int8()),
                                                 DictionaryOf({0}, Utf8s({"c"}), Int8())}));
  const auto builder = BuilderOf("utf8");
  ASSERT_OK(builder->AppendChunked(chunks));
  EXPECT_THAT(Finished(*builder), ReadsAs(R"(["a", "b", "c"])"));
}

}  // namespace
}  // namespace sheaf
