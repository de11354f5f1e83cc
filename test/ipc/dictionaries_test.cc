// Dictionaries in streams and files, written and read: ids, deltas, replacements, nesting, and
// registries.

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "ipc/forge.h"
#include "ipc/ipc_testing.h"
#include "ipc/message.h"
#include "sheaf/array/dictionary_array.h"
#include "sheaf/array/union_array.h"
#include "sheaf/c_data/dictionary_registry.h"
#include "sheaf/ipc/byte_sink.h"
#include "sheaf/ipc/file_reader.h"
#include "sheaf/ipc/file_writer.h"
#include "sheaf/ipc/stream_reader.h"
#include "sheaf/ipc/stream_writer.h"
#include "sheaf/type/extension.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;
namespace format = internal::format;
using ::testing::ElementsAre;

Array Encoded(const MaybeInts& indices, const Array& dictionary, const DataType& type = Int8()) {
  return DictionaryArray::Make(Ints(indices, type), dictionary).value();
}

Schema SchemaOf(const std::vector<Array>& columns) {
  std::vector<Field> fields;
  for (const Array& column : columns) {
    fields.emplace_back(std::string(1, static_cast<char>('a' + fields.size())), column.type());
  }
  return Schema(std::move(fields));
}
RecordBatch Batch(const std::vector<Array>& columns) {
  return RecordBatch::Make(SchemaOf(columns), columns[0].length(), columns).value();
}

// ── What stands in a stream ──────────────────────────────────────────────────────────────────────

/// One message after the schema: `D0` a dictionary of id 0, `d0` a delta to it, `B` a batch.
std::vector<std::string> Kinds(const Buffer& stream) {
  std::vector<std::string> kinds;
  const auto messages = internal::MessagesOf(stream, 64, MemoryPool::Default());
  while (const auto message = messages->Next().value()) {
    if (const auto* dictionary = message->table().header_as_DictionaryBatch()) {
      kinds.push_back((dictionary->is_delta() ? "d" : "D") + std::to_string(dictionary->id()));
    } else if (message->table().header_as_RecordBatch() != nullptr) {
      kinds.push_back("B");
    }
  }
  return kinds;
}

void GatherIds(const flatbuffers::Vector<flatbuffers::Offset<format::Field>>* fields,
               std::vector<int64_t>* ids) {
  for (const format::Field* field : *fields) {
    if (field->dictionary() != nullptr) ids->push_back(field->dictionary()->id());
    GatherIds(field->children(), ids);
  }
}
std::vector<int64_t> IdsOf(const format::Schema* schema) {
  std::vector<int64_t> ids;
  GatherIds(schema->fields(), &ids);
  return ids;
}
std::vector<int64_t> SchemaIds(const Buffer& stream) {
  const auto messages = internal::MessagesOf(stream, 64, MemoryPool::Default());
  return IdsOf(messages->Next().value().value().table().header_as_Schema());
}
const format::Footer* FooterOf(const Buffer& file) {
  const uint8_t* end = file.data() + file.size_bytes();
  int32_t length = 0;
  std::memcpy(&length, end - 10, 4);
  return flatbuffers::GetRoot<format::Footer>(end - 10 - length);
}

Buffer Written(const std::vector<RecordBatch>& batches, Container container,
               const ipc::WriteOptions& options = {}) {
  return WriteBatches(batches[0].schema(), batches, container, options).value();
}

/// Written and read: the batches as they were, whatever the container.
void ExpectTrip(const std::vector<RecordBatch>& batches, Container container,
                const ipc::WriteOptions& options = {}) {
  ASSERT_OK_AND_ASSIGN(const Buffer bytes,
                       WriteBatches(batches[0].schema(), batches, container, options));
  ASSERT_OK_AND_ASSIGN(const auto back, ReadBatches(bytes));
  ASSERT_EQ(back.size(), batches.size());
  for (size_t i = 0; i < back.size(); ++i) {
    EXPECT_OK(back[i].Validate(ValidationLevel::kFull));
    for (int column = 0; column < batches[i].num_columns(); ++column) {
      EXPECT_EQ(back[i].column(column).type(), batches[i].column(column).type());
      EXPECT_THAT(back[i].column(column), ReadsLike(batches[i].column(column)));
    }
  }
}

// ── Written and read ─────────────────────────────────────────────────────────────────────────────

