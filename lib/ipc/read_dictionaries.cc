#include "ipc/read_dictionaries.h"

#include <span>
#include <utility>

#include "base/error.h"
#include "ipc/body_reader.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/type/field.h"

namespace sheaf::inline v1::internal {
namespace {

Status AtDictionary(int64_t id, const Status& status) {
  return status.ok() ? status : ErrorOf(status.code(), {"dictionary ", id, ": ", status.message()});
}

}  // namespace

Dictionaries::Dictionaries(const Projection& projection, const ipc::ReadOptions& options)
    : projection_(projection), options_(options) {
  for (size_t i = 0; i < projection.place.size(); ++i) {
    if (projection.place[i] >= 0) Want(projection.stream.columns[i]);
  }
}

void Dictionaries::Want(const DictionaryIds& ids) {
  for (const int64_t id : ids) {
    const auto [place, is_new] = entries_.try_emplace(id);
    if (!is_new) continue;
    place->second.id = id;
    place->second.declaration = &projection_.stream.dictionaries.at(id);
    Want(place->second.declaration->inner);
  }
}

Status Dictionaries::Read(const Message& message, bool may_replace) {
  const format::DictionaryBatch* header = message.table().header_as_DictionaryBatch();
  if (header == nullptr) return InvalidArgument("the message is not a dictionary");
  const int64_t id = header->id();
  const auto found = entries_.find(id);
  if (found == entries_.end()) {
    if (projection_.stream.dictionaries.contains(id)) return OkStatus();
    return InvalidArgument("dictionary ", id, ": no field of the schema has the id");
  }
  Entry& entry = found->second;
  entry.status = ReadEntry(message, *header, may_replace, &entry);
  return AtDictionary(id, entry.status);
}

Status Dictionaries::ReadEntry(const Message& message, const format::DictionaryBatch& header,
                               bool may_replace, Entry* entry) {
  const bool is_delta = header.is_delta();
  if (header.data() == nullptr) return InvalidArgument("the message holds no values");
  if (is_delta && !entry->defined) return InvalidArgument("a delta to what has not come");
  if (is_delta) SHEAF_RETURN_IF_ERROR(entry->status);
  if (!is_delta && entry->defined && !may_replace) {
    return InvalidArgument("it comes twice, which a file does not allow");
  }
  if (!entry->declaration->inner.empty()) SHEAF_RETURN_IF_ERROR(Settle());
  SHEAF_ASSIGN_OR_RETURN(Array values, ReadValues(message, *header.data(), *entry));
  if (is_delta) {
    SHEAF_RETURN_IF_ERROR(Append(values, entry));
  } else {
    entry->current = std::move(values);
    entry->builder.reset();
    entry->defined = true;
  }
  if (entry->settled) unsettled_.push_back(entry);
  entry->settled = false;
  return OkStatus();
}

StatusOr<Array> Dictionaries::ReadValues(const Message& message, const format::RecordBatch& header,
                                         const Entry& entry) {
  if (header.length() < 0) return InvalidArgument(header.length(), " values");
  const Field field("values", entry.declaration->values);
  SHEAF_ASSIGN_OR_RETURN(BodyReader body,
                         BodyReader::Make(header, message.table().version(),
                                          projection_.stream.big_endian, message.body, options_));
  SHEAF_ASSIGN_OR_RETURN(Array values,
                         body.Read({&field, 1}, 0, {*this, entry.declaration->inner}));
  SHEAF_RETURN_IF_ERROR(body.CheckAllTaken());
  return values;
}

Status Dictionaries::Append(const Array& delta, Entry* entry) {
  if (delta.length() == 0) return OkStatus();
  if (entry->builder == nullptr && entry->current.length() == 0) {
    entry->current = delta;
    return OkStatus();
  }
  if (entry->builder == nullptr) {
    // Copied at once: a snapshot then shares all that came before.
    const BuilderOptions options = {.pool = options_.pool,
                                    .min_chunk_bytes = BuilderOptions::kNeverKeep};
    SHEAF_ASSIGN_OR_RETURN(auto builder, MakeBuilder(entry->declaration->values, options));
    SHEAF_RETURN_IF_ERROR(builder->AppendArray(entry->current));
    entry->builder = std::move(builder);
  }
  return entry->builder->AppendArray(delta);
}

Status Dictionaries::Settle() {
  // In the order in which they came: so a registry gives its ids.
  for (Entry* entry : unsettled_) {
    if (entry->settled) continue;  // Before an error stopped an earlier call.
    SHEAF_RETURN_IF_ERROR(AtDictionary(entry->id, Settle(entry)));
    entry->settled = true;
  }
  unsettled_.clear();
  return OkStatus();
}

Status Dictionaries::Settle(Entry* entry) {
  if (entry->builder != nullptr) {
    SHEAF_ASSIGN_OR_RETURN(entry->current, entry->builder->Snapshot());
  }
  if (options_.dictionaries == nullptr) return OkStatus();
  SHEAF_ASSIGN_OR_RETURN(entry->registry_id, options_.dictionaries->Add(entry->current));
  return OkStatus();
}

StatusOr<Array> Dictionaries::Current(int64_t id, bool may_be_late) const {
  const Entry& entry = entries_.at(id);
  SHEAF_RETURN_IF_ERROR(AtDictionary(id, entry.status));
  if (entry.defined) return entry.current;
  if (may_be_late) return MakeEmptyArray(entry.declaration->values, options_.pool);
  return InvalidArgument("dictionary ", id, " has not come");
}

StatusOr<int64_t> Dictionaries::RegistryId(int64_t id) const {
  const auto found = entries_.find(id);
  const bool known = found != entries_.end() && found->second.defined;
  if (options_.dictionaries != nullptr && known) return found->second.registry_id;
  return ErrorOf(StatusCode::kNotFound, {"dictionary ", id, " is in no registry"});
}

}  // namespace sheaf::inline v1::internal
