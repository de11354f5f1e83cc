#pragma once

#include <cstdint>
#include <memory>

namespace sheaf::inline v1::internal {

/// Pages [first, first + count) of a reserved range.
struct PageRun {
  int64_t first = 0;
  int64_t count = 0;
  int64_t end() const noexcept { return first + count; }
};

/// Which pages of a range are free: the bookkeeping of a `PageStock`, without any system call.
///
/// A free page is *warm* (it has memory) or *closed* (it has none). Free pages of a kind that lie
/// side by side are one run. Not thread-safe; nothing allocates after `Init`.
class PageRuns {
 public:
  enum Kind : uint8_t { kUsed, kClosed, kWarm };

  /// `pages` pages, all closed; false where the table's memory is refused.
  bool Init(int64_t pages) noexcept;

  /// Adds free pages, joined with their neighbours of the same kind.
  void Put(Kind kind, PageRun run) noexcept;
  /// Removes `part` of the free run `whole`; what is left of it stays free.
  void Take(PageRun whole, PageRun part) noexcept;

  /// The free run that begins at this page, which may not lie inside one; count 0, and kUsed, where
  /// none does.
  PageRun RunAt(int64_t page) const noexcept;
  Kind KindAt(int64_t page) const noexcept;

  /// Runs of a kind, the newest first; count 0: there are no more.
  PageRun Newest(Kind kind) const noexcept { return ListedAt(lists_[kind].newest); }
  PageRun Oldest(Kind kind) const noexcept { return ListedAt(lists_[kind].oldest); }
  PageRun Older(PageRun run) const noexcept;

  int64_t warm_pages() const noexcept { return lists_[kWarm].pages; }

  /// A *seam* lies in front of a page whose memory was moved there: the system sees another
  /// mapping.
  void SetSeam(int64_t page) noexcept;
  void ClearSeams(PageRun run) noexcept;
  /// The pages of `run` in front of the first seam inside it.
  PageRun WithoutSeam(PageRun run) const noexcept;

  /// Mappings of the system that all this takes, at most.
  int64_t mappings() const noexcept { return 2 * lists_[kClosed].runs + seams_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  /// `kind` and `count` stand in the first and the last page of a free run and nowhere else; the
  /// links in its first.
  struct Entry {
    uint32_t count;
    uint32_t newer;
    uint32_t older;
    Kind kind;
    bool seam;
  };
  struct List {
    uint32_t newest = kNone;
    uint32_t oldest = kNone;
    int64_t runs = 0;
    int64_t pages = 0;
  };
  struct FreeTable {
    void operator()(Entry* table) const noexcept;
  };

  PageRun ListedAt(uint32_t first) const noexcept;
  PageRun RunBefore(int64_t page) const noexcept;  // The free run whose last page is page - 1.
  void Link(Kind kind, PageRun run) noexcept;
  void Unlink(PageRun run) noexcept;

  std::unique_ptr<Entry[], FreeTable> table_;
  int64_t pages_ = 0;
  int64_t seams_ = 0;
  List lists_[3];
};

}  // namespace sheaf::inline v1::internal