TEST(IpcDictionaries, C11_ColumnsMadeApartHaveIdsOfTheirOwnInSchemaAndFooter) {
  const RecordBatch batch = Batch(
      {Encoded({0, 1, 0}, Utf8s({"red", "green"})), Encoded({2, 2, 1}, Utf8s({"kg", "m", "s"}))});
  for (const Container container : {Container::kStream, Container::kFile}) {
    const Buffer bytes = Written({batch}, container);
    ASSERT_OK_AND_ASSIGN(const auto back, ReadBatches(bytes));
    EXPECT_THAT(back.at(0).column(0), ReadsAs(R"(["red", "green", "red"])"));
    EXPECT_THAT(back.at(0).column(1), ReadsAs(R"(["s", "s", "m"])"));
  }
  EXPECT_THAT(SchemaIds(Written({batch}, Container::kStream)), ElementsAre(0, 1));
  const Buffer file = Written({batch}, Container::kFile);
  EXPECT_THAT(SchemaIds(file.Slice(8, file.size_bytes() - 8)), ElementsAre(0, 1));
  EXPECT_THAT(IdsOf(FooterOf(file)->schema()), ElementsAre(0, 1));
  EXPECT_EQ(FooterOf(file)->dictionaries()->size(), 2U);
}

TEST(IpcDictionaries, EqualDictionariesOfLaterBatchesAreNotSentAgain) {
  const Array colors = Utf8s({"red", "green"});
  const std::vector<RecordBatch> batches = {
      Batch({Encoded({0, 1}, colors)}),
      Batch({Encoded({1}, colors)}),
      Batch({Encoded({1, kNull}, Utf8s({"red", "green"}))}),  // Another array, the same values.
      Batch({Encoded({0}, Utf8s({"red"}))}),                  // Fewer of them.
      Batch({Encoded({}, Utf8s(MaybeTexts{}))}),
      Batch({Encoded({1, 0}, colors)})};
  EXPECT_THAT(Kinds(Written(batches, Container::kStream)),
              ElementsAre("D0", "B", "B", "B", "B", "B", "B"));
  ExpectTrip(batches, Container::kStream);
  ExpectTrip(batches, Container::kFile);
}

TEST(IpcDictionaries, ADictionaryThatGoesOnIsADelta) {
  const std::vector<RecordBatch> batches = {
      Batch({Encoded({0, 1}, Utf8s({"red", "green"}))}),
      Batch({Encoded({2, 0}, Utf8s({"red", "green", "blue"}))}),
      Batch({Encoded({3, kNull, 2}, Utf8s({"red", "green", "blue", kNull, "pink"}))})};
  EXPECT_THAT(Kinds(Written(batches, Container::kStream)),
              ElementsAre("D0", "B", "d0", "B", "d0", "B"));
  ExpectTrip(batches, Container::kStream);
  ExpectTrip(batches, Container::kFile);

  const ipc::WriteOptions whole = {.dictionary_deltas = false};
  EXPECT_THAT(Kinds(Written(batches, Container::kStream, whole)),
              ElementsAre("D0", "B", "D0", "B", "D0", "B"));
  ExpectTrip(batches, Container::kStream, whole);
  EXPECT_THAT(WriteBatches(batches[0].schema(), batches, Container::kFile, whole),
              StatusIs(StatusCode::kFailedPrecondition, "$.a: dictionary 0"));
}

TEST(IpcDictionaries, AReplacementIsForStreamsOnly) {
  const std::vector<RecordBatch> batches = {
      Batch({Ints({7, 8}), Encoded({0, 1}, Utf8s({"red", "green"}))}),
      Batch({Ints({9}), Encoded({1}, Utf8s({"green", "red"}))}),
      Batch({Ints({1}), Encoded({1}, Utf8s({"red", "green", "blue"}))})};
  EXPECT_THAT(Kinds(Written(batches, Container::kStream)),
              ElementsAre("D0", "B", "D0", "B", "D0", "B"));
  ExpectTrip(batches, Container::kStream);

  // The file's writer refuses, writes nothing of the batch, and goes on.
  ipc::MemorySink sink;
  ASSERT_OK_AND_ASSIGN(auto writer, ipc::FileWriter::Open(batches[0].schema(), &sink));
  ASSERT_OK(writer.Write(batches[0]));
  const int64_t before = writer.bytes_written();
  EXPECT_THAT(writer.Write(batches[1]), StatusIs(StatusCode::kFailedPrecondition, "$.b"));
  EXPECT_EQ(writer.bytes_written(), before);
  ASSERT_OK(writer.Write(batches[2]));
  ASSERT_OK(writer.Close());
  ASSERT_OK_AND_ASSIGN(const auto back, ReadBatches(sink.Finish().value()));
  ASSERT_EQ(back.size(), 2U);
  EXPECT_THAT(back[1].column(1), ReadsLike(batches[2].column(1)));
}

