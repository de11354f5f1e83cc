// What a dictionary builder makes of dictionaries and values; how it meets failures, marks and
// random programs is in the tables of the other files.

#include "sheaf/builder/dictionary_builder.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sheaf/array/chunked_array.h"
#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/logical_nulls.h"
#include "sheaf/builder/list_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "sheaf/builder/struct_builder.h"
#include "sheaf/type/field.h"
#include "testing/array_literals.h"
#include "testing/builders.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"
#include "testing/raw_buffers.h"

namespace sheaf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;

const BuilderOptions kWidening = {.dictionaries = {.on_overflow = OnIndexOverflow::kWiden}};
const BuilderOptions kKeeping = {.dictionaries = {.keep_dictionary = true}};

/// Rows by their indices over any values.
Array DictionaryOf(const MaybeInts& indices, const Array& values, const DataType& index = Int32(),
                   bool ordered = false) {
  return *DictionaryArray::Make(Ints(indices, index), values, ordered);
}

MaybeInts IndicesOf(const Array& array) {
  const DictionaryArray rows = *DictionaryArray::From(array);
  MaybeInts indices;
  for (int64_t i = 0; i < rows.length(); ++i)
    indices.push_back(rows.IsValid(i) ? std::optional(rows.index(i)) : kNull);
  return indices;
}

/// "k<first>" to "k<last - 1>".
Array Keys(int64_t first, int64_t last) {
  MaybeTexts keys;
  for (int64_t i = first; i < last; ++i) keys.push_back("k" + std::to_string(i));
  return Utf8s(keys);
}

/// Every value once, in order.
Array Enumerated(const Array& values, const DataType& index) {
  MaybeInts indices;
  for (int64_t i = 0; i < values.length(); ++i) indices.push_back(i);
  return DictionaryOf(indices, values, index);
}

Array Joined(const DataType& type, const std::vector<Array>& arrays,
             const BuilderOptions& options = {}) {
  const auto builder = BuilderOf(type, options);
  for (const Array& array : arrays) EXPECT_OK(builder->AppendArray(array));
  return Finished(*builder);
}

// ── Values ──

TEST(DictionaryBuilderTest, ValuesAndANullAreEncoded_DIC_01) {
  const auto builder = BuilderOf<DictionaryBuilder>("dictionary<int32, int64>");
  ASSERT_OK(builder->Append(int64_t{1}));
  ASSERT_OK(builder->Append(int64_t{2}));
  ASSERT_OK(builder->Append(int64_t{1}));
  ASSERT_OK(builder->AppendNull());
  EXPECT_EQ(builder->null_count(), 1);
  const Array array = Finished(*builder);
  EXPECT_EQ(IndicesOf(array), (MaybeInts{0, 1, 0, kNull}));
  EXPECT_EQ(array.dictionary(), Ints({1, 2}, Int64()));
}

TEST(DictionaryBuilderTest, AnEmptyArrayHasItsBuffers_DIC_02) {
  for (const BuilderOptions& options : {BuilderOptions(), kWidening}) {
    const Array array = Finished(*BuilderOf("dictionary<int16, utf8>", options));
    EXPECT_EQ(array.length(), 0);
    EXPECT_FALSE(array.buffer(1).absent());
    EXPECT_EQ(array.dictionary().length(), 0);
    EXPECT_FALSE(array.dictionary().buffer(2).absent());
  }
}

TEST(DictionaryBuilderTest, TheIndexTypeIsTheOneAskedFor_DIC_03) {
  for (const DataType& index :
       {Int8(), UInt8(), Int16(), UInt16(), Int32(), UInt32(), Int64(), UInt64()}) {
    for (const BuilderOptions& options : {BuilderOptions(), kWidening}) {
      const DataType type = *Dictionary(index, Utf8());
      const auto builder = BuilderOf<DictionaryBuilder>(type, options);
      EXPECT_EQ(builder->type(), type);
      for (const char* text : {"a", "b"}) ASSERT_OK(builder->Append(text));
      ASSERT_OK(builder->AppendNull());
      ASSERT_OK(builder->Append("a"));
      const Array array = Finished(*builder);
      EXPECT_EQ(array.type(), type);
      EXPECT_EQ(IndicesOf(array), (MaybeInts{0, 1, kNull, 0}));
      EXPECT_THAT(array, ReadsAs(R"(["a", "b", null, "a"])"));
    }
  }
}

