#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <nlohmann/json.hpp>

#include "ipc/forge.h"
#include "ipc/ipc_testing.h"
#include "sheaf/array/view_stats.h"
#include "sheaf/ipc/byte_source.h"
#include "sheaf/ipc/file_reader.h"
#include "sheaf/ipc/file_writer.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

std::string DataPath(const std::string& name) { return std::string(SHEAF_TEST_DATA) + "/" + name; }

/// A file that goes when the test ends.
class TemporaryFile {
 public:
  TemporaryFile() : path_(::testing::TempDir() + "/sheaf_ipc_XXXXXX") {
    descriptor_ = ::mkstemp(path_.data());
  }
  ~TemporaryFile() {
    ::close(descriptor_);
    ::unlink(path_.c_str());
  }
  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }

 private:
  std::string path_;
  int descriptor_;
};

std::vector<RecordBatch> ThreeBatches() {
  return {BatchOf(Ints({1, 2})), BatchOf(Ints({})), BatchOf(Ints({kNull, 4, 5}))};
}

Buffer ThreeBatchFile(const ipc::WriteOptions& options = {}) {
  return WriteBatches(ThreeBatches()[0].schema(), ThreeBatches(), Container::kFile, options)
      .value();
}

TEST(FileReader, ReadsBatchesByNumberInAnyOrder) {
  for (const int alignment : {8, 64}) {
    ASSERT_OK_AND_ASSIGN(const auto file,
                         ipc::FileReader::Open(ThreeBatchFile({.alignment = alignment})));
    ASSERT_EQ(file.num_batches(), 3);
    for (const int i : {2, 0, 1, 2}) {
      ASSERT_OK_AND_ASSIGN(const RecordBatch batch, file.Batch(i));
      EXPECT_THAT(batch.column(0), ReadsLike(ThreeBatches()[static_cast<size_t>(i)].column(0)));
    }
    EXPECT_THAT(file.Batch(3), StatusIs(StatusCode::kInvalidArgument, "has 3"));
    EXPECT_THAT(file.Batch(-1), StatusIs(StatusCode::kInvalidArgument));
  }
}

TEST(FileReader, AnAlignmentOf64HoldsWithinTheFile) {
  const Buffer bytes = ThreeBatchFile({.alignment = 64});
  ASSERT_OK_AND_ASSIGN(const auto file, ipc::FileReader::Open(bytes));
  ASSERT_OK_AND_ASSIGN(const RecordBatch batch, file.Batch(2));
  for (int i = 0; i < 2; ++i) EXPECT_EQ((batch.column(0).buffer(i).data() - bytes.data()) % 64, 0);
}

TEST(FileReader, AMappedFileIsReadWithoutACopy) {
  TemporaryFile target;
  const auto sink = ipc::MakeDescriptorSink(target.descriptor());
  ASSERT_OK_AND_ASSIGN(auto writer, ipc::FileWriter::Open(ThreeBatches()[0].schema(), sink.get()));
  for (const RecordBatch& batch : ThreeBatches()) ASSERT_OK(writer.Write(batch));
  ASSERT_OK(writer.Close());
  EXPECT_EQ(::lseek(target.descriptor(), 0, SEEK_END), writer.bytes_written());

  const auto pool = MakeLimitedPool(MemoryPool::Default(), int64_t{1} << 20);
  ipc::ReadOptions options;
  options.pool = pool.get();
  Array column;
  {
    ASSERT_OK_AND_ASSIGN(const Buffer mapped, ipc::MapFile(target.path()));
    ASSERT_OK_AND_ASSIGN(const auto file, ipc::FileReader::Open(mapped, options));
    ASSERT_OK_AND_ASSIGN(const RecordBatch batch, file.Batch(0));
    column = batch.column(0);
    const Buffer& values = column.buffer(1);
    EXPECT_GE(values.data(), mapped.data());
    EXPECT_LT(values.data(), mapped.data() + mapped.size_bytes());
    EXPECT_EQ(values.storage_id(), mapped.storage_id());
  }
  // The mapping lives as long as the array over it, even without the name.
  ::unlink(target.path().c_str());
  EXPECT_THAT(column, ReadsAs("[1,2]"));
}

TEST(FileReader, OpenPathNamesWhatIsWrong) {
  ASSERT_OK_AND_ASSIGN(const auto file,
                       ipc::FileReader::OpenPath(DataPath("ipc/pyarrow_list_view_file.arrow")));
  EXPECT_EQ(file.num_batches(), 2);
  EXPECT_THAT(ipc::FileReader::OpenPath("/no/such/file"),
              StatusIs(StatusCode::kNotFound, "/no/such"));
  EXPECT_THAT(ipc::MapFile("/"), StatusIs(StatusCode::kInvalidArgument, "regular"));
  TemporaryFile empty;
  EXPECT_THAT(ipc::FileReader::OpenPath(empty.path()),
              StatusIs(StatusCode::kInvalidArgument, empty.path() + ": not an IPC file"));
}

