#include "sheaf/builder/binary_view_builder.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "array/copy_string_views.h"
#include "array/string_data_uses.h"
#include "array/string_view_slot.h"
#include "builder/builder_core.h"

namespace sheaf::inline v1 {

using internal::DataUse;
using internal::FitsInline;
using internal::InlineSlot;
using internal::RowRange;
using internal::StringDataUses;
using internal::StringViewSlot;
using internal::ViewData;

namespace {

StringViewSlot LongSlotAt(std::string_view value, ViewData::Place place) noexcept {
  return internal::LongSlot(value, place.buffer, place.offset);
}

int64_t OwnBytes(const Array& source, int64_t rows, const StringDataUses& uses) noexcept {
  return rows * static_cast<int64_t>(sizeof(StringViewSlot)) + uses.used_bytes() +
         internal::ValidityBytesOf(source, rows);
}

/// Bytes of the values that are copied one by one.
int64_t CopiedSingly(const StringDataUses& uses) noexcept {
  int64_t bytes = 0;
  for (int64_t i = 0; i < uses.size(); ++i) bytes += uses[i].target < 0 ? uses[i].sum_bytes : 0;
  return bytes;
}

}  // namespace

BinaryViewBuilder::BinaryViewBuilder(const DataType& type, const BuilderOptions& options)
    : ArrayBuilder(type, options), views_(options.pool), data_(options.pool) {}

Status BinaryViewBuilder::CheckBuilds(const DataType& type) {
  if (type.layout().id == LayoutId::kBinaryView) return OkStatus();
  return internal::InvalidArgument("a binary view builder does not build ", type.ToString());
}

Status BinaryViewBuilder::ReserveSlots(int64_t rows) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t bytes, internal::ProductOf(rows, kSlotBytes, type_));
  return views_.Reserve(bytes);
}

Status BinaryViewBuilder::Append(std::string_view value) {
  const bool is_inline = FitsInline(value);
  if (views_.HasRoom(kSlotBytes) && !tail_.has_bitmap() && unlimited() &&
      (is_inline || data_.HasRoom(static_cast<int64_t>(value.size())))) [[likely]] {
    UnsafeAppend(value);
    return OkStatus();
  }
  return AppendValues({&value, 1});
}

void BinaryViewBuilder::UnsafeAppend(std::string_view value) noexcept {
  views_.UnsafePush(
      FitsInline(value)
          ? InlineSlot(value)
          : LongSlotAt(value, data_.UnsafePush(value.data(), static_cast<int64_t>(value.size()))));
  tail_.UnsafePushValid();
}

Status BinaryViewBuilder::AppendValues(std::span<const std::string_view> values, BitSpan validity) {
  const auto n = static_cast<int64_t>(values.size());
  SHEAF_RETURN_IF_ERROR(CheckRows(n));
  SHEAF_RETURN_IF_ERROR(CheckValidityBits(validity, n));
  validity.length = n;
  return Transact([&] { return StageValues(values, validity); });
}

Status BinaryViewBuilder::StageValues(std::span<const std::string_view> values, BitSpan validity) {
  int64_t coming_bytes = 0;  // Of long values, to be copied yet.
  for (size_t i = 0; i < values.size(); ++i) {
    if (FitsInline(values[i]) || !validity[static_cast<int64_t>(i)]) continue;
    const auto size = static_cast<int64_t>(values[i].size());
    if (size > ViewData::kMostBytes) {
      return internal::OutOfRange(type_.ToString(), " builder, value ", i, ": ", size,
                                  " bytes outgrow 32-bit sizes (at most ", ViewData::kMostBytes,
                                  ")");
    }
    if (AddOverflows(coming_bytes, size, &coming_bytes)) {
      return internal::OutOfRange(type_.ToString(), " builder: the values exceed 64 bits of bytes");
    }
  }
  SHEAF_RETURN_IF_ERROR(ReserveSlots(validity.length));
  SHEAF_RETURN_IF_ERROR(tail_.StageBits(validity, validity.length - CountSet(validity)));
  auto* out = reinterpret_cast<StringViewSlot*>(views_.UnsafeStage(validity.length * kSlotBytes));
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string_view value = values[i];
    if (!validity[static_cast<int64_t>(i)]) {
      out[i] = {};
    } else if (FitsInline(value)) {
      out[i] = InlineSlot(value);
    } else {
      const auto size = static_cast<int64_t>(value.size());
      if (!data_.HasRoom(size)) SHEAF_RETURN_IF_ERROR(data_.MakeRoom(size, coming_bytes));
      out[i] = LongSlotAt(value, data_.UnsafeStage(value.data(), size));
      coming_bytes -= size;
    }
  }
  return OkStatus();
}

