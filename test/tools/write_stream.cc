#include "tools/write_stream.h"

#include <cstdlib>
#include <iostream>
#include <optional>
#include <utility>

#include "sheaf/ipc/byte_sink.h"
#include "sheaf/ipc/stream_writer.h"
#include "tools/input.h"
#include "tools/run_tool.h"

namespace sheaf::testing {
namespace {

void Check(const Status& status) {
  if (status.ok()) return;
  std::cerr << status << '\n';
  std::abort();
}
template <typename T>
T Value(StatusOr<T> result) {
  Check(result.status());
  return *std::move(result);
}

}  // namespace

void WriteStream(const std::string& path, std::vector<Field> fields,
                 const std::vector<Array>& columns) {
  const Schema schema(std::move(fields));
  WriteStream(
      path, {Value(RecordBatch::Make(schema, columns.empty() ? 0 : columns[0].length(), columns))});
}

void WriteStream(const std::string& path, const std::vector<RecordBatch>& batches) {
  ipc::MemorySink sink;
  auto writer = Value(ipc::StreamWriter::Open(batches.at(0).schema(), &sink));
  for (const RecordBatch& batch : batches) Check(writer.Write(batch));
  Check(writer.Close());
  const Buffer bytes = Value(sink.Finish());
  WriteFile(path,
            {reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(bytes.size_bytes())});
}

std::vector<RecordBatch> ReadBatches(const std::string& path) {
  const auto input = Value(tools::Input::Open(path));
  std::vector<RecordBatch> batches;
  while (std::optional<RecordBatch> batch = Value(input->NextVerifiedBatch()))
    batches.push_back(*std::move(batch));
  return batches;
}

}  // namespace sheaf::testing
