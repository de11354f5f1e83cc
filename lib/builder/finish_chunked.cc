#include <utility>
#include <vector>

#include "builder/builder_core.h"
#include "builder/pieces.h"
#include "sheaf/array/chunked_array.h"
#include "sheaf/builder/array_builder.h"

// Finish without a copy: what was kept by reference is given as it came, what was copied as slices
// of the builder's memory.
namespace sheaf::inline v1 {

using internal::OwnRun;
using internal::PieceList;

StatusOr<ChunkedArray> ArrayBuilder::FinishChunked() {
  SHEAF_RETURN_IF_ERROR(CheckReady());
  PieceList pieces(pool());
  if (Status status = BuildAllPieces(&pieces); !status.ok()) return AtBuilder(status);
  SHEAF_ASSIGN_OR_RETURN(ChunkedArray chunks,
                         ChunkedArray::Make(BuiltType(), {pieces.begin(), pieces.end()}));
  Clear();
  return chunks;
}

Status ArrayBuilder::BuildAllPieces(PieceList* pieces) {
  for (const auto& full : full_.builders) SHEAF_RETURN_IF_ERROR(full->BuildPieces(pieces));
  // A builder counts its full chunks as its own: they are set aside while it gives what is left.
  FullChunks full = std::exchange(full_, FullChunks(pool()));
  Status status = BuildPieces(pieces);
  full_ = std::move(full);
  return status;
}

Status ArrayBuilder::BuildPieces(PieceList* pieces) {
  SHEAF_ASSIGN_OR_RETURN(Array whole, Build(Sharing::kFinal));
  return pieces->Add(std::move(whole));
}

StatusOr<Array> ArrayBuilder::BuildTail(Sharing sharing) { return Build(sharing); }

Status ArrayBuilder::BuildFlatPieces(PieceList* pieces) {
  Array tail;
  if (tail_.length() > 0) {
    SHEAF_ASSIGN_OR_RETURN(tail, BuildTail(Sharing::kFinal));
  }
  return VisitRuns([&](const OwnRun& run) {
    return pieces->Add(run.chunk < 0 ? tail.Slice(run.first, run.length)
                                     : chunks_[run.chunk].window);
  });
}

}  // namespace sheaf::inline v1