TEST(IpcDictionaries, ABatchThatIsRefusedSendsNoDictionary) {
  const Array colors = Utf8s({"red", "green"});
  const Array bad =
      DictionaryArray::Make(Ints({5}, Int8()), colors, false, ValidationLevel::kNone).value();
  ipc::MemorySink sink;
  const Schema schema = SchemaOf({bad});
  ASSERT_OK_AND_ASSIGN(auto writer, ipc::StreamWriter::Open(schema, &sink));
  const int64_t before = writer.bytes_written();
  EXPECT_THAT(writer.Write(Batch({bad})), StatusIs(StatusCode::kInvalidArgument, "$.a"));
  EXPECT_EQ(writer.bytes_written(), before);
  ASSERT_OK(writer.Write(Batch({Encoded({1}, colors)})));
  ASSERT_OK(writer.Close());
  EXPECT_THAT(Kinds(sink.Finish().value()), ElementsAre("D0", "B"));
}

TEST(IpcDictionaries, ALateDictionaryAfterBatchesOfNulls) {
  const Array none = Utf8s(MaybeTexts{});
  const std::vector<RecordBatch> batches = {
      Batch({Encoded({kNull, kNull}, none)}), Batch({Encoded({}, none)}),
      Batch({Encoded({0, kNull, 1}, Utf8s({"red", "green"}))})};
  ExpectTrip(batches, Container::kStream);
  ExpectTrip(batches, Container::kFile);

  // Other writers send no dictionary until there is an index into it.
  const Buffer late = StreamForge()
                          .AddSchema(batches[0].schema())
                          .AddBatch({batches[0].column(0)})
                          .AddBatch({batches[1].column(0)})
                          .AddDictionary(0, Utf8s({"red", "green"}))
                          .AddBatch({batches[2].column(0)})
                          .AddEnd()
                          .Finish();
  ASSERT_OK_AND_ASSIGN(const auto back, ReadBatches(late));
  ASSERT_EQ(back.size(), 3U);
  EXPECT_THAT(back[0].column(0), ReadsAs("[null, null]"));
  EXPECT_THAT(back[1].column(0), ReadsAs("[]"));
  EXPECT_THAT(back[2].column(0), ReadsAs(R"(["red", null, "green"])"));

  const Buffer missing = StreamForge()
                             .AddSchema(batches[0].schema())
                             .AddBatch({batches[2].column(0)})
                             .AddEnd()
                             .Finish();
  EXPECT_THAT(ReadBatches(missing),
              StatusIs(StatusCode::kInvalidArgument, "$.a: dictionary 0 has not come"));
}

TEST(IpcDictionaries, NestedDictionariesGoInnerFirst) {
  const Array words = Encoded({1, 0, 1}, Utf8s({"x", "y"}));
  const Array of_lists = Encoded({0, 1, 0, 1}, ListsOver(words, {0, 2, 3}));
  const Array letters = Encoded({0, 0, kNull, 1}, Utf8s({"p", "q"}));
  const Array column = StructOver({Field("l", letters.type()), Field("d", of_lists.type())},
                                  {letters, of_lists}, 4, "1101");
  const std::vector<RecordBatch> batches = {Batch({column}), Batch({column.Slice(1, 2)})};
  EXPECT_THAT(Kinds(Written(batches, Container::kStream)), ElementsAre("D0", "D2", "D1", "B", "B"));
  ExpectTrip(batches, Container::kStream);
  ExpectTrip(batches, Container::kFile);
}

TEST(IpcDictionaries, AnInnerReplacementSendsTheOuterWholeAgain) {
  const auto batch = [](const Array& words, const std::vector<int64_t>& offsets) {
    return Batch({Encoded({0}, ListsOver(words, offsets))});
  };
  const RecordBatch first = batch(Encoded({1, 0}, Utf8s({"x", "y"})), {0, 2});
  // The outer goes on, the inner does too.
  const RecordBatch both_go_on = batch(Encoded({1, 0, 2}, Utf8s({"x", "y", "z"})), {0, 2, 3});
  EXPECT_THAT(Kinds(Written({first, both_go_on}, Container::kStream)),
              ElementsAre("D1", "D0", "B", "d1", "d0", "B"));
  // The outer goes on, the inner is another.
  const RecordBatch inner_anew = batch(Encoded({2, 1, 0}, Utf8s({"z", "x", "y"})), {0, 2, 3});
  EXPECT_THAT(Kinds(Written({first, inner_anew}, Container::kStream)),
              ElementsAre("D1", "D0", "B", "D1", "D0", "B"));
  ExpectTrip({first, inner_anew}, Container::kStream);
  // The same lists by another inner dictionary: nothing to send.
  const RecordBatch same_values = batch(Encoded({0, 1}, Utf8s({"y", "x"})), {0, 2});
  EXPECT_THAT(Kinds(Written({first, same_values}, Container::kStream)),
              ElementsAre("D1", "D0", "B", "B"));
  ExpectTrip({first, same_values}, Container::kStream);
}

