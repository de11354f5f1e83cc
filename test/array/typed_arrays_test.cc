#include "sheaf/array/binary_array.h"
#include "sheaf/array/binary_view_array.h"
#include "sheaf/array/boolean_array.h"
#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/extension_array.h"
#include "sheaf/array/fixed_size_binary_array.h"
#include "sheaf/array/fixed_size_list_array.h"
#include "sheaf/array/fixed_width_array.h"
#include "sheaf/array/list_array.h"
#include "sheaf/array/map_array.h"
#include "sheaf/array/null_array.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/array/scalar.h"
#include "sheaf/array/struct_array.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;
using ::testing::ElementsAre;

TEST(FixedWidthArray, ServesEveryTypeStoredAsItsValue) {
  const DataType date = Date32();
  ASSERT_OK_AND_ASSIGN(const Date32Array dates, Date32Array::Adopt({1, 2, 3}, {}, &date));
  EXPECT_EQ(dates.type(), Date32());
  EXPECT_THAT(dates.values(), ElementsAre(1, 2, 3));
  EXPECT_THAT(Int32Array::From(dates.Slice(1))->values(), ElementsAre(2, 3));
  EXPECT_THAT(Int64Array::From(dates), StatusIs(StatusCode::kInvalidArgument, "date32"));
  EXPECT_THAT(Float16Array::From(FromJson("float16", "[1]")), IsOk());
}

TEST(FixedWidthArray, AVectorIsTakenOverWithoutACopy) {
  std::vector<int64_t> values = {4, 5};
  const int64_t* data = values.data();
  ASSERT_OK_AND_ASSIGN(const Int64Array array, Int64Array::Adopt(std::move(values)));
  EXPECT_EQ(array.values().data(), data);
}

TEST(FixedWidthArray, WideValues) {
  const MonthDayNano value{.months = 1, .days = 2, .nanoseconds = 3};
  ASSERT_OK_AND_ASSIGN(const Array scalar, MakeScalar(value));
  EXPECT_EQ(IntervalMonthDayNanoArray::From(scalar)->value(0), value);
  ASSERT_OK_AND_ASSIGN(const Array decimal, MakeScalar(Decimal128Value{.low = 5, .high = 0}));
  EXPECT_EQ(decimal.ToString(), "[5]");
}

TEST(FixedWidthArray, FromValuesTakesValidity) {
  const int32_t values[] = {1, 2};
  const bool valid[] = {true, false};
  ASSERT_OK_AND_ASSIGN(const Int32Array array, Int32Array::FromValues(values, valid));
  EXPECT_THAT(array, ReadsAs("[1, null]"));
  const bool too_few[] = {true};
  EXPECT_THAT(Int32Array::FromValues(values, too_few),
              StatusIs(StatusCode::kInvalidArgument, "1 entries for 2"));
}

TEST(BooleanArray, BitsAndCounts) {
  const bool values[] = {true, false, true, true};
  const bool valid[] = {true, true, true, false};
  ASSERT_OK_AND_ASSIGN(const BooleanArray array, BooleanArray::FromValues(values, valid));
  EXPECT_THAT(array, ReadsAs("[true, false, true, null]"));
  EXPECT_EQ(array.true_count(), 2);
  EXPECT_EQ(BooleanArray::From(array.Slice(1))->true_count(), 1);
}

TEST(BinaryArray, ViewsAndOffsets) {
  const std::string_view values[] = {"a", "", "bcd"};
  const bool valid[] = {true, false, true};
  ASSERT_OK_AND_ASSIGN(const Utf8Array array, Utf8Array::FromValues(values, valid));
  EXPECT_THAT(array.offsets(), ElementsAre(0, 1, 1, 4));
  EXPECT_EQ(Utf8Array::From(array.Slice(2))->view(0), "bcd");
  EXPECT_THAT(LargeBinaryArray::From(array), StatusIs(StatusCode::kInvalidArgument, "utf8"));
  const DataType binary = LargeBinary();
  ASSERT_OK_AND_ASSIGN(const LargeBinaryArray large,
                       LargeBinaryArray::FromValues(values, {}, &binary));
  EXPECT_EQ(large.type(), LargeBinary());
}

TEST(BinaryArray, C07_AWindowOfAUtf8Array) {
  ASSERT_OK_AND_ASSIGN(const Array array,
                       MakeArray({.type = Utf8(),
                                  .length = 2,
                                  .offset = 2,
                                  .buffers = {Buffer(), Integers({0, 1, 3, 6, 10}, 32),
                                              ValuesBuffer(std::string("abbcccdddd"))}},
                                 ValidationLevel::kFull));
  EXPECT_THAT(array, ReadsAs("[\"ccc\", \"dddd\"]"));
  EXPECT_EQ(Utf8Array::From(array)->view(1), "dddd");
}

