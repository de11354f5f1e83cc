#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ipc/field_walk.h"
#include "sheaf/array/array.h"
#include "sheaf/array/record_batch.h"
#include "sheaf/base/status.h"
#include "sheaf/type/schema.h"

namespace sheaf::inline v1::internal {

/// Dictionaries have the ids 0, 1, 2, ... in the order of a walk down the fields of the schema,
/// each before those within its values. So says the schema, in its message and in a footer.
inline constexpr int64_t kFirstDictionaryId = 0;

/// A dictionary to be sent.
struct DictionaryChange {
  int64_t id = 0;
  Array values;
  bool is_delta = false;
};

/// What may be sent after the first batch that has a dictionary.
struct DictionaryRules {
  bool deltas = true;
  bool replacements = true;
};

/// Knows what readers have as the dictionary of each field path, and finds what they need for the
/// next batch.
class DictionaryState {
 public:
  DictionaryState(const Schema& schema, DictionaryRules rules);

  /// The changes that must go before the batch, dictionaries within others first. They count as
  /// sent with `Commit`.
  /// \param batch  of the schema's types, and verified.
  /// \return kFailedPrecondition naming the path where a change is needed that the rules forbid.
  StatusOr<std::vector<DictionaryChange>> ChangesFor(const RecordBatch& batch);
  void Commit() { Commit(&columns_); }

 private:
  /// A field path with a dictionary.
  struct Path {
    int64_t id = 0;
    std::vector<Path> inner;  ///< Within its values.
    std::optional<Array> sent;
    std::optional<Array> planned;
  };
  using Paths = std::vector<Path>;
  enum class Change : uint8_t { kNone, kFirst, kDelta, kReplacement };

  Paths PathsOf(Fields fields);
  StatusOr<Change> Plan(Path* path, const Array& dictionary);
  StatusOr<bool> PlanDelta(Path* path, const Array& dictionary);
  /// \return whether a dictionary within `values` is replaced.
  StatusOr<bool> PlanInner(Path* path, const Array& values);
  static void Discard(Paths* paths);
  static void Commit(Paths* paths);

  int64_t next_id_ = kFirstDictionaryId;  // Before the paths, which count it up.
  Paths columns_;
  DictionaryRules rules_;
  std::vector<DictionaryChange> changes_;
};

}  // namespace sheaf::inline v1::internal
