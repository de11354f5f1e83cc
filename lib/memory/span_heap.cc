#include "memory/span_heap.h"

#include <algorithm>
#include <bit>
#include <new>

#include "memory/span_page.h"
#include "sheaf/base/bits.h"

namespace sheaf::inline v1::internal {
namespace {

constexpr int64_t kGranules = SpanHeap::kGranules;
constexpr int64_t kWordBits = 64;

/// Calls `change(word, mask)` for the words that hold granules [first, first + count).
template <typename Function>
void ForEachWord(SpanPage* page, int64_t first, int64_t count, Function change) {
  for (int64_t end = first + count; first < end;) {
    const int64_t bit = first % kWordBits;
    const int64_t bits = std::min(end - first, kWordBits - bit);
    change(page->free[static_cast<size_t>(first / kWordBits)], LowBits(bits) << bit);
    first += bits;
  }
}

void SetFree(SpanPage* page, int64_t first, int64_t count) {
  ForEachWord(page, first, count, [](uint64_t& word, uint64_t mask) { word |= mask; });
}

void SetUsed(SpanPage* page, int64_t first, int64_t count) {
  ForEachWord(page, first, count, [](uint64_t& word, uint64_t mask) { word &= ~mask; });
}

bool AllFree(SpanPage* page, int64_t first, int64_t count) {
  bool all = true;
  ForEachWord(page, first, count,
              [&](uint64_t word, uint64_t mask) { all = all && (word & mask) == mask; });
  return all;
}

/// From `begin` on, the first granule that is free (or used), or kGranules.
int64_t Next(const SpanPage* page, int64_t begin, bool free) {
  while (begin < kGranules) {
    uint64_t word = page->free[static_cast<size_t>(begin / kWordBits)];
    if (!free) word = ~word;
    word >>= begin % kWordBits;
    if (word != 0) return begin + std::countr_zero(word);
    begin += kWordBits - begin % kWordBits;
  }
  return kGranules;
}

/// Calls `see(first, count)` for every run of free granules until it says that this is enough.
template <typename Function>
void ForEachFreeRun(const SpanPage* page, Function see) {
  for (int64_t begin = Next(page, 0, true); begin < kGranules;) {
    const int64_t end = Next(page, begin, false);
    if (see(begin, end - begin)) return;
    begin = Next(page, end, true);
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
  SetUsed(page, first, granules);
  List(page);
  return page->address() + first * kGranuleBytes;
}

bool SpanHeap::Resize(uint8_t* span, int64_t old_granules, int64_t new_granules) noexcept {
  if (new_granules == old_granules) return true;
  SpanPage* page = SpanPage::Of(span);
  const int64_t first = page->GranuleOf(span);
  if (first + new_granules > SpanPage::kHeader) return false;
  const std::lock_guard lock(mutex_);
  if (!AllFree(page, first + old_granules, new_granules - old_granules)) return false;
  Unlist(page);
  SetFree(page, first, old_granules);
  SetUsed(page, first, new_granules);
  List(page);
  return true;
}

void SpanHeap::Free(uint8_t* span, int64_t granules) noexcept {
  SpanPage* page = SpanPage::Of(span);
  {
    const std::lock_guard lock(mutex_);
    Unlist(page);
    SetFree(page, page->GranuleOf(span), granules);
    if (!AllFree(page, 0, SpanPage::kHeader)) return List(page);
  }
  stock_.Free(page->address(), 1);
}

bool SpanHeap::TakePage(uint8_t* span, int64_t granules) noexcept {
  SpanPage* page = SpanPage::Of(span);
  if (page->GranuleOf(span) != 0) return false;
  const std::lock_guard lock(mutex_);
  if (!AllFree(page, granules, SpanPage::kHeader - granules)) return false;
  Unlist(page);
  return true;
}

void SpanHeap::PutPageBack(uint8_t* span) noexcept {
  const std::lock_guard lock(mutex_);
  List(SpanPage::Of(span));
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
  auto* page = new (SpanPage::At(memory)) SpanPage;
  page->free = {};
  SetFree(page, 0, SpanPage::kHeader);
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
