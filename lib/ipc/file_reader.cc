#include "sheaf/ipc/file_reader.h"

#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "ipc/file_layout.h"
#include "ipc/message.h"
#include "ipc/projection.h"
#include "ipc/read_batch.h"
#include "ipc/read_dictionaries.h"
#include "sheaf/base/bits.h"
#include "sheaf/ipc/byte_source.h"
#include "sheaf/ipc/stream_reader.h"

namespace sheaf::inline v1::ipc {

namespace {

using internal::kMagic;
using internal::kTrailerBytes;

bool StartsWithMagic(const uint8_t* bytes) {
  return std::memcmp(bytes, kMagic.data(), kMagic.size()) == 0;
}

/// | magic, padding | messages | footer | its length, int32 | magic |
StatusOr<Buffer> FindFooter(const Buffer& bytes) {
  const int64_t size_bytes = bytes.size_bytes();
  constexpr int64_t kLeastBytes = static_cast<int64_t>(kMagic.size()) + kTrailerBytes;
  if (size_bytes < kLeastBytes || !StartsWithMagic(bytes.data())) {
    return internal::InvalidArgument("not an IPC file: it does not begin with ", kMagic);
  }
  const uint8_t* trailer = bytes.data() + size_bytes - kTrailerBytes;
  if (!StartsWithMagic(trailer + 4)) {
    return internal::InvalidArgument("not a whole IPC file: it does not end with ", kMagic);
  }
  const int64_t length = LoadUnaligned<int32_t>(trailer);
  if (length <= 0 || length > size_bytes - kLeastBytes) {
    return internal::InvalidArgument("a footer of ", length, " bytes in a file of ", size_bytes);
  }
  return bytes.Slice(size_bytes - kTrailerBytes - length, length);
}

}  // namespace

struct FileReader::State {
  ReadOptions options;
  Buffer bytes;
  Buffer footer;
  internal::Projection projection;
  std::optional<internal::Dictionaries> dictionaries;

  const internal::format::Footer& table() const {
    return *flatbuffers::GetRoot<internal::format::Footer>(footer.data());
  }
  int num_batches() const {
    const auto* blocks = table().record_batches();
    return blocks == nullptr ? 0 : static_cast<int>(blocks->size());
  }

  StatusOr<internal::Message> MessageAt(const internal::format::Block& block) const {
    return internal::MessageAt(bytes, block, options.max_depth, options.pool);
  }

  /// All of them, as a batch may need any.
  Status ReadDictionaries() {
    dictionaries.emplace(projection, options);
    const auto* blocks = table().dictionaries();
    if (blocks == nullptr || dictionaries->empty()) return OkStatus();
    for (int i = 0; i < static_cast<int>(blocks->size()); ++i) {
      SHEAF_ASSIGN_OR_RETURN(const internal::Message message,
                             MessageAt(internal::EntryAt(*blocks, i)));
      SHEAF_RETURN_IF_ERROR(dictionaries->Read(message, /*may_replace=*/false));
    }
    return dictionaries->Settle();
  }

  StatusOr<RecordBatch> Batch(int i) const {
    SHEAF_ASSIGN_OR_RETURN(const internal::Message message,
                           MessageAt(internal::EntryAt(*table().record_batches(), i)));
    return internal::ReadBatch(message, projection, *dictionaries, options);
  }
};

FileReader::FileReader(std::shared_ptr<const State> state) : state_(std::move(state)) {}

StatusOr<FileReader> FileReader::Open(Buffer bytes, ReadOptions options) {
  auto state = std::make_shared<State>();
  SHEAF_ASSIGN_OR_RETURN(Buffer footer, FindFooter(bytes));
  SHEAF_ASSIGN_OR_RETURN(
      state->footer, internal::VerifyFooter(std::move(footer), options.max_depth, options.pool));
  SHEAF_ASSIGN_OR_RETURN(
      internal::StreamSchema schema,
      internal::ReadSchema(state->table().schema(), state->footer.size_bytes(), options.max_depth));
  SHEAF_ASSIGN_OR_RETURN(state->projection, internal::MakeProjection(std::move(schema), options));
  state->options = std::move(options);
  state->bytes = std::move(bytes);
  SHEAF_RETURN_IF_ERROR(state->ReadDictionaries());
  return FileReader(std::move(state));
}

StatusOr<FileReader> FileReader::OpenPath(const std::string& path, ReadOptions options) {
  SHEAF_ASSIGN_OR_RETURN(Buffer bytes, MapFile(path));
  auto reader = Open(std::move(bytes), std::move(options));
  if (reader.ok()) return reader;
  return internal::ErrorOf(reader.status().code(), {path, ": ", reader.status().message()});
}

const Schema& FileReader::schema() const noexcept { return state_->projection.schema; }
int FileReader::num_batches() const noexcept { return state_->num_batches(); }

StatusOr<RecordBatch> FileReader::Batch(int i) const {
  if (i < 0 || i >= num_batches()) {
    return internal::InvalidArgument("no batch ", i, ": the file has ", num_batches());
  }
  auto batch = state_->Batch(i);
  if (batch.ok()) return batch;
  return internal::ErrorOf(batch.status().code(), {"batch ", i, ": ", batch.status().message()});
}

StatusOr<int64_t> FileReader::RegistryId(int64_t id) const {
  return state_->dictionaries->RegistryId(id);
}

namespace {

class FileBatches final : public RecordBatchReader {
 public:
  explicit FileBatches(FileReader file) : file_(std::move(file)) {}

  const Schema& schema() const noexcept override { return file_.schema(); }

  StatusOr<std::optional<RecordBatch>> Next() override {
    if (next_ >= file_.num_batches()) return std::optional<RecordBatch>();
    SHEAF_ASSIGN_OR_RETURN(RecordBatch batch, file_.Batch(next_++));
    return std::optional<RecordBatch>(std::move(batch));
  }

 private:
  FileReader file_;
  int next_ = 0;
};

}  // namespace

std::unique_ptr<RecordBatchReader> FileReader::Batches() const {
  return std::make_unique<FileBatches>(*this);
}

Format FormatOf(const Buffer& bytes) noexcept {
  const bool is_file =
      bytes.size_bytes() >= static_cast<int64_t>(kMagic.size()) && StartsWithMagic(bytes.data());
  return is_file ? Format::kFile : Format::kStream;
}

StatusOr<std::unique_ptr<RecordBatchReader>> OpenReader(Buffer bytes, ReadOptions options) {
  if (FormatOf(bytes) == Format::kStream) {
    return StreamReader::Open(std::move(bytes), std::move(options));
  }
  SHEAF_ASSIGN_OR_RETURN(const FileReader file,
                         FileReader::Open(std::move(bytes), std::move(options)));
  return file.Batches();
}

}  // namespace sheaf::inline v1::ipc
