#include "sheaf/builder/dictionary_builder.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "array/element_identity.h"
#include "array/string_view_slot.h"
#include "builder/builder_core.h"
#include "builder/dictionary_memo.h"
#include "builder/gather_indices.h"
#include "builder/sparse_fill.h"
#include "memory/copy_of_bits.h"
#include "sheaf/builder/binary_builder.h"
#include "sheaf/builder/binary_view_builder.h"
#include "sheaf/builder/make_builder.h"
#include "sheaf/type/can_append.h"
#include "sheaf/type/visit_layout.h"

// Rows of dictionary arrays. Where their values are, and which are new, is said in
// dictionary_unify.cc, and how rows become an array in dictionary_build.cc.
namespace sheaf::inline v1 {

using internal::DictionaryMap;
using internal::RowRange;
using internal::SparseFill;

namespace {

/// The tail's indices of dictionaries that may widen.
constexpr int64_t kWidest = sizeof(int64_t);

}  // namespace

DictionaryBuilder::DictionaryBuilder(const DataType& type, std::unique_ptr<ArrayBuilder> values,
                                     const BuilderOptions& options)
    : ArrayBuilder(type, options),
      values_(std::move(values)),
      indices_(options.pool),
      memo_(std::make_unique<internal::DictionaryMemo>(options.pool)) {
  // A chunk of its own is the better answer where it is allowed.
  if (options_.on_overflow == OnOverflow::kNewChunk)
    options_.dictionaries.on_overflow = OnIndexOverflow::kError;
  index_bytes_ = widens() ? kWidest : type_.index_type().byte_width();
  Adopt(*values_);
}

DictionaryBuilder::~DictionaryBuilder() = default;
DictionaryBuilder::DictionaryBuilder(DictionaryBuilder&&) noexcept = default;
DictionaryBuilder& DictionaryBuilder::operator=(DictionaryBuilder&&) noexcept = default;

Status DictionaryBuilder::CheckBuilds(const DataType& type) {
  if (type.id() == TypeId::kDictionary) return OkStatus();
  return internal::InvalidArgument("a dictionary builder does not build ", type.ToString());
}

bool DictionaryBuilder::widens() const noexcept {
  return options_.dictionaries.on_overflow == OnIndexOverflow::kWiden;
}

// ── Values one by one ──

Status DictionaryBuilder::AppendFixedWidth(const void* values, int64_t n, BitSpan validity) {
  SHEAF_RETURN_IF_ERROR(CheckRows(n));
  SHEAF_RETURN_IF_ERROR(CheckValidityBits(validity, n));
  if (n == 0) return OkStatus();
  Buffer bits;
  if (!validity.absent()) {
    StatusOr<Buffer> copy = internal::CopyOfBits(validity, pool());
    if (!copy.ok()) return AtBuilder(copy.status());
    bits = *std::move(copy);
  }
  const int64_t nulls = n - CountSet(validity.absent() ? BitSpan{nullptr, 0, n} : validity);
  const int64_t bytes = n * type_.value_type().byte_width();
  const StatusOr<Array> array = internal::MakeBuilt(
      type_.value_type(), n, nulls,
      {std::move(bits), Buffer::Borrow(static_cast<const uint8_t*>(values), bytes)}, {}, pool());
  if (!array.ok()) return AtBuilder(array.status());
  return TransactRows(n, [&](int64_t first, int64_t count) {
    return StageValues(*array, {first, count}, /*borrowed=*/true);
  });
}

Status DictionaryBuilder::Append(std::string_view value) {
  const DataType& values = type_.value_type();
  const LayoutId layout = values.layout().id;
  const bool is_binary = layout == LayoutId::kBinary || layout == LayoutId::kBinaryView;
  const auto size = static_cast<int64_t>(value.size());
  if (is_binary && PushKnown(internal::HashOfBytes(value.data(), size),
                             {reinterpret_cast<const uint8_t*>(value.data()), value.size()})) {
    return OkStatus();
  }
  return AppendValues(std::span<const std::string_view>(&value, 1));
}

Status DictionaryBuilder::AppendValues(std::span<const std::string_view> values, BitSpan validity) {
  SHEAF_ASSIGN_OR_RETURN(const auto builder, MakeBuilder(type_.value_type(), helper_options()));
  const Status status = VisitLayout(
      type_.value_type().layout(),
      Overloaded{
          [&]<BinaryLike L>(L) {
            return static_cast<BasicBinaryBuilder<typename L::Offset>&>(*builder).AppendValues(
                values, validity);
          },
          [&](BinaryViewLayout) {
            return static_cast<BinaryViewBuilder&>(*builder).AppendValues(values, validity);
          },
          [&](auto) -> Status {
            return internal::InvalidArgument("a text for a ", type_.ToString(), " builder");
          },
      });
  SHEAF_RETURN_IF_ERROR(AtBuilder(status));
  const StatusOr<Array> array = builder->Finish();
  if (!array.ok()) return AtBuilder(array.status());
  return AppendArray(*array);
}

bool DictionaryBuilder::AppendKnown(const void* value, int64_t size,
                                    Status (*check)(const DataType&)) noexcept {
  const DataType& values = type_.value_type();
  if (memo_->table.size() == 0 || values.byte_width() != size || !check(values).ok()) return false;
  return PushKnown(internal::HashOfFixedWidth(value, size),
                   {static_cast<const uint8_t*>(value), static_cast<size_t>(size)});
}

/// The index of a value whose bytes are known, where nothing can fail.
bool DictionaryBuilder::PushKnown(uint64_t hash, std::span<const uint8_t> value) noexcept {
  if (!indices_.HasRoom(index_bytes_) || !tail_.HasRoom(1) || !unlimited()) return false;
  const internal::DictionaryMemo& memo = *memo_;
  const auto same = [&](int64_t index) {
    const internal::ValueRecord& record = memo.RecordOf(index);
    const Array& values = record.values;
    const int64_t row = index - record.first;
    if (values.IsNull(row)) return false;
    std::span<const uint8_t> bytes;
    if (values.layout().id == LayoutId::kFixedWidth) {
      const auto width = static_cast<int64_t>(value.size());
      bytes = {values.buffer(1).data() + (values.offset() + row) * width, value.size()};
    } else if (values.layout().id == LayoutId::kBinaryView) {
      const std::string_view text =
          internal::BytesOf(values, values.slots<internal::StringViewSlot>(1)[row]);
      bytes = {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
    } else {
      const bool wide = values.layout().offset_bits == 64;
      const int64_t begin = wide ? values.slots<int64_t>(1)[row] : values.slots<int32_t>(1)[row];
      const int64_t end =
          wide ? values.slots<int64_t>(1)[row + 1] : values.slots<int32_t>(1)[row + 1];
      bytes = {values.buffer(2).data() + begin, static_cast<size_t>(end - begin)};
    }
    return bytes.size() == value.size() &&
           (value.empty() || std::memcmp(bytes.data(), value.data(), value.size()) == 0);
  };
  const int64_t index = memo.table.Find(hash, same);
  if (index < 0) return false;
  window_ = RowWindow();
  std::memcpy(StageSlots(1), &index, static_cast<size_t>(index_bytes_));
  indices_.Commit();
  tail_.UnsafePushValid();
  return true;
}

// ── Rows ──

bool DictionaryBuilder::TakesIndices(const Array& source) const {
  if (source.layout().id != LayoutId::kDictionary) return false;
  const DataType& values = type_.value_type();
  const DataType& source_values = source.type().value_type();
  return values.node() == source_values.node() || values.layout().id != LayoutId::kDictionary ||
         CanAppend(values, source_values).ok();
}

Status DictionaryBuilder::ReserveIndices(int64_t n) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, internal::ProductOf(n, index_bytes_, type_));
  return indices_.Reserve(bytes);
}

