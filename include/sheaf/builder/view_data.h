#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/buffer_builder.h"
#include "sheaf/memory/memory_pool.h"
#include "sheaf/memory/staged_vector.h"

// How a builder of string views keeps the bytes of long values; not for users.
namespace sheaf::inline v1 {

namespace internal {

class MarkReader;
class MarkWriter;
class RetainedSet;

/// A data buffer of the array being built: one of a source's, shared, or a block of the builder's.
struct DataBuffer {
  Buffer shared;
  int64_t block = -1;     ///< Number of the block; -1: shared.
  int64_t begin = 0;      ///< Of a shared one the first byte in use,
  int64_t end = 0;        ///< and the end of the last.
  int64_t previous = -1;  ///< The shared buffer before it with the same hash.
  bool logged = false;    ///< What it was before the append being staged is in the log.
};

/// Bytes of values that are copied. It grows to `limit_bytes` at most: then comes the next block.
struct DataBlock {
  BufferBuilder bytes;
  int64_t limit_bytes = 0;
  int32_t buffer = 0;  ///< Its number among the data buffers.

  bool HasRoom(int64_t size) const noexcept {
    return size <= limit_bytes - bytes.staged_size_bytes() && bytes.HasRoom(size);
  }
};

/// A shared buffer's bounds before an append.
struct DataBufferUndo {
  int64_t index = 0;
  int64_t begin = 0;
  int64_t end = 0;
};

/// The data buffers of a builder of string views. Each source's buffer is there once, however often
/// it is shared; values that are copied go to blocks of 32 KiB, then twice as much, to 2 MiB.
class SHEAF_EXPORT ViewData {
 public:
  static constexpr int64_t kFirstBlockBytes = 32 * 1024;
  static constexpr int64_t kLargestBlockBytes = 2 * 1024 * 1024;
  /// Positions in a data buffer have 32 bits.
  static constexpr int64_t kMostBytes = std::numeric_limits<int32_t>::max();

  /// Where a value lies.
  struct Place {
    int32_t buffer = 0;
    int32_t offset = 0;
  };

  explicit ViewData(MemoryPool* pool) noexcept
      : pool_(pool), buffers_(pool), blocks_(pool), undo_(pool), buckets_(pool) {}

  /// Bytes in use, with what is staged: of blocks all, of shared buffers from the first to the
  /// last.
  int64_t bytes() const noexcept { return staged_bytes_; }
  int64_t committed_bytes() const noexcept { return committed_bytes_; }

  /// The number of a shared buffer, or -1.
  int32_t Find(const Buffer& buffer) const noexcept;
  /// Shares bytes [begin, end) of a source's buffer. \return its number; kResourceExhausted;
  /// kOutOfRange for one buffer too many.
  StatusOr<int32_t> StageShared(const Buffer& buffer, int64_t begin, int64_t end);

  bool HasRoom(int64_t size) const noexcept {
    return !blocks_.empty() && blocks_.back().HasRoom(size);
  }
  /// Room in one block for `size` bytes; `coming_bytes` (that much or more) are known to follow.
  Status MakeRoom(int64_t size, int64_t coming_bytes);
  /// Where the next bytes go, as far as there is room.
  uint8_t* end() noexcept {
    if (blocks_.empty()) return nullptr;
    BufferBuilder& bytes = blocks_.back().bytes;
    return bytes.data() + bytes.staged_size_bytes();
  }
  /// Takes `size` bytes from `end()` on, which are written in place.
  Place UnsafeStage(int64_t size) noexcept {
    DataBlock& block = blocks_.back();
    const Place place{block.buffer, static_cast<int32_t>(block.bytes.staged_size_bytes())};
    block.bytes.UnsafeStage(size);
    staged_bytes_ += size;
    return place;
  }
  /// Copies `size` bytes, for which there is room.
  Place UnsafeStage(const void* bytes, int64_t size) noexcept {
    std::memcpy(end(), bytes, static_cast<size_t>(size));
    return UnsafeStage(size);
  }
  /// The same for a value alone: nothing else is staged.
  Place UnsafePush(const void* bytes, int64_t size) noexcept {
    const Place place = UnsafeStage(bytes, size);
    blocks_.back().bytes.Commit();
    committed_bytes_ = staged_bytes_;
    return place;
  }

  /// Whether shared buffers have been widened since the log was empty.
  bool widened() const noexcept { return !undo_.empty(); }
  /// \param keep_log  for marks, which go back behind this append.
  void Commit(bool keep_log) noexcept;
  void Discard() noexcept;
  void Clear() noexcept;
  void SaveMark(MarkWriter& mark) const noexcept;
  void RestoreMark(MarkReader& mark) noexcept;

  /// Adds the committed data buffers to `buffers`, over this builder's own memory.
  Status Build(Sharing sharing, StagedVector<Buffer>* buffers) noexcept;
  void AddRetained(RetainedSet* retained) const;

 private:
  int64_t BucketOf(const Buffer& buffer) const noexcept {
    // Buffers are aligned: the low bits say nothing, the multiplication spreads the others.
    const auto bits = reinterpret_cast<uintptr_t>(buffer.data()) * uint64_t{0x9E3779B97F4A7C15};
    return static_cast<int64_t>(bits >> 32) & (num_buckets_ - 1);
  }
  Status CheckCount() const;
  Status Widen(int64_t index, int64_t begin, int64_t end);
  /// Undoes what widened shared buffers since the log had `size` entries.
  void Undo(int64_t size) noexcept;
  /// Forgets the data buffers from number `size` on.
  void TruncateBuffers(int64_t size) noexcept;
  Status GrowBuckets();

  MemoryPool* pool_;
  StagedVector<DataBuffer> buffers_;
  StagedVector<DataBlock> blocks_;
  StagedVector<DataBufferUndo> undo_;
  StagedVector<int64_t> buckets_;  ///< The newest shared buffer of each hash, -1 where none.
  int64_t num_buckets_ = 0;        ///< A power of two, once there are any.
  int64_t num_shared_ = 0;
  int64_t staged_bytes_ = 0;
  int64_t committed_bytes_ = 0;
};

}  // namespace internal

}  // namespace sheaf
