#include <limits>

#include "kernels/utf8.h"
#include "sheaf/array/array.h"
#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/fixed_size_list_array.h"
#include "sheaf/array/list_view_array.h"
#include "sheaf/array/map_array.h"
#include "sheaf/array/record_batch.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/array/struct_array.h"
#include "sheaf/array/union_array.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;
using enum ValidationLevel;

/// From the least level on that refuses the array, every level does, and none before.
void ExpectRefusedFrom(ValidationLevel least, const ArrayParts& parts,
                       const std::string& message = "") {
  for (const ValidationLevel level : {kNone, kMinimal, kDefault, kFull}) {
    SCOPED_TRACE(static_cast<int>(level));
    if (level < least) {
      EXPECT_OK(MakeArray(parts, level));
    } else {
      EXPECT_THAT(MakeArray(parts, level), StatusIs(StatusCode::kInvalidArgument, message));
    }
  }
}

ArrayParts Strings(const std::vector<int64_t>& offsets, const std::string& bytes) {
  return {.type = Utf8(),
          .length = static_cast<int64_t>(offsets.size()) - 1,
          .buffers = {Buffer(), Integers(offsets, 32), ValuesBuffer(bytes)}};
}

ArrayParts Lists(const std::vector<int64_t>& offsets, int64_t offset, int64_t length,
                 int64_t elements) {
  return {.type = List(Int32()),
          .length = length,
          .offset = offset,
          .buffers = {Buffer(), Integers(offsets, 32)},
          .children = {Range(0, elements)}};
}

TEST(Validate, VAL_01_NegativeFirstOffset) {
  ExpectRefusedFrom(kDefault, Strings({-1, 4, 8}, "12345678"));
}

TEST(Validate, VAL_02_EmptyOffsetsBuffer) {
  ArrayParts parts = Strings({0, 4, 8}, "12345678");
  parts.buffers[1] = Buffer::Empty();
  ExpectRefusedFrom(kMinimal, parts, "offsets buffer too small: 0 bytes for 3 slots");
}

TEST(Validate, VAL_03_ViewsAreReadByFullOnly) {
  const ListViewArray views = ListViewsOver(Range(0, 4), {-1, 4}, {4, 0});
  EXPECT_OK(Validate(views, kDefault));
  EXPECT_THAT(Validate(views, kFull),
              StatusIs(StatusCode::kInvalidArgument, "list_view $, row 0: negative offset: -1"));
  EXPECT_THAT(views.Verify(), StatusIs(StatusCode::kInvalidArgument, "row 0"));
  EXPECT_OK(Validate(views.Slice(1), kFull));
  EXPECT_OK(views.Slice(1).Verify());
}

TEST(Validate, VAL_04_OnlyTheWindowCounts) {
  const ListViewArray views = ListViewsOver(Range(0, 4), {0, -1}, {2, 1});
  EXPECT_THAT(Validate(views.Slice(1)), StatusIs(StatusCode::kInvalidArgument, "row 0"));
  EXPECT_OK(Validate(views.Slice(0, 1)));
}

TEST(Validate, VAL_05_FirstAndLastOffsetByDefaultAllByFull) {
  ExpectRefusedFrom(kFull, Lists({0, -1, 3}, 0, 2, 4), "row 0: offsets fall: 0 > -1");
  ExpectRefusedFrom(kDefault, Lists({0, 2, -1}, 0, 2, 4));
  EXPECT_OK(MakeArray(Lists({-1, 0, 3}, 1, 1, 4), kFull));
}

TEST(Validate, VAL_06_OffsetsOfEmptyArraysAreNotRead) {
  EXPECT_OK(MakeArray(Lists({1}, 0, 0, 0), kFull));
  EXPECT_OK(MakeArray(Lists({0, 2, 6, 0}, 3, 0, 6), kFull));
  ASSERT_OK_AND_ASSIGN(const Array array, MakeArray(Lists({}, 0, 0, 0), kFull));
  EXPECT_EQ(array.buffer(1).as<int32_t>()[0], 0);
}

