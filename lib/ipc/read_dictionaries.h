#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "ipc/message.h"
#include "ipc/projection.h"
#include "ipc/read_schema.h"
#include "sheaf/array/array.h"
#include "sheaf/base/status.h"
#include "sheaf/builder/array_builder.h"
#include "sheaf/c_data/dictionary_registry.h"
#include "sheaf/ipc/options.h"

namespace sheaf::inline v1::internal {

/// The dictionaries of a stream or file by their ids there, as they stand after the messages that
/// were read. A delta or a replacement makes a new array: those that were handed out stay.
class Dictionaries {
 public:
  /// Those that columns of the projection use. \param projection, options  outlive this.
  Dictionaries(const Projection& projection, const ipc::ReadOptions& options);

  bool empty() const { return entries_.empty(); }

  /// Takes the dictionary of a message, unless no column that is read needs it.
  /// \param may_replace  whether a dictionary may come again: in streams.
  /// \return kInvalidArgument for an id that the schema does not have, a delta to nothing, and
  /// damage. Whoever needs the dictionary later gets the same error.
  Status Read(const Message& message, bool may_replace);
  /// Makes ready what was read since the last time.
  Status Settle();

  /// The dictionary as it stands. \param may_be_late  where it has not come: an empty one.
  StatusOr<Array> Current(int64_t id, bool may_be_late) const;
  /// Its id in the registry. \return kNotFound where there is no registry, or no dictionary yet.
  StatusOr<int64_t> RegistryId(int64_t id) const;

 private:
  struct Entry {
    int64_t id = 0;
    const DictionaryDeclaration* declaration = nullptr;
    Array current;
    bool defined = false;
    bool settled = true;
    /// From the first delta on: deltas are appended, so that many cost no more than their values.
    std::unique_ptr<ArrayBuilder> builder;
    Status status;  ///< Of the last message.
    int64_t registry_id = 0;
  };

  void Want(const DictionaryIds& ids);
  Status ReadEntry(const Message& message, const format::DictionaryBatch& header, bool may_replace,
                   Entry* entry);
  StatusOr<Array> ReadValues(const Message& message, const format::RecordBatch& header,
                             const Entry& entry);
  Status Append(const Array& delta, Entry* entry);
  Status Settle(Entry* entry);

  const Projection& projection_;
  const ipc::ReadOptions& options_;
  std::map<int64_t, Entry> entries_;
  std::vector<Entry*> unsettled_;
};

}  // namespace sheaf::inline v1::internal
