#include "sheaf/array/dictionary_array.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/bytes.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "testing/raw_buffers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

const MaybeTexts kThree = {"a", "b", "c"};

/// int32 indices of which some are null, whatever they hold.
Array Indices(const std::vector<int32_t>& indices, const std::vector<bool>& valid) {
  return MakeRaw({.type = Int32(),
                  .length = static_cast<int64_t>(indices.size()),
                  .buffers = {Bits(valid), ValuesBuffer(indices)}});
}

TEST(DictionaryArrayTest, DIC_08_AnIndexOutsideIsAnErrorUnlessItIsNull) {
  EXPECT_THAT(DictionaryArray::Make(Ints({1, 2, 0, 3}), Utf8s(kThree)),
              StatusIs(StatusCode::kInvalidArgument, "index outside the dictionary: 3 of 3"));
  for (const int32_t hidden : {-1, 3, 1 << 30}) {
    ASSERT_OK_AND_ASSIGN(const DictionaryArray rows,
                         DictionaryArray::Make(
                             Indices({1, 2, hidden, 0}, {true, true, false, true}), Utf8s(kThree)));
    EXPECT_THAT(rows, ReadsAs(R"(["b", "c", null, "a"])"));
    EXPECT_EQ(rows.index(2), -1);
    EXPECT_EQ(rows.value(2).length(), 0);
  }
  EXPECT_THAT(DictionaryArray::Make(Ints({1, 2, kNull, 3}), Utf8s(kThree)),
              StatusIs(StatusCode::kInvalidArgument, "row 3"));
  EXPECT_THAT(DictionaryArray::Make(Ints({0, -1}), Utf8s(kThree)),
              StatusIs(StatusCode::kInvalidArgument, "-1"));
  // Of a slice only its own rows count.
  ASSERT_OK_AND_ASSIGN(
      const DictionaryArray foreign,
      DictionaryArray::Make(Ints({1, 2, 0, 3}), Utf8s(kThree), false, ValidationLevel::kNone));
  EXPECT_OK(foreign.Slice(0, 3).Verify());
  EXPECT_FALSE(foreign.Slice(3).Verify().ok());
}

TEST(DictionaryArrayTest, DIC_09_TheLargestUInt64IsNoIndex) {
  const std::vector<uint64_t> indices = {0, std::numeric_limits<uint64_t>::max()};
  const Array rows =
      MakeRaw({.type = UInt64(), .length = 2, .buffers = {Buffer(), ValuesBuffer(indices)}});
  EXPECT_THAT(DictionaryArray::Make(rows, Utf8s(kThree)),
              StatusIs(StatusCode::kInvalidArgument, "18446744073709551615"));
}

TEST(DictionaryArrayTest, DIC_10_ADictionaryThatIsMissingOrInvalid) {
  const Array indices = Ints({0, 0}, Int8());
  const DataType type = *Dictionary(Int8(), Utf8());
  const ArrayParts parts = {
      .type = type, .length = 2, .buffers = {indices.buffer(0), indices.buffer(1)}};
  for (const ValidationLevel level : {ValidationLevel::kMinimal, ValidationLevel::kFull}) {
    EXPECT_THAT(MakeArray(parts, level), StatusIs(StatusCode::kInvalidArgument, "dictionary"));
  }
  ArrayParts with_integers = parts;
  with_integers.dictionary = {Ints({1})};
  EXPECT_THAT(MakeArray(with_integers), StatusIs(StatusCode::kInvalidArgument));

  const Array broken = MakeRaw({.type = Utf8(),
                                .length = 1,
                                .buffers = {Buffer(), ValuesBuffer(std::vector<int32_t>{0, 9}),
                                            ValuesBuffer(std::string("abc"))}});
  EXPECT_THAT(DictionaryArray::Make(indices, broken),
              StatusIs(StatusCode::kInvalidArgument, "$.dictionary"));
}

TEST(DictionaryArrayTest, ABrokenDictionaryIsFoundBehindASliceWithoutRows) {
  // An offset too few, so that its length would be read from behind the buffer.
  const Array broken = MakeRaw({.type = Utf8(),
                                .length = 2,
                                .buffers = {Buffer(), ValuesBuffer(std::vector<int32_t>{0, 1}),
                                            ValuesBuffer(std::string("abc"))}});
  ASSERT_OK_AND_ASSIGN(const Array rows,
                       DictionaryArray::Make(Ints({0, 1}), broken, false, ValidationLevel::kNone));
  for (const Array& array : {rows.Slice(0, 0), rows.Slice(1, 0), rows.Slice(2, 0)}) {
    EXPECT_THAT(array.Verify(), StatusIs(StatusCode::kInvalidArgument, "$.dictionary"));
    EXPECT_THAT(UsedBytes(array), StatusIs(StatusCode::kInvalidArgument));
    EXPECT_THAT(ExactBytes(array), StatusIs(StatusCode::kInvalidArgument));
  }
  // Below lists without elements nobody reads it, whatever it is.
  const Array lists = ListsOver(rows, {1, 1, 1}).Slice(0, 1);
  EXPECT_EQ(*UsedBytes(lists), 8);
  EXPECT_EQ(*ExactBytes(lists), 8);
}

}  // namespace
}  // namespace sheaf
