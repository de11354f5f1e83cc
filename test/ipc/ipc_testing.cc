#include "ipc/ipc_testing.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "sheaf/ipc/file_reader.h"
#include "sheaf/ipc/file_writer.h"
#include "sheaf/ipc/stream_reader.h"
#include "sheaf/ipc/stream_writer.h"

namespace sheaf::testing {
namespace {

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

std::string PathOf(const std::string& name) { return std::string(SHEAF_TEST_DATA) + "/" + name; }

template <typename Writer>
StatusOr<Buffer> WriteWith(const Schema& schema, const std::vector<RecordBatch>& batches,
                           const ipc::WriteOptions& options) {
  ipc::MemorySink sink;
  SHEAF_ASSIGN_OR_RETURN(Writer writer, Writer::Open(schema, &sink, options));
  for (const RecordBatch& batch : batches) SHEAF_RETURN_IF_ERROR(writer.Write(batch));
  SHEAF_RETURN_IF_ERROR(writer.Close());
  return sink.Finish();
}

void StripUnions(Value* value) {
  if (auto* held = std::get_if<UnionValue>(&value->data); held != nullptr) {
    Value inner = std::move(held->value[0]);
    *value = std::move(inner);
    return StripUnions(value);
  }
  if (auto* list = std::get_if<ListValue>(&value->data); list != nullptr) {
    for (Value& item : list->items) StripUnions(&item);
  } else if (auto* row = std::get_if<StructValue>(&value->data); row != nullptr) {
    for (Value& field : row->fields) StripUnions(&field);
  }
}

}  // namespace

Buffer DataFile(const std::string& name) {
  std::ifstream stream(PathOf(name), std::ios::binary);
  if (!stream) Die("no test data " + name);
  std::vector<char> bytes((std::istreambuf_iterator<char>(stream)),
                          std::istreambuf_iterator<char>());
  return Buffer::Copy({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}).value();
}

std::vector<std::string> EngineFiles() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(PathOf("ipc"))) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".arrow" || extension == ".arrows") {
      names.push_back(entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

nlohmann::json Sidecar(const std::string& name) {
  std::ifstream stream(PathOf("ipc/" + name + ".json"));
  return nlohmann::json::parse(stream);
}

StatusOr<std::vector<RecordBatch>> ReadBatches(const Buffer& bytes,
                                               const ipc::ReadOptions& options) {
  SHEAF_ASSIGN_OR_RETURN(const auto reader, ipc::OpenReader(bytes, options));
  std::vector<RecordBatch> batches;
  while (true) {
    SHEAF_ASSIGN_OR_RETURN(std::optional<RecordBatch> batch, reader->Next());
    if (!batch) return batches;
    batches.push_back(*std::move(batch));
  }
}

StatusOr<Buffer> WriteBatches(const Schema& schema, const std::vector<RecordBatch>& batches,
                              Container container, const ipc::WriteOptions& options) {
  return container == Container::kStream ? WriteWith<ipc::StreamWriter>(schema, batches, options)
                                         : WriteWith<ipc::FileWriter>(schema, batches, options);
}

RecordBatch BatchOf(const Array& column) {
  auto batch = RecordBatch::Make(Schema({Field("c", column.type())}), column.length(), {column});
  if (!batch.ok()) Die(batch.status().ToString());
  return *std::move(batch);
}

Array Trip(const Array& column, const ipc::WriteOptions& options) {
  const RecordBatch batch = BatchOf(column);
  const auto bytes = WriteBatches(batch.schema(), {batch}, Container::kStream, options);
  if (!bytes.ok()) Die(bytes.status().ToString());
  ipc::ReadOptions read_options;
  read_options.max_depth = 300;
  const auto batches = ReadBatches(*bytes, read_options);
  if (!batches.ok()) Die(batches.status().ToString());
  return batches->at(0).column(0);
}

Values ColumnValues(const std::vector<RecordBatch>& batches, int column) {
  Values values;
  for (const RecordBatch& batch : batches) Append(&values, Read(batch.column(column)));
  return WithoutUnions(std::move(values));
}

Values WithoutUnions(Values values) {
  for (Value& value : values) StripUnions(&value);
  return values;
}

}  // namespace sheaf::testing