TEST(BinaryViewArray, C22_ShortValuesLieInTheViews) {
  const std::string_view short_values[] = {"hi", "gone", "twelve bytes"};
  const bool valid[] = {true, false, true};
  ASSERT_OK_AND_ASSIGN(const BinaryViewArray inlined,
                       BinaryViewArray::FromValues(short_values, valid));
  EXPECT_EQ(inlined.num_data_buffers(), 0);
  EXPECT_THAT(inlined, ReadsAs("[\"hi\", null, \"twelve bytes\"]"));
  EXPECT_EQ(inlined.view(2), "twelve bytes");
  EXPECT_EQ(inlined.view(1), "");
  const std::string_view long_values[] = {"thirteen char", "hi", "a longer text than twelve"};
  ASSERT_OK_AND_ASSIGN(const BinaryViewArray stored, BinaryViewArray::FromValues(long_values));
  EXPECT_EQ(stored.num_data_buffers(), 1);
  EXPECT_EQ(stored.data_buffer(0).size_bytes(), 13 + 25);
  EXPECT_EQ(BinaryViewArray::From(stored.Slice(2))->view(0), "a longer text than twelve");
}

TEST(FixedSizeBinaryArray, AnyWidth) {
  ASSERT_OK_AND_ASSIGN(const FixedSizeBinaryArray array,
                       FixedSizeBinaryArray::Make(3, ValuesBuffer(std::string("abcdef")), 2));
  EXPECT_EQ(array.view(1), "def");
  ASSERT_OK_AND_ASSIGN(const FixedSizeBinaryArray nothing,
                       FixedSizeBinaryArray::Make(0, Buffer(), 5));
  EXPECT_EQ(nothing.view(4), "");
}

TEST(ListArray, NullOffsetsAreNullRows) {
  ASSERT_OK_AND_ASSIGN(const ListArray lists, ListArray::Make(Range(0, 5), Ints({0, kNull, 2, 5})));
  EXPECT_THAT(lists, ReadsAs("[[0, 1], null, [2, 3, 4]]"));
  EXPECT_THAT(lists.list(2), ReadsAs("[2, 3, 4]"));
  EXPECT_THAT(ListArray::Make(Range(0, 5), Ints({0, kNull})),
              StatusIs(StatusCode::kInvalidArgument, "last offset"));
  EXPECT_THAT(LargeListArray::Make(Range(0, 5), Ints({0, 5})),
              StatusIs(StatusCode::kInvalidArgument, "int64"));
}

TEST(FixedSizeListArray, C19_LengthComesFromTheCaller) {
  ASSERT_OK_AND_ASSIGN(const FixedSizeListArray lists,
                       FixedSizeListArray::Make(Ints({}), 0, 3, Bits("101")));
  EXPECT_THAT(lists, ReadsAs("[[], null, []]"));
  EXPECT_EQ(lists.Slice(1, 2).length(), 2);
  EXPECT_THAT(FixedSizeListArray::Make(Ints({}), 0), StatusIs(StatusCode::kInvalidArgument));
  ASSERT_OK_AND_ASSIGN(const FixedSizeListArray told, FixedSizeListArray::Make(Range(0, 5), 2));
  EXPECT_EQ(told.length(), 2);
  EXPECT_THAT(FixedSizeListArray::From(told.Slice(1))->list(0), ReadsAs("[2, 3]"));
}

TEST(MapArray, KeysAndValues) {
  ASSERT_OK_AND_ASSIGN(const MapArray map,
                       MapArray::Make(Utf8s({"a", "b"}), Ints({1, kNull}),
                                      Integers({0, 2, 2, 2}, 32), 3, Bits("101")));
  EXPECT_THAT(map, ReadsAs(R"([{"m": [["a", 1], ["b", null]]}, null, {"m": []}])"));
  EXPECT_THAT(map.keys(), ReadsAs(R"(["a", "b"])"));
  EXPECT_THAT(map.values(), ReadsAs("[1, null]"));
  EXPECT_EQ(map.list(0).length(), 2);
  EXPECT_THAT(ListArray::From(map), StatusIs(StatusCode::kInvalidArgument, "map"));
}