TEST(Validate, VAL_07_LengthsThatWouldWrap) {
  ExpectRefusedFrom(kMinimal,
                    {.type = Struct({Field("a", Int64())}),
                     .length = std::numeric_limits<int64_t>::max(),
                     .offset = 1,
                     .buffers = {Buffer()},
                     .children = {Ints({1}, Int64())}},
                    "exceeds 64 bits");
  ExpectRefusedFrom(kMinimal, {.type = Int32(), .length = -1, .buffers = {Buffer(), Buffer()}},
                    "negative length");
  ExpectRefusedFrom(
      kMinimal,
      {.type = Int64(), .length = int64_t{1} << 61, .buffers = {Buffer(), Integers({1}, 64)}},
      "values buffer too small");
}

TEST(Validate, VAL_08_OffsetAndLengthDecideTheSizeNeeded) {
  const auto parts = [](int64_t validity_bytes, int64_t value_bytes) {
    const Buffer zeros = Integers(std::vector<int64_t>(16, -1), 64);
    return ArrayParts{.type = Int32(),
                      .length = 8,
                      .offset = 1,
                      .buffers = {zeros.Slice(0, validity_bytes), zeros.Slice(0, value_bytes)}};
  };
  ExpectRefusedFrom(kMinimal, parts(1, 36), "validity buffer too small: 1 bytes");
  ExpectRefusedFrom(kMinimal, parts(2, 32), "values buffer too small: 32 bytes");
  EXPECT_OK(MakeArray(parts(2, 36), kMinimal));
}

TEST(Validate, VAL_09_OffsetsOfListsAndListViews) {
  EXPECT_OK(MakeArray(Lists({0, 4, 7}, 0, 2, 7), kFull));
  ExpectRefusedFrom(kMinimal, Lists({0, 4}, 0, 2, 7));
  ExpectRefusedFrom(kDefault, Lists({0, 4, 8}, 0, 2, 7), "8 > 7");
  ExpectRefusedFrom(kFull, Lists({0, 5, 4}, 0, 2, 7), "row 1: offsets fall: 5 > 4");
  EXPECT_OK(MakeArray(Lists({9, 0, 4, 7}, 1, 2, 7), kFull));
  EXPECT_OK(Validate(ListViewsOver(Range(0, 7), {0, 4}, {4, 3})));
  EXPECT_THAT(Validate(ListViewsOver(Range(0, 7), {4, 1}, {3, 7})),
              StatusIs(StatusCode::kInvalidArgument,
                       "row 1: offset + size past the end of elements: 1 + 7 > 7"));
}

TEST(Validate, VAL_10_DictionaryIndices) {
  const Array dictionary = Utf8s({"a", "b"});
  EXPECT_THAT(
      DictionaryArray::Make(Ints({0, 2}, Int8()), dictionary),
      StatusIs(StatusCode::kInvalidArgument, "row 1: index outside the dictionary: 2 of 2"));
  EXPECT_THAT(DictionaryArray::Make(Ints({-1, 0}, Int8()), dictionary),
              StatusIs(StatusCode::kInvalidArgument, "row 0: index outside the dictionary: -1"));
  EXPECT_OK(DictionaryArray::Make(Ints({0, kNull, 1}, UInt64()), dictionary));
}

TEST(Validate, VAL_11_MapsHoldNoNullEntriesOrKeys) {
  const auto offsets = [] { return Integers({0, 2}, 32); };
  EXPECT_THAT(MapArray::Make(Utf8s({"a", kNull}), Ints({1, 2}), offsets(), 1),
              StatusIs(StatusCode::kInvalidArgument, "$.entries.key, row 1"));
  EXPECT_OK(MapArray::Make(Utf8s({"a", "b"}), Ints({1, kNull}), offsets(), 1));
  const DataType type = Map(Utf8(), Field("value", Int32()));
  const auto map_over = [&](const std::string& valid_entries, const std::string& valid) {
    const Array entries = StructOver({type.field(0).type().field(0), type.field(0).type().field(1)},
                                     {Utf8s({"a", "b"}), Ints({1, 2})}, 2, valid_entries);
    return MakeArray(
        {.type = type, .length = 1, .buffers = {Bits(valid), offsets()}, .children = {entries}},
        kFull);
  };
  EXPECT_THAT(map_over("10", ""), StatusIs(StatusCode::kInvalidArgument, "$.entries, row 1"));
  EXPECT_OK(map_over("10", "0"));  // The map's row is null: what lies under it is not seen.
}

