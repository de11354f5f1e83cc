#include "sheaf/ipc/stream_reader.h"

#include <cstdio>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "ipc/forge.h"
#include "ipc/ipc_testing.h"
#include "sheaf/array/list_view_array.h"
#include "sheaf/ipc/file_reader.h"
#include "testing/array_literals.h"
#include "testing/from_json.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

/// What comes before the first error or the end.
struct Outcome {
  std::vector<Array> columns;  ///< Column 0 of each batch.
  Status status;
};

Outcome ReadCase(const Buffer& bytes, const ipc::ReadOptions& options = {}) {
  Outcome outcome;
  auto reader = ipc::StreamReader::Open(bytes, options);
  if (!reader.ok()) return {{}, reader.status()};
  while (true) {
    auto batch = (*reader)->Next();
    if (!batch.ok()) {
      outcome.status = batch.status();
      return outcome;
    }
    if (!*batch) return outcome;
    outcome.columns.push_back((*batch)->num_columns() == 0 ? Array() : (*batch)->column(0));
  }
}

Outcome ReadCase(const std::string& name) { return ReadCase(DataFile("cases/" + name)); }

TEST(StreamReader, C26_StreamsCutBetweenMessagesEnd) {
  for (const char* name : {"lv_whole.stream", "lv_no_eos.stream"}) {
    const Outcome outcome = ReadCase(name);
    EXPECT_OK(outcome.status);
    ASSERT_EQ(outcome.columns.size(), 2u);
    EXPECT_THAT(outcome.columns[0], ReadsAs("[[43,44],null,[41,42]]"));
    EXPECT_THAT(outcome.columns[1], ReadsAs("[[7],[7,8,9]]"));
  }
}

TEST(StreamReader, C26_StreamsCutWithinAMessageAreErrors) {
  for (const char* name : {"lv_cut_in_length.stream", "lv_cut_after_length.stream",
                           "lv_cut_in_metadata.stream", "lv_cut_in_body.stream"}) {
    const Outcome outcome = ReadCase(name);
    EXPECT_THAT(outcome.status, StatusIs(StatusCode::kInvalidArgument, "cut")) << name;
    ASSERT_EQ(outcome.columns.size(), 1u) << name;
    EXPECT_THAT(outcome.columns[0], ReadsAs("[[43,44],null,[41,42]]"));
  }
}