Status BinaryViewBuilder::ReserveData(int64_t additional_bytes) {
  if (additional_bytes < 0)
    return internal::InvalidArgument(type_.ToString(), " builder: ", additional_bytes, " bytes");
  if (additional_bytes > ViewData::kMostBytes) {
    return internal::OutOfRange(type_.ToString(), " builder: ", additional_bytes,
                                " bytes outgrow a data buffer (at most ", ViewData::kMostBytes,
                                " bytes)");
  }
  window_ = RowWindow();  // Its memory may move.
  if (additional_bytes == 0 || data_.HasRoom(additional_bytes)) return OkStatus();
  const Status status = data_.MakeRoom(additional_bytes, additional_bytes);
  status.ok() ? data_.Commit(IsMarked()) : data_.Discard();
  return AtBuilder(status);
}

Status BinaryViewBuilder::StageRanges(const Array& source, std::span<const RowRange> ranges) {
  StringDataUses uses(pool());
  for (const RowRange& range : ranges) {
    SHEAF_RETURN_IF_ERROR(uses.Add(source, range.offset, range.length));
  }
  const int64_t rows = internal::TotalLength(ranges);
  if (ranges.size() == 1 && rows > 0) {
    if (ShouldKeep(source, OwnBytes(source, rows, uses))) {
      SHEAF_RETURN_IF_ERROR(ShareAll(source, uses));
      return ArrayBuilder::StageKept(source, ranges[0]);
    }
  }
  SHEAF_RETURN_IF_ERROR(ReserveSlots(rows));
  SHEAF_RETURN_IF_ERROR(PlaceData(source, &uses));
  int64_t coming_bytes = CopiedSingly(uses);
  for (const RowRange& range : ranges) {
    SHEAF_RETURN_IF_ERROR(StageSlots(source, range, &uses, &coming_bytes));
  }
  return StageValidity(source, ranges);
}

Status BinaryViewBuilder::ShareAll(const Array& source, const StringDataUses& uses) {
  for (int64_t i = 0; i < uses.size(); ++i) {
    const DataUse& use = uses[i];
    SHEAF_RETURN_IF_ERROR(
        data_.StageShared(source.buffer(2 + use.buffer), use.begin, use.end).status());
  }
  return OkStatus();
}

BinaryViewBuilder::Placing BinaryViewBuilder::PlacingOf(const Buffer& buffer,
                                                        const DataUse& use) const noexcept {
  const bool is_much = static_cast<double>(buffer.retained_bytes()) <=
                       options_.max_retained_ratio * static_cast<double>(use.used_bytes());
  if (use.used_bytes() >= options_.min_chunk_bytes && is_much) return Placing::kShared;
  // No more bytes than value by value, and values that share bytes go on sharing them.
  const bool whole = use.sum_bytes >= use.hull_bytes() && use.hull_bytes() <= ViewData::kMostBytes;
  return whole ? Placing::kCopiedWhole : Placing::kCopiedSingly;
}

Status BinaryViewBuilder::PlaceData(const Array& source, StringDataUses* uses) {
  for (int64_t i = 0; i < uses->size(); ++i) {
    DataUse& use = (*uses)[i];
    const Buffer& buffer = source.buffer(2 + use.buffer);
    const Placing placing = PlacingOf(buffer, use);
    if (placing == Placing::kShared) {
      SHEAF_ASSIGN_OR_RETURN(use.target, data_.StageShared(buffer, use.begin, use.end));
    } else if (placing == Placing::kCopiedWhole) {
      SHEAF_RETURN_IF_ERROR(data_.MakeRoom(use.hull_bytes(), use.hull_bytes()));
      const ViewData::Place place = data_.UnsafeStage(buffer.data() + use.begin, use.hull_bytes());
      use.target = place.buffer;
      use.shift = place.offset - use.begin;
    }
  }
  return OkStatus();
}

