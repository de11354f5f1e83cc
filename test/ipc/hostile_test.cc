// Damaged streams and files: whatever the bytes say, there is a result or an error, and memory
// stays in bounds.

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "ipc/forge.h"
#include "ipc/ipc_testing.h"
#include "sheaf/array/dictionary_array.h"
#include "sheaf/base/bits.h"
#include "sheaf/c_data/dictionary_registry.h"
#include "sheaf/ipc/byte_source.h"
#include "sheaf/ipc/file_reader.h"
#include "sheaf/ipc/file_writer.h"
#include "sheaf/ipc/stream_reader.h"
#include "sheaf/ipc/stream_writer.h"
#include "testing/array_literals.h"
#include "testing/matchers.h"
#include "testing/random_arrays.h"

namespace sheaf {
namespace {

using namespace testing;

/// Does with the bytes what a user would: reads all, checks and writes what reads. Nothing
/// here may crash, and no more memory than `limit` may be in use.
class Victim {
 public:
  explicit Victim(int64_t limit_bytes)
      : pool_(MakeLimitedPool(MemoryPool::Default(), limit_bytes)) {
    options_.pool = pool_.get();
    options_.dictionaries = std::make_shared<DictionaryRegistry>(
        DictionaryRegistryOptions{.hold = DictionaryHold::kWhileUsed, .pool = pool_.get()});
  }
  ~Victim() {
    EXPECT_EQ(options_.dictionaries->size(), 0);
    options_.dictionaries.reset();
    EXPECT_EQ(pool_->bytes_in_use(), 0);
  }

  void Use(const Buffer& bytes) {
    Use(ipc::OpenReader(bytes, options_));
    if (ipc::FormatOf(bytes) == ipc::Format::kStream) {
      auto reader = ipc::StreamReader::Open(ipc::MakeBufferSource(bytes), options_);
      if (reader.ok()) (void)(*reader)->Next();
    }
  }

  int64_t batches_read() const { return batches_read_; }

 private:
  void Use(StatusOr<std::unique_ptr<RecordBatchReader>> reader) {
    if (!reader.ok()) return;
    // All batches into one stream: their dictionaries are compared with those before.
    ipc::MemorySink sink(pool_.get());
    ipc::WriteOptions options;
    options.pool = pool_.get();
    auto writer = ipc::StreamWriter::Open((*reader)->schema(), &sink, options);
    for (int i = 0; i < 50; ++i) {
      auto batch = (*reader)->Next();
      if (!batch.ok() || !*batch) return;
      ++batches_read_;
      if (writer.ok()) (void)writer->Write(**batch);
      Use(**batch);
    }
  }
  void Use(const RecordBatch& batch) {
    ipc::MemorySink sink(pool_.get());
    ipc::WriteOptions options;
    options.pool = pool_.get();
    auto writer = ipc::FileWriter::Open(batch.schema(), &sink, options);
    if (writer.ok()) (void)writer->Write(batch);
    (void)batch.Validate(ValidationLevel::kFull);
  }