TEST(IpcDictionaries, IPC_03_ListViewsOfADictionaryWholeAndSliced) {
  const Array words = Encoded({0, 2, kNull, 1, 2}, Utf8s({"a", "b", "c"}), UInt16());
  const ListViewArray views = ListViewsOver(words, {2, 0, 1, 5, 1}, {3, 2, 3, 0, 0}, "11011");
  for (const Container container : {Container::kStream, Container::kFile}) {
    for (const int64_t offset : {0, 1, 3}) {
      for (const int64_t length : {0, 1, 2}) {
        ExpectTrip({Batch({views}), Batch({views.Slice(offset, length)})}, container);
      }
    }
  }
  EXPECT_THAT(Kinds(Written({Batch({views}), Batch({views.Slice(1)})}, Container::kStream)),
              ElementsAre("D0", "B", "B"));
}

TEST(IpcDictionaries, IPC_12_EveryPathHasAnIdOfItsOwn) {
  const DataType texts = Dictionary(Int8(), Utf8()).value();
  const DataType nested = Dictionary(Int32(), List(Field("item", texts))).value();
  const Schema schema({Field("s", Struct({Field("t", texts)})), Field("n", nested)});
  ASSERT_OK_AND_ASSIGN(const Buffer stream, WriteBatches(schema, {}, Container::kStream));
  EXPECT_THAT(SchemaIds(stream), ElementsAre(0, 1, 2));
}

TEST(IpcDictionaries, IPC_11_ASchemaWithDictionariesAndNoBatchEndsCleanly) {
  const Schema schema({Field("d", Dictionary(Int8(), Utf8(), true).value())});
  for (const Container container : {Container::kStream, Container::kFile}) {
    ASSERT_OK_AND_ASSIGN(const Buffer bytes, WriteBatches(schema, {}, container));
    ASSERT_OK_AND_ASSIGN(const auto reader, ipc::OpenReader(bytes));
    EXPECT_TRUE(reader->schema().Identical(schema));
    EXPECT_FALSE(reader->Next().value().has_value());
  }
}

TEST(IpcDictionaries, C17_TheFlagAndTheIndexTypeComeBack) {
  for (const DataType& indices :
       {Int8(), Int16(), Int32(), Int64(), UInt8(), UInt16(), UInt32(), UInt64()}) {
    for (const bool ordered : {false, true}) {
      const Array column =
          DictionaryArray::Make(Ints({1, kNull, 0}, indices), Utf8s({"a", "b"}), ordered).value();
      ExpectTrip({Batch({column})}, Container::kStream);
      ExpectTrip({Batch({column})}, Container::kFile);
    }
  }
}

TEST(IpcDictionaries, DictionariesOfEveryTypeComeBack) {
  for (const TypeId id : AllTypeIds()) {
    if (id == TypeId::kDictionary || id == TypeId::kExtension) continue;
    Random random(static_cast<uint64_t>(id) + 3);
    const Array values = RandomArray(SampleType(id), {.length = 9, .sliced = true}, random);
    const RecordBatch batch = Batch({Encoded({8, 0, kNull, 3, 3}, values)});
    for (const Container container : {Container::kStream, Container::kFile}) {
      for (const auto compression :
           {ipc::Compression::kNone, ipc::Compression::kLz4Frame, ipc::Compression::kZstd}) {
        ExpectTrip({batch, Batch({batch.column(0).Slice(1, 3)})}, container,
                   {.compression = compression});
      }
    }
  }
}

