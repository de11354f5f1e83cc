#pragma once

#include <cstdint>
#include <limits>

#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1 {

/// What becomes of the views of whole arrays that a list-view builder is given. Decided anew for
/// every append, in bytes of elements (docs/list_views.md, "Appending").
enum class ListViewPolicy : uint8_t {
  /// As they come: overlaps, order and gaps stay, and all elements between the first and the last
  /// referenced one are brought.
  kKeep,
  /// As they come, or without the elements that no valid row reads, whichever brings fewer bytes;
  /// as they come where both are the same. Windows of one source are always shared, even where that
  /// makes the result no plain list.
  kCheapest,
  /// Flattened: the elements of valid rows in order, each list its own, null rows empty.
  kExact,
};

struct ListViewOptions {
  ListViewPolicy on_append = ListViewPolicy::kKeep;  ///< `AppendArray`, `AppendChunked`.
};

/// What happens where offsets would outgrow their width.
enum class OnOverflow : uint8_t {
  kError,     ///< The append is kOutOfRange, naming the larger type, and changes nothing.
  kNewChunk,  ///< What is there becomes a chunk of its own, and the append begins the next one.
};

/// What happens where a dictionary has more values than the indices' type counts.
enum class OnIndexOverflow : uint8_t {
  kError,  ///< The append is kOutOfRange, naming the limit, and changes nothing.
  /// The indices become wider, of the same signedness: at `Finish` the type is the builder's, but
  /// for the indices, and so are the types around it. Rows take 8 bytes each until then. Nothing
  /// but an error where `on_overflow` is kNewChunk: a new chunk begins.
  kWiden,
};

struct DictionaryOptions {
  OnIndexOverflow on_overflow = OnIndexOverflow::kError;
  /// Whether dictionaries outlive `Finish`: the next array goes on with the values of the one
  /// before, in the same places, so that a writer may send what is new alone
  /// (DictionaryBuilder::DictionaryDelta).
  bool keep_dictionary = false;
};

/// How a builder and all its children work.
struct BuilderOptions {
  static constexpr int64_t kAlwaysKeep = 0;
  static constexpr int64_t kNeverKeep = std::numeric_limits<int64_t>::max();
  static constexpr double kNoRatio = std::numeric_limits<double>::infinity();

  MemoryPool* pool = MemoryPool::Default();

  /// An appended array that gives a builder at least so many bytes is kept by reference and copied
  /// once, at `Finish`; a shorter one is copied at once. 16 KiB: below it, making and dropping
  /// references costs more than the copy.
  int64_t min_chunk_bytes = 16 * 1024;

  /// A long array whose allocations hold more than so many times the bytes that the append uses is
  /// copied at once all the same, so that a small slice does not pin a large array.
  double max_retained_ratio = kNoRatio;

  /// Of list-view builders, at every level.
  ListViewOptions list_views = {};

  /// Only the builder that has no parent cuts, between two of its rows, wherever in the tree the
  /// offsets are that would outgrow their width; a single row too large for a chunk of its own is
  /// kOutOfRange all the same. `EndList` of a root cuts in front of the list it closes, and the
  /// list's elements go to the next chunk. What gives the root no rows cannot cut: appends to
  /// `elements()` or a field that outgrow offsets there, the `EndList` of a child, and windows of
  /// `AppendUninitialized` are kOutOfRange. With more than one chunk `Finish` is
  /// kFailedPrecondition and `FinishChunked` gives them all.
  OnOverflow on_overflow = OnOverflow::kError;

  /// Of dictionary builders, at every level.
  DictionaryOptions dictionaries = {};
};

}  // namespace sheaf