  std::unique_ptr<MemoryPool> pool_;
  ipc::ReadOptions options_;
  int64_t batches_read_ = 0;
};

constexpr int64_t kLimit = int64_t{16} << 20;
constexpr int64_t kLargest = INT64_MAX;

std::vector<std::string> SmallFiles() {
  std::vector<std::string> names;
  for (const std::string& name : EngineFiles()) {
    if (DataFile("ipc/" + name).size_bytes() <= 6000) names.push_back("ipc/" + name);
  }
  for (const char* name : {"lv_whole", "sv_good", "struct_child_short", "fsl_size_zero", "be_int",
                           "dict_replace_delta", "dict_delta_first", "dict_delta_no_base"}) {
    names.push_back(std::string("cases/") + name + ".stream");
  }
  return names;
}

/// Every byte of a short file; of a longer one some 1,000. Odd: every place within words is met.
size_t Step(const Buffer& bytes) {
  return bytes.size_bytes() <= 1500 ? 1 : static_cast<size_t>(bytes.size_bytes() / 1000) | 1;
}

class SmallFile : public ::testing::TestWithParam<std::string> {};

TEST_P(SmallFile, IPC_14_EveryPrefixIsSafe) {
  const Buffer whole = DataFile(GetParam());
  Victim victim(kLimit);
  const auto step = static_cast<int64_t>(Step(whole));
  for (int64_t size = 0; size < whole.size_bytes(); size += step) {
    victim.Use(Buffer::Copy(whole.bytes().first(static_cast<size_t>(size))).value());
  }
}

TEST_P(SmallFile, EveryFlippedByteIsSafe) {
  std::vector<uint8_t> bytes = BytesOf(DataFile(GetParam()));
  Victim victim(kLimit);
  const size_t step = Step(DataFile(GetParam()));
  for (const uint8_t mask : {0xFF, 0x01}) {
    for (size_t i = mask % step; i < bytes.size(); i += step) {
      bytes[i] ^= mask;
      victim.Use(BufferOf(bytes));
      bytes[i] ^= mask;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SmallFile, ::testing::ValuesIn(SmallFiles()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

TEST(Hostile, ForgedNumbersOfEveryTypeAreSafe) {
  for (const TypeId id : AllTypeIds()) {
    Random random(static_cast<uint64_t>(id));
    const RecordBatch batch = BatchOf(RandomArray(SampleType(id), {.length = 9}, random));
    Victim victim(kLimit);
    const int64_t values[] = {-1,
                              0,
                              1,
                              8,
                              10,
                              1000,
                              int64_t{1} << 31,
                              int64_t{1} << 40,
                              (int64_t{1} << 59) - 1,
                              INT64_MAX,
                              INT64_MIN};
    const internal::BatchBody body = internal::MakeBatchBody(batch, {}, true).value();
    for (const int64_t value : values) {
      for (size_t i = 0; i < body.nodes.size(); ++i) {
        const auto& node = body.nodes[i];
        victim.Use(ForgedStream(batch, [&](auto& b) { b.nodes[i] = {value, node.null_count()}; }));
        victim.Use(ForgedStream(batch, [&](auto& b) { b.nodes[i] = {node.length(), value}; }));
        victim.Use(ForgedStream(batch, [&](auto& b) {
          b.nodes[i] = {value, 0};
          b.length = value;
        }));
      }
      for (size_t i = 0; i < body.places.size(); ++i) {
        const auto& place = body.places[i];
        victim.Use(ForgedStream(batch, [&](auto& b) { b.places[i] = {value, place.length()}; }));
        victim.Use(ForgedStream(batch, [&](auto& b) { b.places[i] = {place.offset(), value}; }));
      }
      victim.Use(ForgedStream(batch, [&](auto& b) { b.body_bytes = value; }));
    }
  }
}

TEST(Hostile, ForgedNumbersOfDictionariesAreSafe) {
  for (const TypeId id : AllTypeIds()) {
    if (id == TypeId::kDictionary || id == TypeId::kExtension) continue;
    Random random(static_cast<uint64_t>(id));
    const Array values = RandomArray(SampleType(id), {.length = 9}, random);
    const Array column = DictionaryArray::Make(Ints({8, kNull, 0}, Int8()), values).value();
    Victim victim(kLimit);
    const auto use = [&](const Forge& forge) {
      for (const bool is_delta : {false, true}) {
        StreamForge stream;
        stream.AddSchema(Schema({Field("c", column.type())})).AddDictionary(0, values);
        stream.AddDictionary(0, values, is_delta, forge).AddBatch({column}).AddEnd();
        victim.Use(stream.Finish());
        victim.Use(stream.FinishFile());
      }
    };
    use({});
    EXPECT_GE(victim.batches_read(), 1);
    const internal::BatchBody body = internal::MakeBatchBody(BatchOf(values), {}, true).value();
    for (const int64_t value : {int64_t{-1}, int64_t{0}, int64_t{8}, int64_t{1000},
                                (int64_t{1} << 59) - 1, INT64_MAX, INT64_MIN}) {
      for (size_t i = 0; i < body.nodes.size(); ++i) {
        use([&](auto& b) { b.nodes[i] = {value, b.nodes[i].null_count()}; });
        use([&](auto& b) { b.nodes[i] = {b.nodes[i].length(), value}; });
      }
      for (size_t i = 0; i < body.places.size(); ++i) {
        use([&](auto& b) { b.places[i] = {value, b.places[i].length()}; });
        use([&](auto& b) { b.places[i] = {b.places[i].offset(), value}; });
      }
      use([&](auto& b) {
        b.nodes[0] = {value, 0};
        b.length = value;
      });
      use([&](auto& b) { b.body_bytes = value; });
    }
  }
}

/// A stream of one int64 column of 1,000 sevens, compressed, whose values declare `length` bytes.
Status ReadWithDeclared(ipc::Compression compression, int64_t length, MemoryPool* pool) {
  const RecordBatch batch = BatchOf(Ints(std::vector<std::optional<int64_t>>(1000, 7), Int64()));
  std::vector<uint8_t> bytes =
      BytesOf(ForgedStream(batch, [](auto&) {}, {.compression = compression}));
  const int64_t declared = 8000;
  const auto* declared_bytes = reinterpret_cast<const uint8_t*>(&declared);
  const auto at = std::search(bytes.begin(), bytes.end(), declared_bytes, declared_bytes + 8);
  std::copy_n(reinterpret_cast<const uint8_t*>(&length), 8, at);
  ipc::ReadOptions options;
  options.pool = pool;
  return ReadBatches(BufferOf(bytes), options).status();
}

TEST(Hostile, DeclaredLengthsOfCompressedBuffersAreCheckedBeforeMemoryIsAskedFor) {
  const auto pool = MakeLimitedPool(MemoryPool::Default(), kLimit);
  for (const auto compression : {ipc::Compression::kLz4Frame, ipc::Compression::kZstd}) {
    EXPECT_OK(ReadWithDeclared(compression, 8000, pool.get()));
    for (const int64_t length : {int64_t{7999}, int64_t{8192}, int64_t{1} << 40, INT64_MAX,
                                 int64_t{0}, int64_t{-2}, INT64_MIN}) {
      EXPECT_THAT(ReadWithDeclared(compression, length, pool.get()),
                  StatusIs(StatusCode::kInvalidArgument, "$.c"))
          << length;
    }
    // Within what a writer may round up to, but not what the frame holds.
    EXPECT_THAT(ReadWithDeclared(compression, 8064, pool.get()),
                StatusIs(StatusCode::kInvalidArgument, "$.c"));
    // Said not to be compressed: too few bytes.
    EXPECT_THAT(ReadWithDeclared(compression, -1, pool.get()),
                StatusIs(StatusCode::kInvalidArgument, "$.c"));
  }
  EXPECT_LE(pool->peak_bytes(), int64_t{1} << 20);
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(Hostile, ALastOffsetAndADeclaredLengthOfTheLargestNumberAreSafe) {
  const int64_t size = 4000;
  const RecordBatch batch =
      BatchOf(Utf8s({std::string(static_cast<size_t>(size), 'a')}, LargeUtf8()));
  for (const auto compression : {ipc::Compression::kLz4Frame, ipc::Compression::kZstd}) {
    std::vector<uint8_t> bytes =
        BytesOf(ForgedStream(batch, [](auto&) {}, {.compression = compression}));
    // Both are the size, as int64.
    int replaced = 0;
    for (size_t i = 0; i + 8 <= bytes.size(); ++i) {
      if (LoadUnaligned<int64_t>(&bytes[i]) != size) continue;
      std::memcpy(&bytes[i], &kLargest, sizeof(kLargest));
      ++replaced;
    }
    EXPECT_EQ(replaced, 2);
    EXPECT_THAT(ReadBatches(BufferOf(bytes)), StatusIs(StatusCode::kInvalidArgument, "$.c"));
  }
}

TEST(Hostile, MemoryComesFromThePoolAndItsRefusalIsAStatus) {
  const Array zeros = Ints(std::vector<std::optional<int64_t>>(100000, 0), Int64());
  const RecordBatch batch = BatchOf(zeros);
  for (const auto compression : {ipc::Compression::kLz4Frame, ipc::Compression::kZstd}) {
    ASSERT_OK_AND_ASSIGN(
        const Buffer bytes,
        WriteBatches(batch.schema(), {batch}, Container::kStream, {.compression = compression}));
    const auto pool = MakeLimitedPool(MemoryPool::Default(), 100000);
    ipc::ReadOptions options;
    options.pool = pool.get();
    EXPECT_THAT(ReadBatches(bytes, options), StatusIs(StatusCode::kResourceExhausted, "$.c"));
    EXPECT_EQ(pool->bytes_in_use(), 0);
  }
}

}  // namespace
}  // namespace sheaf
