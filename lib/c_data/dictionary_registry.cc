#include "sheaf/c_data/dictionary_registry.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include "array/array_data.h"
#include "base/error.h"
#include "c_data/dictionary_table.h"
#include "sheaf/memory/staged_vector.h"

namespace sheaf::inline v1 {
namespace {

using internal::ArrayData;
using internal::DictionaryTable;

/// Up to this many dictionaries every addition looks for those to forget: a dictionary that was
/// imported may hold a whole batch. Above it one in as many additions as are kept.
constexpr int64_t kAlwaysSwept = 64;

struct Entry {
  int64_t id;
  Array dictionary;
};

/// Ids that were given, first to last.
struct IdRange {
  int64_t first;
  int64_t last;
};

/// Nodes whose last handle was given up, to be destroyed once the lock is no longer held: that may
/// call into the producer of an imported array.
class Forgotten {
 public:
  Forgotten() = default;
  Forgotten(const Forgotten&) = delete;
  Forgotten& operator=(const Forgotten&) = delete;
  ~Forgotten() {
    while (first_ != nullptr) internal::Release(std::exchange(first_, first_->next_dying));
  }
  bool empty() const { return first_ == nullptr; }
  void Take(Array dictionary) {
    ArrayData* node = dictionary.Detach();
    node->next_dying = std::exchange(first_, node);
  }

 private:
  ArrayData* first_ = nullptr;
};

bool HeldByNobodyElse(const Array& dictionary) {
  return dictionary.data()->references.load(std::memory_order_acquire) == 1;
}

}  // namespace

class DictionaryRegistry::Entries {
 public:
  explicit Entries(const DictionaryRegistryOptions& options)
      : next_id_(options.first_id),
        hold_(options.hold),
        entries_(options.pool),
        taken_(options.pool),
        table_(options.pool) {}

  std::mutex& mutex() { return mutex_; }

  /// \return the id of the last one.
  StatusOr<int64_t> Add(std::span<const Array> dictionaries, Forgotten* forgotten) {
    SweepInTime(forgotten);
    const auto count = static_cast<int64_t>(dictionaries.size());
    SHEAF_RETURN_IF_ERROR(Reserve(count));
    const int64_t old_size = entries_.size();
    const int64_t old_next_id = next_id_;
    const bool was_exhausted = exhausted_;
    int64_t id = 0;
    for (const Array& dictionary : dictionaries) {
      if (const int64_t* known = table_.Find(dictionary); known != nullptr) {
        id = *known;
        continue;
      }
      if (exhausted_) {
        entries_.TruncateTo(old_size);
        next_id_ = old_next_id;
        exhausted_ = was_exhausted;
        RebuildTable();
        return internal::OutOfRange("dictionary ids: the largest, ", next_id_, ", is taken");
      }
      id = next_id_;
      Append(id, dictionary);
      SetNextAfter(id);
    }
    if (entries_.size() > old_size) MarkTaken(entries_[old_size].id, id_of_last());
    return id;
  }

  Status AddAs(int64_t id, const Array& dictionary, Forgotten* forgotten) {
    SweepInTime(forgotten);
    if (const int64_t* known = table_.Find(dictionary); known != nullptr) {
      if (*known == id) return OkStatus();
      return AlreadyExists("the dictionary has the id ", *known, ", it cannot have ", id, " too");
    }
    if (IsTaken(id)) return AlreadyExists("the dictionary id ", id, " is taken");
    SHEAF_RETURN_IF_ERROR(Reserve(1));
    const int64_t place = Find(id) - entries_.begin();
    Append(id, dictionary);
    std::rotate(entries_.begin() + place, entries_.end() - 1, entries_.end());
    MarkTaken(id, id);
    if (!exhausted_ && id >= next_id_) SetNextAfter(id);
    return OkStatus();
  }

  StatusOr<Array> Get(int64_t id, Forgotten* forgotten) {
    Entry* entry = Find(id);
    if (entry == entries_.end() || entry->id != id) {
      return internal::ErrorOf(StatusCode::kNotFound, {"no dictionary of id ", id});
    }
    if (hold_ == DictionaryHold::kWhileUsed && HeldByNobodyElse(entry->dictionary)) {
      Sweep(forgotten);
      return internal::ErrorOf(StatusCode::kNotFound, {"the dictionary of id ", id,
                                                       " is forgotten: nobody used it any more"});
    }
    return entry->dictionary;
  }

  StatusOr<int64_t> IdOf(const Array& dictionary) {
    if (const int64_t* id = table_.Find(dictionary); id != nullptr) return *id;
    return internal::ErrorOf(StatusCode::kNotFound, {"the dictionary has no id"});
  }

  int64_t Size(Forgotten* forgotten) {
    Sweep(forgotten);
    return entries_.size();
  }

 private:
  template <typename... Args>
  static Status AlreadyExists(const Args&... args) {
    return internal::ErrorOf(StatusCode::kAlreadyExists, {internal::Part(args)...});
  }

