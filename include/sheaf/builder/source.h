#pragma once

#include <cstdint>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/builder/view_windows.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/staged_vector.h"

namespace sheaf::inline v1 {

namespace internal {
class RetainedSet;
template <typename Offset>
class ViewSources;
}  // namespace internal

/// Names a source of a list-view builder: what `AddSource` returned. Two numbers, copied freely;
/// good until that builder's `Finish` or `Reset`, in all of its chunks.
class SourceHandle {
 public:
  /// No builder's: to use it is kFailedPrecondition.
  SourceHandle() = default;

 private:
  template <typename Offset>
  friend class internal::ViewSources;
  SourceHandle(uint64_t round, int64_t index) noexcept : round_(round), index_(index) {}

  uint64_t round_ = 0;  ///< One builder's, between two of its `Finish`; no other has the number.
  int64_t index_ = 0;
};

namespace internal {

/// A source as a list-view builder has it: its rows as views of the builder's width.
template <typename Offset>
struct ViewSource {
  Array array;
  const Offset* offsets = nullptr;  ///< Of the rows; `first` is that of the first element in use.
  const Offset* sizes = nullptr;
  int64_t first = 0;
  /// Elements that are in use, relative to the array's.
  int64_t begin = 0;
  int64_t end = 0;
  BitSpan validity;          ///< Of the rows; absent where none is null.
  Buffer converted_offsets;  ///< Absent where the array's own are of the right form.
  Buffer converted_sizes;

  bool brought = false;
  ViewAnchor anchor;  ///< Once brought: what offsets count from,
  int64_t shift = 0;  ///< and what moves them there.

  int64_t length() const noexcept { return array.length(); }
};

/// A source whose elements are there: its number, and where they went.
struct BroughtSource {
  int64_t index = 0;
  ViewAnchor anchor;
  int64_t shift = 0;
};

/// The sources of one builder. Those that were brought are undone with the append that did it, and
/// go with the rows where these become a chunk of their own.
template <typename Offset>
class SHEAF_EXPORT ViewSources {
 public:
  explicit ViewSources(MemoryPool* pool) noexcept : sources_(pool), brought_(pool) {}

  /// \return kResourceExhausted.
  StatusOr<SourceHandle> Add(ViewSource<Offset> source);
  /// The handle's source, or null where the handle is not of this builder and round.
  ViewSource<Offset>* Find(SourceHandle handle) noexcept {
    return handle.round_ == round_ && handle.index_ < sources_.size() ? &sources_[handle.index_]
                                                                      : nullptr;
  }
  /// Says that the source's elements are there: the first one is `base` behind the anchor.
  Status StageBrought(ViewSource<Offset>* source, const Placement& placement);
  /// Whether some source that was brought counts from another anchor.
  bool CountFromOtherThan(const ViewAnchor& anchor) const noexcept;
  void Commit() noexcept { brought_.Commit(); }
  void Discard() noexcept { RollBack(brought_.committed_size()); }
  int64_t num_brought() const noexcept { return brought_.committed_size(); }
  /// Forgets that more than the first `num_brought` were brought.
  void RollBack(int64_t num_brought) noexcept;
  /// Exchanges what was brought, but not the sources, with another chunk of the same builder, which
  /// has no sources.
  void SwapBrought(ViewSources& other) noexcept;
  void Clear() noexcept;
  void AddRetained(RetainedSet* retained) const;

 private:
  StagedVector<ViewSource<Offset>> sources_;
  StagedVector<BroughtSource> brought_;  ///< In the order they were brought.
  uint64_t round_ = 0;                   ///< 0: no source yet.
};

extern template class ViewSources<int32_t>;
extern template class ViewSources<int64_t>;

}  // namespace internal
}  // namespace sheaf