TEST(Validate, VAL_12_Utf8) {
  ExpectRefusedFrom(kFull, Strings({0, 1, 3}, std::string("a\xC3(", 3)),
                    "utf8 $, row 1: not UTF-8");
  ExpectRefusedFrom(kFull, Strings({0, 1, 2}, "\xC3\xA4"), "row 0: not UTF-8");  // Cut in two.
  EXPECT_OK(MakeArray(Strings({0, 2, 5, 9}, "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x8C\xBE"), kFull));
  for (const char* bad : {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE0\x80\x80", "\xFF",
                          "\x80", "\xE2\x82"}) {
    const auto size = static_cast<int64_t>(std::string(bad).size());
    ExpectRefusedFrom(kFull, Strings({0, size}, bad));
  }
  ArrayParts null_row = Strings({0, 1}, "\xFF");
  null_row.buffers[0] = Bits("0");
  EXPECT_OK(MakeArray(null_row, kFull));
}

/// Row by row, a code point at a time.
bool IsUtf8Row(std::string_view text) {
  size_t size = 0;
  for (; !text.empty(); text.remove_prefix(size)) {
    size = kernels::CodePointSize(text, 0);
    if (size == 0) return false;
  }
  return true;
}

TEST(Validate, VAL_12_NamesTheFirstValidRowThatIsNotUtf8WhateverTheBytesAreTogether) {
  const std::string pieces[] = {"a", "bc", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x8C\xBE"};
  std::mt19937 random(12);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes;
    std::vector<int64_t> borders{0};  // Of code points.
    for (unsigned i = random() % 60; i > 0; --i) {
      bytes += pieces[random() % std::size(pieces)];
      borders.push_back(static_cast<int64_t>(bytes.size()));
    }
    if (!bytes.empty() && random() % 3 == 0) bytes[random() % bytes.size()] = '\xBF';
    // Rows begin at a code point, but for one in some arrays; some rows are null.
    std::vector<int64_t> offsets;
    for (unsigned i = 1 + random() % 12; i > 0; --i)
      offsets.push_back(borders[random() % borders.size()]);
    if (random() % 3 == 0)
      offsets[random() % offsets.size()] = static_cast<int64_t>(random() % (bytes.size() + 1));
    std::sort(offsets.begin(), offsets.end());
    const size_t rows = offsets.size() - 1;
    std::string validity(rows, '1');
    for (char& bit : validity) bit = random() % 4 == 0 ? '0' : '1';

    std::string expected;
    for (size_t i = 0; i < rows && expected.empty(); ++i) {
      const auto size = static_cast<size_t>(offsets[i + 1] - offsets[i]);
      const std::string_view row =
          std::string_view(bytes).substr(static_cast<size_t>(offsets[i]), size);
      if (validity[i] == '1' && !IsUtf8Row(row))
        expected = "row " + std::to_string(i) + ": not UTF-8";
    }
    ArrayParts parts = Strings(offsets, bytes);
    if (rows > 0) parts.buffers[0] = Bits(validity);
    if (expected.empty()) {
      ASSERT_OK(MakeArray(parts, kFull));
    } else {
      ++refused;
      ASSERT_THAT(MakeArray(parts, kFull), StatusIs(StatusCode::kInvalidArgument, expected));
    }
  }
  EXPECT_GT(refused, 500);
  EXPECT_LT(refused, 2500);
}

TEST(Validate, C03_WalksTheRowsNotTheChild) {
  EXPECT_OK(Validate(ListViewsOver(Range(1, 6), {0, 4}, {4, 1})));
  EXPECT_THAT(Validate(ListViewsOver(Ints({1}), {0, 0, 0, 1}, {1, 0, 1, 1})),
              StatusIs(StatusCode::kInvalidArgument,
                       "row 3: offset + size past the end of elements: 1 + 1 > 1"));
  EXPECT_OK(Validate(ListViewsOver(Range(1, 4), {0, 3}, {2, 0})));
  EXPECT_THAT(
      Validate(ListViewsOver(Range(1, 4), {0, 9}, {2, 0})),
      StatusIs(StatusCode::kInvalidArgument, "row 1: offset past the end of elements: 9 > 3"));
  EXPECT_THAT(Validate(ListViewsOver(Range(1, 4), {0, 3}, {2, 2147483647})),
              StatusIs(StatusCode::kInvalidArgument, "row 1: offset + size past the end"));
}

