#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "array/array_data.h"
#include "array/copy_string_views.h"
#include "array/make_typed.h"
#include "array/string_view_slot.h"
#include "sheaf/array/binary_view_array.h"
#include "sheaf/base/bits.h"
#include "sheaf/memory/staged_vector.h"

namespace sheaf::inline v1 {
namespace {

using internal::StagedVector;
using internal::StringViewSlot;

constexpr int64_t kMostBytes = std::numeric_limits<int32_t>::max();

/// Bytes in use of one allocation: however many data buffers show them, they are copied once.
struct Piece {
  const uint8_t* begin = nullptr;
  const uint8_t* end = nullptr;
  const void* storage = nullptr;
  int32_t target = -1;  ///< The new data buffer that they are copied to, and where.
  int64_t position = 0;

  int64_t size() const noexcept { return end - begin; }
  /// Joins bytes that begin within these or right behind them; false where they do not, or where
  /// all would be more than one data buffer holds.
  bool Join(const uint8_t* other_begin, const uint8_t* other_end) noexcept {
    if (other_begin < begin || other_begin > end) return false;
    if (std::max(end, other_end) - begin > kMostBytes) return false;
    end = std::max(end, other_end);
    return true;
  }
};

/// Rewrites the data buffers of one array.
class Compactor {
 public:
  Compactor(const BinaryViewArray& array, MemoryPool* pool)
      : array_(array), pool_(pool), pieces_(pool), buffers_(pool) {}

  /// Finds the bytes in use. \return whether something would be saved.
  StatusOr<bool> Plan() {
    SHEAF_RETURN_IF_ERROR(CollectPieces());
    SortAndJoin();
    return FindAllocations();
  }

  StatusOr<Array> Rewrite() {
    SHEAF_ASSIGN_OR_RETURN(Buffer validity, internal::WindowValidity(array_, pool_));
    if (!array_.has_nulls()) validity = Buffer();
    SHEAF_RETURN_IF_ERROR(buffers_.Stage(std::move(validity)));
    SHEAF_RETURN_IF_ERROR(buffers_.Stage(Buffer()));  // The views' place.
    SHEAF_RETURN_IF_ERROR(ShareBuffers());
    SHEAF_RETURN_IF_ERROR(CopyPieces());
    SHEAF_ASSIGN_OR_RETURN(buffers_[1], RewriteViews());
    return internal::MakeNode({.type = array_.type(),
                               .length = array_.length(),
                               .null_count = array_.null_count(),
                               .buffers = {buffers_.begin(), static_cast<size_t>(buffers_.size())},
                               .verified = true},
                              pool_);
  }

 private:
  struct Allocation {
    int64_t retained_bytes = 0;
    int64_t used_bytes = 0;
    bool copied = false;
  };

  Status CollectPieces() {
    if (array_.length() == 0) return OkStatus();
    const auto* slots = array_.slots<StringViewSlot>(1);
    Status status;
    VisitSetRuns(array_.validity(), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end && status.ok(); ++i) {
        const StringViewSlot& slot = slots[i];
        if (slot.is_inline()) continue;
        const Buffer& buffer = array_.data_buffer(slot.buffer_index);
        const uint8_t* bytes = buffer.data() + slot.offset;
        // Values that come in the order of their bytes become one piece at once.
        if (!pieces_.empty() && pieces_.back().storage == buffer.storage_id() &&
            pieces_.back().Join(bytes, bytes + slot.size)) {
          continue;
        }
        Piece piece;
        piece.begin = bytes;
        piece.end = bytes + slot.size;
        piece.storage = buffer.storage_id();
        status = pieces_.Stage(piece);
      }
    });
    return status;
  }

