#include "sheaf/ipc/stream_writer.h"

#include <algorithm>
#include <string>
#include <vector>

#include "ipc/forge.h"
#include "ipc/ipc_testing.h"
#include "ipc/message.h"
#include "sheaf/array/list_view_array.h"
#include "sheaf/ipc/file_reader.h"
#include "sheaf/ipc/file_writer.h"
#include "sheaf/type/extension.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/from_json.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"
#include "testing/raw_buffers.h"

namespace sheaf {
namespace {

using namespace testing;

const ipc::WriteOptions kWays[] = {
    {},
    {.alignment = 64},
    {.compression = ipc::Compression::kLz4Frame},
    {.compression = ipc::Compression::kZstd, .alignment = 64},
};

TEST(StreamWriter, IPC_05_EveryTypeAndEverySliceComesBack) {
  for (const TypeId id : AllTypeIds()) {
    const DataType type = SampleType(id);
    Random random(7);
    const Array array = RandomArray(type, {.length = 20, .sliced = true}, random);
    for (const ipc::WriteOptions& options : kWays) {
      EXPECT_THAT(Trip(array, options), ReadsLike(array)) << type.ToString();
    }
    for (int64_t begin = 0; begin <= 20; ++begin) {
      for (const int64_t length : {int64_t{0}, int64_t{1}, int64_t{7}, int64_t{20}}) {
        const Array slice = array.Slice(begin, length);
        const Array back = Trip(slice);
        EXPECT_THAT(back, ReadsLike(slice)) << type.ToString() << " " << begin << " " << length;
        EXPECT_THAT(back, IsValidArray());
        // An extension that nobody has registered comes back as its storage.
        EXPECT_TRUE(back.type().Identical(slice.type().storage())) << type.ToString();
      }
    }
  }
}

TEST(StreamWriter, RandomTypesComeBack) {
  for (const uint64_t seed : Seeds(60)) {
    Random random(seed);
    const DataType type = RandomType(AllTypeIds(), 4, random);
    const Array array = RandomArray(type, {.length = Draw(random, 0, 40), .sliced = true}, random);
    const ipc::WriteOptions& options = kWays[seed % 4];
    const Array back = Trip(array, options);
    EXPECT_THAT(back, ReadsLike(array)) << seed << " " << type.ToString();
    EXPECT_THAT(back, IsValidArray()) << seed << " " << type.ToString();
  }
}

TEST(StreamWriter, IPC_07_TheSizeIsKnownInAdvance) {
  for (const uint64_t seed : Seeds(60)) {
    Random random(seed);
    const DataType type = RandomType(AllTypeIds(), 4, random);
    const RecordBatch batch =
        BatchOf(RandomArray(type, {.length = Draw(random, 0, 40), .sliced = true}, random));
    for (const ipc::WriteOptions& options : kWays) {
      ipc::MemorySink sink;
      ASSERT_OK_AND_ASSIGN(auto writer, ipc::StreamWriter::Open(batch.schema(), &sink, options));
      ASSERT_OK(writer.Write(batch));  // With its dictionaries, which are not sent again.
      const int64_t before = writer.bytes_written();
      ASSERT_OK_AND_ASSIGN(const int64_t predicted, ipc::MessageSize(batch, options));
      ASSERT_OK(writer.Write(batch));
      const int64_t written = writer.bytes_written() - before;
      EXPECT_EQ(sink.size_bytes(), writer.bytes_written());
      if (options.compression == ipc::Compression::kNone) {
        EXPECT_EQ(written, predicted) << type.ToString();
      } else {
        EXPECT_LE(written, predicted) << type.ToString();
      }
    }
  }
}

Array ManyLists(int64_t n) {
  std::vector<int64_t> offsets(static_cast<size_t>(n));
  std::string valid(static_cast<size_t>(n), '1');
  for (int64_t i = 0; i < n; ++i) {
    offsets[static_cast<size_t>(i)] = 3 * i;
    if (i % 10000 == 0) valid[static_cast<size_t>(i)] = '0';
  }
  return ListViewsOver(Range(0, 3 * n), offsets, std::vector<int64_t>(static_cast<size_t>(n), 3),
                       valid);
}

TEST(StreamWriter, IPC_01_SlicesOfAListViewWriteTheirOwnRows) {
  const int64_t n = 100000;
  const Array lists = ManyLists(n);
  for (const auto& [offset, length] : std::vector<std::pair<int64_t, int64_t>>{
           {0, n}, {999, 1}, {0, 13}, {47, 12}, {n - 13, 13}}) {
    const Array slice = lists.Slice(offset, length);
    const Array back = Trip(slice);
    EXPECT_THAT(back, ReadsLike(slice));
    EXPECT_EQ(back.buffer(1).size_bytes(), 4 * length);
    EXPECT_EQ(back.buffer(2).size_bytes(), 4 * length);
    EXPECT_EQ(back.child(0).length(), 3 * length);
  }
}

TEST(StreamWriter, ASliceOfTenRowsWritesTenRowsWorth) {
  const int64_t n = 100000;
  for (const Array& column : {Range(0, n), ManyLists(n),
                              ListsOver(Range(0, n), std::vector<int64_t>(2, 0)).Slice(0, 0)}) {
    ASSERT_OK_AND_ASSIGN(const int64_t bytes,
                         ipc::MessageSize(BatchOf(column.Slice(column.length() / 2, 10))));
    EXPECT_LE(bytes, 700) << column.type().ToString();
  }
}

TEST(StreamWriter, ListViewsKeepOrderAndSharing) {
  const Array lists = ListViews({.offsets = {7, 2, 4, 2, 1, 9},
                                 .sizes = {1, 3, 4, 3, 0, 0},
                                 .elements = {90, 91, 1, 2, 3, 4, 5, 6, 99, 98},
                                 .valid = "111110"});
  const Array back = Trip(lists);
  EXPECT_THAT(back, ReadsLike(lists));
  // Elements [2, 8) are in use; the empty views outside move to the bounds.
  EXPECT_EQ(back.child(0).length(), 6);
  ASSERT_OK_AND_ASSIGN(const ListViewArray views, ListViewArray::From(back));
  EXPECT_THAT(views.offsets(), ::testing::ElementsAre(5, 0, 2, 0, 0, 6));
  EXPECT_THAT(views.sizes(), ::testing::ElementsAre(1, 3, 4, 3, 0, 0));
}

TEST(StreamWriter, C08_ListsWhoseFirstOffsetIsNotZero) {
  const Array first = ListsOver(Range(0, 6), {2, 3, 6});
  EXPECT_THAT(Trip(first), ReadsAs("[[2],[3,4,5]]"));
  EXPECT_EQ(Trip(first).child(0).length(), 4);
  const Array second = ListsOver(Range(0, 5), {0, 0, 0, 3, 5}).Slice(1, 2);
  EXPECT_THAT(Trip(second), ReadsAs("[[],[0,1,2]]"));
  const Array third =
      FromJson("large_list<utf8_view>",
               R"([["a"],["a long value, not inline"],["bb","another value that is long"],[]])");
  EXPECT_THAT(Trip(third.Slice(2, 2)), ReadsAs(R"([["bb","another value that is long"],[]])"));
  // The data of the rows before stay behind.
  EXPECT_EQ(Trip(third.Slice(2, 2)).child(0).buffer(2).size_bytes(), 26);
}

TEST(StreamWriter, C10_EmptyArraysHaveOneZeroOffset) {
  for (const char* type : {"utf8", "binary", "list<int32>", "map<utf8, int32>", "large_utf8",
                           "large_list<int32>", "list<list<utf8>>", "list_view<int32>"}) {
    const DataType data_type = TypeFrom(type);
    ASSERT_OK_AND_ASSIGN(const Array empty, MakeEmptyArray(data_type));
    const Array back = Trip(empty);
    EXPECT_EQ(back.length(), 0);
    EXPECT_THAT(back, IsValidArray()) << type;
    const int64_t width = data_type.layout().offset_bits / 8;
    if (!IsListView(data_type.id())) {
      EXPECT_EQ(back.buffer(1).size_bytes(), width) << type;
      for (int64_t i = 0; i < width; ++i) EXPECT_EQ(back.buffer(1).data()[i], 0) << type;
    }
    if (back.num_children() > 0 && back.child(0).type().id() == TypeId::kList) {
      EXPECT_EQ(back.child(0).buffer(1).size_bytes(), 4);
    }
  }
}

TEST(StreamWriter, IPC_06_AnEmptyStringArrayWithoutOffsetsIsWritten) {
  ASSERT_OK_AND_ASSIGN(const Array empty,
                       MakeArray({.type = Utf8(), .length = 0, .buffers = {{}, {}, {}}}));
  EXPECT_EQ(Trip(empty).length(), 0);
  EXPECT_THAT(Trip(empty), IsValidArray());
}

TEST(StreamWriter, IPC_02_AnEmptyListViewIsWritten) {
  const Array lists = ListViews({.offsets = {1, 0}, .sizes = {2, 1}, .elements = {5, 6, 7}});
  EXPECT_EQ(Trip(lists.Slice(1, 0)).length(), 0);
  EXPECT_EQ(Trip(lists.Slice(1, 0)).child(0).length(), 0);
}

TEST(StreamWriter, C21_RunEndsOfASliceStartAtZero) {
  const Array runs =
      FromJson("run_end_encoded<int32, utf8>", R"(["a","a","a",null,null,"b","b","b","b"])");
  const Array back = Trip(runs.Slice(4, 3));
  EXPECT_THAT(back, ReadsAs(R"([null,"b","b"])"));
  EXPECT_EQ(back.offset(), 0);
  EXPECT_EQ(back.child(0).length(), 2);
  EXPECT_EQ(back.child(0).slots<int32_t>(1)[0], 1);
  EXPECT_EQ(back.child(0).slots<int32_t>(1)[1], 3);
  EXPECT_EQ(Trip(runs.Slice(0, 0)).length(), 0);
  EXPECT_EQ(Trip(runs.Slice(9, 0)).length(), 0);
}

TEST(StreamWriter, C24_ASlicedSparseUnion) {
  const Array array =
      FromJson("sparse_union<a: int32=0, b: utf8=1>",
               R"([{"u": [0, 1]}, {"u": [1, "b"]}, {"u": [0, null]}, {"u": [1, null]}])");
  const Array back = Trip(array.Slice(1, 3));
  EXPECT_THAT(back, ReadsLike(array.Slice(1, 3)));
  EXPECT_EQ(back.null_count(), 0);
}

TEST(StreamWriter, IPC_16_ABufferThatDoesNotShrinkIsStoredAsItIs) {
  Random random(3);
  std::vector<std::optional<int64_t>> noise(100);
  for (auto& value : noise) value = static_cast<int64_t>(random());
  const Array incompressible = Ints(noise, Int64());
  const Array constant = Ints(std::vector<std::optional<int64_t>>(1000, 7), Int64());
  for (const auto compression : {ipc::Compression::kLz4Frame, ipc::Compression::kZstd}) {
    const ipc::WriteOptions options{.compression = compression};
    EXPECT_THAT(Trip(incompressible, options), ReadsLike(incompressible));
    EXPECT_THAT(Trip(constant, options), ReadsLike(constant));
    const RecordBatch batch = BatchOf(constant);
    ASSERT_OK_AND_ASSIGN(const Buffer written,
                         WriteBatches(batch.schema(), {batch}, Container::kStream, options));
    EXPECT_LT(written.size_bytes(), 1000);
  }
}

TEST(StreamWriter, C17_FieldsKeepTheirParametersAndMetadata) {
  const Schema schema(
      {Field("n", Int32(), false, {{"k1", ""}, {"k2", "äö"}}),
       Field("m", TypeFrom("map<utf8, int32>")), Field("", TypeFrom("timestamp[us, UTC]")),
       Field("u",
             Union(TypeId::kDenseUnion, {Field("x", Int8()), Field("y", Utf8())}, {5, 7}).value()),
       Field("s", Map(Utf8(), Field("v", Int32(), false), /*keys_sorted=*/true)),
       Field("e", Extension("no.such.extension", "parameters", Int32()))},
      {{"origin", "x"}, {"", "empty key"}});
  for (const Container container : {Container::kStream, Container::kFile}) {
    ASSERT_OK_AND_ASSIGN(const Buffer bytes, WriteBatches(schema, {}, container));
    ASSERT_OK_AND_ASSIGN(const auto reader, ipc::OpenReader(bytes));
    const Schema& back = reader->schema();
    EXPECT_EQ(back.metadata(), schema.metadata());
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(back.field(i).Identical(schema.field(i))) << i;
    // Nobody has registered it: the storage comes back, with the keys that name the extension.
    EXPECT_EQ(back.field(5).type(), Int32());
    EXPECT_EQ(*FindMetadata(back.field(5).metadata(), kExtensionNameKey), "no.such.extension");
    EXPECT_EQ(*FindMetadata(back.field(5).metadata(), kExtensionMetadataKey), "parameters");
  }
}

TEST(StreamWriter, RegisteredExtensionsComeBackAsSuch) {
  ASSERT_OK(RegisterExtension("ipc.test", [](const DataType& storage, string_view) {
    return storage.id() == TypeId::kListView ? OkStatus()
                                             : Status(StatusCode::kInvalidArgument, "no");
  }));
  const DataType type = Extension("ipc.test", "p", ListView(Int32()));
  Random random(5);
  const Array array = RandomArray(type, {.length = 9, .sliced = true}, random);
  const Array back = Trip(array);
  EXPECT_TRUE(back.type().Identical(type));
  EXPECT_THAT(back, ReadsLike(array));
  EXPECT_OK(UnregisterExtension("ipc.test"));
}

TEST(StreamWriter, IPC_08_NestingIsLimited) {
  DataType type = Int32();
  for (int i = 1; i < 257; ++i) type = List(type);
  ipc::MemorySink sink;
  EXPECT_THAT(ipc::StreamWriter::Open(Schema({Field("deep", type)}), &sink),
              StatusIs(StatusCode::kInvalidArgument, "$.deep.item.item"));
  EXPECT_THAT(ipc::MessageSize(BatchOf(MakeEmptyArray(type).value())),
              StatusIs(StatusCode::kInvalidArgument, "256"));
  EXPECT_EQ(sink.size_bytes(), 0);
  EXPECT_OK(ipc::StreamWriter::Open(Schema({Field("deep", type.field(0).type())}), &sink));
}

TEST(StreamWriter, WrongOptionsAndBatchesAreErrorsAndWriteNothing) {
  ipc::MemorySink sink;
  const Schema schema({Field("a", Int32())});
  EXPECT_THAT(ipc::StreamWriter::Open(schema, &sink, {.alignment = 16}),
              StatusIs(StatusCode::kInvalidArgument, "16"));
  EXPECT_EQ(sink.size_bytes(), 0);

  ASSERT_OK_AND_ASSIGN(auto writer, ipc::StreamWriter::Open(schema, &sink));
  const int64_t before = sink.size_bytes();
  EXPECT_THAT(writer.Write(BatchOf(Utf8s({"x"}))),
              StatusIs(StatusCode::kInvalidArgument, "$.a: a column of utf8, not int32"));
  EXPECT_THAT(writer.Write(RecordBatch()), StatusIs(StatusCode::kInvalidArgument, "0 columns"));
  EXPECT_EQ(sink.size_bytes(), before);
  EXPECT_OK(writer.Write(BatchOf(Ints({1}))));
  EXPECT_OK(writer.Close());
  EXPECT_OK(writer.Close());
  EXPECT_THAT(writer.Write(BatchOf(Ints({1}))), StatusIs(StatusCode::kFailedPrecondition));
}

TEST(StreamWriter, BadViewsAreFoundBeforeAnythingIsWritten) {
  const Array bad = ListViews({.offsets = {0, 5}, .sizes = {1, 1}, .elements = {1, 2}});
  ipc::MemorySink sink;
  ASSERT_OK_AND_ASSIGN(auto writer, ipc::StreamWriter::Open(BatchOf(bad).schema(), &sink));
  const int64_t before = sink.size_bytes();
  EXPECT_THAT(writer.Write(BatchOf(bad)), StatusIs(StatusCode::kInvalidArgument, "$.c, row 1"));
  EXPECT_EQ(sink.size_bytes(), before);
}

class FullSink final : public ipc::ByteSink {
 public:
  Status Write(std::span<const uint8_t>) override {
    return ++writes_ == 1 ? OkStatus() : Status(StatusCode::kResourceExhausted, "disk full");
  }

