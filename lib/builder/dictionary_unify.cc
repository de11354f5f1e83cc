#include <algorithm>
#include <limits>
#include <utility>

#include "array/element_identity.h"
#include "array/range_list.h"
#include "builder/builder_core.h"
#include "builder/dictionary_memo.h"
#include "builder/gather_indices.h"
#include "sheaf/builder/dictionary_builder.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/type/visit_type.h"

// The values of a dictionary builder: which are known, and where. A builder of their type holds
// them; for comparisons they are read from the arrays they came in (records), or from a snapshot
// once there are many of those.
namespace sheaf::inline v1 {

using internal::DictionaryMap;
using internal::RangeList;
using internal::RowRange;
using internal::StagedVector;
using internal::ValueRecord;

namespace {

constexpr auto kHashBytes = static_cast<int64_t>(sizeof(uint64_t));

/// How many values indices of a type count.
int64_t MostOf(const DataType& index_type) noexcept {
  return VisitInteger(index_type.id(), [](auto integer) {
    constexpr auto kLast = static_cast<uint64_t>(std::numeric_limits<decltype(integer)>::max());
    constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    return static_cast<int64_t>(std::min(kLast, kMost - 1) + 1);
  });
}

/// Which values of a dictionary some rows use.
Status MarkUsed(const Array& source, std::span<const RowRange> ranges, uint8_t* bits) {
  return VisitInteger(source.type().index_type().id(), [&](auto integer) -> Status {
    for (const RowRange& range : ranges) {
      const auto* indices = source.slots<decltype(integer)>(1) + range.offset;
      VisitSetRuns(source.validity().Slice(range.offset, range.length),
                   [&](int64_t begin, int64_t end) {
                     for (int64_t i = begin; i < end; ++i)
                       SetBitTo(bits, static_cast<int64_t>(indices[i]), true);
                   });
    }
    return OkStatus();
  });
}

}  // namespace

DataType DictionaryBuilder::IndexTypeFor(int64_t num_values) const {
  DataType type = type_.index_type();
  if (!widens()) return type;
  const bool has_sign = type.id() == TypeId::kInt8 || type.id() == TypeId::kInt16 ||
                        type.id() == TypeId::kInt32 || type.id() == TypeId::kInt64;
  while (num_values > MostOf(type)) {
    const int wider = 2 * type.byte_width();
    type = wider == 2   ? (has_sign ? Int16() : UInt16())
           : wider == 4 ? (has_sign ? Int32() : UInt32())
                        : (has_sign ? Int64() : UInt64());
  }
  return type;
}

int64_t DictionaryBuilder::MostValues() const noexcept {
  return MostOf(IndexTypeFor(staged_values()));
}

Status DictionaryBuilder::OutOfIndices(int64_t most) const {
  return internal::OutOfRange(type_.ToString(), " builder: the values of the dictionary outgrow ",
                              type_.index_type().ToString(), " indices (at most ", most,
                              " values); use a wider index type, or OnIndexOverflow::kWiden");
}

// ── Whole dictionaries ──

const DictionaryMap* DictionaryBuilder::FindRecent(const Array& dictionary) const noexcept {
  for (const DictionaryMap& map : memo_->recent) {
    if (map.needs > 0 && internal::SameSlots(map.dictionary, dictionary)) return &map;
  }
  return nullptr;
}

StatusOr<DictionaryMap> DictionaryBuilder::MapOf(const Array& source,
                                                 std::span<const RowRange> ranges) {
  const Array& dictionary = source.dictionary();
  if (const DictionaryMap* known = FindRecent(dictionary); known != nullptr) return *known;
  DictionaryMap map;
  map.dictionary = dictionary;
  map.identity = map.whole = false;
  // Rows that are all null, or not there, bring no value.
  if (dictionary.length() == 0 || internal::TotalLength(ranges) == 0) return map;
  if (IsPrefix(dictionary)) {
    map.identity = true;
  } else if (staged_values() == 0 && dictionary.length() <= MostValues() &&
             dictionary.type().Identical(type_.value_type())) {
    SHEAF_RETURN_IF_ERROR(TakeFirst(dictionary));
    map.identity = true;
  } else {
    SHEAF_RETURN_IF_ERROR(Unify(source, ranges, &map));
    if (!map.whole) return map;
  }
  map.whole = true;
  map.needs = map.identity ? dictionary.length() : staged_values();
  memo_->Remember(map);
  return map;
}

/// Whether the values are those that the builder's dictionary begins with, in other memory.
bool DictionaryBuilder::IsPrefix(const Array& dictionary) const {
  if (memo_->records.empty() || dictionary.type() != type_.value_type()) return false;
  const ValueRecord& first = memo_->records[0];
  return dictionary.length() <= first.values.length() &&
         internal::SameRows(first.values, 0, dictionary, 0, dictionary.length());
}

/// A dictionary where there is no value yet: by reference, and without a look at its values.
Status DictionaryBuilder::TakeFirst(const Array& dictionary) {
  SHEAF_RETURN_IF_ERROR(memo_->records.Stage({0, dictionary}));
  SHEAF_RETURN_IF_ERROR(StageKeptOf(*values_, dictionary, {0, dictionary.length()}));
  memo_->built = dictionary;
  memo_->has_built = true;
  return OkStatus();
}

/// All values of a dictionary in its order, or, where they would outgrow the indices, those that
/// the rows use.
Status DictionaryBuilder::Unify(const Array& source, std::span<const RowRange> ranges,
                                DictionaryMap* map) {
  const Array& dictionary = source.dictionary();
  const int64_t n = dictionary.length();
  SHEAF_ASSIGN_OR_RETURN(const Array values, AsValues(dictionary));
  SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, internal::ProductOf(n, kHashBytes, type_));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer scratch, MutableBuffer::Allocate(bytes, pool()));
  auto* const indices = scratch.as<int64_t>();
  const int64_t most = MostValues();
  const BitSpan all{nullptr, 0, n};
  SHEAF_ASSIGN_OR_RETURN(map->whole, Encode(values, all, most, /*borrowed=*/false, indices));
  if (!map->whole) {
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer used, MutableBuffer::Allocate(BytesForBits(n), pool()));
    std::memset(used.data(), 0, static_cast<size_t>(used.size_bytes()));
    SHEAF_RETURN_IF_ERROR(MarkUsed(source, ranges, used.data()));
    const BitSpan wanted{used.data(), 0, n};
    std::fill_n(indices, n, int64_t{0});
    SHEAF_ASSIGN_OR_RETURN(const bool fits,
                           Encode(values, wanted, most, /*borrowed=*/false, indices));
    if (!fits && !widens()) return OutOfIndices(most);
    if (!fits) {
      SHEAF_ASSIGN_OR_RETURN(map->whole, Encode(values, all, std::numeric_limits<int64_t>::max(),
                                                /*borrowed=*/false, indices));
    }
  }
  map->identity = map->whole;
  for (int64_t i = 0; i < n && map->identity; ++i) map->identity = indices[i] == i;
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer narrow, MutableBuffer::Allocate(n * index_bytes_, pool()));
  internal::NarrowIndices(indices, n, index_bytes_, narrow.data());
  map->indices = std::move(narrow).Finish();
  return OkStatus();
}