uint8_t* DictionaryBuilder::StageSlots(int64_t n) noexcept {
  return indices_.UnsafeStage(n * index_bytes_);
}

/// Whether rows of such a source are the builder's own, byte for byte.
bool DictionaryBuilder::IsIdentity(const DictionaryMap& map,
                                   const DataType& source_type) const noexcept {
  return map.identity && source_type.index_type().byte_width() == index_bytes_;
}

/// The indices of a range, zero under nulls.
void DictionaryBuilder::WriteRows(const Array& source, RowRange range, const DictionaryMap& map,
                                  uint8_t* out) const noexcept {
  const DataType& index_type = source.type().index_type();
  const int64_t width = index_type.byte_width();
  const uint8_t* in = source.buffer(1).data() + (source.offset() + range.offset) * width;
  const BitSpan valid = source.has_nulls() ? source.validity().Slice(range.offset, range.length)
                                           : BitSpan{nullptr, 0, range.length};
  if (!valid.absent() && range.length > 0)
    std::memset(out, 0, static_cast<size_t>(range.length * index_bytes_));
  VisitSetRuns(valid, [&](int64_t begin, int64_t end) {
    const uint8_t* from = in + begin * width;
    uint8_t* to = out + begin * index_bytes_;
    const int64_t n = end - begin;
    if (!map.identity) {
      return internal::GatherAt(map.indices.data(), index_bytes_, map.dictionary.length(),
                                index_type.id(), from, n, to);
    }
    if (width == index_bytes_) {
      std::memcpy(to, from, static_cast<size_t>(n * width));
      return;
    }
    VisitInteger(index_type.id(), [&](auto integer) {
      using In = decltype(integer);
      const auto* indices = reinterpret_cast<const In*>(from);
      VisitInteger(type_.index_type().id(), [&](auto declared) {
        const auto write = [&](auto* slots) {
          using Out = std::remove_pointer_t<decltype(slots)>;
          for (int64_t i = 0; i < n; ++i) slots[i] = static_cast<Out>(indices[i]);
        };
        widens() ? write(reinterpret_cast<int64_t*>(to))
                 : write(reinterpret_cast<decltype(declared)*>(to));
      });
    });
  });
}