TEST(IpcDictionaries, WhatTheFormatCannotSayIsAnErrorThatNamesTheField) {
  const DataType texts = Dictionary(Int8(), Utf8()).value();
  const DataType nested = Dictionary(Int8(), texts).value();
  const DataType extension = Dictionary(Int8(), Extension("my.ext", "", Utf8())).value();
  for (const DataType& type : {nested, extension}) {
    ipc::MemorySink sink;
    const Schema schema({Field("s", Struct({Field("d", type)}))});
    EXPECT_THAT(ipc::StreamWriter::Open(schema, &sink),
                StatusIs(StatusCode::kInvalidArgument, "$.s.d: a dictionary of"));
    EXPECT_THAT(ipc::FileWriter::Open(schema, &sink),
                StatusIs(StatusCode::kInvalidArgument, "$.s.d"));
    EXPECT_EQ(sink.size_bytes(), 0);
  }
}

TEST(IpcDictionaries, AnExtensionOverADictionaryComesBack) {
  const Array inner = Encoded({1, 0}, Utf8s({"a", "b"}));
  const DataType type = Extension("test.coded", "x", inner.type());
  ASSERT_OK(RegisterExtension("test.coded", [](const DataType&, string_view) { return Status(); }));
  ASSERT_OK_AND_ASSIGN(const Array column, MakeArray({.type = type,
                                                      .length = 2,
                                                      .buffers = {inner.buffer(0), inner.buffer(1)},
                                                      .dictionary = {inner.dictionary()}}));
  ExpectTrip({Batch({column})}, Container::kStream);
  ExpectTrip({Batch({column})}, Container::kFile);
  ASSERT_OK(UnregisterExtension("test.coded"));
}

TEST(IpcDictionaries, ColumnsLeftOutNeedNoDictionary) {
  const Array words = Encoded({1, 0}, ListsOver(Encoded({0, 1}, Utf8s({"x", "y"})), {0, 1, 2}));
  const RecordBatch batch = Batch({Encoded({0, 1}, Utf8s({"red", "green"})), Ints({5, 6}), words});
  for (const Container container : {Container::kStream, Container::kFile}) {
    ipc::ReadOptions options;
    options.columns = {{2, 1}};
    options.dictionaries = std::make_shared<DictionaryRegistry>();
    ASSERT_OK_AND_ASSIGN(const auto back, ReadBatches(Written({batch}, container), options));
    EXPECT_THAT(back.at(0).column(0), ReadsLike(words));
    EXPECT_THAT(back.at(0).column(1), ReadsAs("[5, 6]"));
    EXPECT_EQ(options.dictionaries->size(), 2);  // Both of the last column, not the first's.
  }
}

// ── Read from other writers ──────────────────────────────────────────────────────────────────────

TEST(IpcDictionaries, C12_AReplacementThenADelta) {
  ASSERT_OK_AND_ASSIGN(const auto batches,
                       ReadBatches(DataFile("cases/dict_replace_delta.stream")));
  ASSERT_EQ(batches.size(), 3U);
  EXPECT_THAT(batches[0].column(0), ReadsAs(R"(["oak", "elm", "oak"])"));
  EXPECT_THAT(batches[1].column(0), ReadsAs(R"(["fir", "fir"])"));
  EXPECT_THAT(batches[2].column(0), ReadsAs(R"(["ash", "fir"])"));
  EXPECT_THAT(WriteBatches(batches[0].schema(), batches, Container::kFile),
              StatusIs(StatusCode::kFailedPrecondition, "$.d"));
}

TEST(IpcDictionaries, IPC_09_C13_ADeltaWithNothingToAddToIsAnError) {
  EXPECT_THAT(ReadBatches(DataFile("cases/dict_delta_no_base.stream")),
              StatusIs(StatusCode::kInvalidArgument, "dictionary 5: a delta to"));
  EXPECT_THAT(ReadBatches(DataFile("cases/dict_delta_first.stream")),
              StatusIs(StatusCode::kInvalidArgument, "dictionary 77: no field"));
}

TEST(IpcDictionaries, IPC_10_ADictionarySentTwiceCountsForLaterBatches) {
  const Array column = Encoded({0, 1}, Utf8s({"", ""}));
  const Buffer stream = StreamForge()
                            .AddSchema(SchemaOf({column}), {5})
                            .AddDictionary(5, Utf8s({"a", "b"}))
                            .AddBatch({column})
                            .AddDictionary(5, Utf8s({"c", "d"}))
                            .AddDictionary(5, Utf8s({"e", "f"}))
                            .AddBatch({column})
                            .AddDictionary(5, Utf8s({"g"}), true)
                            .AddDictionary(5, Utf8s(MaybeTexts{}), true)
                            .AddDictionary(5, Utf8s({"h"}), true)
                            .AddBatch({Encoded({3, 2, 0}, Utf8s({"", "", "", ""}))})
                            .AddEnd()
                            .Finish();
  ASSERT_OK_AND_ASSIGN(const auto batches, ReadBatches(stream));
  ASSERT_EQ(batches.size(), 3U);
  EXPECT_THAT(batches[0].column(0), ReadsAs(R"(["a", "b"])"));
  EXPECT_THAT(batches[1].column(0), ReadsAs(R"(["e", "f"])"));
  EXPECT_THAT(batches[2].column(0), ReadsAs(R"(["h", "g", "e"])"));
}

