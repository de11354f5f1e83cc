#include "sheaf/c_data/stream.h"

#include <cerrno>
#include <memory>
#include <optional>
#include <vector>

#include "c_data/foreign.h"
#include "testing/array_literals.h"
#include "testing/failing_pool.h"
#include "testing/matchers.h"

namespace sheaf {
namespace {

using namespace testing;

Schema TestSchema() {
  return Schema({Field("a", Int32()), Field("b", ListView(Utf8()))}, {{"k", "v"}});
}

RecordBatch TestBatch(const MaybeInts& ints, const char* lists) {
  return *RecordBatch::Make(TestSchema(), static_cast<int64_t>(ints.size()),
                            {Ints(ints), FromJson(ListView(Utf8()), lists)});
}

std::vector<RecordBatch> TestBatches() {
  return {TestBatch({1, 2, kNull}, R"([["x"], null, ["y", "z"]])"), TestBatch({4}, "[[]]")};
}

// Batches from memory; `error` comes in place of the batch of that number.
class MemoryReader final : public RecordBatchReader {
 public:
  explicit MemoryReader(std::vector<RecordBatch> batches, Status error = {}, size_t error_at = 0)
      : schema_(TestSchema()),
        batches_(std::move(batches)),
        error_(std::move(error)),
        error_at_(error_at) {}
  const Schema& schema() const noexcept override { return schema_; }
  StatusOr<std::optional<RecordBatch>> Next() override {
    if (!error_.ok() && next_ == error_at_) return error_;
    if (next_ == batches_.size()) return std::optional<RecordBatch>();
    return std::optional<RecordBatch>(batches_[next_++]);
  }

 private:
  Schema schema_;
  std::vector<RecordBatch> batches_;
  Status error_;
  size_t error_at_;
  size_t next_ = 0;
};

TEST(CStream, STM_01_BatchesThenTheEndAgainAndAgain) {
  const std::vector<RecordBatch> batches = TestBatches();
  ArrowArrayStream stream;
  ASSERT_OK(ExportStream(std::make_unique<MemoryReader>(batches), &stream));
  {
    ScopedSchema schema;
    ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
    ScopedSchema again;
    EXPECT_EQ(stream.get_schema(&stream, &again), 0);
    EXPECT_STREQ(again.children[1]->format, "+vl");
  }
  ASSERT_OK_AND_ASSIGN(const auto reader, ImportStream(&stream));
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_TRUE(reader->schema().Identical(TestSchema()));
  for (const RecordBatch& expected : batches) {
    ASSERT_OK_AND_ASSIGN(const auto batch, reader->Next());
    ASSERT_TRUE(batch.has_value());
    EXPECT_EQ(*batch, expected);
  }
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK_AND_ASSIGN(const auto end, reader->Next());
    EXPECT_FALSE(end.has_value());
  }
}

TEST(CStream, STM_01_TheEndIsAReleasedArrayHoweverOftenItIsAskedFor) {
  ScopedStream stream;
  ASSERT_OK(ExportStream(std::make_unique<MemoryReader>(TestBatches()), &stream));
  for (int i = 0; i < 5; ++i) {
    ScopedArray array;
    EXPECT_EQ(stream.get_next(&stream, &array), 0);
    EXPECT_EQ(array.release != nullptr, i < 2);
    EXPECT_EQ(stream.get_last_error(&stream), nullptr);
  }
}

TEST(CStream, STM_02_WhatWasFetchedOutlivesTheStream) {
  ArrowArrayStream stream;
  ASSERT_OK(ExportStream(std::make_unique<MemoryReader>(TestBatches()), &stream));
  ScopedSchema schema;
  ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
  std::vector<std::unique_ptr<ScopedArray>> arrays;
  for (int i = 0; i < 2; ++i) {
    arrays.push_back(std::make_unique<ScopedArray>());
    ASSERT_EQ(stream.get_next(&stream, arrays.back().get()), 0);
  }
  stream.release(&stream);
  EXPECT_EQ(stream.release, nullptr);

  ASSERT_OK_AND_ASSIGN(const Schema of_stream, ImportSchema(&schema));
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_OK_AND_ASSIGN(const RecordBatch batch, ImportRecordBatch(arrays[i].get(), of_stream));
    EXPECT_EQ(batch, TestBatches()[i]);
  }
}

