#include "memory/page_stock.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace sheaf::inline v1::internal {
namespace {

/// Addresses left free behind a block, for it to grow into: as many as it has, and not few.
constexpr int64_t RoomBehind(int64_t pages) { return std::max<int64_t>(pages, 32); }

}  // namespace

PageStock::PageStock(Options options, PageMapping& mapping) noexcept
    : options_(options),
      mapping_(mapping),
      held_limit_pages_(std::max<int64_t>(options.held_limit_bytes, 0) / kPageBytes) {
  if (!runs_.Init(options.reserved_bytes / kPageBytes)) return;
  base_ = mapping_.Reserve(options.reserved_bytes);
  if (base_ != nullptr) reserved_bytes_ = options.reserved_bytes;
}

PageStock::~PageStock() {
  if (base_ != nullptr) mapping_.Unreserve(base_, reserved_bytes_);
}

uint8_t* PageStock::Allocate(int64_t pages) noexcept {
  if (base_ == nullptr || pages <= 0 || pages > reserved_bytes_ / kPageBytes) return nullptr;
  PageRun block;
  {
    const std::lock_guard lock(mutex_);
    block = TakeWarm(pages);
    if (block.count > 0) return AddressOf(block.first);
    block = TakeClosed(pages);
  }
  if (block.count == 0) return nullptr;
  if (!Open(block)) {
    PutClosed(block);
    return nullptr;
  }
  Gather(block);
  return AddressOf(block.first);
}

uint8_t* PageStock::Resize(uint8_t* block, int64_t old_pages, int64_t new_pages) noexcept {
  const PageRun old = {PageOf(block), old_pages};
  if (new_pages <= 0 || new_pages > reserved_bytes_ / kPageBytes) return nullptr;
  if (new_pages <= old_pages) {
    if (new_pages < old_pages) Free(AddressOf(old.first + new_pages), old_pages - new_pages);
    return block;
  }
  if (GrowInPlace(old, new_pages)) return block;

  PageRun moved;
  {
    const std::lock_guard lock(mutex_);
    if (!MayMove()) return nullptr;
    moved = TakeClosed(new_pages);
  }
  if (moved.count == 0) return nullptr;
  if (!Open(moved)) {
    PutClosed(moved);
    return nullptr;
  }
  MoveOrCopy(old, moved.first);
  Gather({moved.first + old_pages, new_pages - old_pages});
  PutClosed(old);
  return AddressOf(moved.first);
}

void PageStock::Free(uint8_t* block, int64_t pages) noexcept {
  int64_t limit = 0;
  {
    const std::lock_guard lock(mutex_);
    runs_.Put(PageRuns::kWarm, {PageOf(block), pages});
    limit = held_limit_pages_;
    if (runs_.warm_pages() <= limit) return;
  }
  GiveBackBeyond(limit);
}

int64_t PageStock::held_bytes() const noexcept {
  const std::lock_guard lock(mutex_);
  return runs_.warm_pages() * kPageBytes;
}

void PageStock::SetHeldLimit(int64_t held_limit_bytes) noexcept {
  const int64_t limit = std::max<int64_t>(held_limit_bytes, 0) / kPageBytes;
  {
    const std::lock_guard lock(mutex_);
    held_limit_pages_ = limit;
  }
  GiveBackBeyond(limit);
}

int64_t PageStock::Trim() noexcept { return GiveBackBeyond(0) * kPageBytes; }

bool PageStock::Open(PageRun run) noexcept {
  return mapping_.Open(AddressOf(run.first), run.count * kPageBytes);
}

/// The front of the shortest warm run that is long enough.
PageRun PageStock::TakeWarm(int64_t pages) noexcept {
  PageRun best;
  for (PageRun run = runs_.Newest(PageRuns::kWarm); run.count > 0; run = runs_.Older(run)) {
    if (run.count >= pages && (best.count == 0 || run.count < best.count)) best = run;
    if (run.count == pages) break;
  }
  if (best.count == 0) return {};
  const PageRun taken = {best.first, pages};
  runs_.Take(best, taken);
  return taken;
}

/// Pages without memory, with room in front for what lies there and room behind; close together
/// once there are many mappings, since every gap makes two.
PageRun PageStock::TakeClosed(int64_t pages) noexcept {
  const int64_t room = runs_.mappings() < options_.max_mappings / 2 ? RoomBehind(pages) : 0;
  PageRun tight;
  for (PageRun run = runs_.Newest(PageRuns::kClosed); run.count > 0; run = runs_.Older(run)) {
    const int64_t in_front = run.first == 0 ? 0 : room;
    if (run.count >= in_front + pages + room) {
      const PageRun taken = {run.first + in_front, pages};
      runs_.Take(run, taken);
      return taken;
    }
    if (run.count >= pages && tight.count == 0) tight = run;
  }
  if (tight.count == 0) return {};
  const PageRun taken = {tight.first, pages};
  runs_.Take(tight, taken);
  return taken;
}

/// Of the longest warm run as many pages as are wanted and can be moved at once.
PageRun PageStock::TakeAnyWarm(int64_t max_pages) noexcept {
  const std::lock_guard lock(mutex_);
  if (!MayMove()) return {};
  PageRun longest;
  for (PageRun run = runs_.Newest(PageRuns::kWarm); run.count > 0; run = runs_.Older(run)) {
    if (run.count > longest.count) longest = run;
  }
  if (longest.count == 0) return {};
  const PageRun taken = runs_.WithoutSeam({longest.first, std::min(longest.count, max_pages)});
  runs_.Take(longest, taken);
  return taken;
}