TEST(StreamReader, C26_AnErrorOfFramingStays) {
  ASSERT_OK_AND_ASSIGN(auto reader,
                       ipc::StreamReader::Open(DataFile("cases/lv_cut_in_body.stream")));
  EXPECT_OK(reader->Next());
  EXPECT_THAT(reader->Next(), StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(reader->Next(), StatusIs(StatusCode::kInvalidArgument));
}

TEST(StreamReader, C26_EveryPrefixGivesBatchesThenAnEndOrAnError) {
  const Buffer whole = DataFile("cases/lv_whole.stream");
  for (int64_t size = 0; size < whole.size_bytes(); ++size) {
    const Outcome outcome =
        ReadCase(Buffer::Copy(whole.bytes().first(static_cast<size_t>(size))).value());
    EXPECT_LE(outcome.columns.size(), 2u);
    if (!outcome.columns.empty()) {
      EXPECT_THAT(outcome.columns[0], ReadsAs("[[43,44],null,[41,42]]"));
    }
  }
}

TEST(StreamReader, C27_WrongVariadicCountsAreErrors) {
  EXPECT_THAT(ReadCase("sv_count_huge.stream").status,
              StatusIs(StatusCode::kInvalidArgument, "data buffers"));
  EXPECT_THAT(ReadCase("sv_count_negative.stream").status,
              StatusIs(StatusCode::kInvalidArgument, "data buffers"));
  EXPECT_THAT(ReadCase("sv_count_missing.stream").status,
              StatusIs(StatusCode::kInvalidArgument, "data buffers"));
}

TEST(StreamReader, C22_StringViewsReadAndABadIndexIsFoundBeforeItIsFollowed) {
  const Outcome good = ReadCase("sv_good.stream");
  ASSERT_EQ(good.columns.size(), 1u);
  EXPECT_THAT(good.columns[0],
              ReadsAs(R"(["hi",null,"thirteen chars","a longer text than twelve"])"));
  const Outcome bad = ReadCase("sv_bad_index.stream");
  ASSERT_EQ(bad.columns.size(), 1u);
  EXPECT_THAT(bad.columns[0].Verify(), StatusIs(StatusCode::kInvalidArgument, "row 2"));
}

TEST(StreamReader, C28_AStructChildThatIsTooShortIsAnError) {
  EXPECT_THAT(ReadCase("struct_child_short.stream").status,
              StatusIs(StatusCode::kInvalidArgument, "$.p"));
}

TEST(StreamReader, C06_NullRowsWithViewsLeftOver) {
  const Outcome good = ReadCase("lv_null_garbage_ok.stream");
  ASSERT_EQ(good.columns.size(), 1u);
  EXPECT_THAT(good.columns[0], ReadsAs("[[1,2],null,[3]]"));
  EXPECT_THAT(good.columns[0], IsValidArray());
  const Outcome bad = ReadCase("lv_null_out_of_bounds.stream");
  ASSERT_EQ(bad.columns.size(), 1u);
  EXPECT_THAT(Validate(bad.columns[0]), StatusIs(StatusCode::kInvalidArgument, "row 1"));
}

TEST(StreamReader, C03_SumOfOffsetAndSizeDoesNotWrap) {
  const Outcome outcome = ReadCase("lv_sum_overflow.stream");
  ASSERT_EQ(outcome.columns.size(), 1u);
  EXPECT_THAT(outcome.columns[0].Verify(), StatusIs(StatusCode::kInvalidArgument, "row 1"));
}

TEST(StreamReader, C19_ListsOfSizeZero) {
  const Outcome outcome = ReadCase("fsl_size_zero.stream");
  ASSERT_EQ(outcome.columns.size(), 1u);
  EXPECT_THAT(outcome.columns[0], ReadsAs("[[],null,[]]"));
  EXPECT_THAT(Trip(outcome.columns[0]), ReadsAs("[[],null,[]]"));
  EXPECT_THAT(Trip(outcome.columns[0].Slice(1, 2)), ReadsAs("[null,[]]"));
}

TEST(StreamReader, C20_RowsWithoutColumns) {
  const Outcome structs = ReadCase("struct_no_fields.stream");
  ASSERT_EQ(structs.columns.size(), 1u);
  EXPECT_EQ(structs.columns[0].length(), 4);
  EXPECT_EQ(structs.columns[0].null_count(), 1);
  EXPECT_EQ(Trip(structs.columns[0]).length(), 4);
  EXPECT_EQ(Trip(structs.columns[0]).null_count(), 1);

  ASSERT_OK_AND_ASSIGN(const auto batches, ReadBatches(DataFile("cases/no_columns.stream")));
  ASSERT_EQ(batches.size(), 1u);
  EXPECT_EQ(batches[0].num_rows(), 7);
  for (const Container container : {Container::kStream, Container::kFile}) {
    ASSERT_OK_AND_ASSIGN(const Buffer written, WriteBatches(Schema(), batches, container));
    ASSERT_OK_AND_ASSIGN(const auto back, ReadBatches(written));
    EXPECT_EQ(back.at(0).num_rows(), 7);
    EXPECT_EQ(back.at(0).num_columns(), 0);
  }
}

TEST(StreamReader, C29_ReadsAtEveryAddress) {
  for (const char* name : {"lv_whole.stream", "sv_good.stream"}) {
    const Outcome expected = ReadCase(name);
    for (int shift = 0; shift < 64; ++shift) {
      const Outcome outcome = ReadCase(AtShift(DataFile(std::string("cases/") + name), shift));
      EXPECT_OK(outcome.status);
      ASSERT_EQ(outcome.columns.size(), expected.columns.size());
      for (size_t i = 0; i < expected.columns.size(); ++i) {
        EXPECT_THAT(outcome.columns[i], ReadsLike(expected.columns[i])) << shift;
        EXPECT_OK(Validate(outcome.columns[i]));
      }
    }
  }
}

TEST(StreamReader, C30_BigEndianValuesAreTurnedRound) {
  const Outcome outcome = ReadCase("be_int.stream");
  EXPECT_OK(outcome.status);
  ASSERT_EQ(outcome.columns.size(), 1u);
  EXPECT_THAT(outcome.columns[0], ReadsAs("[1,256,-2]"));
}

TEST(StreamReader, IPC_14_WhatIsNoStreamIsAnError) {
  EXPECT_THAT(ReadCase(Buffer::Empty()).status, StatusIs(StatusCode::kInvalidArgument, "empty"));
  EXPECT_THAT(ReadCase(Buffer()).status, StatusIs(StatusCode::kInvalidArgument, "empty"));
  EXPECT_THAT(ReadCase(BufferOf({1, 2, 3, 4, 5, 6, 7, 8})).status,
              StatusIs(StatusCode::kInvalidArgument));
  EXPECT_THAT(ReadCase(BufferOf(std::vector<uint8_t>(64, 0xA5))).status,
              StatusIs(StatusCode::kInvalidArgument));
}

TEST(StreamReader, IPC_14_WrongNumbersOfNodesAndBuffersAreErrors) {
  const RecordBatch batch = BatchOf(Ints({1, 2, 3}));
  const auto read = [&](auto forge) { return ReadCase(ForgedStream(batch, forge)).status; };
  EXPECT_OK(read([](internal::BatchBody&) {}));
  EXPECT_THAT(read([](auto& body) { body.nodes.clear(); }),
              StatusIs(StatusCode::kInvalidArgument, "$.c: the message has no node"));
  EXPECT_THAT(read([](auto& body) { body.nodes.push_back(body.nodes[0]); }),
              StatusIs(StatusCode::kInvalidArgument, "2 nodes"));
  EXPECT_THAT(read([](auto& body) { body.places.pop_back(); }),
              StatusIs(StatusCode::kInvalidArgument, "$.c: the message has no buffer"));
  EXPECT_THAT(read([](auto& body) { body.places.push_back(body.places[0]); }),
              StatusIs(StatusCode::kInvalidArgument, "3 buffers"));
  EXPECT_THAT(read([](auto& body) { body.variadic_counts.push_back(0); }),
              StatusIs(StatusCode::kInvalidArgument, "variadic"));
}

TEST(StreamReader, IPC_14_ForgedLengthsAreErrors) {
  const RecordBatch batch = BatchOf(Ints({1, kNull, 3}));
  const auto read = [&](auto forge) { return ReadCase(ForgedStream(batch, forge)).status; };
  const int64_t huge = int64_t{1} << 62;
  for (const int64_t length : {int64_t{-1}, int64_t{4}, int64_t{1000}, huge}) {
    EXPECT_THAT(read([&](auto& body) {
                  body.nodes[0] = {length, 1};
                  body.length = length;
                }),
                StatusIs(StatusCode::kInvalidArgument));
  }
  EXPECT_THAT(read([](auto& body) { body.length = 2; }),
              StatusIs(StatusCode::kInvalidArgument, "$.c"));
  for (const int64_t nulls : {int64_t{-1}, int64_t{4}}) {
    EXPECT_THAT(read([&](auto& body) { body.nodes[0] = {3, nulls}; }),
                StatusIs(StatusCode::kInvalidArgument, "nulls"));
  }
  for (const auto& place : std::vector<std::pair<int64_t, int64_t>>{
           {-8, 12}, {0, -1}, {huge, 12}, {8, huge}, {8, 1000}, {8, 11}}) {
    EXPECT_THAT(read([&](auto& body) { body.places[1] = {place.first, place.second}; }),
                StatusIs(StatusCode::kInvalidArgument, "$.c"))
        << place.first << " " << place.second;
  }
  EXPECT_THAT(read([](auto& body) { body.places[0] = {0, 0}; }),
              StatusIs(StatusCode::kInvalidArgument, "without a validity bitmap"));
}

/// Gives one byte at a time, as a slow pipe does.
class DrippingSource final : public ipc::ByteSource {
 public:
  explicit DrippingSource(Buffer bytes) : bytes_(std::move(bytes)) {}
  StatusOr<int64_t> Read(uint8_t* target, int64_t) override {
    if (position_ == bytes_.size_bytes()) return int64_t{0};
    *target = bytes_.data()[position_++];
    return int64_t{1};
  }

 private:
  Buffer bytes_;
  int64_t position_ = 0;
};

StatusOr<std::vector<RecordBatch>> ReadFrom(std::unique_ptr<ipc::ByteSource> source,
                                            const ipc::ReadOptions& options = {}) {
  SHEAF_ASSIGN_OR_RETURN(const auto reader, ipc::StreamReader::Open(std::move(source), options));
  std::vector<RecordBatch> batches;
  while (true) {
    SHEAF_ASSIGN_OR_RETURN(std::optional<RecordBatch> batch, reader->Next());
    if (!batch) return batches;
    batches.push_back(*std::move(batch));
  }
}

TEST(StreamReader, PulledBytesReadLikeABuffer) {
  const Buffer bytes = DataFile("ipc/pyarrow_multi_batch.arrows");
  ASSERT_OK_AND_ASSIGN(const auto expected, ReadBatches(bytes));
  std::istringstream stream(std::string(reinterpret_cast<const char*>(bytes.data()),
                                        static_cast<size_t>(bytes.size_bytes())));
  std::FILE* file =
      std::fopen((std::string(SHEAF_TEST_DATA) + "/ipc/pyarrow_multi_batch.arrows").c_str(), "rb");
  ASSERT_NE(file, nullptr);

  std::vector<std::unique_ptr<ipc::ByteSource>> sources;
  sources.push_back(ipc::MakeBufferSource(bytes));
  sources.push_back(ipc::MakeIstreamSource(stream));
  sources.push_back(ipc::MakeDescriptorSource(fileno(file)));
  sources.push_back(std::make_unique<DrippingSource>(bytes));
  for (auto& source : sources) {
    ASSERT_OK_AND_ASSIGN(const auto batches, ReadFrom(std::move(source)));
    ASSERT_EQ(batches.size(), expected.size());
    for (size_t i = 0; i < batches.size(); ++i) EXPECT_TRUE(batches[i] == expected[i]) << i;
  }
  std::fclose(file);
}

TEST(StreamReader, PulledStreamsThatAreCutAreErrors) {
  for (const char* name : {"lv_cut_in_length.stream", "lv_cut_after_length.stream",
                           "lv_cut_in_metadata.stream", "lv_cut_in_body.stream"}) {
    EXPECT_THAT(ReadFrom(ipc::MakeBufferSource(DataFile(std::string("cases/") + name))),
                StatusIs(StatusCode::kInvalidArgument, "cut"));
  }
  EXPECT_OK(ReadFrom(ipc::MakeBufferSource(DataFile("cases/lv_no_eos.stream"))));
}

TEST(StreamReader, AForgedBodyLengthTakesNoMemory) {
  const Buffer forged = ForgedStream(BatchOf(Ints({1, 2, 3})),
                                     [](auto& body) { body.body_bytes = int64_t{1} << 45; });
  const auto pool = MakeLimitedPool(MemoryPool::Default(), int64_t{4} << 20);
  ipc::ReadOptions options;
  options.pool = pool.get();
  EXPECT_THAT(ReadFrom(ipc::MakeBufferSource(forged), options),
              StatusIs(StatusCode::kInvalidArgument, "cut"));
  EXPECT_THAT(ReadCase(forged, options).status, StatusIs(StatusCode::kInvalidArgument, "cut"));
  EXPECT_LE(pool->peak_bytes(), int64_t{2} << 20);
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(StreamReader, ALongBodyThatIsPulledGrowsAndIsWhole) {
  std::vector<std::optional<int64_t>> values(1500000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int64_t>(i * 7919);
  const Array column = Ints(values, Int64());
  ASSERT_OK_AND_ASSIGN(const Buffer bytes, WriteBatches(BatchOf(column).schema(), {BatchOf(column)},
                                                        Container::kStream));
  ASSERT_OK_AND_ASSIGN(const auto batches, ReadFrom(ipc::MakeBufferSource(bytes)));
  EXPECT_TRUE(batches.at(0).column(0) == column);
}

RecordBatch Wide() {
  const Array lists = ListViews({.offsets = {1, 0}, .sizes = {2, 1}, .elements = {5, 6, 7}});
  const Array texts = FromJson("utf8_view", R"(["a long text, not in the view", null])");
  return RecordBatch::Make(
             Schema({Field("a", lists.type()), Field("b", texts.type()), Field("c", Int32())}), 2,
             {lists, texts, Ints({8, 9})})
      .value();
}

TEST(StreamReader, IPC_04_ProjectedColumnsAreReadAndOthersSkipped) {
  for (const Container container : {Container::kStream, Container::kFile}) {
    ASSERT_OK_AND_ASSIGN(const Buffer bytes, WriteBatches(Wide().schema(), {Wide()}, container));
    ipc::ReadOptions options;
    options.columns = {2};
    ASSERT_OK_AND_ASSIGN(auto batches, ReadBatches(bytes, options));
    ASSERT_EQ(batches.at(0).num_columns(), 1);
    EXPECT_EQ(batches[0].schema().field(0).name(), "c");
    EXPECT_THAT(batches[0].column(0), ReadsAs("[8,9]"));

    options.columns = {2, 0};
    ASSERT_OK_AND_ASSIGN(batches, ReadBatches(bytes, options));
    EXPECT_THAT(batches.at(0).column(0), ReadsAs("[8,9]"));
    EXPECT_THAT(batches.at(0).column(1), ReadsAs("[[6,7],[5]]"));

    options.columns = std::vector<int>{};
    ASSERT_OK_AND_ASSIGN(batches, ReadBatches(bytes, options));
    EXPECT_EQ(batches.at(0).num_rows(), 2);

    options.columns = {3};
    EXPECT_THAT(ReadBatches(bytes, options), StatusIs(StatusCode::kInvalidArgument, "no column 3"));
    options.columns = {1, 1};
    EXPECT_THAT(ReadBatches(bytes, options), StatusIs(StatusCode::kInvalidArgument, "twice"));
  }
}

TEST(StreamReader, IPC_04_ColumnsWithDictionariesCanBeLeftOut) {
  for (const std::string& file : EngineFiles()) {
    const auto sidecar = Sidecar(file);
    ipc::ReadOptions options;
    options.columns = std::vector<int>{};
    const auto& fields = sidecar.at("fields");
    for (size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].dump().find("dictionary_id") == std::string::npos) {
        options.columns->push_back(static_cast<int>(i));
      }
    }
    ASSERT_OK_AND_ASSIGN(const auto batches, ReadBatches(DataFile("ipc/" + file), options));
    for (size_t c = 0; c < options.columns->size(); ++c) {
      if (batches.empty() || !sidecar.contains("columns")) continue;
      const auto& column = sidecar.at("columns")[static_cast<size_t>((*options.columns)[c])];
      const DataType& type = batches[0].schema().field(static_cast<int>(c)).type();
      EXPECT_EQ(FirstDifference(ColumnValues(batches, static_cast<int>(c)),
                                WithoutUnions(Read(FromJson(type, column.at("values"))))),
                "")
          << file << " " << column.at("name");
    }
  }
}

Array Nested(int depth) {
  Array array = Ints({1});
  for (int i = 1; i < depth; ++i) array = ListViewsOver(array, {0}, {1});
  return array;
}

TEST(StreamReader, IPC_08_NestingIsLimited) {
  const auto stream = [](int depth) {
    const RecordBatch batch = BatchOf(Nested(depth));
    return WriteBatches(batch.schema(), {batch}, Container::kStream).value();
  };
  EXPECT_OK(ReadBatches(stream(64)));
  EXPECT_THAT(ReadBatches(stream(65)), StatusIs(StatusCode::kInvalidArgument, "$.c.item.item"));
  EXPECT_THAT(ReadBatches(stream(256)), StatusIs(StatusCode::kInvalidArgument, "deeper than 64"));
  ipc::ReadOptions options;
  options.max_depth = 256;
  EXPECT_OK(ReadBatches(stream(256), options));
}

TEST(StreamReader, IPC_15_ArraysShareTheBodyAndKeepItAlive) {
  Array column;
  const uint8_t* begin = nullptr;
  const uint8_t* end = nullptr;
  {
    const Buffer bytes = DataFile("cases/lv_whole.stream");
    begin = bytes.data();
    end = begin + bytes.size_bytes();
    column = ReadCase(bytes).columns.at(0);
  }
  for (const Buffer* buffer : {&column.buffer(0), &column.buffer(1), &column.child(0).buffer(1)}) {
    EXPECT_GE(buffer->data(), begin);
    EXPECT_LT(buffer->data(), end);
  }
  EXPECT_THAT(column, ReadsAs("[[43,44],null,[41,42]]"));
}

TEST(StreamReader, FullValidationOnRequestFindsWhatTheDefaultLeaves) {
  ipc::ReadOptions options;
  options.validation = ValidationLevel::kFull;
  EXPECT_THAT(ReadCase(DataFile("cases/sv_bad_index.stream"), options).status,
              StatusIs(StatusCode::kInvalidArgument, "$.s"));
  options.validation = ValidationLevel::kNone;
  EXPECT_OK(ReadCase(DataFile("cases/sv_bad_index.stream"), options).status);
}

}  // namespace
}  // namespace sheaf
