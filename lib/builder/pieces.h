#pragma once

#include <cstdint>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/bit_span.h"
#include "sheaf/memory/buffer.h"
#include "sheaf/memory/staged_vector.h"

// What FinishChunked is made of: arrays in the order of a builder's rows, cut wherever kept data
// begins or ends. Parents cut their own rows along the pieces of their children.
namespace sheaf::inline v1::internal {

/// Arrays that follow each other; empty ones leave no trace.
class SHEAF_EXPORT PieceList {
 public:
  explicit PieceList(MemoryPool* pool) noexcept : pieces_(pool), starts_(pool) {}

  Status Add(Array piece);
  /// Forgets the rows from number `length` on.
  void TruncateTo(int64_t length) noexcept;
  int64_t size() const noexcept { return pieces_.size(); }
  bool empty() const noexcept { return pieces_.empty(); }
  const Array& operator[](int64_t i) const noexcept { return pieces_[i]; }
  /// Row at which piece i starts.
  int64_t start(int64_t i) const noexcept { return starts_[i]; }
  int64_t end(int64_t i) const noexcept { return starts_[i] + pieces_[i].length(); }
  int64_t length() const noexcept { return empty() ? 0 : end(size() - 1); }
  /// The piece that row `row` lies in, the last one for rows behind all; there is one.
  int64_t Find(int64_t row) const noexcept;
  const Array* begin() const noexcept { return pieces_.begin(); }
  const Array* end() const noexcept { return pieces_.end(); }

  /// Rows [begin, begin + length) as one array: a slice where they lie in one piece, else a copy
  /// (of type `type`, as is the empty array of no rows).
  StatusOr<Array> Range(int64_t begin, int64_t length, const DataType& type,
                        MemoryPool* pool) const;

 private:
  StagedVector<Array> pieces_;
  StagedVector<int64_t> starts_;
};

/// Goes through the pieces of a child.
class PieceCursor {
 public:
  PieceCursor(const PieceList& pieces, const DataType& type, MemoryPool* pool) noexcept
      : pieces_(pieces), type_(type), pool_(pool) {}

  /// Rows from here to the end of the piece; 0 behind the last one.
  int64_t left() const noexcept { return piece_ < pieces_.size() ? pieces_.end(piece_) - row_ : 0; }
  /// The next n rows, of as many pieces as they lie in.
  StatusOr<Array> Take(int64_t n);
  void Skip(int64_t n) noexcept;

 private:
  const PieceList& pieces_;
  const DataType& type_;
  MemoryPool* pool_;
  int64_t piece_ = 0;
  int64_t row_ = 0;
};

/// Validity of rows that are to become a piece: a bitmap, or none, and the bit of the first row.
struct PieceBits {
  Buffer bitmap;
  int64_t first = 0;

  PieceBits From(int64_t row) const noexcept { return {bitmap, first + row}; }
};

/// Validity of a piece as its node has it: `lead` slots of the node lie in front of its first row.
struct PieceValidity {
  Buffer bitmap;
  int64_t lead = 0;
  int64_t null_count = 0;
};

/// Shares the bitmap if the node may have the slots in front that its first byte brings (at most
/// `room`), and copies it where it may not.
SHEAF_EXPORT StatusOr<PieceValidity> PlaceValidity(const PieceBits& bits, int64_t length,
                                                   int64_t room, MemoryPool* pool);

/// `length` rows behind `validity.lead` slots; buffers[0] is set here.
SHEAF_EXPORT StatusOr<Array> MakePiece(const DataType& type, int64_t length, PieceValidity validity,
                                       std::span<Buffer> buffers, std::span<Array> children,
                                       MemoryPool* pool);

}  // namespace sheaf::inline v1::internal