// ── Values ──

/// The array as the type that the values have: what is compared has one layout.
StatusOr<Array> DictionaryBuilder::AsValues(const Array& array) const {
  if (array.type() == type_.value_type()) return array;
  SHEAF_ASSIGN_OR_RETURN(const auto converter, MakeBuilder(type_.value_type(), helper_options()));
  SHEAF_RETURN_IF_ERROR(converter->AppendArray(array));
  return converter->Finish();
}

bool DictionaryBuilder::IsValue(int64_t index, const Array& values, int64_t row) const {
  const ValueRecord& record = memo_->RecordOf(index);
  return internal::SameRows(record.values, index - record.first, values, row);
}

StatusOr<bool> DictionaryBuilder::Encode(const Array& values, BitSpan wanted, int64_t most,
                                         bool borrowed, int64_t* indices) {
  SHEAF_RETURN_IF_ERROR(HashKnown());
  const int64_t n = values.length();
  internal::MemoTable& table = memo_->table;
  SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, internal::ProductOf(n, kHashBytes, type_));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer scratch, MutableBuffer::Allocate(bytes, pool()));
  const auto* const hashes = scratch.as<uint64_t>();
  SHEAF_RETURN_IF_ERROR(internal::HashRows(values, {0, n}, scratch.as<uint64_t>(), pool()));

  const int64_t before = table.size();
  StagedVector<int64_t> rows(pool());  // Of new values.
  Status status;
  bool fits = true;
  const auto add = [&](int64_t row) -> Status {
    int64_t index = table.Find(hashes[row], [&](int64_t at) {
      return at < before ? IsValue(at, values, row)
                         : internal::SameRows(values, rows[at - before], values, row);
    });
    if (index < 0) {
      index = table.size();
      if (index >= most) {
        fits = false;
        return OkStatus();
      }
      SHEAF_RETURN_IF_ERROR(table.Reserve(1));
      SHEAF_RETURN_IF_ERROR(rows.Stage(row));
      table.UnsafeInsert(hashes[row]);
    }
    indices[row] = index;
    return OkStatus();
  };
  VisitSetRuns(wanted, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end && fits && status.ok(); ++row) status = add(row);
  });
  if (!fits) table.TruncateTo(before);
  SHEAF_RETURN_IF_ERROR(status);
  if (fits && !rows.empty()) {
    SHEAF_RETURN_IF_ERROR(
        AddValues(values, {rows.begin(), static_cast<size_t>(rows.size())}, borrowed));
  }
  return fits;
}

