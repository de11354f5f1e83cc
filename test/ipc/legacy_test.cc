// Streams and files of old and of foreign machines: metadata V4, no continuation marker, unions
// with a bitmap, big-endian bodies. All are read, none is ever written.

#include <string>
#include <vector>

#include "ipc/forge.h"
#include "ipc/ipc_testing.h"
#include "sheaf/array/dictionary_array.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;
using internal::format::MetadataVersion;

Schema SchemaOf(const std::vector<Array>& columns) {
  std::vector<Field> fields;
  for (const Array& column : columns) {
    fields.emplace_back("c" + std::to_string(fields.size()), column.type());
  }
  return Schema(std::move(fields));
}

/// Columns whose dictionaries are given in the order in which they are to be sent.
struct Sent {
  int64_t id;
  Array values;
};

void ExpectReads(const ForgedFormat& format, const std::vector<Array>& columns,
                 const std::vector<Sent>& dictionaries) {
  StreamForge forge(format);
  forge.AddSchema(SchemaOf(columns));
  for (const Sent& sent : dictionaries) forge.AddDictionary(sent.id, sent.values);
  forge.AddBatch(columns).AddEnd();
  for (const Buffer& bytes : {forge.Finish(), forge.FinishFile()}) {
    ASSERT_OK_AND_ASSIGN(const auto batches, ReadBatches(bytes));
    ASSERT_EQ(batches.size(), 1U);
    EXPECT_OK(batches[0].Validate(ValidationLevel::kFull));
    for (size_t i = 0; i < columns.size(); ++i) {
      const Array& column = batches[0].column(static_cast<int>(i));
      EXPECT_EQ(column.type(), columns[i].type());
      EXPECT_THAT(column, ReadsLike(columns[i])) << columns[i].type().ToString();
    }
  }
}

std::vector<TypeId> PlainIds() {
  std::vector<TypeId> ids = AllTypeIds();
  std::erase(ids, TypeId::kDictionary);
  std::erase(ids, TypeId::kExtension);  // An unknown one is read as its storage.
  return ids;
}

/// Every type by itself, many nested in each other, and dictionaries of them.
void ExpectReadsEverything(const ForgedFormat& format) {
  for (const TypeId id : PlainIds()) {
    Random random(static_cast<uint64_t>(id) + 100);
    const Array values = RandomArray(SampleType(id), {.length = 21, .sliced = true}, random);
    ExpectReads(format, {values}, {});
    ExpectReads(format, {values.Slice(0, 0)}, {});
    for (const DataType& indices : {Int8(), UInt16(), Int32(), UInt64()}) {
      const Array column = DictionaryArray::Make(Ints({20, kNull, 0, 7}, indices), values).value();
      ExpectReads(format, {column}, {{0, values}});
    }
  }
  for (const uint64_t seed : Seeds(40)) {
    Random random(seed);
    const DataType type = RandomType(PlainIds(), 4, random);
    SCOPED_TRACE(type.ToString());
    ExpectReads(format, {RandomArray(type, {.length = 30}, random)}, {});
  }
}

TEST(IpcLegacy, C30_BigEndianStreamsAndFilesOfEveryType) {
  ExpectReadsEverything({.big_endian = true});
}

TEST(IpcLegacy, MetadataV4OfEveryType) { ExpectReadsEverything({.version = MetadataVersion::V4}); }

TEST(IpcLegacy, FramesWithoutAContinuationMarker) {
  ExpectReadsEverything({.version = MetadataVersion::V4, .marked = false});
}

TEST(IpcLegacy, BigEndianOfOldAlignedTo64) {
  ExpectReadsEverything({.version = MetadataVersion::V4,
                         .marked = false,
                         .big_endian = true,
                         .options = {.alignment = 64}});
}

