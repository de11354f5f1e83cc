#include "ipc/write_dictionaries.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "sheaf/array/equality.h"

namespace sheaf::inline v1::internal {
namespace {

/// Dictionaries within the array that lie in no other dictionary, in the order of the walk.
void GatherDictionaries(const Array& array, std::vector<Array>* dictionaries) {
  if (array.has_dictionary()) dictionaries->push_back(array.dictionary());
  for (int i = 0; i < array.num_children(); ++i) GatherDictionaries(array.child(i), dictionaries);
}

bool IsSameArray(const Array& a, const Array& b) {
  return a.data() == b.data() && a.offset() == b.offset() && a.length() == b.length();
}

}  // namespace

DictionaryState::DictionaryState(const Schema& schema, DictionaryRules rules)
    : columns_(PathsOf(schema.fields())), rules_(rules) {}

DictionaryState::Paths DictionaryState::PathsOf(Fields fields) {
  Paths paths;
  for (const Field& field : fields) {
    const DataType& type = field.type();
    if (type.layout().id == LayoutId::kDictionary) {
      const int64_t id = next_id_++;
      paths.push_back({.id = id, .inner = PathsOf(type.value_type().fields())});
    } else {
      Paths below = PathsOf(type.fields());
      std::move(below.begin(), below.end(), std::back_inserter(paths));
    }
  }
  return paths;
}

StatusOr<std::vector<DictionaryChange>> DictionaryState::ChangesFor(const RecordBatch& batch) {
  changes_.clear();
  Discard(&columns_);
  auto path = columns_.begin();
  FieldWalk walk;
  for (int i = 0; i < batch.num_columns(); ++i) {
    const FieldWalk::Step step(walk, batch.schema().fields(), i);
    std::vector<Array> dictionaries;
    GatherDictionaries(batch.column(i), &dictionaries);
    for (const Array& dictionary : dictionaries) {
      if (const auto change = Plan(&*path++, dictionary); !change.ok()) {
        return walk.At(change.status());
      }
    }
  }
  return std::move(changes_);
}

StatusOr<DictionaryState::Change> DictionaryState::Plan(Path* path, const Array& dictionary) {
  if (path->sent && IsSameArray(*path->sent, dictionary)) return Change::kNone;
  if (path->sent) {
    const int64_t common = std::min(path->sent->length(), dictionary.length());
    if (Equals(path->sent->Slice(0, common), dictionary.Slice(0, common))) {
      if (common == dictionary.length()) return Change::kNone;
      SHEAF_ASSIGN_OR_RETURN(const bool planned, PlanDelta(path, dictionary));
      if (planned) return Change::kDelta;
    }
    if (!rules_.replacements) {
      return ErrorOf(StatusCode::kFailedPrecondition,
                     {"dictionary ", path->id, " of ", dictionary.length(),
                      " values does not continue the one of ", path->sent->length(),
                      " values that was written: a file has no replacements"});
    }
  }
  SHEAF_RETURN_IF_ERROR(PlanInner(path, dictionary).status());
  changes_.push_back({path->id, dictionary, /*is_delta=*/false});
  path->planned = dictionary;
  return path->sent ? Change::kReplacement : Change::kFirst;
}

/// \return false where deltas are not allowed or not enough.
StatusOr<bool> DictionaryState::PlanDelta(Path* path, const Array& dictionary) {
  if (!rules_.deltas) return false;
  const size_t before = changes_.size();
  const Array delta = dictionary.Slice(path->sent->length());
  SHEAF_ASSIGN_OR_RETURN(const bool inner_replaced, PlanInner(path, delta));
  if (inner_replaced) {
    // The values that were sent refer to what is replaced: they have to come again.
    changes_.resize(before);
    Discard(&path->inner);
    return false;
  }
  changes_.push_back({path->id, delta, /*is_delta=*/true});
  path->planned = dictionary;
  return true;
}

StatusOr<bool> DictionaryState::PlanInner(Path* path, const Array& values) {
  std::vector<Array> dictionaries;
  for (int i = 0; i < values.num_children(); ++i) {
    GatherDictionaries(values.child(i), &dictionaries);
  }
  bool replaced = false;
  for (size_t i = 0; i < dictionaries.size(); ++i) {
    SHEAF_ASSIGN_OR_RETURN(const Change change, Plan(&path->inner[i], dictionaries[i]));
    replaced |= change == Change::kReplacement;
  }
  return replaced;
}

void DictionaryState::Discard(Paths* paths) {
  for (Path& path : *paths) {
    path.planned.reset();
    Discard(&path.inner);
  }
}

void DictionaryState::Commit(Paths* paths) {
  for (Path& path : *paths) {
    if (path.planned) path.sent = std::exchange(path.planned, std::nullopt);
    Commit(&path.inner);
  }
}

}  // namespace sheaf::inline v1::internal
