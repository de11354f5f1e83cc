// Any bytes as an IPC stream or file: read from a buffer and pulled, checked, written again and
// read back.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "sheaf/array/record_batch.h"
#include "sheaf/ipc/byte_sink.h"
#include "sheaf/ipc/byte_source.h"
#include "sheaf/ipc/file_reader.h"
#include "sheaf/ipc/stream_reader.h"
#include "sheaf/ipc/stream_writer.h"

namespace sheaf {
namespace {

constexpr int64_t kLimitBytes = int64_t{64} << 20;

void Require(bool condition) {
  if (!condition) std::abort();
}

/// What is valid in full is written, and comes back the same.
void WriteAndReadBack(const RecordBatch& batch, const ipc::ReadOptions& options) {
  ipc::MemorySink sink(options.pool);
  ipc::WriteOptions write_options;
  write_options.pool = options.pool;
  auto writer = ipc::StreamWriter::Open(batch.schema(), &sink, write_options);
  if (!writer.ok() || !writer->Write(batch).ok() || !writer->Close().ok()) return;
  auto bytes = sink.Finish();
  if (!bytes.ok() || !batch.Validate(ValidationLevel::kFull).ok()) return;

  auto reader = ipc::StreamReader::Open(*std::move(bytes), options);
  Require(reader.ok());
  auto back = (*reader)->Next();
  if (!back.ok() && back.status().code() == StatusCode::kResourceExhausted) return;
  Require(back.ok() && back->has_value() && (*back)->num_rows() == batch.num_rows());
  Require((*back)->Validate(ValidationLevel::kFull).ok());
}

void ReadAll(StatusOr<std::unique_ptr<RecordBatchReader>> reader, const ipc::ReadOptions& options) {
  if (!reader.ok()) return;
  // All batches into one stream, too: their dictionaries are compared with those before.
  ipc::MemorySink sink(options.pool);
  ipc::WriteOptions write_options;
  write_options.pool = options.pool;
  auto writer = ipc::StreamWriter::Open((*reader)->schema(), &sink, write_options);
  for (int i = 0; i < 20; ++i) {
    auto batch = (*reader)->Next();
    if (!batch.ok() || !*batch) return;
    if (writer.ok()) (void)writer->Write(**batch);
    WriteAndReadBack(**batch, options);
  }
}

}  // namespace
}  // namespace sheaf

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf;
  const auto pool = MakeLimitedPool(MemoryPool::Default(), kLimitBytes);
  ipc::ReadOptions options;
  options.pool = pool.get();
  const Buffer bytes = Buffer::Borrow(data, static_cast<int64_t>(size));
  ReadAll(ipc::OpenReader(bytes, options), options);
  if (ipc::FormatOf(bytes) == ipc::Format::kStream) {
    auto pulled = ipc::StreamReader::Open(ipc::MakeBufferSource(bytes), options);
    if (pulled.ok()) ReadAll(*std::move(pulled), options);
  }
  if (pool->bytes_in_use() != 0) std::abort();
  return 0;
}
