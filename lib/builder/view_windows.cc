#include "sheaf/builder/view_windows.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace sheaf::inline v1::internal {

Status WindowList::Stage(ElementsWindow window) {
  if (windows_.size() >= num_buckets_) SHEAF_RETURN_IF_ERROR(GrowBuckets());
  int64_t& newest = buckets_[BucketOf(window.source)];
  window.previous = newest;
  SHEAF_RETURN_IF_ERROR(windows_.Stage(window));
  newest = windows_.size() - 1;
  return OkStatus();
}

Status WindowList::GrowBuckets() {
  const int64_t wanted = std::max<int64_t>(8, 2 * num_buckets_);
  const auto bytes = static_cast<int64_t>(wanted * static_cast<int64_t>(sizeof(int64_t)));
  auto* buckets = reinterpret_cast<int64_t*>(pool_->Allocate(bytes));
  if (buckets == nullptr) return OutOfMemory(bytes);
  FreeBuckets();
  buckets_ = buckets;
  num_buckets_ = wanted;
  std::fill_n(buckets_, num_buckets_, int64_t{-1});
  for (int64_t i = 0; i < windows_.size(); ++i) {
    windows_[i].previous = std::exchange(buckets_[BucketOf(windows_[i].source)], i);
  }
  return OkStatus();
}

void WindowList::TruncateTo(int64_t size) noexcept {
  // The newest window of its bucket goes first, so what is left is the chain as it was.
  for (int64_t i = windows_.size() - 1; i >= size; --i) {
    buckets_[BucketOf(windows_[i].source)] = windows_[i].previous;
  }
  windows_.TruncateTo(size);
}

void WindowList::Clear() noexcept {
  windows_.Clear();
  std::fill_n(buckets_, num_buckets_, int64_t{-1});
}

void WindowList::FreeBuckets() noexcept {
  if (buckets_ == nullptr) return;
  pool_->Free(reinterpret_cast<uint8_t*>(buckets_),
              num_buckets_ * static_cast<int64_t>(sizeof(int64_t)));
  buckets_ = nullptr;
  num_buckets_ = 0;
}

}  // namespace sheaf::inline v1::internal
