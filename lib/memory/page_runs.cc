#include "memory/page_runs.h"

#include <algorithm>
#include <cstdlib>

namespace sheaf::inline v1::internal {

void PageRuns::FreeTable::operator()(Entry* table) const noexcept { std::free(table); }

bool PageRuns::Init(int64_t pages) noexcept {
  // calloc: a table for a terabyte is 8 MiB of addresses, of which only what is used gets memory.
  table_.reset(static_cast<Entry*>(std::calloc(static_cast<size_t>(pages), sizeof(Entry))));
  if (table_ == nullptr) return false;
  pages_ = pages;
  Link(kClosed, {0, pages});
  return true;
}

void PageRuns::Put(Kind kind, PageRun run) noexcept {
  if (run.count == 0) return;
  if (const PageRun before = RunBefore(run.first);
      before.count > 0 && KindAt(before.first) == kind) {
    Unlink(before);
    run = {before.first, before.count + run.count};
  }
  if (run.end() < pages_ && KindAt(run.end()) == kind) {
    const PageRun behind = RunAt(run.end());
    Unlink(behind);
    run.count += behind.count;
  }
  Link(kind, run);
}

void PageRuns::Take(PageRun whole, PageRun part) noexcept {
  const Kind kind = KindAt(whole.first);
  Unlink(whole);
  if (whole.first < part.first) Link(kind, {whole.first, part.first - whole.first});
  if (part.end() < whole.end()) Link(kind, {part.end(), whole.end() - part.end()});
}

PageRuns::Kind PageRuns::KindAt(int64_t page) const noexcept {
  return page < pages_ ? table_[page].kind : kUsed;
}

PageRun PageRuns::RunAt(int64_t page) const noexcept {
  if (KindAt(page) == kUsed) return {page, 0};
  return {page, table_[page].count};
}

PageRun PageRuns::RunBefore(int64_t page) const noexcept {
  if (page == 0 || KindAt(page - 1) == kUsed) return {page, 0};
  const int64_t count = table_[page - 1].count;
  return {page - count, count};
}

PageRun PageRuns::ListedAt(uint32_t first) const noexcept {
  return first == kNone ? PageRun{} : PageRun{first, table_[first].count};
}

PageRun PageRuns::Older(PageRun run) const noexcept { return ListedAt(table_[run.first].older); }

void PageRuns::SetSeam(int64_t page) noexcept {
  if (page >= pages_ || table_[page].seam) return;
  table_[page].seam = true;
  ++seams_;
}

void PageRuns::ClearSeams(PageRun run) noexcept {
  for (int64_t page = run.first; page < run.end(); ++page) {
    seams_ -= table_[page].seam ? 1 : 0;
    table_[page].seam = false;
  }
}

PageRun PageRuns::WithoutSeam(PageRun run) const noexcept {
  for (int64_t page = run.first + 1; page < run.end(); ++page) {
    if (table_[page].seam) return {run.first, page - run.first};
  }
  return run;
}

void PageRuns::Link(Kind kind, PageRun run) noexcept {
  List& list = lists_[kind];
  const auto first = static_cast<uint32_t>(run.first);
  Entry& entry = table_[run.first];
  Entry& last = table_[run.end() - 1];
  entry.kind = last.kind = kind;
  entry.count = last.count = static_cast<uint32_t>(run.count);
  entry.newer = kNone;
  entry.older = list.newest;
  (list.newest == kNone ? list.oldest : table_[list.newest].newer) = first;
  list.newest = first;
  ++list.runs;
  list.pages += run.count;
}

void PageRuns::Unlink(PageRun run) noexcept {
  Entry& entry = table_[run.first];
  List& list = lists_[entry.kind];
  (entry.newer == kNone ? list.newest : table_[entry.newer].older) = entry.older;
  (entry.older == kNone ? list.oldest : table_[entry.older].newer) = entry.newer;
  --list.runs;
  list.pages -= run.count;
  table_[run.end() - 1].kind = kUsed;
  entry.kind = kUsed;
}

}  // namespace sheaf::inline v1::internal