TEST(DictionaryBuilderTest, WideningKeepsTheSign_DIC_04) {
  EXPECT_EQ(Joined(*Dictionary(UInt8(), Utf8()), {Keys(0, 300)}, kWidening).type(),
            *Dictionary(UInt16(), Utf8()));
  EXPECT_EQ(Joined(*Dictionary(Int8(), Utf8()), {Keys(0, 129)}, kWidening).type(),
            *Dictionary(Int16(), Utf8()));
  EXPECT_EQ(Joined(*Dictionary(Int16(), Int32()), {Range(0, 70'000)}, kWidening).type(),
            *Dictionary(Int32(), Int32()));
  const Array array = Joined(*Dictionary(UInt8(), Utf8()), {Keys(0, 300), Keys(7, 9)}, kWidening);
  EXPECT_THAT(array.Slice(0, 300), ReadsLike(Keys(0, 300)));
  EXPECT_THAT(array.Slice(300), ReadsLike(Keys(7, 9)));
}

TEST(DictionaryBuilderTest, TheIndexTypeIsFilledToTheLastValue_DIC_05_C15) {
  for (const auto& [index, most] : {std::pair{UInt8(), 256}, std::pair{Int8(), 128},
                                    std::pair{UInt16(), 65'536}, std::pair{Int16(), 32'768}}) {
    const DataType type = *Dictionary(index, Utf8());
    SCOPED_TRACE(type.ToString());
    // By values, and by dictionaries that are joined.
    const Array halves[2] = {Enumerated(Keys(0, most / 2), index),
                             Enumerated(Keys(most / 2, most), index)};
    EXPECT_THAT(Joined(type, {halves[0], halves[1]}), ReadsLike(Keys(0, most)));
    const auto builder = BuilderOf<DictionaryBuilder>(type);
    ASSERT_OK(builder->AppendArray(Keys(0, most)));
    ASSERT_OK(builder->AppendNull());
    ASSERT_OK(builder->Append("k5"));
    EXPECT_THAT(builder->Append("another"),
                StatusIs(StatusCode::kOutOfRange, "at most " + std::to_string(most)));
    EXPECT_THAT(builder->AppendArray(Keys(most, most + 1)), StatusIs(StatusCode::kOutOfRange));
    ASSERT_OK(builder->Append("k7"));
    const Array array = Finished(*builder);
    EXPECT_EQ(array.length(), most + 3);
    EXPECT_EQ(array.dictionary().length(), most);
    EXPECT_THAT(array.Slice(most), ReadsAs(R"([null, "k5", "k7"])"));
  }
}

TEST(DictionaryBuilderTest, OneValueTooManyIsAnError_DIC_06) {
  const Array first = Enumerated(Keys(0, 256), UInt8());
  const Array second = Enumerated(Keys(256, 512), UInt8());
  const auto builder = BuilderOf("dictionary<uint8, utf8>");
  ASSERT_OK(builder->AppendArray(first));
  EXPECT_THAT(builder->AppendArray(second), StatusIs(StatusCode::kOutOfRange, "uint8"));
  EXPECT_THAT(Finished(*builder), ReadsLike(Keys(0, 256)));
  const Array wide = Joined(*Dictionary(UInt16(), Utf8()), {first, second});
  EXPECT_THAT(wide, ReadsLike(Keys(0, 512)));
}

TEST(DictionaryBuilderTest, WideningChangesTheTypesAround_DIC_07) {
  MaybeTexts texts;
  std::vector<int64_t> offsets = {0};
  for (int i = 0; i < 729; ++i) {
    texts.push_back("text " + std::to_string(i));
    if (i % 3 == 2) offsets.push_back(i + 1);
  }
  const Array lists = ListsOver(Utf8s(texts), offsets);
  for (const char* type :
       {"list<dictionary<int8, utf8>>", "large_list<dictionary<int8, utf8>>",
        "list_view<dictionary<int8, utf8>>", "fixed_size_list<dictionary<int8, utf8>>[3]"}) {
    SCOPED_TRACE(type);
    for (BuilderOptions options : {kWidening, kKeepAll, kKeepNone}) {
      options.dictionaries = kWidening.dictionaries;
      const auto builder = BuilderOf(type, options);
      ASSERT_OK(builder->AppendArray(lists, 0, 20));
      ASSERT_OK(builder->AppendArray(lists, 20, 223));
      const Array array = Finished(*builder);
      EXPECT_EQ(array.type().value_type(), *Dictionary(Int16(), Utf8()));
      EXPECT_EQ(array.child(0).type(), *Dictionary(Int16(), Utf8()));
      EXPECT_EQ(array.child(0).dictionary().length(), 729);
      EXPECT_THAT(array, ReadsLike(lists));

      // As pieces, of the same type, and once more: the builder begins anew.
      ASSERT_OK(builder->AppendArray(array));
      ASSERT_OK(builder->AppendArray(lists, 3, 5));
      ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
      EXPECT_EQ(chunks.type(), array.type());
      EXPECT_EQ(chunks.length(), 248);
      ASSERT_OK(builder->AppendArray(lists, 0, 1));
      EXPECT_EQ(Finished(*builder).child(0).type(), *Dictionary(Int8(), Utf8()));
    }
  }
}

TEST(DictionaryBuilderTest, EveryKindOfValueIsFoundAgain) {
  Random random(11);
  for (const TypeId id : AllTypeIds()) {
    const StatusOr<DataType> type = Dictionary(Int32(), SampleType(id));
    if (!MakeBuilder(*type).ok()) continue;
    SCOPED_TRACE(type->ToString());
    const Array values = RandomArray(type->value_type(), {.null_rate = 0.3}, random);
    const auto builder = BuilderOf<DictionaryBuilder>(*type);
    ASSERT_OK(builder->AppendArray(values));
    const int64_t distinct = builder->dictionary_length();
    ASSERT_OK(builder->AppendArray(values, 10, 30));
    ASSERT_OK(builder->AppendArray(values));
    EXPECT_EQ(builder->dictionary_length(), distinct);
    const Array array = Finished(*builder);
    EXPECT_THAT(array.Slice(0, 50), ReadsLike(values));
    EXPECT_THAT(array.Slice(50, 30), ReadsLike(values.Slice(10, 30)));
    EXPECT_THAT(array.Slice(80), ReadsLike(values));
  }
}

TEST(DictionaryBuilderTest, TypedValuesOfEveryKind) {
  const auto numbers = BuilderOf<DictionaryBuilder>("dictionary<int8, float64>");
  const std::vector<double> doubles = {0.5, -0.0, 0.0, 0.5};
  const std::vector<uint8_t> bits = {0b1011};
  ASSERT_OK(numbers->AppendValues(std::span<const double>(doubles), {bits.data(), 0, 4}));
  ASSERT_OK(numbers->Append(-0.0));
  ASSERT_OK(numbers->Append(0.0));
  EXPECT_THAT(numbers->Append(1), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(numbers->Append("1"), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(numbers->AppendValues(std::span<const double>(doubles), {bits.data(), 0, 3}),
              StatusIs(StatusCode::kInvalidArgument));
  EXPECT_EQ(IndicesOf(Finished(*numbers)), (MaybeInts{0, 1, kNull, 0, 1, 2}));

  for (const char* type : {"dictionary<int8, utf8>", "dictionary<uint16, large_binary>",
                           "dictionary<int64, utf8_view>"}) {
    const auto texts = BuilderOf<DictionaryBuilder>(type);
    const std::vector<std::string_view> values = {"", "a text longer than a view", "b", ""};
    ASSERT_OK(texts->AppendValues(std::span<const std::string_view>(values), {bits.data(), 0, 4}));
    ASSERT_OK(texts->Append("a text longer than a view"));
    ASSERT_OK(texts->Append(""));
    ASSERT_OK(texts->Append("new"));
    ASSERT_OK(texts->Append("new"));
    EXPECT_THAT(texts->Append(1), StatusIs(StatusCode::kInvalidArgument));
    EXPECT_EQ(IndicesOf(Finished(*texts)), (MaybeInts{0, 1, kNull, 0, 1, 0, 2, 2})) << type;
  }
}

TEST(DictionaryBuilderTest, ManyValuesOneByOne) {
  const auto builder = BuilderOf<DictionaryBuilder>("dictionary<int32, int64>");
  MaybeInts expected;
  for (int64_t i = 0; i < 5000; ++i) {
    const int64_t value = i * i % 3001;
    ASSERT_OK(builder->Append(value));
    expected.push_back(value);
  }
  EXPECT_THAT(Finished(*builder), ReadsLike(Ints(expected, Int64())));
}

TEST(DictionaryBuilderTest, BorrowedValuesAreCopied) {
  const auto builder = BuilderOf<DictionaryBuilder>("dictionary<int32, int32>", kKeepAll);
  {
    std::vector<int32_t> values(10'000);
    for (int32_t i = 0; i < 10'000; ++i) values[static_cast<size_t>(i)] = i;
    ASSERT_OK(builder->AppendValues(std::span<const int32_t>(values)));
    std::fill(values.begin(), values.end(), -1);
  }
  ASSERT_OK(builder->AppendArray(Range(0, 10'000)));
  const Array array = Finished(*builder);
  EXPECT_EQ(array.dictionary(), Range(0, 10'000));
}

// ── Dictionaries ──

TEST(DictionaryBuilderTest, DifferentDictionariesAreJoined_DIC_11) {
  const Array a = Utf8s({"A0", "A1", "A2", "A3"});
  const Array b = Utf8s({"B0", "B1", "B2", "B3", "B4"});
  for (const BuilderOptions& options : {BuilderOptions(), kKeepAll, kWidening}) {
    const Array array =
        Joined(*Dictionary(Int32(), Utf8()),
               {DictionaryOf({1, 2, kNull, 3, 0}, a), DictionaryOf({kNull, 4, 2, 1}, b)}, options);
    EXPECT_EQ(IndicesOf(array), (MaybeInts{1, 2, kNull, 3, 0, kNull, 8, 6, 5}));
    EXPECT_EQ(array.dictionary(), Utf8s({"A0", "A1", "A2", "A3", "B0", "B1", "B2", "B3", "B4"}));
  }
}

TEST(DictionaryBuilderTest, SharedValuesAreOne_DIC_12) {
  const Array a = Utf8s({"A0", "A1", "C2", "C3"});
  const Array b = Utf8s({"B0", "B1", "C2", "C3", "B4"});
  for (const BuilderOptions& options : {BuilderOptions(), kKeepAll, kWidening}) {
    const Array array =
        Joined(*Dictionary(Int16(), Utf8()),
               {DictionaryOf({1, 2, kNull, 3, 0}, a), DictionaryOf({kNull, 4, 2, 1}, b)}, options);
    EXPECT_EQ(IndicesOf(array), (MaybeInts{1, 2, kNull, 3, 0, kNull, 6, 2, 5}));
    EXPECT_EQ(array.dictionary(), Utf8s({"A0", "A1", "C2", "C3", "B0", "B1", "B4"}));
  }
}

TEST(DictionaryBuilderTest, AnEmptyDictionaryUnderNulls_DIC_13) {
  const Array none = *DictionaryArray::Make(*MakeNullArray(Int32(), 4), Utf8s({}));
  const Array some = DictionaryOf({0, 1, 0, 1, 1, 0}, Utf8s({"a", "b"}));
  for (const BuilderOptions& options : {BuilderOptions(), kKeepAll}) {
    const Array array = Joined(*Dictionary(Int32(), Utf8()), {none, some}, options);
    EXPECT_THAT(array, ReadsAs(R"([null, null, null, null, "a", "b", "a", "b", "b", "a"])"));
    EXPECT_EQ(array.dictionary(), Utf8s({"a", "b"}));
    EXPECT_THAT(SlotsOf<int32_t>(array, 1, 4), ElementsAre(0, 0, 0, 0));
    EXPECT_EQ(Joined(array.type(), {none}, options).null_count(), 4);
  }
}

TEST(DictionaryBuilderTest, AnEmptyArrayAndAFullOne_DIC_14) {
  const Array full =
      DictionaryOf({0, 1, kNull, kNull, kNull, kNull}, Utf8s({"A0", "A1"}), UInt16());
  const Array empty = *MakeEmptyArray(full.type());
  EXPECT_EQ(Joined(full.type(), {empty, full}), full);
  EXPECT_EQ(Joined(full.type(), {empty}).length(), 0);
}

TEST(DictionaryBuilderTest, ANullValueIsOneValueAndNoNullRow_DIC_15) {
  const Array a = DictionaryOf({0, 1, kNull}, Utf8s({kNull, "A"}));
  const Array b = DictionaryOf({1, kNull, 0}, Utf8s({kNull, "B"}));
  for (const BuilderOptions& options : {BuilderOptions(), kKeepAll}) {
    const Array array = Joined(a.type(), {a, b}, options);
    EXPECT_EQ(IndicesOf(array), (MaybeInts{0, 1, kNull, 2, kNull, 0}));
    EXPECT_EQ(array.dictionary(), Utf8s({kNull, "A", "B"}));
    EXPECT_THAT(array, ReadsAs(R"([null, "A", null, "B", null, null])"));
  }
}

TEST(DictionaryBuilderTest, NullRowsAndNullValuesAreCountedApart_DIC_16) {
  const Array array =
      Joined(*Dictionary(Int32(), Utf8()), {DictionaryOf({0, 1, 0, kNull}, Utf8s({kNull, "a"}))});
  EXPECT_EQ(array.null_count(), 1);
  ASSERT_OK_AND_ASSIGN(const int64_t logical, LogicalNullCount(array));
  EXPECT_EQ(logical, 3);
}

TEST(DictionaryBuilderTest, TheSmallestIndexTypeThatHoldsThemAll_DIC_17) {
  const Array a = Enumerated(Range(0, 120), Int8());
  const Array b = Enumerated(Range(110, 140), Int8());
  const Array array = Joined(*Dictionary(Int8(), Int32()), {a, b}, kWidening);
  EXPECT_EQ(array.type(), *Dictionary(Int16(), Int32()));
  EXPECT_EQ(array.dictionary(), Range(0, 140));
}

TEST(DictionaryBuilderTest, ChunksShareOneDictionary_DIC_18) {
  const DataType type = *Dictionary(Int32(), Utf8());
  ASSERT_OK_AND_ASSIGN(
      const ChunkedArray chunks,
      ChunkedArray::Make(
          type, {DictionaryOf({0, 1, kNull, 1}, Utf8s({"ab", "cd"})),
                 DictionaryOf({1, 0, 1}, Utf8s({"cd", "ef"})),
                 DictionaryOf({0, 1, kNull, 1}, Utf8s({"ef", "ab"})), *MakeEmptyArray(type)}));
  const auto builder = BuilderOf(type, kKeepAll);
  ASSERT_OK(builder->AppendChunked(chunks));
  ASSERT_OK_AND_ASSIGN(const ChunkedArray unified, builder->FinishChunked());
  ASSERT_EQ(unified.num_chunks(), 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(unified.chunk(i).dictionary(), Utf8s({"ab", "cd", "ef"}));
    EXPECT_EQ(unified.chunk(i).dictionary().data(), unified.chunk(0).dictionary().data());
    EXPECT_THAT(unified.chunk(i), ReadsLike(chunks.chunk(i)));
    EXPECT_THAT(unified.chunk(i), IsValidArray());
  }
  EXPECT_TRUE(SharesBuffer(unified.chunk(0), chunks.chunk(0), 1));
}

TEST(DictionaryBuilderTest, ASliceIntoAFreshBuilder_DIC_19) {
  const Array array = DictionaryOf({3, kNull, 1, 1, 0, 2}, Utf8s({"a", "b", "c", "d"}));
  for (const BuilderOptions& options : {BuilderOptions(), kKeepAll}) {
    for (int64_t offset = 0; offset <= 6; ++offset) {
      const auto builder = BuilderOf(array.type(), options);
      ASSERT_OK(builder->AppendArray(array, offset, 6 - offset));
      ASSERT_OK(builder->AppendArray(array.Slice(offset / 2), 0, 2));
      const Array built = Finished(*builder);
      EXPECT_THAT(built.Slice(0, 6 - offset), ReadsLike(array.Slice(offset)));
      EXPECT_THAT(built.Slice(6 - offset), ReadsLike(array.Slice(offset / 2, 2)));
    }
  }
}

TEST(DictionaryBuilderTest, TheSameDictionaryIsShared_DIC_20) {
  const Array array = DictionaryOf({0, 1, kNull, 0}, Utf8s({"a", "b"}));
  const auto builder = BuilderOf(array.type());
  ASSERT_OK(builder->AppendArray(array, 1, 2));
  ASSERT_OK(builder->AppendArray(array, 0, 1));
  ASSERT_OK(builder->AppendRepeated(array, 3, 2));
  const Array built = Finished(*builder);
  EXPECT_EQ(IndicesOf(built), (MaybeInts{1, kNull, 0, 0, 0}));
  EXPECT_EQ(built.dictionary().data(), array.dictionary().data());
}

TEST(DictionaryBuilderTest, ASingleLongArrayIsHandedThrough) {
  MaybeInts indices(20'000, 1);
  const Array array = DictionaryOf(indices, Utf8s({"a", "b"}));
  const Array built = Joined(array.type(), {array});
  EXPECT_EQ(built.data(), array.data());
}

TEST(DictionaryBuilderTest, EqualDictionariesInOtherMemoryNeedNoNewIndices) {
  const Array first = DictionaryOf({0, 1}, Utf8s({"a", "b"}));
  const Array second = DictionaryOf({1, 0}, Utf8s({"a", "b"}));
  const Array shorter = DictionaryOf({0}, Utf8s({"a"}));
  const Array built = Joined(first.type(), {first, second, shorter});
  EXPECT_EQ(IndicesOf(built), (MaybeInts{0, 1, 1, 0, 0}));
  EXPECT_EQ(built.dictionary().data(), first.dictionary().data());
}

TEST(DictionaryBuilderTest, DictionariesThatTakeTurns) {
  const Array a = DictionaryOf({0, 1}, Utf8s({"x", "y"}));
  const Array b = DictionaryOf({0, 1}, Utf8s({"y", "z"}));
  const auto builder = BuilderOf<DictionaryBuilder>(a.type());
  Values expected;
  for (int i = 0; i < 20; ++i) {
    ASSERT_OK(builder->AppendArray(i % 2 == 0 ? a : b));
    Append(&expected, Read(i % 2 == 0 ? a : b));
  }
  EXPECT_EQ(builder->dictionary_length(), 3);
  EXPECT_THAT(Finished(*builder), ReadsLike(expected));
}

TEST(DictionaryBuilderTest, OnlyTheValuesInUseWhereAllWouldBeTooMany) {
  const DataType type = *Dictionary(UInt8(), Utf8());
  const Array first = Enumerated(Keys(0, 250), UInt8());
  const Array second = DictionaryOf({99, 7, 99, kNull, 3}, Keys(245, 345), UInt8());
  for (const BuilderOptions& options : {BuilderOptions(), kKeepAll, kWidening}) {
    const auto builder = BuilderOf<DictionaryBuilder>(type, options);
    ASSERT_OK(builder->AppendArray(first));
    ASSERT_OK(builder->AppendArray(second));
    EXPECT_EQ(builder->dictionary_length(), 252);  // 252 and 344; 248 was there.
    ASSERT_OK(builder->AppendArray(second, 1, 3));
    const Array array = Finished(*builder);
    EXPECT_EQ(array.type(), type);
    EXPECT_THAT(array.Slice(250), ReadsAs(R"(["k344", "k252", "k344", null, "k248", "k252",
                                              "k344", null])"));
  }
  // A dictionary larger than the indices count, of which few values are used.
  const Array large = DictionaryOf({299, 0, 299}, Keys(0, 300));
  const Array array = Joined(type, {large});
  EXPECT_EQ(array.dictionary(), Utf8s({"k0", "k299"}));
  EXPECT_THAT(array, ReadsAs(R"(["k299", "k0", "k299"])"));
}

TEST(DictionaryBuilderTest, TwinsInADictionaryStay) {
  const Array twins = DictionaryOf({0, 1, 2}, Utf8s({"a", "a", "b"}));
  const Array others = DictionaryOf({0, 1, 2}, Utf8s({"b", "a", "c"}));
  const Array array = Joined(twins.type(), {twins, others});
  EXPECT_EQ(array.dictionary(), Utf8s({"a", "a", "b", "c"}));
  EXPECT_EQ(IndicesOf(array), (MaybeInts{0, 1, 2, 2, 0, 3}));
}

TEST(DictionaryBuilderTest, IndicesOfAnyTypeAreTaken) {
  for (const DataType& to : {Int8(), UInt16(), UInt32(), Int64()}) {
    for (const DataType& from :
         {Int8(), UInt8(), Int16(), UInt16(), Int32(), UInt32(), Int64(), UInt64()}) {
      for (const BuilderOptions& options : {BuilderOptions(), kKeepAll, kWidening}) {
        const Array a = DictionaryOf({0, kNull, 1, 1}, Utf8s({"a", "b"}), from);
        const Array b = DictionaryOf({2, 0, kNull}, Utf8s({"c", "b", "a"}), from);
        const Array array = Joined(*Dictionary(to, Utf8()), {a, b, a}, options);
        EXPECT_EQ(array.type(), *Dictionary(to, Utf8()));
        EXPECT_EQ(IndicesOf(array), (MaybeInts{0, kNull, 1, 1, 0, 2, kNull, 0, kNull, 1, 1}));
      }
    }
  }
}

TEST(DictionaryBuilderTest, TheOrderedFlagIsTheBuilders) {
  const DataType ordered = *Dictionary(Int8(), Utf8(), true);
  const DataType plain = *Dictionary(Int8(), Utf8());
  const Array array = DictionaryOf({1, 0}, Utf8s({"a", "b"}), Int8(), true);
  EXPECT_TRUE(Joined(ordered, {array}).type().ordered());
  EXPECT_FALSE(Joined(plain, {array}).type().ordered());
  EXPECT_THAT(BuilderOf(ordered)->AppendArray(DictionaryOf({0}, Utf8s({"a"}), Int8())),
              StatusIs(StatusCode::kInvalidArgument, "ordered"));
}

TEST(DictionaryBuilderTest, ValuesOfOtherLayoutsAreConverted) {
  const Array lists = FromJson("list_view<int32>", "[[1, 2], [], null, [1, 2], [3]]");
  const Array plain = FromJson("list<int32>", "[[3], [4], [1, 2]]");
  const Array dictionary = DictionaryOf({0, 4, 2}, lists);
  const Array array = Joined(*Dictionary(Int16(), List(Int32())), {dictionary, plain, lists});
  EXPECT_THAT(array,
              ReadsAs("[[1, 2], [3], null, [3], [4], [1, 2], [1, 2], [], null, [1, 2], [3]]"));
  EXPECT_EQ(array.dictionary().length(), 5);
}

TEST(DictionaryBuilderTest, DictionariesOfDictionaries) {
  const Array inner = DictionaryOf({0, 1, kNull, 0}, Utf8s({"x", "y"}), Int8());
  const Array outer = DictionaryOf({3, 1, 2, kNull}, inner);
  const DataType type = outer.type();
  const Array array = Joined(type, {outer, inner, outer});
  EXPECT_THAT(array, ReadsAs(R"(["x", "y", null, null, "x", "y", null, "x",
                                 "x", "y", null, null])"));
  EXPECT_THAT(Joined(type, {Utf8s({"p", "q", "p"})}), ReadsAs(R"(["p", "q", "p"])"));
}

// ── Placeholders and empty values ──

TEST(DictionaryBuilderTest, PlaceholdersAddAValueOnlyWhereThereIsNone) {
  const DataType type = TypeFrom("struct<a: dictionary<int8, utf8>>");
  const auto builder = BuilderOf<StructBuilder>(type);
  ASSERT_OK(builder->AppendNulls(2));
  EXPECT_EQ(static_cast<DictionaryBuilder&>(builder->field(0)).dictionary_length(), 1);
  builder->Reset();
  ASSERT_OK(builder->field(0).AppendArray(Utf8s({"a"})));
  ASSERT_OK(builder->EndRow());
  ASSERT_OK(builder->AppendNulls(2));
  EXPECT_EQ(static_cast<DictionaryBuilder&>(builder->field(0)).dictionary_length(), 1);
  ASSERT_OK(builder->AppendEmptyValues(1));
  EXPECT_EQ(static_cast<DictionaryBuilder&>(builder->field(0)).dictionary_length(), 2);
  const Array array = Finished(*builder);
  EXPECT_THAT(array, ReadsAs(R"([{"a": "a"}, null, null, {"a": ""}])"));
  EXPECT_EQ(array.child(0).null_count(), 0);
}

// ── Failures, marks, snapshots ──

TEST(DictionaryBuilderTest, ValuesOfAFailedAppendAreForgotten) {
  for (const BuilderOptions& options : {BuilderOptions(), kKeepAll, kWidening}) {
    const auto builder = BuilderOf<DictionaryBuilder>("dictionary<int32, utf8>", options);
    ASSERT_OK(builder->AppendArray(Keys(0, 10)));
    ASSERT_OK(builder->AppendArray(DictionaryOf({0}, Keys(5, 12))));
    const int64_t bytes_used = builder->bytes_used();
    builder->set_byte_limit(bytes_used + 5);
    EXPECT_THAT(builder->AppendArray(Keys(8, 100)), StatusIs(StatusCode::kResourceExhausted));
    EXPECT_THAT(builder->AppendArray(Enumerated(Keys(8, 100), Int32())),
                StatusIs(StatusCode::kResourceExhausted));
    EXPECT_EQ(builder->bytes_used(), bytes_used);
    EXPECT_EQ(builder->dictionary_length(), 12);
    builder->set_byte_limit(std::numeric_limits<int64_t>::max());
    ASSERT_OK(builder->AppendArray(Keys(50, 52)));
    ASSERT_OK(builder->AppendArray(Keys(8, 10)));
    const Array array = Finished(*builder);
    EXPECT_EQ(array.dictionary().length(), 14);
    EXPECT_THAT(array.Slice(11), ReadsAs(R"(["k50", "k51", "k8", "k9"])"));
  }
}

TEST(DictionaryBuilderTest, ADiscardedFirstDictionaryIsForgotten) {
  const auto builder = BuilderOf<DictionaryBuilder>("dictionary<int32, utf8>");
  builder->set_byte_limit(3);
  const Array first = Enumerated(Keys(0, 3), Int32());
  EXPECT_THAT(builder->AppendArray(first), StatusIs(StatusCode::kResourceExhausted));
  builder->set_byte_limit(std::numeric_limits<int64_t>::max());
  EXPECT_EQ(builder->dictionary_length(), 0);
  EXPECT_EQ(builder->bytes_used(), 0);
  ASSERT_OK(builder->AppendArray(Keys(3, 6)));
  EXPECT_EQ(Finished(*builder).dictionary(), Keys(3, 6));
}

TEST(DictionaryBuilderTest, MarksForgetWhatCameLater) {
  for (const BuilderOptions& options : {BuilderOptions(), kKeepAll, kWidening}) {
    const auto builder = BuilderOf<DictionaryBuilder>("dictionary<uint8, utf8>", options);
    ASSERT_OK_AND_ASSIGN(const BuilderMark nothing, builder->Mark());
    const Array first = Enumerated(Keys(0, 5), UInt8());
    ASSERT_OK(builder->AppendArray(first));
    ASSERT_OK_AND_ASSIGN(const BuilderMark some, builder->Mark());
    ASSERT_OK(builder->AppendArray(Keys(3, 200)));
    ASSERT_OK(builder->Snapshot());
    ASSERT_OK(builder->RollBack(some));
    EXPECT_EQ(builder->dictionary_length(), 5);
    EXPECT_EQ(builder->length(), 5);
    ASSERT_OK(builder->AppendArray(Keys(100, 110)));
    ASSERT_OK(builder->AppendArray(first));
    EXPECT_EQ(builder->dictionary_length(), 15);
    ASSERT_OK(builder->RollBack(some));
    EXPECT_EQ(Read(*builder->Snapshot()), Read(first));
    ASSERT_OK(builder->RollBack(nothing));
    EXPECT_EQ(builder->bytes_used(), 0);
    ASSERT_OK(builder->AppendArray(Keys(7, 9)));
    EXPECT_EQ(Finished(*builder).dictionary(), Keys(7, 9));
  }
}

TEST(DictionaryBuilderTest, ASnapshotIsNotChangedByWhatComesLater) {
  for (const BuilderOptions& options : {BuilderOptions(), kKeepAll, kWidening}) {
    const auto builder = BuilderOf("dictionary<int16, utf8>", options);
    std::vector<std::pair<Array, Values>> snapshots;
    Values model;
    for (int64_t i = 0; i < 30; ++i) {
      const Array keys = Keys(i * 3, i * 5 + 1);
      ASSERT_OK(i % 3 == 0 ? builder->AppendArray(Enumerated(keys, Int16()))
                           : builder->AppendArray(keys));
      Append(&model, Read(keys));
      ASSERT_OK_AND_ASSIGN(Array snapshot, builder->Snapshot());
      snapshots.emplace_back(std::move(snapshot), model);
    }
    for (const auto& [snapshot, values] : snapshots) EXPECT_THAT(snapshot, ReadsLike(values));
    EXPECT_THAT(Finished(*builder), ReadsLike(model));
  }
}

TEST(DictionaryBuilderTest, WidenedWindowsBringTheirValues) {
  // One array of 300 values of which 20 rows each use some, kept window by window.
  MaybeInts indices;
  for (int64_t i = 0; i < 300; ++i) indices.push_back(299 - i);
  const Array elements = DictionaryOf(indices, Keys(0, 300));
  const DataType type = ListView(*Dictionary(Int32(), Utf8()));
  for (const bool narrow : {false, true}) {
    const DataType built = narrow ? ListView(*Dictionary(UInt8(), Utf8())) : type;
    const auto builder = BuilderOf(built, kKeepAll);
    Values model;
    for (int64_t i = 0; i < 20; ++i) {
      // Overlapping views, to both sides.
      const int64_t begin = i % 2 == 0 ? 100 - i * 5 : 100 + i * 5;
      const Array lists = ListViewsOver(elements, {begin}, {8});
      ASSERT_OK(builder->AppendArray(lists));
      Append(&model, Read(lists));
    }
    EXPECT_THAT(Finished(*builder), ReadsLike(model)) << built.ToString();
  }
}

// ── Dictionaries that are kept ──

TEST(DictionaryBuilderTest, AKeptDictionaryGrowsFromArrayToArray) {
  const auto builder = BuilderOf<DictionaryBuilder>("dictionary<int8, utf8>", kKeeping);
  ASSERT_OK(builder->AppendArray(Utf8s({"a", "b", "a"})));
  ASSERT_OK_AND_ASSIGN(Array delta, builder->DictionaryDelta());
  EXPECT_EQ(delta, Utf8s({"a", "b"}));
  const Array first = Finished(*builder);

  ASSERT_OK(builder->AppendArray(Utf8s({"b", "c"})));
  ASSERT_OK_AND_ASSIGN(delta, builder->DictionaryDelta());
  EXPECT_EQ(delta, Utf8s({"c"}));
  const Array second = Finished(*builder);
  EXPECT_EQ(second.dictionary(), Utf8s({"a", "b", "c"}));
  EXPECT_EQ(IndicesOf(second), (MaybeInts{1, 2}));
  EXPECT_EQ(first.dictionary(), Utf8s({"a", "b"}));

  // Nothing new: the same dictionary, and no delta.
  ASSERT_OK(builder->AppendArray(Utf8s({"c"})));
  ASSERT_OK_AND_ASSIGN(delta, builder->DictionaryDelta());
  EXPECT_EQ(delta.length(), 0);
  const Array third = Finished(*builder);
  EXPECT_EQ(third.dictionary().data(), second.dictionary().data());

  ASSERT_OK(builder->AppendArray(Utf8s({"d"})));
  builder->Reset();
  EXPECT_EQ(builder->dictionary_length(), 4);
  builder->ForgetDictionary();
  ASSERT_OK(builder->AppendArray(Utf8s({"z"})));
  EXPECT_EQ(Finished(*builder).dictionary(), Utf8s({"z"}));
}

TEST(DictionaryBuilderTest, AKeptDictionaryWithinAStruct) {
  const DataType type = TypeFrom("struct<a: dictionary<int8, utf8>, b: int32>");
  const auto builder = BuilderOf(type, kKeeping);
  const Array rows =
      StructOver({type.field(0), type.field(1)}, {Enumerated(Keys(0, 3), Int8()), Range(0, 3)}, 3);
  ASSERT_OK(builder->AppendArray(rows));
  EXPECT_THAT(Finished(*builder), ReadsLike(rows));
  ASSERT_OK(builder->AppendArray(rows, 2, 1));
  const Array array = Finished(*builder);
  EXPECT_EQ(array.child(0).dictionary().data(), rows.child(0).dictionary().data());
  EXPECT_THAT(array, ReadsLike(rows.Slice(2)));
}

// ── Chunks and memory ──

TEST(DictionaryBuilderTest, ANewChunkWhereTheIndicesAreUsedUp) {
  for (const char* name : {"dictionary<int8, utf8>", "list<dictionary<int8, utf8>>"}) {
    const DataType type = TypeFrom(name);
    const auto builder =
        BuilderOf(type, {.on_overflow = OnOverflow::kNewChunk,
                         .dictionaries = {.on_overflow = OnIndexOverflow::kWiden}});
    Array rows = Keys(0, 300);
    if (type.id() == TypeId::kList) {
      std::vector<int64_t> offsets;
      for (int64_t i = 0; i <= 100; ++i) offsets.push_back(3 * i);
      rows = ListsOver(rows, offsets);
    }
    ASSERT_OK(builder->AppendArray(rows));
    ASSERT_OK(builder->AppendArray(rows, 0, 20));
    ASSERT_OK_AND_ASSIGN(const ChunkedArray chunks, builder->FinishChunked());
    EXPECT_GE(chunks.num_chunks(), 3);
    EXPECT_EQ(chunks.type(), type);
    Values values;
    for (const Array& chunk : chunks.chunks()) {
      EXPECT_THAT(chunk, IsValidArray());
      Append(&values, Read(chunk));
    }
    Values expected = Read(rows);
    AppendSlice(&expected, Read(rows), 0, 20);
    EXPECT_EQ(values, expected);
  }
}

TEST(DictionaryBuilderTest, RetainedBytesCountEachAllocationOnce) {
  const auto builder = BuilderOf("dictionary<int32, int64>", kKeepAll);
  const Array array = DictionaryOf(MaybeInts(1000, 3), Range(0, 500, Int64()));
  ASSERT_OK(builder->AppendArray(array, 0, 10));
  const int64_t retained = builder->bytes_retained();
  EXPECT_GE(retained, 1000 * 4 + 500 * 8);
  ASSERT_OK(builder->AppendArray(array, 10, 10));
  EXPECT_EQ(builder->bytes_retained(), retained);
}

TEST(DictionaryBuilderTest, BrokenIndicesAreRefused) {
  const Array broken =
      *DictionaryArray::Make(Ints({0, 5}), Utf8s({"a"}), false, ValidationLevel::kNone);
  EXPECT_THAT(BuilderOf("dictionary<int32, utf8>")->AppendArray(broken),
              StatusIs(StatusCode::kInvalidArgument));
  // Under a null an index is nobody's.
  const Array under_null =
      *DictionaryArray::Make(*MakeArray({.type = Int32(),
                                         .length = 2,
                                         .buffers = {Bits(std::vector<bool>{true, false}),
                                                     ValuesBuffer(std::vector<int32_t>{0, 77})}}),
                             Utf8s({"a"}));
  for (const BuilderOptions& options : {BuilderOptions(), kKeepAll, kWidening}) {
    const Array array = Joined(under_null.type(),
                               {DictionaryOf({0}, Utf8s({"b"})), under_null, under_null}, options);
    EXPECT_THAT(array, ReadsAs(R"(["b", "a", null, "a", null])"));
  }
}

}  // namespace
}  // namespace sheaf
