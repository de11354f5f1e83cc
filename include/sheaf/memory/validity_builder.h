#pragma once

#include <cstdint>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/buffer_builder.h"
#include "sheaf/memory/sparse_positions.h"

namespace sheaf::inline v1 {

/// Validity while it grows: only a count until the first null, a bitmap from then on. Staged bits
/// lie beyond the mark; bits are written, never or-ed, as a discarded append may have left some in
/// the last byte.
class SHEAF_EXPORT ValidityBuilder {
 public:
  explicit ValidityBuilder(MemoryPool* pool) noexcept : bits_(pool) {}

  int64_t length() const noexcept { return committed_.length; }
  int64_t null_count() const noexcept { return committed_.null_count; }
  int64_t staged_length() const noexcept { return staged_.length; }
  int64_t staged_null_count() const noexcept { return staged_.null_count; }
  bool has_bitmap() const noexcept { return staged_.has_bitmap; }

  Status Reserve(int64_t additional);
  /// Room for a bitmap too, whether there is one by now or not.
  Status ReserveBitmap(int64_t additional);
  Status StageValid(int64_t n) {
    if (!staged_.has_bitmap) [[likely]] {
      staged_.length += n;
      return OkStatus();
    }
    return StageFill(n, true);
  }
  Status StageNull(int64_t n) { return n == 0 ? OkStatus() : StageFill(n, false); }
  /// `null_count` of the span is known by the caller; absent spans are valid throughout.
  Status StageBits(BitSpan bits, int64_t null_count);
  /// The span n times.
  Status StageRepeated(BitSpan bits, int64_t null_count, int64_t n);
  /// at.count blocks of fill.length slots, of which `at` says which are patches; `patches` has
  /// their bits back to back.
  Status StageSparse(BitSpan fill, BitSpan patches, const internal::SparsePositions& at);

  /// Valid slots, staged and committed at once; room was reserved.
  void UnsafePushValid(int64_t n = 1) noexcept {
    if (staged_.has_bitmap) [[unlikely]] {
      FillBits(bits_.data(), staged_.length, n, true);
    }
    staged_.length += n;
    committed_.length += n;
  }

  /// Whether n more slots need no allocation; valid ones, where there is no bitmap.
  bool HasRoom(int64_t n) const noexcept {
    return !staged_.has_bitmap || bits_.HasRoomForBits(staged_.length, staged_.length + n);
  }
  /// Slots as the bits say, staged and committed at once; there is a bitmap with room.
  void UnsafePushBits(BitSpan bits) noexcept { UnsafePushBits(bits, bits.length - CountSet(bits)); }
  void UnsafePushBits(BitSpan bits, int64_t null_count) noexcept {
    CopyBits(bits, bits_.data(), staged_.length);
    staged_.length += bits.length;
    staged_.null_count += null_count;
    committed_ = staged_;
  }

  struct Counts {
    int64_t length = 0;
    int64_t null_count = 0;
    bool has_bitmap = false;
  };

  void Commit() noexcept { committed_ = staged_; }
  void Discard() noexcept { staged_ = committed_; }
  /// What is committed, for `RollBack`.
  Counts counts() const noexcept { return committed_; }
  /// Forgets what came after these counts were taken; past the first null there is no bitmap again.
  void RollBack(const Counts& counts) noexcept { committed_ = staged_ = counts; }

  /// The committed bits; absent where there is no null.
  BitSpan bits() const noexcept {
    return {committed_.has_bitmap ? bits_.data() : nullptr, 0, committed_.length};
  }
  /// The committed bits as a buffer over this builder's memory, zero behind the length; absent
  /// without a null.
  StatusOr<Buffer> Share(Sharing sharing = Sharing::kFinal);
  /// The bitmap's memory.
  const BufferBuilder& memory() const noexcept { return bits_; }
  void Reset() noexcept;

 private:
  Status StageFill(int64_t n, bool value);
  /// A bitmap with room for the staged length and `additional` more.
  Status EnsureBitmap(int64_t additional);

  Counts committed_;
  Counts staged_;
  BufferBuilder bits_;
};

}  // namespace sheaf