 private:
  int writes_ = 0;
};

TEST(StreamWriter, AnErrorOfTheSinkEndsTheWriter) {
  FullSink sink;
  const RecordBatch batch = BatchOf(Ints({1, 2}));
  ASSERT_OK_AND_ASSIGN(auto writer, ipc::StreamWriter::Open(batch.schema(), &sink));
  EXPECT_THAT(writer.Write(batch), StatusIs(StatusCode::kResourceExhausted, "disk full"));
  EXPECT_THAT(writer.Write(batch), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(writer.Close(), StatusIs(StatusCode::kFailedPrecondition));
}

TEST(StreamWriter, EveryRefusalOfMemoryIsAStatus) {
  Random random(11);
  std::vector<Field> fields;
  std::vector<Array> columns;
  for (const TypeId id : AllTypeIds()) {
    fields.emplace_back("c", SampleType(id));
    columns.push_back(RandomArray(fields.back().type(), {.length = 10, .sliced = true}, random));
  }
  const RecordBatch batch = RecordBatch::Make(Schema(fields), 10, columns).value();
  for (const ipc::WriteOptions& way : kWays) {
    FailingPool pool;
    ipc::WriteOptions options = way;
    options.pool = &pool;
    int64_t refused = 0;
    for (int64_t k = 0;; ++k) {
      pool.FailAt(k);
      const auto written = WriteBatches(batch.schema(), {batch}, Container::kStream, options);
      if (!pool.failed()) {
        EXPECT_OK(written);
        break;
      }
      EXPECT_THAT(written, StatusIs(StatusCode::kResourceExhausted));
      ++refused;
    }
    EXPECT_GT(refused, 10);
    pool.SwitchOff();
    ASSERT_OK_AND_ASSIGN(const Buffer bytes,
                         WriteBatches(batch.schema(), {batch}, Container::kStream, options));
    for (int64_t k = 0;; ++k) {
      pool.FailAt(k);
      ipc::ReadOptions read_options;
      read_options.pool = &pool;
      const auto read = ReadBatches(AtShift(bytes, 1), read_options);
      if (!pool.failed()) {
        EXPECT_OK(read);
        break;
      }
      EXPECT_THAT(read, StatusIs(StatusCode::kResourceExhausted));
    }
  }
}

/// Where the buffers of every batch in a stream lie.
void ExpectAligned(const Buffer& stream, int alignment) {
  int64_t position = 0;
  while (true) {
    const auto* words = reinterpret_cast<const int32_t*>(stream.data() + position);
    ASSERT_EQ(words[0], -1);
    if (words[1] == 0) return;
    EXPECT_EQ((words[1] + 8) % alignment, 0);
    const auto* message = flatbuffers::GetRoot<internal::format::Message>(words + 2);
    EXPECT_EQ(message->body_length() % alignment, 0);
    if (const auto* batch = message->header_as_RecordBatch(); batch != nullptr) {
      for (const auto* buffer : *batch->buffers()) EXPECT_EQ(buffer->offset() % alignment, 0);
    }
    position += 8 + words[1] + message->body_length();
  }
}

TEST(StreamWriter, C29_BuffersBodiesAndMetadataAreAligned) {
  for (const int alignment : {8, 64}) {
    for (const auto compression : {ipc::Compression::kNone, ipc::Compression::kZstd}) {
      Random random(1);
      const RecordBatch batch = BatchOf(RandomArray(TypeFrom("list_view<utf8>"), {}, random));
      ASSERT_OK_AND_ASSIGN(const Buffer stream,
                           WriteBatches(batch.schema(), {batch, batch}, Container::kStream,
                                        {.compression = compression, .alignment = alignment}));
      ExpectAligned(stream, alignment);
    }
  }
}

TEST(StreamWriter, RowsThatNoReaderTakesAreRefused) {
  constexpr int64_t kMost = int64_t{1} << 59;
  const auto write = [](const Array& column) {
    const RecordBatch batch = BatchOf(column);
    return WriteBatches(batch.schema(), {batch}, Container::kStream, {});
  };
  const auto lists = [](int64_t elements) {
    return MakeRaw({.type = *FixedSizeList(Field("item", Null()), 1 << 30),
                    .length = elements >> 30,
                    .buffers = {Buffer()},
                    .children = {*MakeNullArray(Null(), elements)}});
  };
  EXPECT_OK(write(*MakeNullArray(Null(), kMost - 1)));
  EXPECT_THAT(write(*MakeNullArray(Null(), kMost)),
              StatusIs(StatusCode::kOutOfRange, "null: 576460752303423488 rows"));
  EXPECT_OK(write(lists(kMost >> 1)));
  EXPECT_THAT(write(lists(kMost)),
              StatusIs(StatusCode::kOutOfRange, ".item: null: 576460752303423488 rows"));
}

}  // namespace
}  // namespace sheaf