/// Slots of a range, long values where `uses` says that their data buffer went. `coming_bytes` of
/// long values are still to be copied, here and by later calls.
Status BinaryViewBuilder::StageSlots(const Array& source, RowRange range, StringDataUses* uses,
                                     int64_t* coming_bytes) {
  if (range.length == 0) return OkStatus();
  auto* out = reinterpret_cast<StringViewSlot*>(views_.UnsafeStage(range.length * kSlotBytes));
  const DataUse* use = nullptr;
  const auto move = [&](StringViewSlot& slot) -> Status {
    if (use == nullptr || use->buffer != slot.buffer_index) use = uses->Find(slot.buffer_index);
    if (use->target >= 0) {
      slot.buffer_index = use->target;
      slot.offset = static_cast<int32_t>(slot.offset + use->shift);
      return OkStatus();
    }
    if (!data_.HasRoom(slot.size)) SHEAF_RETURN_IF_ERROR(data_.MakeRoom(slot.size, *coming_bytes));
    *coming_bytes -= slot.size;
    const uint8_t* bytes = source.buffer(2 + slot.buffer_index).data() + slot.offset;
    const ViewData::Place place = data_.UnsafeStage(bytes, slot.size);
    slot.buffer_index = place.buffer;
    slot.offset = place.offset;
    return OkStatus();
  };
  return internal::CopyStringViews(source.slots<StringViewSlot>(1) + range.offset,
                                   source.validity().Slice(range.offset, range.length), out, move);
}

Status BinaryViewBuilder::StageRepeated(const Array& source, RowRange range, int64_t n) {
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, internal::ProductOf(range.length, n, type_));
  if (rows == 0) return OkStatus();  // No value, and no byte of one.
  SHEAF_RETURN_IF_ERROR(ReserveSlots(rows));
  const BitSpan validity = source.validity().Slice(range.offset, range.length);
  SHEAF_RETURN_IF_ERROR(tail_.StageRepeated(validity, range.length - CountSet(validity), n));
  StringDataUses uses(pool());
  SHEAF_RETURN_IF_ERROR(uses.Add(source, range.offset, range.length));
  SHEAF_RETURN_IF_ERROR(PlaceData(source, &uses));
  int64_t coming_bytes = CopiedSingly(uses);
  SHEAF_RETURN_IF_ERROR(StageSlots(source, range, &uses, &coming_bytes));
  const int64_t once = range.length * kSlotBytes;
  uint8_t* more = views_.UnsafeStage(once * (n - 1));
  internal::ExtendRepeated(more - once, once, n);
  return OkStatus();
}

Status BinaryViewBuilder::StageSparse(const internal::SparseFill& sparse) {
  const int64_t block = sparse.block();
  const int64_t block_bytes = block * kSlotBytes;
  SHEAF_ASSIGN_OR_RETURN(const int64_t rows, RowsOf(sparse));
  SHEAF_RETURN_IF_ERROR(ReserveSlots(rows));
  SHEAF_RETURN_IF_ERROR(StageSparseValidity(sparse));
  StringDataUses fill_uses(pool());
  StringDataUses uses(pool());
  SHEAF_RETURN_IF_ERROR(fill_uses.Add(sparse.fill, 0, block));
  SHEAF_RETURN_IF_ERROR(uses.Add(sparse.patches, 0, sparse.patches.length()));
  SHEAF_RETURN_IF_ERROR(PlaceData(sparse.fill, &fill_uses));
  SHEAF_RETURN_IF_ERROR(PlaceData(sparse.patches, &uses));
  int64_t fill_coming = CopiedSingly(fill_uses);
  int64_t coming = CopiedSingly(uses);
  int64_t first_fill = -1;  // Where the slots of the fill are, once they are.
  return sparse.at.VisitRuns(
      [&](int64_t n) {
        if (first_fill < 0) {
          first_fill = views_.staged_size_bytes();
          SHEAF_RETURN_IF_ERROR(StageSlots(sparse.fill, {0, block}, &fill_uses, &fill_coming));
          --n;
        }
        uint8_t* out = views_.UnsafeStage(n * block_bytes);
        internal::FillRepeated(out, views_.data() + first_fill, block_bytes, n);
        return OkStatus();
      },
      [&](int64_t first, int64_t n) {
        return StageSlots(sparse.patches, {first * block, n * block}, &uses, &coming);
      });
}

Status BinaryViewBuilder::StageZeros(int64_t n) {
  SHEAF_RETURN_IF_ERROR(ReserveSlots(n));
  if (n > 0)
    std::memset(views_.UnsafeStage(n * kSlotBytes), 0, static_cast<size_t>(n * kSlotBytes));
  return OkStatus();
}

Status BinaryViewBuilder::StageNulls(int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageZeros(n));
  return tail_.StageNull(n);
}

Status BinaryViewBuilder::StageEmpty(int64_t n) {
  SHEAF_RETURN_IF_ERROR(StageZeros(n));
  return tail_.StageValid(n);
}

Status BinaryViewBuilder::StageKept(const Array& source, RowRange range) {
  StringDataUses uses(pool());
  SHEAF_RETURN_IF_ERROR(uses.Add(source, range.offset, range.length));
  SHEAF_RETURN_IF_ERROR(ShareAll(source, uses));
  return ArrayBuilder::StageKept(source, range);
}