TEST(IpcDictionaries, IPC_13_FieldsShareDictionariesByTheirIds) {
  const Array column = Encoded({0, 1}, Utf8s({"", ""}));
  const Array wide = Encoded({0, 1}, Utf8s({"", ""}), UInt32());
  const std::vector<Array> columns = {column, column, wide, column};
  const Buffer stream = StreamForge()
                            .AddSchema(SchemaOf(columns), {42, 142, 42, 142})
                            .AddDictionary(142, Utf8s({"c", "d"}))
                            .AddDictionary(42, Utf8s({"a", "b"}))
                            .AddBatch(columns)
                            .AddEnd()
                            .Finish();
  ASSERT_OK_AND_ASSIGN(const auto batches, ReadBatches(stream));
  const RecordBatch& batch = batches.at(0);
  for (const int i : {0, 2}) EXPECT_THAT(batch.column(i), ReadsAs(R"(["a", "b"])"));
  for (const int i : {1, 3}) EXPECT_THAT(batch.column(i), ReadsAs(R"(["c", "d"])"));
  EXPECT_EQ(batch.column(0).dictionary().data(), batch.column(2).dictionary().data());
  // Written again, every path has its own.
  EXPECT_THAT(Kinds(Written(batches, Container::kStream)),
              ElementsAre("D0", "D1", "D2", "D3", "B"));
}

TEST(IpcDictionaries, OneIdForTwoTypesIsAnError) {
  const Array texts = Encoded({0}, Utf8s({""}));
  const Array numbers = Encoded({0}, Ints({1}));
  const Buffer stream = StreamForge().AddSchema(SchemaOf({texts, numbers}), {4, 4}).Finish();
  EXPECT_THAT(ReadBatches(stream),
              StatusIs(StatusCode::kInvalidArgument, "$.b: dictionary 4 is one of utf8"));
}

TEST(IpcDictionaries, ManyDeltasMakeOneDictionaryAndLeaveOldOnesAlone) {
  // Values that grow in steps; each batch's column keeps the dictionary it was read with.
  const DataType types[] = {Utf8(), Int64(), ListView(Utf8()),
                            Struct({Field("a", Int8()), Field("b", Utf8View())})};
  for (const DataType& type : types) {
    Random random(11);
    const Array all = RandomArray(type, {.length = 200}, random);
    ipc::ReadOptions options;
    options.validation = ValidationLevel::kFull;
    StreamForge stream;
    stream.AddSchema(SchemaOf({Encoded({0}, all, Int16())}));
    for (int64_t i = 0; i < 100; ++i) {
      stream.AddDictionary(0, all.Slice(2 * i, 2), i > 0);
      stream.AddBatch({Encoded({2 * i + 1, i, 0}, all, Int16())});
    }
    ASSERT_OK_AND_ASSIGN(const auto batches, ReadBatches(stream.AddEnd().Finish(), options));
    ASSERT_EQ(batches.size(), 100U);
    for (size_t i = 0; i < 100; ++i) {
      const auto row = static_cast<int64_t>(i);
      const Array& column = batches[i].column(0);
      EXPECT_EQ(column.dictionary().length(), 2 * row + 2);
      EXPECT_THAT(column, ReadsLike(Encoded({2 * row + 1, row, 0}, all, Int16())));
    }
    EXPECT_THAT(batches[50].column(0).dictionary(), ReadsLike(all.Slice(0, 102)));
  }
}