Status DictionaryBuilder::StageRanges(const Array& source, std::span<const RowRange> ranges) {
  if (internal::TotalLength(ranges) == 0) return OkStatus();  // No row, and no value for one.
  if (TakesIndices(source)) return StageIndices(source, ranges);
  for (const RowRange& range : ranges)
    SHEAF_RETURN_IF_ERROR(StageValues(source, range, /*borrowed=*/false));
  return OkStatus();
}

Status DictionaryBuilder::StageIndices(const Array& source, std::span<const RowRange> ranges) {
  SHEAF_ASSIGN_OR_RETURN(const DictionaryMap map, MapOf(source, ranges));
  const int64_t rows = internal::TotalLength(ranges);
  const int64_t own_bytes =
      rows * source.type().index_type().byte_width() + internal::ValidityBytesOf(source, rows);
  if (ranges.size() == 1 && ShouldKeep(source, own_bytes)) {
    SHEAF_RETURN_IF_ERROR(memo_->maps_of_chunks.Stage(map));
    return ArrayBuilder::StageKept(source, ranges[0]);
  }
  SHEAF_RETURN_IF_ERROR(ReserveIndices(rows));
  SHEAF_RETURN_IF_ERROR(StageValidity(source, ranges));
  for (const RowRange& range : ranges) WriteRows(source, range, map, StageSlots(range.length));
  return OkStatus();
}

/// Rows that are values. \param borrowed  whether their memory is gone after the append.
Status DictionaryBuilder::StageValues(const Array& source, RowRange range, bool borrowed) {
  constexpr int64_t kBlock = 16 * 1024;  // What is noted of rows stays in the cache.
  if (source.layout().id == LayoutId::kNull) return StageNulls(range.length);
  for (; range.length > 0; range = {range.offset + kBlock, range.length - kBlock}) {
    const int64_t n = std::min(range.length, kBlock);
    SHEAF_ASSIGN_OR_RETURN(const Array values, AsValues(source.Slice(range.offset, n)));
    const BitSpan valid =
        source.has_nulls() ? source.validity().Slice(range.offset, n) : BitSpan{nullptr, 0, n};
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer scratch, MutableBuffer::Allocate(n * kWidest, pool()));
    auto* const indices = scratch.as<int64_t>();
    const int64_t most = MostValues();
    SHEAF_ASSIGN_OR_RETURN(bool fits, Encode(values, valid, most, borrowed, indices));
    if (!fits && widens()) {
      SHEAF_ASSIGN_OR_RETURN(
          fits, Encode(values, valid, std::numeric_limits<int64_t>::max(), borrowed, indices));
    }
    if (!fits) return OutOfIndices(most);
    SHEAF_RETURN_IF_ERROR(ReserveIndices(n));
    SHEAF_RETURN_IF_ERROR(tail_.StageBits(valid, n - CountSet(valid)));
    internal::NarrowIndices(indices, n, index_bytes_, StageSlots(n));
    if (n < kBlock) break;
  }
  return OkStatus();
}

Status DictionaryBuilder::StageSame(int64_t index, int64_t n) {
  SHEAF_RETURN_IF_ERROR(ReserveIndices(n));
  internal::FillRepeated(StageSlots(n), reinterpret_cast<const uint8_t*>(&index), index_bytes_, n);
  return OkStatus();
}

