#include "memory/sparse_bits.h"

#include <algorithm>

#include "sheaf/base/bits.h"

namespace sheaf::inline v1::internal {

void FillRepeatedBits(BitSpan bits, int64_t n, uint8_t* target, int64_t target_offset) noexcept {
  const int64_t total = bits.length * n;
  if (total == 0) return;
  if (bits.absent()) return FillBits(target, target_offset, total, true);
  if (bits.length == 1) return FillBits(target, target_offset, total, bits[0]);
  CopyBits(bits, target, target_offset);
  for (int64_t done = bits.length; done < total;) {
    const int64_t count = std::min(done, total - done);
    CopyBits({target, target_offset, count}, target, target_offset + done);
    done += count;
  }
}

void FillSparseBits(BitSpan fill, BitSpan patches, const SparsePositions& at, uint8_t* target,
                    int64_t target_offset) noexcept {
  FillRepeatedBits(fill, at.count, target, target_offset);
  const int64_t block = fill.length;
  if (block == 1) {
    for (int64_t j = 0; j < at.num_patches(); ++j) {
      SetBitTo(target, target_offset + at[j], patches[j]);
    }
    return;
  }
  for (int64_t j = 0; block > 0 && j < at.num_patches(); ++j) {
    CopyBits(patches.Slice(j * block, block), target, target_offset + at[j] * block);
  }
}

}  // namespace sheaf::inline v1::internal