/// Moves warm pages into an open range that has no memory; what is left gets fresh pages when it is
/// touched.
void PageStock::Gather(PageRun target) noexcept {
  while (target.count > 0) {
    const PageRun warm = TakeAnyWarm(target.count);
    if (warm.count == 0) return;
    const int64_t moved = Move(warm, target.first);
    PutClosed({warm.first, moved});
    if (moved < warm.count) {  // The system moves no more: these stay in stock.
      const std::lock_guard lock(mutex_);
      runs_.Put(PageRuns::kWarm, {warm.first + moved, warm.count - moved});
      return;
    }
    target = {target.first + moved, target.count - moved};
  }
}

/// Moves pages from the front on, at once if they are one mapping, else one by one; returns how
/// many it could move.
int64_t PageStock::Move(PageRun from, int64_t to) noexcept {
  int64_t moved = 0;
  if (mapping_.Move(AddressOf(from.first), AddressOf(to), from.count * kPageBytes)) {
    moved = from.count;
  } else if (from.count > 1) {
    while (moved < from.count &&
           mapping_.Move(AddressOf(from.first + moved), AddressOf(to + moved), kPageBytes)) {
      ++moved;
    }
  }
  if (moved == 0) return 0;
  const std::lock_guard lock(mutex_);
  const int64_t step = moved == from.count ? moved : 1;
  for (int64_t page = to; page < to + moved; page += step) runs_.SetSeam(page);
  if (runs_.KindAt(to + moved) != PageRuns::kClosed) runs_.SetSeam(to + moved);
  return moved;
}

/// All pages of a block, to an open range. What the system does not move is copied.
void PageStock::MoveOrCopy(PageRun block, int64_t to) noexcept {
  while (block.count > 0) {
    PageRun run;
    {
      const std::lock_guard lock(mutex_);
      run = runs_.WithoutSeam(block);
    }
    const int64_t moved = Move(run, to);
    if (moved < run.count) {
      std::memcpy(AddressOf(to + moved), AddressOf(run.first + moved),
                  static_cast<size_t>((run.count - moved) * kPageBytes));
    }
    to += run.count;
    block = {block.first + run.count, block.count - run.count};
  }
}

/// Takes the free pages behind a block, warm or closed, if there are enough.
bool PageStock::GrowInPlace(PageRun block, int64_t new_pages) noexcept {
  const PageRun added = {block.end(), new_pages - block.count};
  std::array<PageRun, 8> closed;  // Runs of the two kinds take turns; more are as good as blocked.
  size_t closed_count = 0;
  {
    const std::lock_guard lock(mutex_);
    PageRun free = runs_.RunAt(added.first);
    for (size_t found = 0; free.count > 0 && free.end() < added.end(); ++found) {
      if (found == closed.size()) return false;
      free = runs_.RunAt(free.end());
    }
    if (free.count == 0) return false;
    for (int64_t page = added.first; page < added.end();) {
      const PageRun whole = runs_.RunAt(page);
      const PageRun part = {page, std::min(whole.count, added.end() - page)};
      if (runs_.KindAt(page) == PageRuns::kClosed) closed[closed_count++] = part;
      runs_.Take(whole, part);
      page = part.end();
    }
  }
  size_t opened = 0;
  while (opened < closed_count && Open(closed[opened])) ++opened;
  if (opened == closed_count) {
    for (size_t i = 0; i < closed_count; ++i) Gather(closed[i]);
    return true;
  }
  for (size_t i = 0; i < opened; ++i) {
    mapping_.Close(AddressOf(closed[i].first), closed[i].count * kPageBytes);
  }

  const std::lock_guard lock(mutex_);
  int64_t page = added.first;
  for (size_t i = 0; i < closed_count; ++i) {
    runs_.Put(PageRuns::kWarm, {page, closed[i].first - page});
    runs_.Put(PageRuns::kClosed, closed[i]);
    page = closed[i].end();
  }
  runs_.Put(PageRuns::kWarm, {page, added.end() - page});
  return false;
}

void PageStock::PutClosed(PageRun run) noexcept {
  if (run.count == 0) return;
  mapping_.Close(AddressOf(run.first), run.count * kPageBytes);
  const std::lock_guard lock(mutex_);
  runs_.ClearSeams(run);
  runs_.Put(PageRuns::kClosed, run);
}

/// Closes warm runs, those freed first before others, while there are more than `pages`. They are
/// taken out first, and the system works without the lock: it takes a while.
int64_t PageStock::GiveBackBeyond(int64_t pages) noexcept {
  for (int64_t given_back = 0;;) {
    PageRun surplus;
    {
      const std::lock_guard lock(mutex_);
      const PageRun oldest = runs_.Oldest(PageRuns::kWarm);
      const int64_t count = std::min(oldest.count, runs_.warm_pages() - pages);
      if (count <= 0) return given_back;
      surplus = {oldest.end() - count, count};
      runs_.Take(oldest, surplus);
    }
    PutClosed(surplus);
    given_back += surplus.count;
  }
}

}  // namespace sheaf::inline v1::internal
