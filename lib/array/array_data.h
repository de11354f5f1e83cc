#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "sheaf/array/array.h"
#include "sheaf/array/view_stats.h"

namespace sheaf::inline v1::internal {

/// The shared node behind `Array`: one block of pool memory, intrusively counted, with the fixed
/// buffers and the first child inline and the rest in the same block behind it.
///
///   | ArrayData | children 1.. | variadic buffers | dictionary |
///
/// `offset` and `length` are the *primary window*, the one the maker gave: what is found out about
/// the array (null count, view statistics, that it is verified) is kept for that window.
struct ArrayData {
  // What an append reads comes first, so that an array that is not in the cache costs few lines of
  // it: two where values are flat, three of a list-view with its statistics.
  DataType type;
  int64_t offset = 0;
  int64_t length = 0;
  /// -1 until known. Relaxed: every thread finds the same number.
  mutable std::atomic<int64_t> null_count{-1};
  /// Structural check of the primary window done and passed. Release/acquire.
  mutable std::atomic<bool> verified{false};
  /// Statistics of the primary window's views (list-views only): valid once `view_state` says so.
  mutable std::atomic<uint8_t> view_state{0};  // 0 unknown, 1 being written, 2 known
  /// List-views whose offsets buffer has `length + 1` slots, the last holding the end of a packed
  /// array.
  bool has_spare_offset = false;
  bool has_dictionary = false;
  int32_t num_children = 0;
  alignas(Array) unsigned char first_child_storage[sizeof(Array)];
  Buffer buffers[3];
  mutable ViewStats view_stats;

  std::atomic<int64_t> references{1};
  MemoryPool* pool = nullptr;
  int64_t block_bytes = 0;
  /// Links nodes that are being destroyed, so that deep nesting needs no deep stack.
  ArrayData* next_dying = nullptr;
  int32_t num_variadic = 0;
  Array* more_children = nullptr;      // Children 1..
  Buffer* variadic_buffers = nullptr;  // Data buffers of binary views.
  Array* dictionary = nullptr;

  Array& first_child() noexcept { return *reinterpret_cast<Array*>(first_child_storage); }
  Array& child(int i) noexcept { return i == 0 ? first_child() : more_children[i - 1]; }
  const Array& child(int i) const noexcept { return const_cast<ArrayData*>(this)->child(i); }
  int num_fixed_buffers() const noexcept { return type.layout().num_buffers; }
  bool Covers(int64_t window_offset, int64_t window_length) const noexcept {
    return window_offset >= offset && window_length <= length &&
           window_offset - offset <= length - window_length;
  }
  bool IsPrimary(int64_t window_offset, int64_t window_length) const noexcept {
    return window_offset == offset && window_length == length;
  }
};

/// What a maker hands over; spans are moved from.
struct NodeParts {
  DataType type;
  int64_t offset = 0;
  int64_t length = 0;
  int64_t null_count = -1;
  std::span<Buffer> buffers;  ///< Fixed ones, then variadic ones.
  std::span<Array> children;
  Array* dictionary = nullptr;
  bool verified = false;
  bool has_spare_offset = false;
  const ViewStats* view_stats = nullptr;  ///< Of the window's views, where the maker knows them.
};

/// One allocation. \return kResourceExhausted; the parts are then as they were.
SHEAF_EXPORT StatusOr<Array> MakeNode(NodeParts parts, MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
