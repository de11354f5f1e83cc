#include "sheaf/ipc/file_writer.h"

#include <utility>
#include <vector>

#include "base/error.h"
#include "ipc/file_layout.h"
#include "ipc/message_writer.h"
#include "ipc/write_schema.h"

namespace sheaf::inline v1::ipc {
namespace {

/// A FlatBuffer ends at 2 GiB, by an assertion.
constexpr size_t kMaxBlocks = (size_t{1} << 29) / sizeof(internal::format::Block);

std::span<const uint8_t> MagicBytes() {
  return {reinterpret_cast<const uint8_t*>(internal::kMagic.data()), internal::kMagic.size()};
}

}  // namespace

struct FileWriter::State {
  internal::MessageWriter messages;
  std::vector<internal::format::Block> dictionaries;
  std::vector<internal::format::Block> batches;

  Status WriteBegin() {
    SHEAF_RETURN_IF_ERROR(messages.Put(MagicBytes()));
    SHEAF_RETURN_IF_ERROR(messages.PadTo(messages.options().alignment));
    return messages.WriteSchemaMessage();
  }

  Status WriteFooter() {
    flatbuffers::FlatBufferBuilder builder;
    SHEAF_ASSIGN_OR_RETURN(const auto schema, internal::WriteSchema(builder, messages.schema(),
                                                                    messages.options().max_depth));
    const auto dictionary_blocks = builder.CreateVectorOfStructs(dictionaries);
    const auto batch_blocks = builder.CreateVectorOfStructs(batches);
    builder.Finish(internal::format::CreateFooter(builder, internal::format::MetadataVersion::V5,
                                                  schema, dictionary_blocks, batch_blocks));
    SHEAF_RETURN_IF_ERROR(messages.Put({builder.GetBufferPointer(), builder.GetSize()}));
    SHEAF_RETURN_IF_ERROR(messages.PutValue(static_cast<int32_t>(builder.GetSize())));
    SHEAF_RETURN_IF_ERROR(messages.Put(MagicBytes()));
    return messages.Flush();
  }
};

FileWriter::FileWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
FileWriter::FileWriter(FileWriter&&) noexcept = default;
FileWriter& FileWriter::operator=(FileWriter&&) noexcept = default;
FileWriter::~FileWriter() = default;

StatusOr<FileWriter> FileWriter::Open(Schema schema, ByteSink* sink, WriteOptions options) {
  SHEAF_ASSIGN_OR_RETURN(internal::MessageWriter messages,
                         internal::MessageWriter::Make(std::move(schema), sink, options,
                                                       /*replacements=*/false));
  auto state = std::make_unique<State>(State{std::move(messages), {}, {}});
  SHEAF_RETURN_IF_ERROR(state->WriteBegin());
  return FileWriter(std::move(state));
}

const Schema& FileWriter::schema() const noexcept { return state_->messages.schema(); }

Status FileWriter::Write(const RecordBatch& batch) {
  // Each path may bring one dictionary a batch.
  if (state_->batches.size() + state_->dictionaries.size() >= kMaxBlocks) {
    return internal::OutOfRange("a file of more than ", static_cast<uint64_t>(kMaxBlocks),
                                " batches and dictionaries");
  }
  SHEAF_ASSIGN_OR_RETURN(const internal::BatchBlocks blocks, state_->messages.WriteBatch(batch));
  state_->dictionaries.insert(state_->dictionaries.end(), blocks.dictionaries.begin(),
                              blocks.dictionaries.end());
  state_->batches.push_back(blocks.batch);
  return OkStatus();
}

Status FileWriter::Close() {
  internal::MessageWriter& messages = state_->messages;
  if (messages.closed()) return OkStatus();
  SHEAF_RETURN_IF_ERROR(messages.CheckOpen());
  SHEAF_RETURN_IF_ERROR(messages.WriteEndMarker());
  SHEAF_RETURN_IF_ERROR(state_->WriteFooter());
  messages.SetClosed();
  return OkStatus();
}

int64_t FileWriter::bytes_written() const noexcept { return state_->messages.position(); }

}  // namespace sheaf::inline v1::ipc
