#include <algorithm>
#include <utility>

#include "builder/builder_core.h"
#include "sheaf/builder/array_builder.h"

// OnOverflow::kNewChunk. A cut moves everything appended so far, children's rows too, into a
// builder of the same class, which is then a full chunk; nothing is copied, and an append that
// fails later moves it back.
namespace sheaf::inline v1 {

namespace {

bool IsOutgrown(const Status& status) noexcept { return status.code() == StatusCode::kOutOfRange; }

}  // namespace

Status ArrayBuilder::TransactInChunks(int64_t rows, RowStager stage) {
  Status status = StageInChunks(rows, stage);
  if (status.ok()) status = CheckLimit(0);
  if (!status.ok()) {
    UndoCuts();
    Discard();
    return AtBuilder(status);
  }
  for (int64_t i = full_.builders.committed_size(); i < full_.builders.size(); ++i) {
    ArrayBuilder& full = *full_.builders[i];
    // What was there before the append is committed, with all that marks need to go back to it.
    if (full.staged_length() != full.length()) full.Commit();
  }
  full_.builders.Commit();
  Commit();
  return status;
}

/// Each chunk is staged into by one call that succeeds: what fails is discarded as a whole.
Status ArrayBuilder::StageInChunks(int64_t rows, RowStager stage) {
  Status status = stage(0, rows);
  if (!IsOutgrown(status) || NewEmpty() == nullptr) return status;
  Discard();
  if (staged_length() > 0) SHEAF_RETURN_IF_ERROR(Cut());
  for (int64_t first = 0; first < rows;) {
    SHEAF_ASSIGN_OR_RETURN(const int64_t staged, StageMostRows(first, rows - first, stage));
    first += staged;
    if (first < rows) SHEAF_RETURN_IF_ERROR(Cut());
  }
  return OkStatus();
}

/// Stages as many of the rows as this chunk, which is empty, holds. Tried by halves, as only
/// staging knows what is shared and what is copied: it refuses before it copies, so what is tried
/// in vain is cheap. \return how many; within a sixteenth of the most that would fit.
StatusOr<int64_t> ArrayBuilder::StageMostRows(int64_t first, int64_t rows, RowStager stage) {
  constexpr int kRefinements = 4;
  Status status = stage(first, rows);
  if (status.ok()) return rows;
  int64_t most = 0;      // Fits.
  int64_t least = rows;  // Does not.
  while (most == 0) {
    if (!IsOutgrown(status)) return status;
    Discard();
    if (least == 1) return status;
    const int64_t half = least / 2;
    status = stage(first, half);
    (status.ok() ? most : least) = half;
  }
  int64_t staged = most;  // 0: the last try failed.
  for (int i = 0; i < kRefinements && least - most > 1; ++i) {
    Discard();
    const int64_t middle = most + (least - most) / 2;
    status = stage(first, middle);
    if (!status.ok() && !IsOutgrown(status)) return status;
    (status.ok() ? most : least) = middle;
    staged = status.ok() ? middle : 0;
  }
  if (staged == most) return most;
  Discard();
  SHEAF_RETURN_IF_ERROR(stage(first, most));
  return most;
}

Status ArrayBuilder::Cut() {
  std::unique_ptr<ArrayBuilder> full = NewEmpty();
  SHEAF_RETURN_IF_ERROR(full_.builders.Reserve(1));
  full_.rows += staged_length();
  full_.nulls += staged_null_count();
  full_.bytes += BytesUsed();
  SwapRows(*full);
  return full_.builders.Stage(std::move(full));
}

void ArrayBuilder::UndoCuts() noexcept {
  const int64_t committed = full_.builders.committed_size();
  if (committed == full_.builders.size()) return;
  UncutTo(committed);
  // The first chunk cut is what was there before the append, if that was anything.
  Discard();
}

void ArrayBuilder::UncutTo(int64_t size) noexcept {
  if (size >= full_.builders.size()) return;
  SwapRows(*full_.builders[size]);
  full_.builders.TruncateTo(size);
  full_.rows = full_.nulls = full_.bytes = 0;
  for (const auto& full : full_.builders) {
    full_.rows += full->length();
    full_.nulls += full->null_count();
    full_.bytes += full->BytesUsed();
  }
}

int64_t ArrayBuilder::chunk_count() const noexcept {
  int64_t count = chunks_.committed_size();
  for (const auto& full : full_.builders) count += full->chunk_count();
  return count;
}

}  // namespace sheaf::inline v1
