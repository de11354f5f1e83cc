#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sheaf/array/view_stats.h"
#include "sheaf/base/checked.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"
#include "sheaf/memory/staged_vector.h"

// How a list-view builder keeps track of where elements are; not for users.
namespace sheaf::inline v1 {

namespace internal {

struct ArrayData;

/// A place in the elements from which offsets count: the origin of a window, or (window -1) the
/// copied rows of the elements, of which `chunks_before` kept chunks lie in front. Both may move
/// until `Finish`, as windows widen; what counts from them does not.
struct ViewAnchor {
  int64_t window = -1;
  int64_t chunks_before = 0;
  friend bool operator==(const ViewAnchor&, const ViewAnchor&) = default;
};

/// Where the elements [begin, end) of an append went: `base` is the offset of `begin`, counted from
/// the anchor.
struct Placement {
  ViewAnchor anchor;
  int64_t base = 0;
  bool at_end = true;  ///< Whether they begin exactly where the elements ended before.
};

/// Whether the elements of an append are kept by reference.
enum class Keeping : uint8_t {
  kWhereItPays,  ///< Where they are long enough (BuilderOptions::min_chunk_bytes).
  kAlways,       ///< As their parent's are.
  kFixed,        ///< Where they are long enough, in a window that never widens.
};

/// What is known of all views so far, so that the array they become knows its statistics: as long
/// as every append begins where the elements ended.
struct KnownViews {
  bool known = true;  ///< If not, the array finds out when it is asked.
  bool in_order = true;
  bool ascending = true;
  int64_t surplus = 0;  ///< Sum of the sizes less the elements.
  int64_t max_size = 0;

  /// Views with these statistics, whose elements begin where the others end, `repeats` times.
  void Add(const ViewStats& views, int64_t rows, int64_t repeats) noexcept {
    const int64_t elements = views.end - views.begin;
    // Empty views that have moved may be in order now.
    const bool moved =
        views.empties_outside && !views.packed && !(views.in_order && views.ascending);
    int64_t sizes = 0;
    if (moved || (rows > 1 && repeats > 1 && elements > 0) ||
        MultiplyOverflows(views.sum_of_sizes, repeats, &sizes) ||
        AddOverflows(surplus, sizes - elements, &surplus)) {
      known = false;
      return;
    }
    in_order = in_order && (views.in_order || views.packed);
    ascending = ascending && (views.ascending || views.packed) && (repeats == 1 || elements == 0);
    max_size = std::max(max_size, views.max_size);
  }
  /// One more list of elements of its own.
  void AddList(int64_t size) noexcept { max_size = std::max(max_size, size); }
};

/// Fixed windows that the elements end with: places behind them count from in front of them.
struct FixedRun {
  int64_t chunks_before = 0;
  int64_t chunks_end = 0;
  int64_t elements = 0;
};

/// Elements of one source kept by reference, as chunk `chunk` of the elements builder.
struct ElementsWindow {
  const ArrayData* source = nullptr;  ///< The chunk keeps it alive.
  int64_t begin = 0;                  ///< In slots of the source's node, like all below.
  int64_t end = 0;
  int64_t origin = 0;  ///< Where `begin` was when the window was made.
  int64_t chunk = 0;
  int64_t previous = -1;  ///< The window before it with the same hash of its source.
  bool fixed = false;     ///< Never widens: a source's.
};

/// Windows in the order they were made, and by source.
class SHEAF_EXPORT WindowList {
 public:
  explicit WindowList(MemoryPool* pool) noexcept : pool_(pool), windows_(pool) {}
  WindowList(WindowList&& other) noexcept : WindowList(other.pool_) { Swap(other); }
  WindowList& operator=(WindowList&& other) noexcept {
    Swap(other);
    return *this;
  }
  ~WindowList() { FreeBuckets(); }

  int64_t size() const noexcept { return windows_.size(); }
  bool empty() const noexcept { return windows_.empty(); }
  ElementsWindow& operator[](int64_t i) noexcept { return windows_[i]; }
  const ElementsWindow& operator[](int64_t i) const noexcept { return windows_[i]; }
  const ElementsWindow& back() const noexcept { return windows_.back(); }

  /// The newest window whose source may be this one, or -1; `previous` leads to the others.
  int64_t Newest(const ArrayData* source) const noexcept {
    return num_buckets_ == 0 ? -1 : buckets_[BucketOf(source)];
  }
  Status Stage(ElementsWindow window);
  void Commit() noexcept { windows_.Commit(); }
  void Discard() noexcept { TruncateTo(windows_.committed_size()); }
  /// Forgets the windows from number `size` on, committed ones too.
  void TruncateTo(int64_t size) noexcept;
  void Clear() noexcept;

 private:
  int64_t BucketOf(const ArrayData* source) const noexcept {
    // Nodes are aligned blocks: the low bits say nothing, the multiplication spreads the others.
    const auto bits = reinterpret_cast<uintptr_t>(source) * uint64_t{0x9E3779B97F4A7C15};
    return static_cast<int64_t>(bits >> 32) & (num_buckets_ - 1);
  }
  void Swap(WindowList& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(windows_, other.windows_);
    std::swap(buckets_, other.buckets_);
    std::swap(num_buckets_, other.num_buckets_);
  }
  Status GrowBuckets();
  void FreeBuckets() noexcept;

  MemoryPool* pool_;
  StagedVector<ElementsWindow> windows_;
  int64_t* buckets_ = nullptr;
  int64_t num_buckets_ = 0;
};

/// Tail rows from `first_row` on have offsets that count from `anchor`.
struct ViewSegment {
  int64_t first_row = 0;
  ViewAnchor anchor;
};

/// What goes with a kept chunk of views.
struct KeptViews {
  Placement placement;
  /// Bounds of its elements, in slots of their node; empty views outside move to them.
  int64_t begin = 0;
  int64_t end = 0;
  int64_t shift = 0;  ///< Slot of the source's element 0.
};

/// What an append changed below the marks.
struct ViewsUndo {
  int64_t window = -1;  ///< A window and its bounds before, or
  int64_t begin = 0;
  int64_t end = 0;
  int64_t kept = -1;  ///< a kept chunk and its views before.
  KeptViews views;
};

}  // namespace internal

}  // namespace sheaf