TEST(IpcDictionaries, DamagedDictionariesAreErrorsForThemAndTheirBatches) {
  const Array column = Encoded({0, 1}, Utf8s({"", ""}));
  const Array numbers = Ints({1, 2});
  const auto stream = [&](const Forge& forge, bool is_delta) {
    StreamForge made;
    made.AddSchema(SchemaOf({column, numbers})).AddDictionary(0, Utf8s({"a", "b"}));
    made.AddDictionary(0, Utf8s({"c", "d"}), is_delta, forge).AddBatch({column, numbers});
    return made.AddDictionary(0, Utf8s({"e", "f"})).AddBatch({column, numbers}).AddEnd().Finish();
  };
  const Forge damages[] = {
      [](auto& body) { body.length = 3; },
      [](auto& body) { body.length = -1; },
      [](auto& body) { body.nodes.clear(); },
      [](auto& body) { body.nodes[0] = {int64_t{1} << 60, 0}; },
      [](auto& body) { body.places.pop_back(); },
      [](auto& body) { body.places.push_back(body.places[0]); },
      [](auto& body) { body.places[1] = {0, int64_t{1} << 40}; },
      [](auto& body) { body.places[2] = {8, 1}; },
  };
  for (const bool is_delta : {false, true}) {
    for (const Forge& damage : damages) {
      ASSERT_OK_AND_ASSIGN(const auto reader, ipc::StreamReader::Open(stream(damage, is_delta)));
      EXPECT_THAT(reader->Next(), StatusIs(StatusCode::kInvalidArgument, "dictionary 0"));
      // The batch that would need it does not read with the old one.
      EXPECT_THAT(reader->Next(), StatusIs(StatusCode::kInvalidArgument, "$.a: dictionary 0"));
      // A sound one that comes later counts again.
      EXPECT_THAT(reader->Next().value().value().column(0), ReadsAs(R"(["e", "f"])"));
    }
  }
}

