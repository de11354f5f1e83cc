#include "sheaf/ipc/stream_reader.h"

#include <utility>

#include "base/error.h"
#include "ipc/message.h"
#include "ipc/projection.h"
#include "ipc/read_batch.h"
#include "ipc/read_dictionaries.h"

namespace sheaf::inline v1::ipc {

struct StreamReader::State {
  ReadOptions options;
  std::unique_ptr<internal::MessageSource> messages;
  internal::Projection projection;
  std::optional<internal::Dictionaries> dictionaries;

  /// The schema, which the first message must hold.
  Status ReadSchema() {
    auto first = messages->Next();
    if (!first.ok()) {  // Any text, taken for a length, makes a cut stream.
      return internal::ErrorOf(first.status().code(),
                               {"not an IPC stream, or a broken one: ", first.status().message()});
    }
    const std::optional<internal::Message>& message = *first;
    if (!message) return internal::InvalidArgument("not an IPC stream: it is empty");
    const internal::format::Schema* table = message->table().header_as_Schema();
    if (table == nullptr) {
      return internal::InvalidArgument("not an IPC stream: it does not begin with a schema");
    }
    SHEAF_ASSIGN_OR_RETURN(
        internal::StreamSchema schema,
        internal::ReadSchema(table, message->metadata.size_bytes(), options.max_depth));
    SHEAF_ASSIGN_OR_RETURN(projection, internal::MakeProjection(std::move(schema), options));
    dictionaries.emplace(projection, options);
    return OkStatus();
  }
};

StreamReader::StreamReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
StreamReader::~StreamReader() = default;

StatusOr<std::unique_ptr<StreamReader>> StreamReader::Open(Buffer bytes, ReadOptions options) {
  return Open(internal::MessagesOf(std::move(bytes), options.max_depth, options.pool),
              std::move(options));
}

StatusOr<std::unique_ptr<StreamReader>> StreamReader::Open(std::unique_ptr<ByteSource> source,
                                                           ReadOptions options) {
  return Open(internal::MessagesOf(std::move(source), options.max_depth, options.pool),
              std::move(options));
}

StatusOr<std::unique_ptr<StreamReader>> StreamReader::Open(
    std::unique_ptr<internal::MessageSource> messages, ReadOptions options) {
  auto state = std::make_unique<State>();
  state->options = std::move(options);
  state->messages = std::move(messages);
  SHEAF_RETURN_IF_ERROR(state->ReadSchema());
  return std::unique_ptr<StreamReader>(new StreamReader(std::move(state)));
}

const Schema& StreamReader::schema() const noexcept { return state_->projection.schema; }

StatusOr<std::optional<RecordBatch>> StreamReader::Next() {
  using internal::format::MessageHeader;
  while (true) {
    SHEAF_ASSIGN_OR_RETURN(const std::optional<internal::Message> message,
                           state_->messages->Next());
    if (!message) return std::optional<RecordBatch>();
    const MessageHeader header = message->table().header_type();
    if (header == MessageHeader::DictionaryBatch) {
      SHEAF_RETURN_IF_ERROR(state_->dictionaries->Read(*message, /*may_replace=*/true));
      continue;
    }
    if (header != MessageHeader::RecordBatch) {
      return internal::InvalidArgument("a message of kind ",
                                       internal::format::EnumNameMessageHeader(header),
                                       " where a record batch was expected");
    }
    SHEAF_RETURN_IF_ERROR(state_->dictionaries->Settle());
    SHEAF_ASSIGN_OR_RETURN(
        RecordBatch batch,
        internal::ReadBatch(*message, state_->projection, *state_->dictionaries, state_->options));
    return std::optional<RecordBatch>(std::move(batch));
  }
}

StatusOr<int64_t> StreamReader::RegistryId(int64_t id) const {
  return state_->dictionaries->RegistryId(id);
}

}  // namespace sheaf::inline v1::ipc
