#include "sheaf/memory/validity_builder.h"

#include "memory/sparse_bits.h"
#include "sheaf/base/bits.h"

namespace sheaf::inline v1 {

Status ValidityBuilder::Reserve(int64_t additional) {
  return staged_.has_bitmap ? EnsureBitmap(additional) : OkStatus();
}

Status ValidityBuilder::ReserveBitmap(int64_t additional) {
  const int64_t written = staged_.has_bitmap ? staged_.length : 0;
  return bits_.ReserveBits(written, staged_.length + additional);
}

Status ValidityBuilder::EnsureBitmap(int64_t additional) {
  SHEAF_RETURN_IF_ERROR(ReserveBitmap(additional));
  if (!staged_.has_bitmap) {
    FillBits(bits_.data(), 0, staged_.length, true);
    staged_.has_bitmap = true;
  }
  return OkStatus();
}

Status ValidityBuilder::StageFill(int64_t n, bool value) {
  SHEAF_RETURN_IF_ERROR(EnsureBitmap(n));
  FillBits(bits_.data(), staged_.length, n, value);
  staged_.length += n;
  if (!value) staged_.null_count += n;
  return OkStatus();
}

Status ValidityBuilder::StageBits(BitSpan bits, int64_t null_count) {
  if (bits.absent() || null_count == 0) return StageValid(bits.length);
  SHEAF_RETURN_IF_ERROR(EnsureBitmap(bits.length));
  CopyBits(bits, bits_.data(), staged_.length);
  staged_.length += bits.length;
  staged_.null_count += null_count;
  return OkStatus();
}

Status ValidityBuilder::StageRepeated(BitSpan bits, int64_t null_count, int64_t n) {
  const int64_t total = bits.length * n;
  if (total == 0)
    return OkStatus();  // The first copy below would write where no room was reserved.
  if (bits.absent() || null_count == 0) return StageValid(total);
  if (null_count == bits.length) return StageNull(total);
  SHEAF_RETURN_IF_ERROR(EnsureBitmap(total));
  internal::FillRepeatedBits(bits, n, bits_.data(), staged_.length);
  staged_.length += total;
  staged_.null_count += null_count * n;
  return OkStatus();
}

Status ValidityBuilder::StageSparse(BitSpan fill, BitSpan patches,
                                    const internal::SparsePositions& at) {
  const int64_t total = at.count * fill.length;
  const int64_t null_count =
      (fill.length - CountSet(fill)) * at.num_fills() + patches.length - CountSet(patches);
  if (null_count == 0) return StageValid(total);
  SHEAF_RETURN_IF_ERROR(EnsureBitmap(total));
  internal::FillSparseBits(fill, patches, at, bits_.data(), staged_.length);
  staged_.length += total;
  staged_.null_count += null_count;
  return OkStatus();
}

StatusOr<Buffer> ValidityBuilder::Share(Sharing sharing) {
  if (committed_.null_count == 0) return Buffer();
  return bits_.ShareBits(committed_.length, sharing);
}

void ValidityBuilder::Reset() noexcept {
  bits_.Reset();
  committed_ = staged_ = Counts();
}

}  // namespace sheaf
