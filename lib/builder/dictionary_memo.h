#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "builder/builder_core.h"
#include "builder/memo_table.h"
#include "sheaf/array/array.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/staged_vector.h"

namespace sheaf::inline v1::internal {

/// Where the values of an appended dictionary are in a builder's own.
struct DictionaryMap {
  Array dictionary;  ///< As it was appended; held, so that it is known again.
  Buffer indices;    ///< One a value, as wide as the builder's rows; absent where `identity`.
  bool identity = false;
  bool whole = true;  ///< Else only the values that some rows use have a place.
  int64_t needs = 0;  ///< Values of the builder that there must be.
};

/// Values of a builder's dictionary where they can be read: those from number `first` on.
struct ValueRecord {
  int64_t first = 0;
  Array values;
};

/// Both windows show the same slots of the same memory.
inline bool SameSlots(const Array& a, const Array& b) noexcept {
  if (a.offset() != b.offset() || a.length() != b.length()) return false;
  if (a.data() == b.data()) return true;
  if (a.type().node() != b.type().node() || a.num_children() > 0 || a.has_dictionary() ||
      a.num_buffers() != b.num_buffers())
    return false;
  for (int i = 0; i < a.num_buffers(); ++i) {
    if (a.buffer(i).data() != b.buffer(i).data()) return false;
  }
  return true;
}

/// What a dictionary builder knows of its values besides the builder that has them.
struct DictionaryMemo {
  explicit DictionaryMemo(MemoryPool* pool) noexcept
      : table(pool), records(pool), maps_of_chunks(pool) {}

  /// Number of the record that value `index` is in.
  const ValueRecord& RecordOf(int64_t index) const noexcept {
    const auto* behind =
        std::upper_bound(records.begin(), records.end(), index,
                         [](int64_t at, const ValueRecord& record) { return at < record.first; });
    return *(behind - 1);
  }
  void Remember(const DictionaryMap& map) noexcept {
    recent[next_recent] = map;
    next_recent = (next_recent + 1) % recent.size();
  }
  void ForgetDictionary() noexcept {
    table.Clear();
    records.Clear();
    recent = {};
    has_built = false;
    built = Array();
    num_offered = num_given = 0;
  }

  MemoTable table;  ///< Of the values up to a point: a single dictionary is never hashed.
  StagedVector<ValueRecord> records;
  std::array<DictionaryMap, 4> recent;
  size_t next_recent = 0;
  StagedVector<DictionaryMap> maps_of_chunks;
  /// The first built.length() values as one array, if there is one.
  Array built;
  bool has_built = false;
  int64_t num_offered = 0;  ///< Values of the last array that was built.
  int64_t num_given = 0;    ///< Values of the last `Finish`.
};

}  // namespace sheaf::inline v1::internal
