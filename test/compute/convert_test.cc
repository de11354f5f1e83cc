// The same values in other layouts: what is shared, what is checked, what is refused, and random
// arrays of every type in random other layouts, there and back.

#include "sheaf/compute/convert.h"

#include <limits>
#include <string>
#include <sys/mman.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "array/with_children.h"
#include "sheaf/array/binary_array.h"
#include "sheaf/array/binary_view_array.h"
#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/list_view_array.h"
#include "sheaf/array/run_end_array.h"
#include "sheaf/type/extension.h"
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

Array Converted(const Array& array, const DataType& type) {
  const StatusOr<Array> converted = Convert(array, type);
  EXPECT_OK(converted);
  if (!converted.ok()) return Array();
  EXPECT_TRUE(converted->type().Identical(type)) << converted->type().ToString();
  EXPECT_THAT(*converted, IsValidArray());
  EXPECT_THAT(*converted, ReadsLike(array));
  return *converted;
}
Array Converted(const Array& array, const char* type) { return Converted(array, TypeFrom(type)); }

TEST(ConvertTypesTest, StringsAmongAllLayouts) {
  Random random(1);
  for (const char* kind : {"utf8", "binary"}) {
    const std::string name = kind;
    const DataType layouts[] = {TypeFrom(name), TypeFrom("large_" + name),
                                TypeFrom(name + "_view")};
    for (const DataType& from : layouts) {
      for (const double null_rate : {0.0, 0.4}) {
        const Array array = RandomArray(
            from, {.length = 60, .null_rate = null_rate, .sliced = true, .max_list_size = 30},
            random);
        for (const DataType& to : layouts) {
          EXPECT_EQ(Converted(Converted(array, to), from), array);
          EXPECT_EQ(Converted(array.Slice(0, 0), to).length(), 0);
        }
      }
    }
  }
}

TEST(ConvertTypesTest, DataIsSharedWithViewsAndAmongOffsets) {
  const Array texts = Utf8s({"short", "longer than twelve bytes", kNull, "exactly 12 b", ""});
  const Array large = Converted(texts.Slice(1), "large_utf8");
  EXPECT_EQ(large.buffer(2).data(), texts.buffer(2).data() + 5) << "what lies before is dropped";
  EXPECT_EQ(large.slots<int64_t>(1)[0], 0);
  const auto views = *BinaryViewArray::From(Converted(texts, "utf8_view"));
  ASSERT_EQ(views.num_data_buffers(), 1);
  EXPECT_EQ(views.data_buffer(0).data(), texts.buffer(2).data() + 5);
  EXPECT_EQ(views.data_buffer(0).size_bytes(), 24) << "from the first long value to the last";
  const auto short_only = *BinaryViewArray::From(Converted(texts.Slice(2), "utf8_view"));
  EXPECT_EQ(short_only.num_data_buffers(), 0);
  // A null's view is zero, whatever it was over.
  for (int i = 0; i < 16; ++i) EXPECT_EQ(views.buffer(1).data()[32 + i], 0);
}