TEST(Validate, C06_BoundsHoldForNullRowsToo) {
  EXPECT_OK(Validate(ListViewsOver(Range(1, 4), {0, 1, 2}, {2, 2, 1}, "101")));
  const ListViewArray past = ListViewsOver(Range(1, 4), {0, 2, 2}, {2, 2147483647, 1}, "101");
  EXPECT_THAT(Validate(past), StatusIs(StatusCode::kInvalidArgument, "row 1"));
  EXPECT_THAT(past.ToString(), ::testing::HasSubstr("invalid"));
  EXPECT_FALSE(past == past);
  EXPECT_THAT(Validate(ListViewsOver(Range(1, 4), {0, -5, 2}, {2, 99, 1}, "101")),
              StatusIs(StatusCode::kInvalidArgument, "row 1: negative offset: -5"));
}

TEST(Validate, C12_DictionariesAreCheckedToo) {
  const ListViewArray bad = ListViewsOver(Range(0, 2), {0}, {3});
  EXPECT_THAT(DictionaryArray::Make(Ints({0}, Int8()), bad),
              StatusIs(StatusCode::kInvalidArgument, "$.dictionary, row 0"));
}

TEST(Validate, C18_NullCounts) {
  const auto parts = [](int64_t null_count, bool bitmap) {
    return ArrayParts{.type = Int8(),
                      .length = 5,
                      .offset = 1,
                      .null_count = null_count,
                      .buffers = {bitmap ? ValuesBuffer(std::vector<uint8_t>{0x16}) : Buffer(),
                                  Integers({9, 10, 20, 30, 40, 50}, 8)}};
  };
  ASSERT_OK_AND_ASSIGN(const Array array, MakeArray(parts(-1, true), kFull));
  EXPECT_THAT(array, ReadsAs("[10, 20, null, 40, null]"));
  EXPECT_EQ(array.null_count(), 2);
  ASSERT_OK_AND_ASSIGN(const Array without, MakeArray(parts(-1, false), kFull));
  EXPECT_EQ(without.null_count(), 0);
  ExpectRefusedFrom(kMinimal, parts(2, false), "without a validity bitmap");
  ExpectRefusedFrom(kMinimal, parts(-2, true), "null count outside");
  ExpectRefusedFrom(kMinimal, parts(6, true), "null count outside");
  ExpectRefusedFrom(kFull, parts(1, true), "null count is 1, the bitmap has 2");
}

TEST(Validate, STR_03_AValidChildUnderANullParentIsFine) {
  const Array lists = ListsOver(Range(0, 4), {0, 2, 3, 4});
  EXPECT_OK(StructArray::Make({Field("a", lists.type())}, {lists}, 3, Bits("101")));
}

TEST(Validate, STR_06_C28_AFieldThatIsTooShortIsNamedWithBothLengths) {
  const auto make = [](ValidationLevel level) {
    return StructArray::Make({Field("a", Int32()), Field("b", Int32())},
                             {Ints({1, 2, 3}), Ints({1, 2})}, 3, {}, level);
  };
  for (const ValidationLevel level : {kMinimal, kDefault, kFull}) {
    EXPECT_THAT(make(level),
                StatusIs(StatusCode::kInvalidArgument, "field .b is shorter: 2 < 3 rows"));
  }
  ASSERT_OK_AND_ASSIGN(const StructArray unchecked, make(kNone));
  EXPECT_THAT(unchecked.Verify(), StatusIs(StatusCode::kInvalidArgument, ".b"));
}