TEST(FileReader, IPC_14_EveryPrefixIsAnError) {
  const Buffer whole = ThreeBatchFile();
  for (int64_t size = 0; size < whole.size_bytes(); ++size) {
    const Buffer prefix = Buffer::Copy(whole.bytes().first(static_cast<size_t>(size))).value();
    EXPECT_THAT(ipc::FileReader::Open(prefix), StatusIs(StatusCode::kInvalidArgument)) << size;
  }
}

TEST(FileReader, AForgedFooterLengthIsAnError) {
  for (const int32_t length : {-1, 0, 1, 100000, 2147483647}) {
    std::vector<uint8_t> bytes = BytesOf(ThreeBatchFile());
    std::memcpy(bytes.data() + bytes.size() - 10, &length, sizeof(length));
    EXPECT_THAT(ipc::FileReader::Open(BufferOf(bytes)), StatusIs(StatusCode::kInvalidArgument))
        << length;
  }
}

TEST(FileReader, TheFooterSaysWhereBatchesAreNotTheBytesBetween) {
  // At byte 8 of a file arrow-rs has padding, and Polars no message.
  std::vector<uint8_t> bytes = BytesOf(ThreeBatchFile());
  for (size_t i = 8; i < 200; ++i) bytes[i] = 0xEE;  // The schema message; the footer has its own.
  ASSERT_OK_AND_ASSIGN(const auto damaged, ipc::FileReader::Open(BufferOf(bytes)));
  EXPECT_THAT(damaged.Batch(2).value().column(0), ReadsAs("[null,4,5]"));
}

TEST(FileReader, ReadersOverTheSameFileDoNotDisturbEachOther) {
  ASSERT_OK_AND_ASSIGN(const auto file, ipc::FileReader::Open(ThreeBatchFile()));
  const auto a = file.Batches();
  const auto b = file.Batches();
  EXPECT_THAT(a->Next().value()->column(0), ReadsAs("[1,2]"));
  EXPECT_THAT(a->Next().value()->column(0), ReadsAs("[]"));
  EXPECT_THAT(b->Next().value()->column(0), ReadsAs("[1,2]"));
  EXPECT_THAT(a->Next().value()->column(0), ReadsAs("[null,4,5]"));
  EXPECT_FALSE(a->Next().value().has_value());
  EXPECT_FALSE(a->Next().value().has_value());
}

TEST(FileReader, FormatIsToldByTheMagic) {
  EXPECT_EQ(ipc::FormatOf(ThreeBatchFile()), ipc::Format::kFile);
  EXPECT_EQ(ipc::FormatOf(DataFile("cases/lv_whole.stream")), ipc::Format::kStream);
  EXPECT_EQ(ipc::FormatOf(Buffer()), ipc::Format::kStream);
}

TEST(FileWriter, AClosedWriterTakesNothingMore) {
  ipc::MemorySink sink;
  ASSERT_OK_AND_ASSIGN(auto writer, ipc::FileWriter::Open(ThreeBatches()[0].schema(), &sink));
  ASSERT_OK(writer.Close());
  const int64_t size = sink.size_bytes();
  ASSERT_OK(writer.Close());
  EXPECT_THAT(writer.Write(ThreeBatches()[0]), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_EQ(sink.size_bytes(), size);
  ASSERT_OK_AND_ASSIGN(const Buffer bytes, sink.Finish());
  ASSERT_OK_AND_ASSIGN(const auto file, ipc::FileReader::Open(bytes));
  EXPECT_EQ(file.num_batches(), 0);
}

TEST(FileReader, TheLargeFileReadsWholeAndKeepsItsViews) {
  ASSERT_OK_AND_ASSIGN(const auto file,
                       ipc::FileReader::OpenPath(DataPath("large/temperatures.arrow")));
  std::ifstream stream(DataPath("large/temperatures.json"));
  const auto expected = nlohmann::json::parse(stream);
  ASSERT_EQ(file.num_batches(), static_cast<int>(expected.size()));
  for (int i = 0; i < file.num_batches(); ++i) {
    ASSERT_OK_AND_ASSIGN(const RecordBatch batch, file.Batch(i));
    EXPECT_OK(batch.Validate(ValidationLevel::kFull));
    for (const auto& [name, counts] : expected[static_cast<size_t>(i)].items()) {
      ASSERT_OK_AND_ASSIGN(const int index, batch.schema().FieldIndex(name));
      const Array& column = batch.column(index);
      EXPECT_EQ(column.length(), counts.at("rows").get<int64_t>());
      EXPECT_EQ(column.null_count(), counts.at("null_count").get<int64_t>());
      EXPECT_EQ(column.child(0).length(), counts.at("elements").get<int64_t>());
      ASSERT_OK_AND_ASSIGN(const ViewContent content, ContentOf(column));
      EXPECT_EQ(content.sum_of_sizes, counts.at("sum_of_sizes_of_valid_rows").get<int64_t>());
    }
  }
}

}  // namespace
}  // namespace sheaf
