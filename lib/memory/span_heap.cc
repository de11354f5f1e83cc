#include "memory/span_heap.h"

#include <algorithm>
#include <new>

#include "memory/span_page.h"

namespace sheaf::inline v1::internal {
namespace {

constexpr int64_t kGranules = SpanHeap::kGranules;

void SetAll(SpanPage* page, int64_t first, int64_t count, bool used) {
  for (int64_t i = first; i < first + count; ++i) page->used.set(static_cast<size_t>(i), used);
}

bool IsUsed(const SpanPage* page, int64_t granule) {
  return page->used[static_cast<size_t>(granule)];
}

/// Calls `see(first, count)` for every run of free granules until it says that this is enough.
template <typename Function>
void ForEachFreeRun(const SpanPage* page, Function see) {
  for (int64_t begin = 0; begin < kGranules;) {
    if (IsUsed(page, begin)) {
      ++begin;
      continue;
    }
    int64_t end = begin + 1;
    while (end < kGranules && !IsUsed(page, end)) ++end;
    if (see(begin, end - begin)) return;
    begin = end;
  }
}

int64_t LongestFree(const SpanPage* page) {
  int64_t longest = 0;
  ForEachFreeRun(page, [&](int64_t, int64_t count) {
    longest = std::max(longest, count);
    return false;
  });
  return longest;
}

/// The first run that is long enough.
int64_t FindFree(const SpanPage* page, int64_t granules) {
  int64_t found = 0;
  ForEachFreeRun(page, [&](int64_t first, int64_t count) {
    found = first;
    return count >= granules;
  });
  return found;
}

}  // namespace

uint8_t* SpanHeap::Allocate(int64_t granules) noexcept {
  const std::lock_guard lock(mutex_);
  SpanPage* page = PageWith(granules);
  if (page == nullptr) return nullptr;
  const int64_t first = FindFree(page, granules);
  Unlist(page);
  SetAll(page, first, granules, true);
  List(page);
  return page->address() + first * kGranuleBytes;
}

bool SpanHeap::Resize(uint8_t* span, int64_t old_granules, int64_t new_granules) noexcept {
  if (new_granules == old_granules) return true;
  SpanPage* page = SpanPage::Of(span);
  const int64_t first = page->GranuleOf(span);
  if (first + new_granules > kGranules) return false;
  const std::lock_guard lock(mutex_);
  for (int64_t i = first + old_granules; i < first + new_granules; ++i) {
    if (IsUsed(page, i)) return false;
  }
  Unlist(page);
  SetAll(page, first, old_granules, false);
  SetAll(page, first, new_granules, true);
  List(page);
  return true;
}

void SpanHeap::Free(uint8_t* span, int64_t granules) noexcept {
  SpanPage* page = SpanPage::Of(span);
  {
    const std::lock_guard lock(mutex_);
    Unlist(page);
    SetAll(page, page->GranuleOf(span), granules, false);
    if (page->used.count() > SpanPage::kHeaderGranules) return List(page);
  }
  stock_.Free(page->address(), 1);
}

/// Of the pages with room the fullest, so that others may become empty.
SpanPage* SpanHeap::PageWith(int64_t granules) noexcept {
  for (auto i = static_cast<size_t>(granules); i < pages_.size(); ++i) {
    if (pages_[i] != nullptr) return pages_[i];
  }
  return NewPage();
}

SpanPage* SpanHeap::NewPage() noexcept {
  uint8_t* memory = stock_.Allocate(1);
  if (memory == nullptr) return nullptr;
  auto* page = new (memory) SpanPage;
  SetAll(page, 0, SpanPage::kHeaderGranules, true);
  List(page);
  return page;
}

void SpanHeap::List(SpanPage* page) noexcept {
  page->longest_free = LongestFree(page);
  SpanPage*& newest = pages_[static_cast<size_t>(page->longest_free)];
  page->newer = nullptr;
  page->older = newest;
  if (newest != nullptr) newest->newer = page;
  newest = page;
}

void SpanHeap::Unlist(SpanPage* page) noexcept {
  SpanPage*& newest = pages_[static_cast<size_t>(page->longest_free)];
  (page->newer == nullptr ? newest : page->newer->older) = page->older;
  if (page->older != nullptr) page->older->newer = page->newer;
}

}  // namespace sheaf::inline v1::internal