Status BinaryViewBuilder::StageWidened(int64_t chunk, RowRange range) {
  const Array& window = chunks_[chunk].window;
  const Array widened = internal::WithWindow(window, range.offset, range.length);
  StringDataUses uses(pool());
  if (window.length() == 0) {  // It says nothing of where rows would be.
    SHEAF_RETURN_IF_ERROR(uses.Add(widened, 0, range.length));
  } else {  // Only what is new is looked at.
    const int64_t left = window.offset() - range.offset;
    const int64_t right = left + window.length();
    SHEAF_RETURN_IF_ERROR(uses.Add(widened, 0, left));
    SHEAF_RETURN_IF_ERROR(uses.Add(widened, right, range.length - right));
  }
  SHEAF_RETURN_IF_ERROR(ShareAll(widened, uses));
  return ArrayBuilder::StageWidened(chunk, range);
}

Status BinaryViewBuilder::ReserveRows(int64_t rows) {
  SHEAF_RETURN_IF_ERROR(ReserveSlots(rows));
  return tail_.Reserve(rows);
}

void BinaryViewBuilder::Commit() noexcept {
  ArrayBuilder::Commit();
  views_.Commit();
  data_.Commit(data_.widened() && IsMarked());
}

void BinaryViewBuilder::Discard() noexcept {
  ArrayBuilder::Discard();
  views_.Discard();
  data_.Discard();
}

void BinaryViewBuilder::SaveMark(internal::MarkWriter& mark) const noexcept {
  ArrayBuilder::SaveMark(mark);
  data_.SaveMark(mark);
}

void BinaryViewBuilder::RestoreMark(internal::MarkReader& mark) noexcept {
  ArrayBuilder::RestoreMark(mark);
  views_.TruncateTo(tail_.length() * kSlotBytes);
  data_.RestoreMark(mark);
}

void BinaryViewBuilder::Clear() noexcept {
  ArrayBuilder::Clear();
  views_.Reset();
  data_.Clear();
}

int64_t BinaryViewBuilder::BytesUsed() const noexcept {
  return ValidityBytes() + staged_length() * kSlotBytes + data_.bytes();
}

int64_t BinaryViewBuilder::data_bytes() const noexcept {
  int64_t bytes = data_.committed_bytes();
  for (const auto& full : full_.builders) {
    bytes += static_cast<const BinaryViewBuilder&>(*full).data_bytes();
  }
  return bytes;
}

void BinaryViewBuilder::AddRetained(internal::RetainedSet* retained) const {
  ArrayBuilder::AddRetained(retained);
  retained->Add(views_);
  data_.AddRetained(retained);
}

Status BinaryViewBuilder::AddNeeds(const Array& source, std::span<const RowRange> ranges) {
  StringDataUses uses(pool());
  for (const RowRange& range : ranges) {
    SHEAF_RETURN_IF_ERROR(uses.Add(source, range.offset, range.length));
  }
  const int64_t rows = internal::TotalLength(ranges);
  if (CountKept(source, ranges, OwnBytes(source, rows, uses))) return OkStatus();
  for (int64_t i = 0; i < uses.size(); ++i) {
    const DataUse& use = uses[i];
    const Placing placing = PlacingOf(source.buffer(2 + use.buffer), use);
    if (placing == Placing::kShared) continue;
    const int64_t bytes = placing == Placing::kCopiedWhole ? use.hull_bytes() : use.sum_bytes;
    if (AddOverflows(needs_.data_bytes, bytes, &needs_.data_bytes)) {
      return internal::OutOfRange(type_.ToString(), " builder: the values exceed 64 bits of bytes");
    }
  }
  return ArrayBuilder::AddNeeds(source, ranges);
}

/// What lies beyond one block comes to the next ones as it is appended.
Status BinaryViewBuilder::ReserveNeeds() {
  const int64_t bytes = std::min(needs_.data_bytes, ViewData::kMostBytes);
  if (bytes > 0) SHEAF_RETURN_IF_ERROR(ReserveData(bytes));
  return ArrayBuilder::ReserveNeeds();
}

std::unique_ptr<ArrayBuilder> BinaryViewBuilder::NewEmpty() const {
  return std::make_unique<BinaryViewBuilder>(type_, options_);
}

void BinaryViewBuilder::SwapRows(ArrayBuilder& other) noexcept {
  SwapAll(*this, static_cast<BinaryViewBuilder&>(other));
}

}  // namespace sheaf