TEST(CStream, STM_03_ChunkedArraysGoChunkByChunk) {
  for (const int chunks : {0, 2}) {
    std::vector<Array> arrays = {Ints({1, kNull}), Ints({3})};
    arrays.resize(static_cast<size_t>(chunks));
    ASSERT_OK_AND_ASSIGN(const ChunkedArray chunked, ChunkedArray::Make(Int32(), arrays));
    ArrowArrayStream stream;
    ASSERT_OK(ExportStream(chunked, &stream));
    ASSERT_OK_AND_ASSIGN(const ChunkedArray back, ImportChunkedArray(&stream));
    EXPECT_EQ(stream.release, nullptr);
    EXPECT_EQ(back.type(), Int32());
    EXPECT_EQ(back.num_chunks(), chunks);
    EXPECT_EQ(back, chunked);
  }
}

TEST(CStream, STM_04_AConsumerMayStopEarly) {
  const int64_t before = MemoryPool::Default()->bytes_in_use();
  {
    ArrowArrayStream stream;
    ASSERT_OK(ExportStream(std::make_unique<MemoryReader>(TestBatches()), &stream));
    ASSERT_OK_AND_ASSIGN(const auto reader, ImportStream(&stream));
    ASSERT_OK(reader->Next());
  }
  EXPECT_EQ(MemoryPool::Default()->bytes_in_use(), before);
}

TEST(CStream, ErrorsArriveWithCodeAndMessageAndStay) {
  const std::pair<Status, int> kErrors[] = {{absl::InvalidArgumentError("bad row 7"), EINVAL},
                                            {absl::ResourceExhaustedError("no memory"), ENOMEM},
                                            {absl::UnimplementedError("not yet"), ENOSYS},
                                            {absl::DataLossError("cut short"), EIO}};
  for (const auto& [error, number] : kErrors) {
    ScopedStream raw;
    ASSERT_OK(ExportStream(std::make_unique<MemoryReader>(TestBatches(), error, 0), &raw));
    ScopedArray array;
    EXPECT_EQ(raw.get_next(&raw, &array), number);
    EXPECT_EQ(std::string(raw.get_last_error(&raw)), error.message());
    EXPECT_EQ(array.release, nullptr);

    ArrowArrayStream stream;
    ASSERT_OK(ExportStream(std::make_unique<MemoryReader>(TestBatches(), error, 1), &stream));
    ASSERT_OK_AND_ASSIGN(const auto reader, ImportStream(&stream));
    EXPECT_OK(reader->Next());
    const StatusCode code = number == EIO ? StatusCode::kInternal : error.code();
    for (int i = 0; i < 2; ++i)
      EXPECT_THAT(reader->Next(), StatusIs(code, std::string(error.message())));
  }
}

TEST(CStream, AStreamOfArraysThatAreNotStructsIsNoStreamOfBatches) {
  ASSERT_OK_AND_ASSIGN(const ChunkedArray chunked, ChunkedArray::Make(Int32(), {Ints({1})}));
  ArrowArrayStream stream;
  ASSERT_OK(ExportStream(chunked, &stream));
  EXPECT_THAT(ImportStream(&stream), StatusIs(StatusCode::kInvalidArgument, "struct"));
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_THAT(ImportStream(&stream), StatusIs(StatusCode::kInvalidArgument, "released"));
  EXPECT_THAT(ImportChunkedArray(nullptr), StatusIs(StatusCode::kInvalidArgument, "null"));
}

TEST(CStream, AFailureOfAnyAllocationLeaksNothing) {
  const int64_t before = MemoryPool::Default()->bytes_in_use();
  FailingPool pool;
  for (int64_t k = 0;; ++k) {
    pool.FailAt(k);
    ArrowArrayStream stream;
    ASSERT_OK(ExportStream(std::make_unique<MemoryReader>(TestBatches()), &stream, &pool));
    auto reader = ImportStream(&stream, {.pool = &pool});
    Status status = reader.status();
    while (status.ok()) {
      const auto batch = (*reader)->Next();
      status = batch.status();
      if (batch.ok() && !batch->has_value()) break;
    }
    if (!pool.failed()) {
      EXPECT_OK(status);
      break;
    }
    EXPECT_THAT(status, StatusIs(StatusCode::kResourceExhausted));
  }
  EXPECT_EQ(MemoryPool::Default()->bytes_in_use(), before);
}

}  // namespace
}  // namespace sheaf