  void SortAndJoin() {
    std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) {
      return std::tie(a.storage, a.begin, a.end) < std::tie(b.storage, b.begin, b.end);
    });
    int64_t joined = 0;
    for (int64_t i = 0; i < pieces_.size(); ++i) {
      if (joined > 0 && pieces_[joined - 1].storage == pieces_[i].storage &&
          pieces_[joined - 1].Join(pieces_[i].begin, pieces_[i].end)) {
        continue;
      }
      pieces_[joined++] = pieces_[i];
    }
    pieces_.TruncateTo(joined);
  }

  /// Which allocations would become smaller by a copy of what is in use of them.
  bool FindAllocations() {
    for (int i = 0; i < array_.num_data_buffers(); ++i) {
      const Buffer& buffer = array_.data_buffer(i);
      if (buffer.storage_id() == nullptr) continue;  // Borrowed: nothing is kept alive.
      allocations_[buffer.storage_id()].retained_bytes = buffer.retained_bytes();
    }
    for (const Piece& piece : pieces_) {
      if (piece.storage != nullptr) allocations_[piece.storage].used_bytes += piece.size();
    }
    bool saves = false;
    for (auto& [storage, allocation] : allocations_) {
      // A quarter is not worth a copy: builders leave as much unused (BufferBuilder::Share).
      constexpr int64_t kHeaderBytes = 128;
      const int64_t copy = kHeaderBytes + RoundUp64(allocation.used_bytes);
      allocation.copied = allocation.used_bytes == 0 ? allocation.retained_bytes > 0
                                                     : allocation.retained_bytes > copy + copy / 4;
      saves = saves || allocation.copied;
    }
    return saves;
  }

  bool IsCopied(const Buffer& buffer) const {
    const auto found = allocations_.find(buffer.storage_id());
    return found != allocations_.end() && found->second.copied;
  }

  /// Adds the data buffers that stay as they are, those that are the same bytes once.
  Status ShareBuffers() {
    std::map<std::pair<const uint8_t*, int64_t>, int32_t> known;
    new_index_.assign(static_cast<size_t>(array_.num_data_buffers()), -1);
    for (size_t i = 0; i < new_index_.size(); ++i) {
      const Buffer& buffer = array_.data_buffer(static_cast<int>(i));
      if (buffer.size_bytes() == 0 || IsCopied(buffer)) continue;
      const auto [place, added] = known.try_emplace({buffer.data(), buffer.size_bytes()},
                                                    static_cast<int32_t>(buffers_.size() - 2));
      new_index_[i] = place->second;
      if (added) SHEAF_RETURN_IF_ERROR(buffers_.Stage(buffer));
    }
    return OkStatus();
  }

  /// Copies the pieces of the others, one behind the other, into buffers that 32 bits reach.
  Status CopyPieces() {
    const auto is_copied = [&](const Piece& piece) {
      return piece.storage != nullptr && allocations_.at(piece.storage).copied;
    };
    for (int64_t i = 0; i < pieces_.size();) {
      int64_t size_bytes = 0;
      int64_t last = i;
      for (; last < pieces_.size(); ++last) {
        Piece& piece = pieces_[last];
        if (!is_copied(piece)) continue;
        if (size_bytes > 0 && piece.size() > kMostBytes - size_bytes) break;
        piece.target = static_cast<int32_t>(buffers_.size() - 2);
        piece.position = size_bytes;
        size_bytes += piece.size();
      }
      if (size_bytes == 0) break;
      SHEAF_ASSIGN_OR_RETURN(MutableBuffer copy, MutableBuffer::Allocate(size_bytes, pool_));
      for (; i < last; ++i) {
        const Piece& piece = pieces_[i];
        if (!is_copied(piece)) continue;
        std::memcpy(copy.data() + piece.position, piece.begin, static_cast<size_t>(piece.size()));
      }
      SHEAF_RETURN_IF_ERROR(buffers_.Stage(std::move(copy).Finish()));
    }
    return OkStatus();
  }

  StatusOr<Buffer> RewriteViews() {
    const int64_t n = array_.length();
    if (n == 0) return Buffer::Empty();
    SHEAF_ASSIGN_OR_RETURN(
        MutableBuffer views,
        MutableBuffer::Allocate(n * static_cast<int64_t>(sizeof(StringViewSlot)), pool_));
    const Piece* piece = nullptr;
    SHEAF_RETURN_IF_ERROR(internal::CopyStringViews(
        array_.slots<StringViewSlot>(1), array_.validity(), views.as<StringViewSlot>(),
        [&](StringViewSlot& slot) {
          if (const int32_t kept = new_index_[static_cast<size_t>(slot.buffer_index)]; kept >= 0) {
            slot.buffer_index = kept;
            return OkStatus();
          }
          const Buffer& buffer = array_.data_buffer(slot.buffer_index);
          const uint8_t* bytes = buffer.data() + slot.offset;
          if (piece == nullptr || piece->storage != buffer.storage_id() || bytes < piece->begin ||
              bytes + slot.size > piece->end) {
            piece = PieceOf(buffer.storage_id(), bytes);
          }
          slot.buffer_index = piece->target;
          slot.offset = static_cast<int32_t>(piece->position + (bytes - piece->begin));
          return OkStatus();
        }));
    return std::move(views).Finish();
  }

  /// The last piece of the allocation that begins at `bytes` or before: it holds all of the value.
  const Piece* PieceOf(const void* storage, const uint8_t* bytes) const {
    const std::pair<const void*, const uint8_t*> wanted(storage, bytes);
    return std::upper_bound(pieces_.begin(), pieces_.end(), wanted,
                            [](const auto& at, const Piece& piece) {
                              return at < std::pair<const void*, const uint8_t*>(piece.storage,
                                                                                 piece.begin);
                            }) -
           1;
  }

  const BinaryViewArray& array_;
  MemoryPool* pool_;
  StagedVector<Piece> pieces_;
  std::unordered_map<const void*, Allocation> allocations_;
  std::vector<int32_t> new_index_;  ///< Of data buffers that stay; -1: their pieces are copied.
  StagedVector<Buffer> buffers_;    ///< Of the result.
};

}  // namespace

StatusOr<BinaryViewArray> BinaryViewArray::Compact(MemoryPool* pool) const {
  SHEAF_RETURN_IF_ERROR(Verify());
  Compactor compactor(*this, pool);
  SHEAF_ASSIGN_OR_RETURN(const bool saves, compactor.Plan());
  if (!saves) return *this;
  SHEAF_ASSIGN_OR_RETURN(Array array, compactor.Rewrite());
  return BinaryViewArray(std::move(array));
}

}  // namespace sheaf::inline v1