TEST(Validate, FSL_08_ElementsMustFillTheRows) {
  EXPECT_THAT(FixedSizeListArray::Make(Ints({}), 2, 1),
              StatusIs(StatusCode::kInvalidArgument, "0 < 1 rows x 2"));
  EXPECT_THAT(FixedSizeListArray::Make(Ints({}), -42, 0), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_OK(FixedSizeListArray::Make(Range(0, 4), 2, 1));
}

TEST(Validate, FSL_07_ExcessElementsAreNotSeen) {
  ASSERT_OK_AND_ASSIGN(const FixedSizeListArray lists,
                       FixedSizeListArray::Make(Range(0, 9), 2, 3, Bits("101")));
  EXPECT_THAT(lists, ReadsAs("[[0, 1], null, [4, 5]]"));
  EXPECT_EQ(lists.window_elements().length(), 6);
}

TEST(Validate, NullsInRequiredFieldsCountOnlyWhereTheyAreSeen) {
  const Field required("a", Int32(), false);
  const auto inner = [&](const std::string& valid) {
    return StructOver({required}, {Ints({1, kNull, 3})}, 3, valid);
  };
  EXPECT_THAT(Validate(inner("")),
              StatusIs(StatusCode::kInvalidArgument,
                       "int32 $.a, row 1: null in a field that is not nullable"));
  EXPECT_OK(Validate(inner("101")));
  // The parent's row is valid, but its own parent's is null.
  const Array outer = StructOver({Field("s", inner("").type())}, {inner("")}, 3, "101");
  EXPECT_OK(Validate(outer));
  EXPECT_THAT(Validate(StructOver({Field("s", inner("").type())}, {inner("")}, 3, "011")),
              StatusIs(StatusCode::kInvalidArgument, "$.s.a, row 1"));
  EXPECT_OK(Validate(outer.Slice(2)));
}

TEST(Validate, RunEndsMustRiseAndReachTheLength) {
  const Array values = Utf8s({"a", kNull, "b"});
  EXPECT_OK(RunEndArray::Make(Ints({3, 5, 9}), values));
  EXPECT_THAT(RunEndArray::Make(Ints({3, 3, 9}), values),
              StatusIs(StatusCode::kInvalidArgument, "must rise"));
  EXPECT_THAT(RunEndArray::Make(Ints({0, 3, 9}), values),
              StatusIs(StatusCode::kInvalidArgument, "must rise"));
  EXPECT_THAT(RunEndArray::Make(Ints({3, 5, 9}), values, 8, 2),
              StatusIs(StatusCode::kInvalidArgument, "9 of 10"));
  EXPECT_THAT(RunEndArray::Make(Ints({3, kNull, 9}), values),
              StatusIs(StatusCode::kInvalidArgument, "null"));
  EXPECT_THAT(RunEndArray::Make(Ints({3, 5, 9, 10}), values),
              StatusIs(StatusCode::kInvalidArgument, "3 < 4"));
}

TEST(Validate, UnionsKnowTheirTypeIdsAndSlots) {
  ASSERT_OK_AND_ASSIGN(
      const DataType dense,
      Union(TypeId::kDenseUnion, {Field("a", Int32()), Field("b", Utf8())}, {5, 7}));
  const auto make = [&](const std::vector<int64_t>& ids, const std::vector<int64_t>& offsets) {
    return UnionArray::MakeDense(dense, Integers(ids, 8), Integers(offsets, 32),
                                 {Ints({1, 2}), Utf8s({"x"})}, static_cast<int64_t>(ids.size()));
  };
  EXPECT_OK(make({5, 7, 5}, {0, 0, 1}));
  EXPECT_THAT(make({5, 6}, {0, 0}),
              StatusIs(StatusCode::kInvalidArgument, "row 1: unknown type id: 6"));
  EXPECT_THAT(make({-5}, {0}), StatusIs(StatusCode::kInvalidArgument, "unknown type id: -5"));
  EXPECT_THAT(make({7, 7}, {0, 1}), StatusIs(StatusCode::kInvalidArgument, "row 1"));
  EXPECT_THAT(make({7}, {-1}), StatusIs(StatusCode::kInvalidArgument, "negative offset"));
}

TEST(Validate, StringViewsStayInTheirBuffers) {
  const auto make = [](std::vector<int32_t> slot, const std::string& valid = "") {
    return MakeArray(
        {.type = Utf8View(),
         .length = 1,
         .buffers = {Bits(valid), ValuesBuffer(slot), ValuesBuffer(std::string("thirteen chars"))}},
        kFull);
  };
  const int32_t prefix = 0x72696874;  // "thir"
  EXPECT_OK(make({14, prefix, 0, 0}));
  EXPECT_THAT(make({14, prefix, 3, 0}),
              StatusIs(StatusCode::kInvalidArgument, "view into buffer 3 of 1"));
  EXPECT_THAT(make({14, prefix, -1, 0}),
              StatusIs(StatusCode::kInvalidArgument, "view into buffer -1"));
  EXPECT_THAT(make({14, prefix, 0, 1}), StatusIs(StatusCode::kInvalidArgument, "1 + 14 > 14"));
  EXPECT_THAT(make({-1, 0, 0, 0}), StatusIs(StatusCode::kInvalidArgument, "negative size"));
  EXPECT_THAT(make({14, 1, 0, 0}), StatusIs(StatusCode::kInvalidArgument, "prefix"));
  EXPECT_OK(make({14, prefix, 3, 0}, "0"));  // Under a null nothing is followed.
}

TEST(Validate, DecimalsKeepTheirPrecision) {
  ASSERT_OK_AND_ASSIGN(const DataType type, Decimal(TypeId::kDecimal128, 3, 1));
  const auto make = [&](int64_t low, int64_t high) {
    return MakeArray({.type = type, .length = 1, .buffers = {Buffer(), Integers({low, high}, 64)}},
                     kFull);
  };
  EXPECT_OK(make(999, 0));
  EXPECT_OK(make(-999, -1));
  EXPECT_THAT(make(1000, 0), StatusIs(StatusCode::kInvalidArgument, "row 0: more than 3 digits"));
  EXPECT_THAT(make(-1000, -1), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(make(0, 1), StatusIs(StatusCode::kInvalidArgument));
}

TEST(Validate, ASliceChecksOnlyWhatItReaches) {
  const ListViewArray inner = ListViewsOver(Range(0, 3), {0, 2, 1}, {2, 9, 1});  // Row 1 is bad.
  const Array outer = ListsOver(inner, {0, 1, 2, 3});
  EXPECT_THAT(outer.Verify(), StatusIs(StatusCode::kInvalidArgument, "$.item, row 1"));
  EXPECT_OK(outer.Slice(0, 1).Verify());
  EXPECT_THAT(outer.Slice(1, 1).Verify(), StatusIs(StatusCode::kInvalidArgument, "$.item, row 1"));
  EXPECT_OK(outer.Slice(2, 1).Verify());
}

TEST(Validate, CIM_07_DeepNestingEndsInAnErrorNotInTheStack) {
  Array array = Ints({1});
  for (int i = 0; i < 3000; ++i) {
    array = MakeRaw({.type = ListView(array.type()),
                     .length = 1,
                     .buffers = {Buffer(), Integers({0}, 32), Integers({1}, 32)},
                     .children = {array}});
  }
  EXPECT_THAT(array.Verify(), StatusIs(StatusCode::kInvalidArgument, "nested deeper"));
  EXPECT_THAT(Validate(array), StatusIs(StatusCode::kInvalidArgument, "nested deeper"));
  EXPECT_THAT(Validate(array, kDefault), StatusIs(StatusCode::kInvalidArgument, "nested deeper"));
}

TEST(Validate, RandomArraysOfAllTypesPassAndStayVerified) {
  for (const uint64_t seed : Seeds(3)) {
    Random random(seed);
    for (const TypeId id : AllTypeIds()) {
      const DataType type = SampleType(id);
      SCOPED_TRACE(type.ToString());
      RandomOptions options;
      options.sliced = Chance(random, 0.5);
      const Array array = RandomArray(type, options, random);
      EXPECT_THAT(array, IsValidArray());
      EXPECT_THAT(array.Slice(3, 20), IsValidArray());
      for (const ValidationLevel level : {kNone, kMinimal, kDefault})
        EXPECT_OK(Validate(array, level));
    }
  }
}

TEST(Validate, NamesTheColumnOfABatch) {
  const ListViewArray bad = ListViewsOver(Range(0, 16), {0, 12}, {1, 5});
  ASSERT_OK_AND_ASSIGN(const RecordBatch batch,
                       RecordBatch::Make(Schema({Field("points", bad.type())}), 2, {bad}));
  EXPECT_THAT(
      batch.Validate(),
      StatusIs(StatusCode::kInvalidArgument,
               "list_view $.points, row 1: offset + size past the end of elements: 12 + 5 > 16"));
}

}  // namespace
}  // namespace sheaf