TEST(StructArray, STR_07_FieldsByName) {
  const Array one = Ints({1, 2});
  ASSERT_OK_AND_ASSIGN(const StructArray rows,
                       StructArray::Make({Field("f0", Int32()), Field("f1", Int32()),
                                          Field("f2", Int32()), Field("f1", Int32())},
                                         {one, one, one, one}));
  EXPECT_THAT(rows.FieldByName("f0"), IsOk());
  EXPECT_THAT(rows.FieldByName("nope"), StatusIs(StatusCode::kNotFound));
  EXPECT_THAT(rows.FieldByName("f1"), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(StructArray::From(rows.Slice(1))->field(0), ReadsAs("[2]"));
}

TEST(StructArray, C20_RowsWithoutFields) {
  ASSERT_OK_AND_ASSIGN(const StructArray rows, StructArray::Make({}, {}, 4, Bits("1101")));
  EXPECT_EQ(rows.length(), 4);
  EXPECT_EQ(rows.null_count(), 1);
  EXPECT_EQ(rows.ToString(), "[{}, {}, null, {}]");
  EXPECT_THAT(StructArray::Make({}, {}), StatusIs(StatusCode::kInvalidArgument));
}

TEST(DictionaryArray, IndicesAndValues) {
  ASSERT_OK_AND_ASSIGN(
      const DictionaryArray array,
      DictionaryArray::Make(Ints({9, 1, kNull}, UInt8()).Slice(1), Utf8s({"a", "b"}), true));
  EXPECT_TRUE(array.type().ordered());
  EXPECT_EQ(array.index(0), 1);
  EXPECT_EQ(array.index(1), -1);
  EXPECT_THAT(array.value(0), ReadsAs("[\"b\"]"));
  EXPECT_EQ(array.value(1).length(), 0);
  ASSERT_OK_AND_ASSIGN(const Array indices, array.indices());
  EXPECT_THAT(indices, ReadsAs("[1, null]"));
}

TEST(RunEndArray, C21_LogicalRowsAndPhysicalRuns) {
  for (const DataType& type : {Int16(), Int32(), Int64()}) {
    ASSERT_OK_AND_ASSIGN(const RunEndArray runs,
                         RunEndArray::Make(Ints({3, 5, 9}, type), Utf8s({"a", kNull, "b"})));
    EXPECT_EQ(runs.length(), 9);
    ASSERT_OK_AND_ASSIGN(const RunEndArray slice, RunEndArray::From(runs.Slice(4, 3)));
    EXPECT_THAT(slice, ReadsAs("[null, \"b\", \"b\"]"));
    EXPECT_EQ(slice.physical_index(0), 1);
    EXPECT_EQ(slice.physical_range(), std::make_pair(int64_t{1}, int64_t{3}));
    EXPECT_EQ(RunEndArray::From(runs.Slice(9, 0))->physical_range(),
              std::make_pair(int64_t{0}, int64_t{0}));
    EXPECT_THAT(slice.value(2), ReadsAs("[\"b\"]"));
  }
}

TEST(ExtensionArray, SharesItsStorage) {
  const Array storage = Ints({1, kNull});
  ASSERT_OK_AND_ASSIGN(const ExtensionArray array,
                       ExtensionArray::Make(Extension("test.ext", "", Int32()), storage.Slice(1)));
  EXPECT_THAT(array, ReadsAs("[null]"));
  ASSERT_OK_AND_ASSIGN(const Array back, array.storage());
  EXPECT_TRUE(back == storage.Slice(1));
  EXPECT_TRUE(SharesBuffer(back, storage, 1));
  EXPECT_THAT(Int32Array::From(array), IsOk());
  EXPECT_THAT(ExtensionArray::Make(Extension("test.ext", "", Int64()), storage),
              StatusIs(StatusCode::kInvalidArgument));
}

TEST(Scalar, IsAnArrayOfLengthOne) {
  ASSERT_OK_AND_ASSIGN(const Array number, MakeScalar(int16_t{7}));
  EXPECT_TRUE(IsScalar(number));
  EXPECT_EQ(number.type(), Int16());
  ASSERT_OK_AND_ASSIGN(const Array truth, MakeScalar(true));
  EXPECT_EQ(truth.ToString(), "[true]");
  ASSERT_OK_AND_ASSIGN(const Array text, MakeScalar(std::string_view("x")));
  EXPECT_EQ(text.ToString(), "[\"x\"]");
}

TEST(TypedArrays, DefaultMadeOnesAreEmpty) {
  EXPECT_TRUE(Int32Array().values().empty());
  EXPECT_THAT(Utf8Array().offsets(), ElementsAre(0));
  EXPECT_THAT(ListArray().offsets(), ElementsAre(0));
  EXPECT_EQ(BinaryViewArray().length(), 0);
  EXPECT_EQ(StructArray().num_children(), 0);
  EXPECT_EQ(MapArray().keys().length(), 0);
  EXPECT_EQ(NullArray().null_count(), 0);
}

}  // namespace
}  // namespace sheaf