  /// Room for all that `count` more dictionaries need.
  Status Reserve(int64_t count) {
    SHEAF_RETURN_IF_ERROR(entries_.Reserve(count));
    SHEAF_RETURN_IF_ERROR(taken_.Reserve(1));
    return table_.Reserve(entries_.size() + count);
  }
  void Append(int64_t id, const Array& dictionary) {
    (void)entries_.Stage({id, dictionary});  // Reserved.
    entries_.Commit();
    table_.Insert(dictionary, id);
  }

  /// Entries are in the order of their ids.
  Entry* Find(int64_t id) {
    return std::lower_bound(entries_.begin(), entries_.end(), id,
                            [](const Entry& entry, int64_t wanted) { return entry.id < wanted; });
  }
  int64_t id_of_last() const { return entries_.back().id; }

  void SetNextAfter(int64_t id) {
    exhausted_ = id == std::numeric_limits<int64_t>::max();
    next_id_ = exhausted_ ? id : id + 1;
  }

  /// The first range that ends at `id` or behind it.
  IdRange* RangeAt(int64_t id) {
    return std::lower_bound(
        taken_.begin(), taken_.end(), id,
        [](const IdRange& range, int64_t wanted) { return range.last < wanted; });
  }
  bool IsTaken(int64_t id) {
    const IdRange* range = RangeAt(id);
    return range != taken_.end() && range->first <= id;
  }
  /// Ids that were free. Ranges that touch are joined, so that a long task has few.
  void MarkTaken(int64_t first, int64_t last) {
    IdRange* behind = RangeAt(first);
    IdRange* before = behind == taken_.begin() ? nullptr : behind - 1;
    const bool joins_before = before != nullptr && before->last == first - 1;
    const bool joins_behind = behind != taken_.end() && behind->first - 1 == last;
    if (joins_before && joins_behind) {
      before->last = behind->last;
      std::move(behind + 1, taken_.end(), behind);
      taken_.TruncateTo(taken_.size() - 1);
    } else if (joins_before) {
      before->last = last;
    } else if (joins_behind) {
      behind->first = first;
    } else {
      const int64_t place = behind - taken_.begin();
      (void)taken_.Stage({first, last});  // Reserved.
      taken_.Commit();
      std::rotate(taken_.begin() + place, taken_.end() - 1, taken_.end());
    }
  }

  void SweepInTime(Forgotten* forgotten) {
    if (entries_.size() >= next_sweep_) Sweep(forgotten);
  }
  void Sweep(Forgotten* forgotten) {
    if (hold_ != DictionaryHold::kWhileUsed) return;
    Entry* kept_end = entries_.begin();
    for (Entry& entry : entries_) {
      if (HeldByNobodyElse(entry.dictionary)) {
        forgotten->Take(std::move(entry.dictionary));
      } else {
        if (&entry != kept_end) *kept_end = std::move(entry);
        ++kept_end;
      }
    }
    const int64_t kept = kept_end - entries_.begin();
    if (kept < entries_.size()) {
      entries_.TruncateTo(kept);
      RebuildTable();
    }
    next_sweep_ = kept <= kAlwaysSwept ? 0 : 2 * kept;
  }

  void RebuildTable() {
    table_.Clear();
    for (const Entry& entry : entries_) table_.Insert(entry.dictionary, entry.id);
  }

  std::mutex mutex_;
  int64_t next_id_;
  bool exhausted_ = false;  ///< The largest id is taken.
  const DictionaryHold hold_;
  internal::StagedVector<Entry> entries_;
  internal::StagedVector<IdRange> taken_;
  DictionaryTable table_;
  int64_t next_sweep_ = 0;
};

DictionaryRegistry::DictionaryRegistry(const DictionaryRegistryOptions& options)
    : entries_(std::make_unique<Entries>(options)) {}
DictionaryRegistry::~DictionaryRegistry() = default;

StatusOr<int64_t> DictionaryRegistry::Add(const Array& dictionary) {
  Forgotten forgotten;
  const std::lock_guard lock(entries_->mutex());
  return entries_->Add({&dictionary, 1}, &forgotten);
}

Status DictionaryRegistry::AddAll(std::span<const Array> dictionaries) {
  Forgotten forgotten;
  const std::lock_guard lock(entries_->mutex());
  return entries_->Add(dictionaries, &forgotten).status();
}

Status DictionaryRegistry::AddAs(int64_t id, const Array& dictionary) {
  Forgotten forgotten;
  const std::lock_guard lock(entries_->mutex());
  return entries_->AddAs(id, dictionary, &forgotten);
}

StatusOr<Array> DictionaryRegistry::Get(int64_t id) const {
  Forgotten forgotten;
  const std::lock_guard lock(entries_->mutex());
  return entries_->Get(id, &forgotten);
}

StatusOr<int64_t> DictionaryRegistry::IdOf(const Array& dictionary) const {
  const std::lock_guard lock(entries_->mutex());
  return entries_->IdOf(dictionary);
}

int64_t DictionaryRegistry::size() const {
  // What is forgotten may have been the last to hold a dictionary within it.
  while (true) {
    Forgotten forgotten;
    const std::lock_guard lock(entries_->mutex());
    const int64_t size = entries_->Size(&forgotten);
    if (forgotten.empty()) return size;
  }
}

}  // namespace sheaf::inline v1