TEST(IpcLegacy, NestedDictionariesDeltasAndReplacementsOfBigEndianStreams) {
  const Array words = DictionaryArray::Make(Ints({1, 0, 1}, Int16()), Utf8s({"x", "y"})).value();
  const Array lists = ListsOver(words, {0, 2, 3});
  const Array column = DictionaryArray::Make(Ints({1, 0, kNull}, Int32()), lists).value();
  ExpectReads({.big_endian = true}, {column}, {{1, words.dictionary()}, {0, lists}});

  const Array dates = DictionaryArray::Make(Ints({1, 0}, UInt16()), Ints({300, 70000})).value();
  StreamForge forge({.version = MetadataVersion::V4, .big_endian = true});
  forge.AddSchema(SchemaOf({dates}))
      .AddDictionary(0, Ints({300, 70000}))
      .AddBatch({dates})
      .AddDictionary(0, Ints({-2}), true)
      .AddBatch({DictionaryArray::Make(Ints({2, 1}, UInt16()), Ints({0, 0, 0})).value()})
      .AddDictionary(0, Ints({-70000, 1}))
      .AddBatch({dates})
      .AddEnd();
  ASSERT_OK_AND_ASSIGN(const auto batches, ReadBatches(forge.Finish()));
  ASSERT_EQ(batches.size(), 3U);
  EXPECT_THAT(batches[0].column(0), ReadsAs("[70000, 300]"));
  EXPECT_THAT(batches[1].column(0), ReadsAs("[-2, 70000]"));
  EXPECT_THAT(batches[2].column(0), ReadsAs("[1, -70000]"));
}

// ── Unions before V5 ─────────────────────────────────────────────────────────────────────────────

/// A batch of a union beside a column of numbers, whose bitmap has the bits `bits` and whose node
/// counts `nulls`.
Buffer UnionWithBitmap(const Array& array, std::vector<uint8_t> bits, int64_t nulls) {
  return StreamForge({.version = MetadataVersion::V4})
      .AddSchema(SchemaOf({array, Ints({1, 2, 3})}))
      .AddBatch({array, Ints({1, 2, 3})},
                [&](internal::BatchBody& body) {
                  body.places[0] = {body.body_bytes, static_cast<int64_t>(bits.size())};
                  body.buffers.push_back(BufferOf(bits));
                  body.body_bytes += 8;
                  body.nodes[0] = {array.length(), nulls};
                })
      .AddEnd()
      .Finish();
}

TEST(IpcLegacy, AUnionWithABitmapIsReadWhereNoneIsNull) {
  for (const char* type : {"sparse_union<a: int32=3, b: utf8=5>", "dense_union<a: int8=0>"}) {
    const Array array = FromJson(type, "[1, 2, 3]");
    for (const uint8_t bits : {uint8_t{7}, uint8_t{0xFF}}) {  // Bits behind the last row are free.
      ASSERT_OK_AND_ASSIGN(const auto batches, ReadBatches(UnionWithBitmap(array, {bits}, 0)));
      EXPECT_THAT(batches.at(0).column(0), ReadsLike(array));
      EXPECT_THAT(batches.at(0).column(1), ReadsAs("[1, 2, 3]"));
    }
  }
}

TEST(IpcLegacy, AUnionWithNullsOfItsOwnIsAClearError) {
  const Array array = FromJson("sparse_union<a: int32=0>", "[1, 2, 3]");
  // Counted or not.
  for (const int64_t nulls : {1, 0}) {
    const Buffer stream = UnionWithBitmap(array, {5}, nulls);
    EXPECT_THAT(ReadBatches(stream),
                StatusIs(StatusCode::kUnimplemented, "$.c0: a union with nulls of its own"));
    ipc::ReadOptions options;
    options.columns = {1};
    ASSERT_OK_AND_ASSIGN(const auto batches, ReadBatches(stream, options));
    EXPECT_THAT(batches.at(0).column(0), ReadsAs("[1, 2, 3]"));
  }
}

TEST(IpcLegacy, ABitmapOfAUnionThatIsTooShortIsAnError) {
  const Array array = MakeNullArray(TypeFrom("sparse_union<a: int32=0>"), 3).value();
  StreamForge forge({.version = MetadataVersion::V4});
  forge.AddSchema(SchemaOf({array})).AddBatch({array}, [](internal::BatchBody& body) {
    body.length = 9;
    body.nodes[0] = {9, 0};
    body.places[0] = {0, 1};
  });
  EXPECT_THAT(ReadBatches(forge.Finish()),
              StatusIs(StatusCode::kInvalidArgument, "$.c0: a validity bitmap of 1 bytes"));
}

TEST(IpcLegacy, VersionsBeforeV4AreRefused) {
  for (const auto version : {MetadataVersion::V1, MetadataVersion::V2, MetadataVersion::V3}) {
    StreamForge forge({.version = version});
    EXPECT_THAT(ReadBatches(forge.AddSchema(SchemaOf({Ints({1})})).Finish()),
                StatusIs(StatusCode::kInvalidArgument, "only V4 and V5"));
  }
}

}  // namespace
}  // namespace sheaf
