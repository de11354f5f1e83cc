#include "builder/pieces.h"

#include <algorithm>
#include <utility>

#include "array/array_data.h"
#include "builder/builder_core.h"
#include "memory/copy_of_bits.h"
#include "sheaf/base/bits.h"
#include "sheaf/builder/make_builder.h"

namespace sheaf::inline v1::internal {

Status PieceList::Add(Array piece) {
  if (piece.length() == 0) return OkStatus();
  const int64_t start = length();
  SHEAF_RETURN_IF_ERROR(starts_.Reserve(1));
  SHEAF_RETURN_IF_ERROR(pieces_.Stage(std::move(piece)));
  return starts_.Stage(start);
}

void PieceList::TruncateTo(int64_t length) noexcept {
  while (!empty() && starts_.back() >= length) {
    pieces_.TruncateTo(size() - 1);
    starts_.TruncateTo(size());
  }
  if (this->length() > length) pieces_.back() = pieces_.back().Slice(0, length - starts_.back());
}

int64_t PieceList::Find(int64_t row) const noexcept {
  const int64_t* behind = std::upper_bound(starts_.begin(), starts_.end(), row);
  return std::max<int64_t>(behind - starts_.begin() - 1, 0);
}

StatusOr<Array> PieceList::Range(int64_t begin, int64_t length, const DataType& type,
                                 MemoryPool* pool) const {
  if (empty()) return MakeEmptyArray(type, pool);
  const int64_t first = Find(begin);
  if (begin + length <= end(first)) return pieces_[first].Slice(begin - start(first), length);
  BuilderOptions options;
  options.pool = pool;
  options.min_chunk_bytes = BuilderOptions::kNeverKeep;
  SHEAF_ASSIGN_OR_RETURN(const auto joined, MakeBuilder(type, options));
  for (int64_t i = first; length > 0; ++i) {
    const int64_t n = std::min(length, end(i) - begin);
    SHEAF_RETURN_IF_ERROR(joined->AppendArray(pieces_[i], begin - start(i), n));
    begin += n;
    length -= n;
  }
  return joined->Finish();
}

StatusOr<Array> PieceCursor::Take(int64_t n) {
  StatusOr<Array> taken = pieces_.Range(row_, n, type_, pool_);
  if (taken.ok()) Skip(n);
  return taken;
}

void PieceCursor::Skip(int64_t n) noexcept {
  row_ += n;
  while (piece_ < pieces_.size() && pieces_.end(piece_) <= row_) ++piece_;
}

StatusOr<PieceValidity> PlaceValidity(const PieceBits& bits, int64_t length, int64_t room,
                                      MemoryPool* pool) {
  if (bits.bitmap.absent()) return PieceValidity();
  const BitSpan span{bits.bitmap.data(), bits.first, length};
  PieceValidity placed;
  placed.null_count = length - CountSet(span);
  if (placed.null_count == 0) return placed;
  const int64_t lead = bits.first % 8;
  if (lead <= room) {
    placed.lead = lead;
    placed.bitmap = bits.bitmap.Slice(bits.first / 8, BytesForBits(lead + length));
    return placed;
  }
  SHEAF_ASSIGN_OR_RETURN(placed.bitmap, CopyOfBits(span, pool));
  return placed;
}

StatusOr<Array> MakePiece(const DataType& type, int64_t length, PieceValidity validity,
                          std::span<Buffer> buffers, std::span<Array> children, MemoryPool* pool) {
  buffers[0] = std::move(validity.bitmap);
  NodeParts parts;
  parts.type = TypeOver(type, children);
  parts.offset = validity.lead;
  parts.length = length;
  parts.null_count = validity.null_count;
  parts.buffers = buffers;
  parts.children = children;
  parts.verified = true;
  return MakeNode(std::move(parts), pool);
}

}  // namespace sheaf::inline v1::internal
