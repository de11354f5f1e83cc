#include <cstring>
#include <utility>

#include "array/copy_string_views.h"
#include "array/null_views.h"
#include "array/string_view_slot.h"
#include "builder/builder_core.h"
#include "sheaf/builder/binary_view_builder.h"

// How the rows become one array again, or pieces of what was kept.
namespace sheaf::inline v1 {

using internal::StringViewSlot;

namespace {

/// Whether no view under a null leads anywhere, so that an array can be handed through as it is.
bool NullSlotsAreZero(const Array& array) noexcept {
  return !array.has_nulls() ||
         internal::NullViewsAreZero(
             array.buffer(1).data() + array.offset() * sizeof(StringViewSlot), array.validity());
}

}  // namespace

StatusOr<Array> BinaryViewBuilder::Build(Sharing sharing) {
  if (const internal::KeptChunk* only = OnlyChunk();
      only != nullptr && NullSlotsAreZero(only->window)) {
    return only->window;
  }
  SHEAF_ASSIGN_OR_RETURN(Buffer views, BuildViews(sharing));
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, BuildValidity(sharing));
  return MakeArrayOf(length(), null_count(), std::move(validity), std::move(views), sharing);
}

StatusOr<Array> BinaryViewBuilder::BuildTail(Sharing sharing) {
  SHEAF_ASSIGN_OR_RETURN(Buffer validity, TailValidity(sharing));
  return MakeArrayOf(tail_.length(), tail_.null_count(), std::move(validity), views_.Share(sharing),
                     sharing);
}

StatusOr<Array> BinaryViewBuilder::MakeArrayOf(int64_t rows, int64_t null_count, Buffer validity,
                                               Buffer views, Sharing sharing) {
  internal::StagedVector<Buffer> buffers(pool());
  SHEAF_RETURN_IF_ERROR(buffers.Stage(std::move(validity)));
  SHEAF_RETURN_IF_ERROR(buffers.Stage(std::move(views)));
  SHEAF_RETURN_IF_ERROR(data_.Build(sharing, &buffers));
  internal::NodeParts parts;
  parts.type = type_;
  parts.length = rows;
  parts.null_count = null_count;
  parts.buffers = {buffers.begin(), static_cast<size_t>(buffers.size())};
  parts.verified = true;
  return internal::MakeNode(std::move(parts), pool());
}

Status BinaryViewBuilder::BuildPieces(internal::PieceList* pieces) {
  Array tail;
  if (tail_.length() > 0) {
    SHEAF_ASSIGN_OR_RETURN(tail, BuildTail(Sharing::kFinal));
  }
  return VisitRuns([&](const internal::OwnRun& run) -> Status {
    if (run.chunk < 0) return pieces->Add(tail.Slice(run.first, run.length));
    const Array& window = chunks_[run.chunk].window;
    if (NullSlotsAreZero(window)) return pieces->Add(window);
    SHEAF_ASSIGN_OR_RETURN(Array zeroed, ZeroedChunk(window));
    return pieces->Add(std::move(zeroed));
  });
}

StatusOr<Array> BinaryViewBuilder::ZeroedChunk(const Array& window) {
  const int64_t n = window.length();
  SHEAF_ASSIGN_OR_RETURN(Buffer views, internal::CopyWithZeroNullViews(
                                           window.buffer(1).data() + window.offset() * kSlotBytes,
                                           window.validity(), pool()));
  const internal::PieceBits bits{window.buffer(0), window.offset()};
  SHEAF_ASSIGN_OR_RETURN(internal::PieceValidity validity,
                         internal::PlaceValidity(bits, n, /*room=*/0, pool()));
  internal::StagedVector<Buffer> buffers(pool());
  SHEAF_RETURN_IF_ERROR(buffers.Stage(Buffer()));
  SHEAF_RETURN_IF_ERROR(buffers.Stage(std::move(views)));
  for (int i = 2; i < window.num_buffers(); ++i) {
    SHEAF_RETURN_IF_ERROR(buffers.Stage(window.buffer(i)));
  }
  return internal::MakePiece(type_, n, std::move(validity),
                             {buffers.begin(), static_cast<size_t>(buffers.size())}, {}, pool());
}

StatusOr<Buffer> BinaryViewBuilder::BuildViews(Sharing sharing) {
  if (chunks_.empty()) return views_.Share(sharing);
  SHEAF_ASSIGN_OR_RETURN(MutableBuffer joined,
                         MutableBuffer::Allocate(length() * kSlotBytes, pool()));
  auto* out = joined.as<StringViewSlot>();
  Status status;
  VisitPieces(
      [&](int64_t begin, int64_t end) {
        std::memcpy(out, views_.as<StringViewSlot>() + begin,
                    static_cast<size_t>((end - begin) * kSlotBytes));
        out += end - begin;
      },
      [&](int64_t index) {
        const Array& window = chunks_[index].window;
        int32_t from = -1;
        int32_t to = -1;
        const auto move = [&](StringViewSlot& slot) {
          if (slot.buffer_index != from) {
            from = slot.buffer_index;
            to = data_.Find(window.buffer(2 + from));
          }
          slot.buffer_index = to;
          return OkStatus();
        };
        if (window.length() > 0) {
          status = internal::CopyStringViews(window.slots<StringViewSlot>(1), window.validity(),
                                             out, move);
        }
        out += window.length();
      });
  SHEAF_RETURN_IF_ERROR(status);
  return std::move(joined).Finish();
}

}  // namespace sheaf