/// Values as rows of a dictionary of their own.
StatusOr<Array> DictionaryBuilder::Encoded(const Array& values) const {
  SHEAF_ASSIGN_OR_RETURN(const auto encoder, MakeBuilder(type_, helper_options()));
  SHEAF_RETURN_IF_ERROR(encoder->AppendArray(values));
  return encoder->Finish();
}

Status DictionaryBuilder::StageRepeated(const Array& source, RowRange range, int64_t n) {
  if (!TakesIndices(source)) {
    // Encoded once, whatever becomes of the source's memory.
    SHEAF_ASSIGN_OR_RETURN(const Array own, Encoded(source.Slice(range.offset, range.length)));
    return StageRepeated(own, {0, range.length}, n);
  }
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, internal::ProductOf(range.length, n, type_));
  if (rows == 0) return OkStatus();
  SHEAF_ASSIGN_OR_RETURN(const DictionaryMap map, MapOf(source, {&range, 1}));
  SHEAF_RETURN_IF_ERROR(ReserveIndices(rows));
  const BitSpan validity = source.validity().Slice(range.offset, range.length);
  SHEAF_RETURN_IF_ERROR(tail_.StageRepeated(validity, range.length - CountSet(validity), n));
  uint8_t* out = StageSlots(rows);
  WriteRows(source, range, map, out);
  internal::ExtendRepeated(out, range.length * index_bytes_, n);
  return OkStatus();
}

Status DictionaryBuilder::StageSparse(const SparseFill& sparse) {
  const auto indices_of = [&](const Array& array) -> StatusOr<Array> {
    return TakesIndices(array) ? array : Encoded(array);
  };
  // What lies under a null need not be brought.
  SHEAF_ASSIGN_OR_RETURN(const Array fill, sparse.null_fill() ? MakeNullArray(type_, 1, pool())
                                                              : indices_of(sparse.fill));
  SHEAF_ASSIGN_OR_RETURN(const Array patches, indices_of(sparse.patches));
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, RowsOf(sparse));
  const auto written = [&](const Array& array) -> StatusOr<MutableBuffer> {
    const RowRange all{0, array.length()};
    SHEAF_ASSIGN_OR_RETURN(const DictionaryMap map, MapOf(array, {&all, 1}));
    SHEAF_ASSIGN_OR_RETURN(MutableBuffer indices,
                           MutableBuffer::Allocate(array.length() * index_bytes_, pool()));
    WriteRows(array, all, map, indices.data());
    return indices;
  };
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer fill_indices, written(fill));
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer patch_indices, written(patches));
  SHEAF_RETURN_IF_ERROR(ReserveIndices(rows));
  SHEAF_RETURN_IF_ERROR(StageSparseValidity({fill, patches, sparse.at}));
  internal::WriteSparseBytes(sparse.at, fill_indices.data(), patch_indices.data(),
                             sparse.block() * index_bytes_, StageSlots(rows));
  return OkStatus();
}

Status DictionaryBuilder::StageNulls(int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageSame(0, n));
  return tail_.StageNull(n);
}

Status DictionaryBuilder::StageEmpty(int64_t n) {
  if (n == 0) return OkStatus();
  SHEAF_ASSIGN_OR_RETURN(const int64_t index, EmptyValue());
  SHEAF_RETURN_IF_ERROR(StageSame(index, n));
  return tail_.StageValid(n);
}

Status DictionaryBuilder::StagePlaceholders(int64_t n) {
  if (staged_values() == 0) return StageEmpty(n);
  SHEAF_RETURN_IF_ERROR(StageSame(0, n));
  return tail_.StageValid(n);
}

Status DictionaryBuilder::StageKept(const Array& source, RowRange range) {
  SHEAF_ASSIGN_OR_RETURN(DictionaryMap map, MapOf(source, {&range, 1}));
  SHEAF_RETURN_IF_ERROR(memo_->maps_of_chunks.Stage(std::move(map)));
  return ArrayBuilder::StageKept(source, range);
}

Status DictionaryBuilder::StageWidened(int64_t chunk, RowRange range) {
  DictionaryMap& map = memo_->maps_of_chunks[chunk];
  if (!map.whole) {
    // Made anew: the rows that were there find their values again, and those that a discarded
    // append left in the map are never read.
    const Array rows = internal::WithWindow(chunks_[chunk].window, range.offset, range.length);
    const RowRange all{0, range.length};
    SHEAF_ASSIGN_OR_RETURN(map, MapOf(rows, {&all, 1}));
  }
  return ArrayBuilder::StageWidened(chunk, range);
}

