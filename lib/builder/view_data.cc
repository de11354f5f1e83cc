#include "sheaf/builder/view_data.h"

#include <algorithm>
#include <utility>

#include "array/retained.h"
#include "base/error.h"
#include "sheaf/builder/builder_mark.h"

namespace sheaf::inline v1::internal {

int32_t ViewData::Find(const Buffer& buffer) const noexcept {
  if (num_buckets_ == 0) return -1;
  int64_t index = buckets_[BucketOf(buffer)];
  // One address and size are the same bytes: those here are kept alive.
  while (index >= 0 && (buffers_[index].shared.data() != buffer.data() ||
                        buffers_[index].shared.size_bytes() != buffer.size_bytes())) {
    index = buffers_[index].previous;
  }
  return static_cast<int32_t>(index);
}

Status ViewData::CheckCount() const {
  if (buffers_.size() < kMostBytes) return OkStatus();
  return OutOfRange("more than ", kMostBytes, " data buffers");
}

StatusOr<int32_t> ViewData::StageShared(const Buffer& buffer, int64_t begin, int64_t end) {
  if (const int32_t known = Find(buffer); known >= 0) {
    SHEAF_RETURN_IF_ERROR(Widen(known, begin, end));
    return known;
  }
  SHEAF_RETURN_IF_ERROR(CheckCount());
  if (num_shared_ >= num_buckets_) SHEAF_RETURN_IF_ERROR(GrowBuckets());
  DataBuffer added;
  added.shared = buffer;
  added.begin = begin;
  added.end = end;
  int64_t& newest = buckets_[BucketOf(buffer)];
  added.previous = newest;
  SHEAF_RETURN_IF_ERROR(buffers_.Stage(std::move(added)));
  newest = buffers_.size() - 1;
  ++num_shared_;
  staged_bytes_ += end - begin;
  return static_cast<int32_t>(newest);
}

Status ViewData::Widen(int64_t index, int64_t begin, int64_t end) {
  DataBuffer& buffer = buffers_[index];
  begin = std::min(begin, buffer.begin);
  end = std::max(end, buffer.end);
  if (begin == buffer.begin && end == buffer.end) return OkStatus();
  if (index < buffers_.committed_size() && !buffer.logged) {
    SHEAF_RETURN_IF_ERROR(undo_.Stage({index, buffer.begin, buffer.end}));
    buffer.logged = true;
  }
  staged_bytes_ += (end - begin) - (buffer.end - buffer.begin);
  buffer.begin = begin;
  buffer.end = end;
  return OkStatus();
}

Status ViewData::GrowBuckets() {
  const int64_t wanted = std::max<int64_t>(8, 2 * num_buckets_);
  while (buckets_.size() < wanted) SHEAF_RETURN_IF_ERROR(buckets_.Stage(-1));
  num_buckets_ = wanted;
  std::fill(buckets_.begin(), buckets_.end(), int64_t{-1});
  for (int64_t i = 0; i < buffers_.size(); ++i) {
    if (buffers_[i].block >= 0) continue;
    buffers_[i].previous = std::exchange(buckets_[BucketOf(buffers_[i].shared)], i);
  }
  return OkStatus();
}

Status ViewData::MakeRoom(int64_t size, int64_t coming_bytes) {
  // Values that are known to come share a block of their own size, as far as positions reach.
  const int64_t wanted = std::max(size, std::min(coming_bytes, kMostBytes));
  if (!blocks_.empty()) {
    DataBlock& open = blocks_.back();
    const int64_t left = open.limit_bytes - open.bytes.staged_size_bytes();
    if (size <= left) return open.bytes.Reserve(std::min(wanted, left));
  }
  SHEAF_RETURN_IF_ERROR(CheckCount());
  constexpr int64_t kDoublings = 6;
  static_assert(kFirstBlockBytes << kDoublings == kLargestBlockBytes);
  DataBlock block{BufferBuilder(pool_),
                  std::max(kFirstBlockBytes << std::min(blocks_.size(), kDoublings), wanted),
                  static_cast<int32_t>(buffers_.size())};
  // The first one grows: many builders hold little.
  SHEAF_RETURN_IF_ERROR(block.bytes.Reserve(blocks_.empty() ? wanted : block.limit_bytes));
  DataBuffer buffer;
  buffer.block = blocks_.size();
  SHEAF_RETURN_IF_ERROR(blocks_.Stage(std::move(block)));
  return buffers_.Stage(std::move(buffer));
}

void ViewData::Commit(bool keep_log) noexcept {
  for (int64_t i = std::max<int64_t>(blocks_.committed_size() - 1, 0); i < blocks_.size(); ++i) {
    blocks_[i].bytes.Commit();
  }
  blocks_.Commit();
  buffers_.Commit();
  for (int64_t i = undo_.committed_size(); i < undo_.size(); ++i) {
    buffers_[undo_[i].index].logged = false;
  }
  keep_log ? undo_.Commit() : undo_.Clear();
  committed_bytes_ = staged_bytes_;
}

void ViewData::Discard() noexcept {
  TruncateBuffers(buffers_.committed_size());
  blocks_.Discard();
  if (!blocks_.empty()) blocks_.back().bytes.Discard();
  Undo(undo_.committed_size());
  staged_bytes_ = committed_bytes_;
}

void ViewData::TruncateBuffers(int64_t size) noexcept {
  // The newest of its hash goes first, so what is left is the chain as it was.
  for (int64_t i = buffers_.size() - 1; i >= size; --i) {
    if (buffers_[i].block >= 0) continue;
    buckets_[BucketOf(buffers_[i].shared)] = buffers_[i].previous;
    --num_shared_;
  }
  buffers_.TruncateTo(size);
}

void ViewData::Undo(int64_t size) noexcept {
  for (int64_t i = undo_.size() - 1; i >= size; --i) {
    if (undo_[i].index >= buffers_.size()) continue;  // Gone altogether.
    DataBuffer& buffer = buffers_[undo_[i].index];
    buffer.begin = undo_[i].begin;
    buffer.end = undo_[i].end;
    buffer.logged = false;
  }
  undo_.TruncateTo(size);
}

void ViewData::SaveMark(MarkWriter& mark) const noexcept {
  mark.Put(buffers_.committed_size());
  mark.Put(blocks_.committed_size());
  mark.Put(blocks_.empty() ? 0 : blocks_.back().bytes.size_bytes());
  mark.Put(undo_.committed_size());
  mark.Put(committed_bytes_);
}

void ViewData::RestoreMark(MarkReader& mark) noexcept {
  TruncateBuffers(mark.Take());
  blocks_.TruncateTo(mark.Take());
  const int64_t last_block_bytes = mark.Take();
  if (!blocks_.empty()) blocks_.back().bytes.TruncateTo(last_block_bytes);
  Undo(mark.Take());
  committed_bytes_ = staged_bytes_ = mark.Take();
}

void ViewData::Clear() noexcept {
  buffers_.Clear();
  blocks_.Clear();
  undo_.Clear();
  buckets_.Clear();
  num_buckets_ = 0;
  num_shared_ = 0;
  staged_bytes_ = committed_bytes_ = 0;
}

Status ViewData::Build(Sharing sharing, StagedVector<Buffer>* buffers) noexcept {
  int64_t count = buffers_.committed_size();
  const auto is_empty = [&](const DataBuffer& buffer) {
    return buffer.block >= 0 && blocks_[buffer.block].bytes.size_bytes() == 0;
  };
  while (count > 0 && is_empty(buffers_[count - 1])) --count;  // Room that no value has taken.
  for (int64_t i = 0; i < count; ++i) {
    const DataBuffer& buffer = buffers_[i];
    SHEAF_RETURN_IF_ERROR(buffers->Stage(
        buffer.block < 0 ? buffer.shared : blocks_[buffer.block].bytes.Share(sharing)));
  }
  return OkStatus();
}

void ViewData::AddRetained(RetainedSet* retained) const {
  for (const DataBuffer& buffer : buffers_) retained->Add(buffer.shared);
  for (const DataBlock& block : blocks_) retained->Add(block.bytes);
}

}  // namespace sheaf::inline v1::internal
