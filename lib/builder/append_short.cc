// Short arrays come by the hundred thousand: what they cost is what an append costs besides the
// bytes. Where room is there already nothing can fail, so rows are written and committed at once,
// without a walk through the stages. All else is left to those (false: nothing was done).
#include <cstring>
#include <limits>

#include "array/array_data.h"
#include "builder/builder_core.h"
#include "builder/dictionary_memo.h"
#include "sheaf/builder/dictionary_builder.h"
#include "sheaf/builder/fixed_width_builder.h"
#include "sheaf/builder/list_view_builder.h"
#include "type/type_node.h"

namespace sheaf::inline v1 {

using internal::ArrayData;
using internal::RowRange;

namespace {

/// The validity of some rows; absent where none is null.
class RowValidity {
 public:
  RowValidity(const Array& source, RowRange range) noexcept : bits_{nullptr, 0, range.length} {
    const ArrayData& node = *source.data();
    const int64_t kept = node.null_count.load(std::memory_order_relaxed);
    if (node.buffers[0].absent() || kept == 0) return;
    const int64_t offset = source.offset() + range.offset;
    const BitSpan rows{node.buffers[0].data(), offset, range.length};
    const bool is_known = kept > 0 && node.IsPrimary(offset, range.length);
    null_count_ = is_known ? kept : range.length - CountSet(rows);
    if (null_count_ > 0) bits_ = rows;
  }

  /// Whether the rows take no memory there.
  bool Fits(const ValidityBuilder& target) const noexcept {
    return target.HasRoom(bits_.length) && (null_count_ == 0 || target.has_bitmap());
  }
  void PushTo(ValidityBuilder& target) const noexcept {
    if (null_count_ == 0) return target.UnsafePushValid(bits_.length);
    target.UnsafePushBits(bits_, null_count_);
  }

 private:
  BitSpan bits_;
  int64_t null_count_ = 0;
};

/// The statistics of the rows' views, without a copy where they are kept.
class RowStats {
 public:
  RowStats(const Array& source, RowRange range) noexcept {
    const ArrayData& node = *source.data();
    if (node.IsPrimary(source.offset() + range.offset, range.length) &&
        node.view_state.load(std::memory_order_acquire) == 2) [[likely]] {
      stats_ = &node.view_stats;
    } else {
      found_ = StatsOf(source.Slice(range.offset, range.length));
      stats_ = &found_;
    }
  }
  const ViewStats* operator->() const noexcept { return stats_; }
  const ViewStats& operator*() const noexcept { return *stats_; }

 private:
  const ViewStats* stats_;
  ViewStats found_;
};

}  // namespace

bool FixedWidthBuilderBase::AppendShort(const Array& source, RowRange range) noexcept {
  const ArrayData& node = *source.data();
  if (node.type.node()->layout->id != LayoutId::kFixedWidth || width_ == 0) return false;
  const int64_t bytes = range.length * width_;
  if (bytes + BytesForBits(range.length) >= options_.min_chunk_bytes || !values_.HasRoom(bytes))
    return false;
  const RowValidity validity(source, range);
  if (!validity.Fits(tail_)) return false;

  const uint8_t* values = node.buffers[1].data() + (source.offset() + range.offset) * width_;
  std::memcpy(values_.UnsafeStage(bytes), values, static_cast<size_t>(bytes));
  values_.Commit();
  validity.PushTo(tail_);
  return true;
}

bool DictionaryBuilder::AppendShort(const Array& source, RowRange range) noexcept {
  const ArrayData& node = *source.data();
  if (!node.has_dictionary || !TakesIndices(source)) return false;
  const internal::DictionaryMap* map = FindRecent(*node.dictionary);
  const int64_t bytes = range.length * index_bytes_;
  if (map == nullptr || bytes + BytesForBits(range.length) >= options_.min_chunk_bytes ||
      !indices_.HasRoom(bytes))
    return false;
  const RowValidity validity(source, range);
  if (!validity.Fits(tail_)) return false;
  WriteRows(source, range, *map, StageSlots(range.length));
  indices_.Commit();
  validity.PushTo(tail_);
  return true;
}

template <typename Offset>
bool BasicListViewBuilder<Offset>::AppendShort(const Array& source, RowRange range) noexcept {
  constexpr auto kWidth = static_cast<int64_t>(sizeof(Offset));
  const ArrayData& node = *source.data();
  const int64_t n = range.length;
  if (node.type.node()->storage_id() != type_.node()->storage_id() ||
      options_.list_views.on_append != ListViewPolicy::kKeep)
    return false;
  if (2 * n * kWidth + BytesForBits(n) >= options_.min_chunk_bytes || !HasRoom(n)) return false;
  if (!open_.Ready(elements_->length()) || !(committed_end_.anchor == current_anchor()))
    return false;

  // Nested elements, and longer ones, may be kept or shared.
  const Array& elements = node.child(0);
  if (elements.data()->type.node()->layout->id != LayoutId::kFixedWidth) return false;
  if (!type_.node()->fields[0].nullable() && elements.has_nulls()) return false;
  const RowStats stats(source, range);
  const RowRange brought{stats->begin, stats->end - stats->begin};
  if (brought.length == 0 || stats->empties_outside) return false;
  const int64_t most = std::numeric_limits<Offset>::max() - StagedLengthOf(*elements_);
  const RowValidity validity(source, range);
  if (brought.length > most || !validity.Fits(tail_) ||
      !AppendShortOf(*elements_, elements, brought))
    return false;

  const int64_t first = source.offset() + range.offset;
  const auto* offsets = node.buffers[1].as<Offset>() + first;
  const auto* sizes = node.buffers[2].as<Offset>() + first;
  const auto shift = static_cast<Offset>(committed_end_.base - brought.offset);
  auto* out = reinterpret_cast<Offset*>(offsets_.UnsafeStage(n * kWidth));
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<Offset>(offsets[i] + shift);
  std::memcpy(sizes_.UnsafeStage(n * kWidth), sizes, static_cast<size_t>(n * kWidth));
  offsets_.Commit();
  sizes_.Commit();
  validity.PushTo(tail_);
  DropMarksOf(*elements_);
  open_.Commit(*elements_);
  committed_end_.base += brought.length;
  known_.Add(*stats, n, 1);
  committed_known_ = known_;
  flag_ = committed_flag_ = committed_flag_ && stats->packed;
  return true;
}

template bool BasicListViewBuilder<int32_t>::AppendShort(const Array&, RowRange) noexcept;
template bool BasicListViewBuilder<int64_t>::AppendShort(const Array&, RowRange) noexcept;

}  // namespace sheaf::inline v1