TEST(ConvertTypesTest, BytesThatOutgrow32BitsAreRefusedOrCut) {
  // Zero bytes, of which few pages are ever read.
  constexpr int64_t kSize = int64_t{5} << 30;
  void* bytes = mmap(nullptr, kSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(bytes, MAP_FAILED);
  const auto large = [&](const std::vector<int64_t>& offsets) {
    ArrayParts parts;
    parts.type = LargeBinary();
    parts.length = static_cast<int64_t>(offsets.size()) - 1;
    parts.buffers = {Buffer(), Integers(offsets, 64), Buffer::Borrow(bytes, kSize)};
    return MakeRaw(std::move(parts));
  };
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  EXPECT_THAT(Convert(large({0, kMost, kMost + 1}), Binary()),
              StatusIs(StatusCode::kOutOfRange, "large_binary as binary: 2147483648 bytes"));
  ASSERT_OK_AND_ASSIGN(const Array fits, Convert(large({7, 9, kMost + 7}), Binary()));
  EXPECT_EQ(fits.slots<int32_t>(1)[2], kMost);

  ASSERT_OK_AND_ASSIGN(const Array cut,
                       Convert(large({0, kMost, kMost + 20, kSize - kMost, kSize}), BinaryView()));
  const auto views = *BinaryViewArray::From(cut);
  EXPECT_EQ(views.num_data_buffers(), 3);
  for (int row = 0; row < 4; ++row) {
    EXPECT_EQ(static_cast<int64_t>(views.view(row).size()),
              large({0, kMost, kMost + 20, kSize - kMost, kSize}).slots<int64_t>(1)[row + 1] -
                  large({0, kMost, kMost + 20, kSize - kMost, kSize}).slots<int64_t>(1)[row]);
  }
  EXPECT_THAT(Convert(large({0, kMost + 1}), BinaryView()),
              StatusIs(StatusCode::kOutOfRange, "2147483648 bytes"));
  munmap(bytes, kSize);
}

TEST(ConvertTypesTest, ViewsThatShareBytesMayOutgrowOffsets) {
  void* bytes =
      mmap(nullptr, size_t{1} << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(bytes, MAP_FAILED);
  ArrayParts parts;
  parts.type = BinaryView();
  parts.length = 3;
  // Thrice the same view of 2^30 bytes.
  std::vector<int64_t> words;
  for (int i = 0; i < 3; ++i) words.insert(words.end(), {1 << 30, 0, 0, 0});
  parts.buffers = {Buffer(), Integers(words, 32), Buffer::Borrow(bytes, 1 << 30)};
  EXPECT_THAT(Convert(MakeRaw(std::move(parts)), Binary()),
              StatusIs(StatusCode::kOutOfRange, "3221225472 bytes"));
  munmap(bytes, size_t{1} << 30);
}

TEST(ConvertTypesTest, DictionariesTakeOtherIndices) {
  const Array narrow = FromJson("dictionary<int8, utf8>", R"(["a", "b", null, "a", "c"])");
  const auto wide = *DictionaryArray::From(Converted(narrow, "dictionary<uint32, utf8>"));
  EXPECT_THAT(wide.dictionary(), SharesAllBuffersWith(narrow.dictionary()));
  EXPECT_EQ(Converted(wide.Slice(1), "dictionary<int8, utf8>"), narrow.Slice(1));
  // Other values, the same indices.
  const Array views = Converted(narrow, "dictionary<int8, utf8_view>");
  EXPECT_TRUE(SharesBuffer(views, narrow, 1));
  EXPECT_EQ(views.dictionary().length(), narrow.dictionary().length());
}

TEST(ConvertTypesTest, IndicesThatDoNotFitAreRefusedOnlyWhereValuesInUseDoNot) {
  MaybeInts indices;
  for (int i = 0; i < 300; ++i) indices.push_back(i);
  ASSERT_OK_AND_ASSIGN(const auto all,
                       DictionaryArray::Make(Ints(indices, Int16()), Range(0, 300)));
  EXPECT_THAT(Convert(all, TypeFrom("dictionary<int8, int32>")),
              StatusIs(StatusCode::kOutOfRange, "128"));
  EXPECT_THAT(Convert(all, TypeFrom("dictionary<uint8, int32>")),
              StatusIs(StatusCode::kOutOfRange, "256"));
  const Array few = all.Slice(270, 30);
  EXPECT_THAT(Converted(few, "dictionary<int8, int32>"), ReadsLike(few));
}

TEST(ConvertTypesTest, DictionariesAreDecodedAndEncoded) {
  const Array plain = FromJson("utf8", R"(["a", "a", null, null, "b", "a"])");
  const char* encoded[] = {"dictionary<uint8, utf8>", "dictionary<int32, large_utf8>",
                           "dictionary<int64, utf8_view>"};
  for (const char* from : encoded) {
    const Array rows = Converted(plain, from);
    EXPECT_EQ(Converted(rows, "utf8"), plain);
    EXPECT_EQ(Converted(rows.Slice(1, 4), "large_utf8"),
              Converted(plain.Slice(1, 4), "large_utf8"));
    for (const char* to : encoded) EXPECT_EQ(Converted(Converted(rows, to), from), rows);
  }
  EXPECT_EQ(DictionaryArray::From(Converted(plain, encoded[0]))->dictionary().length(), 2);
  const Array rows = Converted(plain, encoded[0]);
  EXPECT_THAT(Convert(rows, TypeFrom("dictionary<uint8, utf8, ordered>")),
              StatusIs(StatusCode::kInvalidArgument, "ordered"));
}

TEST(ConvertTypesTest, DictionariesAndRunsAreDecodedAndEncoded) {
  const Array plain = FromJson("utf8", R"(["a", "a", null, null, "b", "a"])");
  const char* encoded[] = {"dictionary<uint8, utf8>", "run_end_encoded<int16, utf8>",
                           "dictionary<int32, large_utf8>", "run_end_encoded<int64, utf8_view>",
                           "run_end_encoded<int32, dictionary<int8, utf8>>"};
  for (const char* from : encoded) {
    const Array rows = Converted(plain, from);
    EXPECT_EQ(Converted(rows, "utf8"), plain);
    EXPECT_EQ(Converted(rows.Slice(1, 4), "large_utf8"),
              Converted(plain.Slice(1, 4), "large_utf8"));
    for (const char* to : encoded) EXPECT_EQ(Converted(Converted(rows, to), from), rows);
  }
  EXPECT_EQ(
      RunEndArray::From(Converted(plain, "run_end_encoded<int16, utf8>"))->run_ends().length(), 4);
}

TEST(ConvertTypesTest, RunEndsThatDoNotFitAreRefused) {
  const Array runs = FromJson("run_end_encoded<int64, int32>", "[7, 8]");
  ArrayParts parts;
  parts.type = runs.type();
  parts.length = 40'000;
  parts.children = {Ints({30'000, 40'000}, Int64()), Ints({1, 2})};
  ASSERT_OK_AND_ASSIGN(const Array longs, MakeArray(std::move(parts)));
  EXPECT_THAT(Convert(longs, TypeFrom("run_end_encoded<int16, int32>")),
              StatusIs(StatusCode::kOutOfRange));
  const Array slice = longs.Slice(20'000);
  const Array narrow = Converted(slice, "run_end_encoded<int16, int32>");
  EXPECT_THAT(narrow.child(0), ReadsAs("[10000, 20000]"));
}

TEST(ConvertTypesTest, EveryLevelIsConverted) {
  Random random(8);
  const Array array = RandomArray(
      TypeFrom("struct<a: list_view<struct<b: utf8, c: large_list<binary_view>>>, d: int32>"),
      {.length = 40, .sliced = true}, random);
  const char* target =
      "struct<a: large_list<struct<b: utf8_view, c: list_view<large_binary>>>, d: int32>";
  const Array there = Converted(array, target);
  EXPECT_EQ(Converted(there, array.type()), array);
  EXPECT_EQ(there.child(1).slots<int32_t>(1),
            array.child(1).Slice(array.offset()).slots<int32_t>(1))
      << "what needs no change is shared";
  const Array same = Converted(array, array.type());
  EXPECT_TRUE(IsSameArray(same, array));
}

TEST(ConvertTypesTest, NamesNullabilityAndMetadataAreThoseOfTheType) {
  const Array list = ListsOver(Ints({1, 2, 3}), {0, 2, 3});
  const DataType named = List(Field("point", Int32(), false, {{"unit", "mm"}}));
  EXPECT_THAT(Converted(list, named), SharesAllBuffersWith(list));
  const Array with_null = ListsOver(Ints({1, kNull, 3}), {0, 2, 3});
  EXPECT_THAT(Convert(with_null, named), StatusIs(StatusCode::kInvalidArgument, "not nullable"));
  EXPECT_THAT(Converted(with_null.Slice(1), named), ReadsAs("[[3]]")) << "only rows count";
  EXPECT_THAT(Convert(Ints({1, kNull}), *RunEndEncoded(Int32(), Field("values", Int32(), false))),
              StatusIs(StatusCode::kInvalidArgument));
}

TEST(ConvertTypesTest, MapsAreListsOfStructsByPosition) {
  const Array map = FromJson("map<utf8, int32>", R"([{"a": 1}, null, {}, {"b": null, "c": 3}])");
  const Array list = Converted(map, "large_list_view<struct<k: large_utf8, v: int32>>");
  EXPECT_EQ(Converted(list, map.type()), map);
  const DataType sorted = Map(Utf8(), Field("value", Int32()), /*keys_sorted=*/true);
  EXPECT_THAT(Convert(map, sorted), StatusIs(StatusCode::kInvalidArgument, "sorted"));
  EXPECT_THAT(Convert(list, sorted), StatusIs(StatusCode::kInvalidArgument, "sorted"));
}

TEST(ConvertTypesTest, ListsOfOneSizeAndTheRowThatIsNot) {
  const Array views = FromJson("list_view<utf8>", R"([["a", "b"], null, ["c", "d"]])");
  const Array fixed = Converted(views, "fixed_size_list<utf8_view>[2]");
  EXPECT_EQ(Converted(fixed, "list_view<utf8>"), views);
  EXPECT_THAT(Convert(views, TypeFrom("fixed_size_list<utf8>[3]")),
              StatusIs(StatusCode::kInvalidArgument, "row 0 has 2 elements"));
  EXPECT_THAT(Convert(StructOver({{"a", views.type()}}, {views}, 3),
                      TypeFrom("struct<a: fixed_size_list<utf8>[3]>")),
              StatusIs(StatusCode::kInvalidArgument, "$.a: "));
}

TEST(ConvertTypesTest, ExtensionsAndTheirStorage) {
  const DataType ids = Extension("example.ids", "v1", Utf8());
  const Array plain = Utf8s({"a", kNull, "c"});
  const Array tagged = Converted(plain, ids);
  EXPECT_THAT(tagged, SharesAllBuffersWith(plain));
  EXPECT_EQ(Converted(tagged, "utf8"), plain);
  EXPECT_EQ(Converted(tagged, "utf8_view"), Converted(plain, "utf8_view"));
  EXPECT_EQ(Converted(Converted(tagged, Extension("example.ids", "v1", LargeUtf8())), ids), tagged);
  EXPECT_THAT(Convert(tagged, Extension("example.ids", "v2", Utf8())),
              StatusIs(StatusCode::kInvalidArgument, "different extensions"));
}

TEST(ConvertTypesTest, WhatDoesNotHoldTheSameValuesIsRefusedByBothNames) {
  const std::pair<const char*, const char*> pairs[] = {
      {"int32", "int64"},
      {"int32", "utf8"},
      {"utf8", "binary"},
      {"binary_view", "utf8_view"},
      {"timestamp[s]", "timestamp[ms]"},
      {"list<int32>", "int32"},
      {"list<int32>", "list<int64>"},
      {"struct<a: int32>", "struct<b: int32>"},
      {"struct<a: int32>", "struct<a: int32, b: int32>"},
      {"sparse_union<a: int32 = 0>", "sparse_union<a: int32 = 1>"},
      {"sparse_union<a: int32 = 0>", "dense_union<a: int32 = 0>"},
      {"dictionary<int8, int32>", "dictionary<int8, utf8>"},
      {"dictionary<int8, int32>", "int64"},
      {"run_end_encoded<int32, bool>", "int8"},
      {"null", "int32"},
      {"list<int32>", "map<utf8, int32>"},
  };
  for (const auto& [from, to] : pairs) {
    SCOPED_TRACE(std::string(from) + " to " + to);
    const StatusOr<Array> converted = Convert(*MakeNullArray(TypeFrom(from), 2), TypeFrom(to));
    EXPECT_THAT(converted, StatusIs(StatusCode::kInvalidArgument));
  }
  EXPECT_THAT(Convert(Ints({1}), Utf8()),
              StatusIs(StatusCode::kInvalidArgument, "convert int32 to utf8"));
  EXPECT_THAT(Convert(ListsOver(Ints({1}), {0, 1}), List(Field("x", Utf8()))),
              StatusIs(StatusCode::kInvalidArgument, "$.x: convert int32 to utf8"));
}

TEST(ConvertTypesTest, ABadArrayIsAnError) {
  ArrayParts parts;
  parts.type = Utf8();
  parts.length = 2;
  parts.buffers = {Buffer(), Integers({0, 9, 4}, 32), BytesBuffer("abcd", 4)};
  const Array bad = MakeRaw(std::move(parts));
  for (const DataType& to : {LargeUtf8(), Utf8View()}) {
    EXPECT_THAT(Convert(bad, to), StatusIs(StatusCode::kInvalidArgument, "row"));
    const Array rows = ListsOver(bad, {0, 0, 2});
    EXPECT_THAT(Convert(rows, List(to)), StatusIs(StatusCode::kInvalidArgument, "row"));
    EXPECT_THAT(Converted(rows.Slice(0, 1), List(to)), ReadsAs("[[]]")) << "what no row reads";
  }
}

/// Whether a null cannot be told from a null of the first child.
bool HasNoNulls(const DataType& type) {
  const DataType& storage = type.storage();
  if (storage.id() == TypeId::kRunEndEncoded || storage.id() == TypeId::kDictionary) {
    return HasNoNulls(storage.value_type());
  }
  return storage.id() == TypeId::kSparseUnion || storage.id() == TypeId::kDenseUnion;
}

/// Another layout of the same values, drawn anew at every level.
DataType OtherLayout(const DataType& type, Random& random);

Field OtherLayout(const Field& field, Random& random) {
  return field.WithType(OtherLayout(field.type(), random));
}

template <typename T>
T OneOf(const std::vector<T>& choices, Random& random) {
  return choices[static_cast<size_t>(Draw(random, 0, static_cast<int64_t>(choices.size()) - 1))];
}

DataType OtherLayout(const DataType& type, Random& random) {
  const auto field = [&](int i) { return OtherLayout(type.field(i), random); };
  switch (type.id()) {
    case TypeId::kUtf8:
    case TypeId::kLargeUtf8:
    case TypeId::kUtf8View:
      return OneOf<DataType>({Utf8(), LargeUtf8(), Utf8View()}, random);
    case TypeId::kBinary:
    case TypeId::kLargeBinary:
    case TypeId::kBinaryView:
      return OneOf<DataType>({Binary(), LargeBinary(), BinaryView()}, random);
    case TypeId::kList:
    case TypeId::kLargeList:
    case TypeId::kListView:
    case TypeId::kLargeListView:
    case TypeId::kFixedSizeList:
      return OneOf<DataType>(
          {List(field(0)), LargeList(field(0)), ListView(field(0)), LargeListView(field(0))},
          random);
    case TypeId::kMap: {
      const DataType& entries = type.field(0).type();
      return Map(OtherLayout(entries.field(0).type(), random),
                 OtherLayout(entries.field(1), random));
    }
    case TypeId::kStruct:
    case TypeId::kSparseUnion:
    case TypeId::kDenseUnion: {
      std::vector<Field> fields;
      for (int i = 0; i < type.num_fields(); ++i) fields.push_back(field(i));
      if (type.id() == TypeId::kStruct) return Struct(fields);
      return *Union(type.id(), fields, {type.type_codes().begin(), type.type_codes().end()});
    }
    case TypeId::kDictionary: {
      const DataType values = OtherLayout(type.value_type(), random);
      // A null index reads as a null; unions have nulls in their children only.
      if (HasNoNulls(values)) return *Dictionary(UInt16(), values);
      return OneOf<DataType>({*Dictionary(UInt16(), values), *Dictionary(Int64(), values),
                              *RunEndEncoded(Int32(), Field("values", values)), values},
                             random);
    }
    case TypeId::kRunEndEncoded: {
      const DataType values = OtherLayout(type.value_type(), random);
      return OneOf<DataType>({*RunEndEncoded(Int16(), Field("values", values)),
                              *RunEndEncoded(Int64(), Field("values", values)), values},
                             random);
    }
    case TypeId::kExtension:
      return Extension(type.extension_name(), type.extension_metadata(),
                       OtherLayout(type.storage(), random));
    default:
      return type;
  }
}

TEST(RandomConvertTypesTest, AnyTypeInOtherLayoutsThereAndBack) {
  for (const uint64_t seed : Seeds(150)) {
    Random random(seed);
    const DataType type = RandomType(AllTypeIds(), 4, random);
    const DataType other = OtherLayout(type, random);
    SCOPED_TRACE(type.ToString() + " as " + other.ToString() + ", seed " + std::to_string(seed));
    const Array array = RandomArray(type, {.length = Draw(random, 0, 40), .sliced = true}, random);
    const Array there = Converted(array, other);
    const Array back = Converted(there.Slice(1), type);
    EXPECT_EQ(back, array.Slice(1));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(RandomConvertTypesTest, ARefusedAllocationIsAStatus) {
  Random random(3);
  const Array array = RandomArray(
      TypeFrom("struct<a: list_view<utf8>, b: large_list<utf8_view>, c: map<binary, int8>, "
               "d: dictionary<int8, utf8>, e: run_end_encoded<int32, utf8>>"),
      {.length = 40, .sliced = true}, random);
  const DataType type = TypeFrom(
      "struct<a: list<utf8_view>, b: list_view<utf8>, c: map<large_binary, int8>, "
      "d: run_end_encoded<int16, utf8>, e: utf8_view>");
  FailingPool pool;
  for (int64_t k = 0;; ++k) {
    pool.FailAt(k);
    const StatusOr<Array> converted = Convert(array, type, &pool);
    if (!pool.failed()) {
      EXPECT_THAT(*converted, ReadsLike(array));
      break;
    }
    EXPECT_THAT(converted, StatusIs(StatusCode::kResourceExhausted));
  }
}

}  // namespace
}  // namespace sheaf
