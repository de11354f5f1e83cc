#include "array/string_data_uses.h"

#include <algorithm>
#include <limits>

#include "sheaf/memory/bit_span.h"

namespace sheaf::inline v1::internal {

Status StringDataUses::Add(const Array& array, int64_t offset, int64_t length) {
  if (length == 0) return OkStatus();
  const StringViewSlot* slots = array.slots<StringViewSlot>(1) + offset;
  DataUse* use = nullptr;
  Status status;
  VisitSetRuns(array.validity().Slice(offset, length), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end && status.ok(); ++i) {
      const StringViewSlot& slot = slots[i];
      if (slot.is_inline()) continue;
      if (use == nullptr || use->buffer != slot.buffer_index) {
        status = FindOrAdd(slot.buffer_index, &use);
        if (!status.ok()) return;
      }
      use->sum_bytes += slot.size;
      use->begin = std::min<int64_t>(use->begin, slot.offset);
      use->end = std::max<int64_t>(use->end, int64_t{slot.offset} + slot.size);
    }
  });
  return status;
}

DataUse* StringDataUses::Find(int32_t buffer) noexcept {
  if (size_ <= kInline) {
    for (int64_t i = 0; i < size_; ++i) {
      if (first_[static_cast<size_t>(i)].buffer == buffer) return &first_[static_cast<size_t>(i)];
    }
    return nullptr;
  }
  const int32_t number = buckets_[BucketOf(buffer)];
  return number < 0 ? nullptr : &(*this)[number];
}

/// The bucket that holds the buffer's use, or the free one where it belongs.
int64_t StringDataUses::BucketOf(int32_t buffer) const noexcept {
  // Numbers of buffers follow each other: they spread by themselves.
  const int64_t mask = buckets_.size() - 1;
  int64_t bucket = buffer & mask;
  while (buckets_[bucket] >= 0 && (*this)[buckets_[bucket]].buffer != buffer) {
    bucket = (bucket + 1) & mask;
  }
  return bucket;
}

Status StringDataUses::FindOrAdd(int32_t buffer, DataUse** use) {
  *use = Find(buffer);
  if (*use != nullptr) return OkStatus();
  DataUse added;
  added.buffer = buffer;
  added.begin = std::numeric_limits<int64_t>::max();
  if (size_ < kInline) {
    first_[static_cast<size_t>(size_)] = added;
  } else {
    SHEAF_RETURN_IF_ERROR(more_.Stage(added));
  }
  ++size_;
  *use = &(*this)[size_ - 1];
  if (size_ <= kInline) return OkStatus();
  if (2 * size_ > buckets_.size()) return GrowBuckets();
  buckets_[BucketOf(buffer)] = static_cast<int32_t>(size_ - 1);
  return OkStatus();
}

Status StringDataUses::GrowBuckets() {
  const int64_t wanted = std::max<int64_t>(16, 2 * buckets_.size());
  buckets_.Clear();
  while (buckets_.size() < wanted) SHEAF_RETURN_IF_ERROR(buckets_.Stage(-1));
  for (int64_t i = 0; i < size_; ++i)
    buckets_[BucketOf((*this)[i].buffer)] = static_cast<int32_t>(i);
  return OkStatus();
}

int64_t StringDataUses::sum_bytes() const noexcept {
  int64_t bytes = 0;
  for (int64_t i = 0; i < size_; ++i) bytes += (*this)[i].sum_bytes;
  return bytes;
}

int64_t StringDataUses::used_bytes() const noexcept {
  int64_t bytes = 0;
  for (int64_t i = 0; i < size_; ++i) bytes += (*this)[i].used_bytes();
  return bytes;
}

}  // namespace sheaf::inline v1::internal