TEST(IpcDictionaries, ADeltaToADamagedDictionaryIsAnErrorToo) {
  const Array column = Encoded({0}, Utf8s({""}));
  const Buffer stream =
      StreamForge()
          .AddSchema(SchemaOf({column}))
          .AddDictionary(0, Utf8s({"a"}))
          .AddDictionary(0, Utf8s({"b"}), false, [](auto& body) { body.nodes.clear(); })
          .AddDictionary(0, Utf8s({"c"}), true)
          .AddBatch({column})
          .AddEnd()
          .Finish();
  ASSERT_OK_AND_ASSIGN(const auto reader, ipc::StreamReader::Open(stream));
  for (int i = 0; i < 3; ++i) EXPECT_THAT(reader->Next(), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_FALSE(reader->Next().value().has_value());
}

TEST(IpcDictionaries, IndicesOutsideTheDictionaryAreFound) {
  const Array column = Encoded({0, 1}, Utf8s({"", ""}));
  const Buffer stream = StreamForge()
                            .AddSchema(SchemaOf({column}))
                            .AddDictionary(0, Utf8s({"a"}))
                            .AddBatch({column})
                            .AddEnd()
                            .Finish();
  ipc::ReadOptions options;
  options.validation = ValidationLevel::kFull;
  EXPECT_THAT(ReadBatches(stream, options), StatusIs(StatusCode::kInvalidArgument, "$.a"));
  ASSERT_OK_AND_ASSIGN(const auto batches, ReadBatches(stream));
  EXPECT_THAT(batches.at(0).column(0).Verify(), StatusIs(StatusCode::kInvalidArgument));
}

TEST(IpcDictionaries, AFileWhoseDictionaryComesTwiceIsRefused) {
  // Two paths of one file, made one by giving both the same id in the footer.
  const RecordBatch batch = Batch({Encoded({0}, Utf8s({"a"})), Encoded({0}, Utf8s({"b"}))});
  std::vector<uint8_t> bytes = BytesOf(Written({batch}, Container::kFile));
  const Buffer good = BufferOf(bytes);
  ASSERT_OK(ipc::FileReader::Open(good));
  const format::Footer* footer = FooterOf(good);
  const format::Block first = *footer->dictionaries()->Get(0);
  // Both blocks lead to the first dictionary.
  const auto* second =
      reinterpret_cast<const uint8_t*>(footer->dictionaries()->Get(1)) - good.data() + bytes.data();
  std::memcpy(const_cast<uint8_t*>(second), &first, sizeof(first));
  EXPECT_THAT(ipc::FileReader::Open(BufferOf(bytes)),
              StatusIs(StatusCode::kInvalidArgument, "dictionary 0: it comes twice"));
}

// ── Registries ───────────────────────────────────────────────────────────────────────────────────

TEST(IpcDictionaries, SeveralReadersShareOneRegistry) {
  const Array column = Encoded({0, 1}, Utf8s({"", ""}));
  const auto stream = [&](const char* first, const char* second) {
    return StreamForge()
        .AddSchema(SchemaOf({column}), {7})
        .AddDictionary(7, Utf8s({first, second}))
        .AddBatch({column})
        .AddDictionary(7, Utf8s({"more"}), true)
        .AddBatch({column})
        .AddDictionary(7, Utf8s({second, first}))
        .AddBatch({column})
        .AddEnd()
        .Finish();
  };
  ipc::ReadOptions options;
  options.dictionaries =
      std::make_shared<DictionaryRegistry>(DictionaryRegistryOptions{.first_id = 100});
  ASSERT_OK_AND_ASSIGN(const auto a, ipc::StreamReader::Open(stream("a", "b"), options));
  ASSERT_OK_AND_ASSIGN(const auto b, ipc::StreamReader::Open(stream("c", "d"), options));
  EXPECT_THAT(a->RegistryId(7), StatusIs(StatusCode::kNotFound));
  std::vector<RecordBatch> batches;
  std::vector<int64_t> ids;
  for (int i = 0; i < 3; ++i) {
    for (const auto& reader : {a.get(), b.get()}) {
      batches.push_back(reader->Next().value().value());
      ids.push_back(reader->RegistryId(7).value());
      EXPECT_EQ(options.dictionaries->IdOf(batches.back().column(0).dictionary()).value(),
                ids.back());
    }
  }
  EXPECT_THAT(ids, ElementsAre(100, 101, 102, 103, 104, 105));
  // What came before keeps its own.
  EXPECT_THAT(batches[0].column(0), ReadsAs(R"(["a", "b"])"));
  EXPECT_THAT(batches[1].column(0), ReadsAs(R"(["c", "d"])"));
  EXPECT_THAT(batches[2].column(0), ReadsAs(R"(["a", "b"])"));
  EXPECT_THAT(batches[4].column(0), ReadsAs(R"(["b", "a"])"));
  EXPECT_THAT(batches[5].column(0), ReadsAs(R"(["d", "c"])"));
  EXPECT_THAT(options.dictionaries->Get(102).value(), ReadsAs(R"(["a", "b", "more"])"));
  EXPECT_THAT(a->RegistryId(8), StatusIs(StatusCode::kNotFound));
}

TEST(IpcDictionaries, RegistryIdsAreGivenInTheOrderOfTheMessages) {
  const Array words = Encoded({1, 0}, ListsOver(Encoded({0, 1}, Utf8s({"x", "y"})), {0, 1, 2}));
  const RecordBatch batch =
      Batch({Encoded({0, 1}, Utf8s({"a", "b"})), words, Encoded({1, 0}, Utf8s({"c", "d"}))});
  ipc::ReadOptions options;
  options.dictionaries = std::make_shared<DictionaryRegistry>();
  ASSERT_OK_AND_ASSIGN(const auto file,
                       ipc::FileReader::Open(Written({batch}, Container::kFile), options));
  const int64_t ids[] = {0, 2, 1, 3};  // The outer one, 1, comes behind what lies within it.
  for (int64_t id = 0; id < 4; ++id) EXPECT_EQ(file.RegistryId(id).value(), ids[id]);
}

TEST(IpcDictionaries, FilesAreReadByThreadsWithOneRegistry) {
  const RecordBatch batch = Batch({Encoded({0, 1}, Utf8s({"a", "b"}))});
  ipc::ReadOptions options;
  options.dictionaries = std::make_shared<DictionaryRegistry>();
  ASSERT_OK_AND_ASSIGN(const auto file,
                       ipc::FileReader::Open(Written({batch}, Container::kFile), options));
  ASSERT_OK_AND_ASSIGN(const auto other,
                       ipc::FileReader::Open(Written({batch}, Container::kFile), options));
  EXPECT_EQ(file.RegistryId(0).value(), 0);
  EXPECT_EQ(other.RegistryId(0).value(), 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        EXPECT_THAT(file.Batch(0).value().column(0), ReadsAs(R"(["a", "b"])"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(options.dictionaries->size(), 2);
}

TEST(IpcDictionaries, ARegistryThatIsFullIsAnErrorOfTheBatch) {
  const RecordBatch batch = Batch({Encoded({0, 1}, Utf8s({"a", "b"}))});
  ipc::ReadOptions options;
  options.dictionaries =
      std::make_shared<DictionaryRegistry>(DictionaryRegistryOptions{.first_id = INT64_MAX});
  ASSERT_OK(options.dictionaries->Add(Ints({1})));
  for (const Container container : {Container::kStream, Container::kFile}) {
    EXPECT_THAT(ReadBatches(Written({batch}, container), options),
                StatusIs(StatusCode::kOutOfRange, "dictionary 0"));
  }
}

}  // namespace
}  // namespace sheaf