Status DictionaryBuilder::ReserveRows(int64_t rows) {
  SHEAF_RETURN_IF_ERROR(ReserveIndices(rows));
  return tail_.Reserve(rows);
}

void DictionaryBuilder::Commit() noexcept {
  ArrayBuilder::Commit();
  indices_.Commit();
  memo_->records.Commit();
  memo_->maps_of_chunks.Commit();
  CommitOf(*values_);
}

void DictionaryBuilder::Discard() noexcept {
  ArrayBuilder::Discard();
  indices_.Discard();
  memo_->records.Discard();
  memo_->maps_of_chunks.Discard();
  DiscardOf(*values_);
  ForgetValuesFrom(values_->length());
}

void DictionaryBuilder::SaveMark(internal::MarkWriter& mark) const noexcept {
  ArrayBuilder::SaveMark(mark);
  SaveMarkOf(*values_, mark);
}

void DictionaryBuilder::RestoreMark(internal::MarkReader& mark) noexcept {
  ArrayBuilder::RestoreMark(mark);
  indices_.TruncateTo(tail_.length() * index_bytes_);
  memo_->maps_of_chunks.TruncateTo(chunks_.size());
  RestoreMarkOf(*values_, mark);
  ForgetValuesFrom(values_->length());
}

void DictionaryBuilder::Clear() noexcept {
  ArrayBuilder::Clear();
  indices_.Reset();
  memo_->maps_of_chunks.Clear();
  if (options_.dictionaries.keep_dictionary) {
    memo_->num_given = memo_->num_offered;
    return;
  }
  ClearOf(*values_);
  memo_->ForgetDictionary();
}

void DictionaryBuilder::ForgetDictionary() noexcept {
  Reset();
  ClearOf(*values_);
  memo_->ForgetDictionary();
}

int64_t DictionaryBuilder::BytesUsed() const noexcept {
  return ValidityBytes() + staged_length() * IndexTypeFor(staged_values()).byte_width() +
         BytesUsedOf(*values_);
}

void DictionaryBuilder::AddRetained(internal::RetainedSet* retained) const {
  ArrayBuilder::AddRetained(retained);
  retained->Add(indices_);
  AddRetainedOf(*values_, retained);
  for (const internal::ValueRecord& record : memo_->records) retained->Add(record.values);
  for (const DictionaryMap& map : memo_->recent) retained->Add(map.dictionary);
  if (memo_->has_built) retained->Add(memo_->built);
}

Status DictionaryBuilder::AddNeeds(const Array& source, std::span<const RowRange> ranges) {
  if (!TakesIndices(source)) {
    SHEAF_RETURN_IF_ERROR(AddNeedsOf(*values_, source, ranges));
    return ArrayBuilder::AddNeeds(source, ranges);
  }
  const Array& dictionary = source.dictionary();
  const RowRange all{0, dictionary.length()};
  // A first dictionary is only referred to.
  if (all.length > 0 && staged_values() > 0 && FindRecent(dictionary) == nullptr)
    SHEAF_RETURN_IF_ERROR(AddNeedsOf(*values_, dictionary, {&all, 1}));
  const int64_t rows = internal::TotalLength(ranges);
  const int64_t own_bytes =
      rows * source.type().index_type().byte_width() + internal::ValidityBytesOf(source, rows);
  if (CountKept(source, ranges, own_bytes)) return OkStatus();
  return ArrayBuilder::AddNeeds(source, ranges);
}

Status DictionaryBuilder::ReserveNeeds() {
  SHEAF_RETURN_IF_ERROR(memo_->maps_of_chunks.Reserve(needs_.chunks));
  SHEAF_RETURN_IF_ERROR(ArrayBuilder::ReserveNeeds());
  return ReserveNeedsOf(*values_);
}

void DictionaryBuilder::ForgetNeeds() noexcept {
  ArrayBuilder::ForgetNeeds();
  ForgetNeedsOf(*values_);
}

std::unique_ptr<ArrayBuilder> DictionaryBuilder::NewEmpty() const {
  std::unique_ptr<ArrayBuilder> values = NewEmptyOf(*values_);
  if (values == nullptr) return nullptr;
  return std::make_unique<DictionaryBuilder>(type_, std::move(values), options_);
}

void DictionaryBuilder::SwapRows(ArrayBuilder& other_builder) noexcept {
  auto& other = static_cast<DictionaryBuilder&>(other_builder);
  SwapAll(*this, other);
  std::swap(values_, other.values_);  // Back again: only their rows are swapped.
  SwapRowsOf(*values_, *other.values_);
}

}  // namespace sheaf::inline v1