Status DictionaryBuilder::AddValues(const Array& values, std::span<const int64_t> rows,
                                    bool borrowed) {
  RangeList ranges(pool());
  for (const int64_t row : rows) SHEAF_RETURN_IF_ERROR(ranges.Add({row, 1}));
  const int64_t first = staged_values();
  const auto num_rows = static_cast<int64_t>(rows.size());
  Array added;
  // A record must not keep much more alive than the values it is for.
  const bool most_of_it = 2 * num_rows >= values.data()->length;
  if (ranges.ranges().size() == 1 && most_of_it && !borrowed) {
    added = values.Slice(rows[0], num_rows);
  } else {
    BuilderOptions options = helper_options();
    options.min_chunk_bytes = BuilderOptions::kNeverKeep;
    SHEAF_ASSIGN_OR_RETURN(const auto copy, MakeBuilder(type_.value_type(), options));
    SHEAF_RETURN_IF_ERROR(StageRangesOf(*copy, values, ranges.ranges()));
    CommitOf(*copy);
    SHEAF_ASSIGN_OR_RETURN(added, copy->Finish());
  }
  const RowRange all{0, num_rows};
  SHEAF_RETURN_IF_ERROR(StageRangesOf(*values_, added, {&all, 1}));
  return memo_->records.Stage({first, std::move(added)});
}

/// Where the value is that empty rows have.
StatusOr<int64_t> DictionaryBuilder::EmptyValue() {
  SHEAF_ASSIGN_OR_RETURN(const auto builder, MakeBuilder(type_.value_type(), helper_options()));
  SHEAF_RETURN_IF_ERROR(builder->AppendEmptyValues(1));
  SHEAF_ASSIGN_OR_RETURN(const Array empty, builder->Finish());
  int64_t index = 0;
  const int64_t most = MostValues();
  const BitSpan all{nullptr, 0, 1};
  SHEAF_ASSIGN_OR_RETURN(bool fits, Encode(empty, all, most, /*borrowed=*/false, &index));
  if (!fits && widens()) {
    SHEAF_ASSIGN_OR_RETURN(fits, Encode(empty, all, std::numeric_limits<int64_t>::max(),
                                        /*borrowed=*/false, &index));
  }
  if (!fits) return OutOfIndices(most);
  return index;
}

/// Brings the table up to date: a first dictionary is hashed once another comes.
Status DictionaryBuilder::HashKnown() {
  SHEAF_RETURN_IF_ERROR(JoinRecords());
  internal::MemoTable& table = memo_->table;
  while (table.size() < staged_values()) {
    const ValueRecord record = memo_->RecordOf(table.size());
    const int64_t begin = table.size() - record.first;
    const int64_t n = record.values.length() - begin;
    SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, internal::ProductOf(n, kHashBytes, type_));
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer hashes, MutableBuffer::Allocate(bytes, pool()));
    auto* const hash = hashes.as<uint64_t>();
    SHEAF_RETURN_IF_ERROR(internal::HashRows(record.values, {begin, n}, hash, pool()));
    SHEAF_RETURN_IF_ERROR(table.Reserve(n));
    for (int64_t i = 0; i < n; ++i) {
      const bool twin = table.Find(hash[i], [&](int64_t at) {
        return IsValue(at, record.values, begin + i);
      }) >= 0;
      twin ? table.UnsafeInsertTwin() : table.UnsafeInsert(hash[i]);
    }
  }
  return OkStatus();
}

/// One record in place of many: the values as the builder has them.
Status DictionaryBuilder::JoinRecords() {
  constexpr int64_t kFew = 64;
  constexpr int64_t kValuesARecord = 256;  // So that joining costs little a value.
  StagedVector<ValueRecord>& records = memo_->records;
  const bool all_committed =
      records.size() == records.committed_size() && staged_values() == values_->length();
  if (!all_committed || records.size() < kFew + values_->length() / kValuesARecord)
    return OkStatus();
  SHEAF_ASSIGN_OR_RETURN(Array all, BuildOf(*values_, Sharing::kSnapshot));
  if (all.type() != type_.value_type()) return OkStatus();  // Dictionaries in it have widened.
  records.Clear();                                          // There is room for one now.
  SHEAF_RETURN_IF_ERROR(records.Stage({0, std::move(all)}));
  records.Commit();
  return OkStatus();
}

void DictionaryBuilder::ForgetValuesFrom(int64_t size) noexcept {
  internal::DictionaryMemo& memo = *memo_;
  if (size < memo.table.size()) memo.table.TruncateTo(size);
  StagedVector<ValueRecord>& records = memo.records;
  int64_t left = records.size();
  while (left > 0 && records[left - 1].first >= size) --left;
  records.TruncateTo(left);
  if (left > 0) {
    ValueRecord& last = records.back();
    if (last.first + last.values.length() > size)
      last.values = last.values.Slice(0, size - last.first);
  }
  for (DictionaryMap& map : memo.recent) {
    if (map.needs > size) map = DictionaryMap();
  }
  if (memo.has_built && memo.built.length() > size) {
    memo.built = Array();
    memo.has_built = false;
  }
  memo.num_offered = std::min(memo.num_offered, size);
  memo.num_given = std::min(memo.num_given, size);
}

}  // namespace sheaf::inline v1
