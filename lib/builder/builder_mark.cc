#include "sheaf/builder/builder_mark.h"

#include <cstring>
#include <utility>

#include "base/error.h"
#include "builder/builder_core.h"

namespace sheaf::inline v1 {

BuilderMark& BuilderMark::operator=(BuilderMark&& other) noexcept {
  if (this == &other) return *this;
  Leave();
  FreeWords();
  MoveFrom(other);
  return *this;
}

BuilderMark::~BuilderMark() {
  Leave();
  FreeWords();
}

Status BuilderMark::Allocate(int64_t num_words, MemoryPool* pool) {
  pool_ = pool;
  num_words_ = num_words;
  if (num_words <= kInlineWords) return OkStatus();
  const int64_t bytes = num_words * static_cast<int64_t>(sizeof(int64_t));
  large_ = reinterpret_cast<int64_t*>(pool->Allocate(bytes));
  return large_ == nullptr ? internal::OutOfMemory(bytes) : OkStatus();
}

void BuilderMark::MoveFrom(BuilderMark& other) noexcept {
  pool_ = other.pool_;
  num_words_ = std::exchange(other.num_words_, 0);
  large_ = std::exchange(other.large_, nullptr);
  if (large_ == nullptr && num_words_ > 0) {
    std::memcpy(inline_, other.inline_, static_cast<size_t>(num_words_) * sizeof(int64_t));
  }
  // Takes the other's place among the marks: they stay in the order in which they were made.
  builder_ = std::exchange(other.builder_, nullptr);
  older_ = std::exchange(other.older_, nullptr);
  newer_ = std::exchange(other.newer_, nullptr);
  if (older_ != nullptr) older_->newer_ = this;
  if (newer_ != nullptr) {
    newer_->older_ = this;
  } else if (builder_ != nullptr) {
    builder_->place_.newest_mark = this;
  }
}

void BuilderMark::Join(ArrayBuilder* builder) noexcept {
  builder_ = builder;
  older_ = std::exchange(builder->place_.newest_mark, this);
  if (older_ != nullptr) older_->newer_ = this;
}

void BuilderMark::Leave() noexcept {
  if (builder_ == nullptr) return;
  if (older_ != nullptr) older_->newer_ = newer_;
  (newer_ == nullptr ? builder_->place_.newest_mark : newer_->older_) = older_;
  builder_ = nullptr;
  older_ = newer_ = nullptr;
}

void BuilderMark::FreeWords() noexcept {
  if (large_ == nullptr) return;
  pool_->Free(reinterpret_cast<uint8_t*>(std::exchange(large_, nullptr)),
              num_words_ * static_cast<int64_t>(sizeof(int64_t)));
}

StatusOr<BuilderMark> ArrayBuilder::Mark() {
  if (mark_words_ == 0) {
    internal::MarkWriter counter(nullptr);
    counter.Put(0);
    SaveMark(counter);
    mark_words_ = counter.count();
  }
  BuilderMark mark;
  if (Status status = mark.Allocate(mark_words_, pool()); !status.ok()) return AtBuilder(status);
  internal::MarkWriter writer(mark.words());
  writer.Put(full_.builders.committed_size());
  SaveMark(writer);
  mark.Join(this);
  return mark;
}

Status ArrayBuilder::RollBack(const BuilderMark& mark) {
  if (mark.builder_ != this) {
    return internal::FailedPrecondition(
        type_.ToString(), " builder: a roll back to a mark ",
        mark.alive()
            ? "of another builder"
            : "that is no builder's, or was given up (by Finish, Reset, a roll back to an earlier "
              "one, or, of a child, by an append to its parent)");
  }
  while (place_.newest_mark != &mark) place_.newest_mark->Leave();
  internal::MarkReader reader(mark.words());
  UncutTo(reader.Take());
  RestoreMark(reader);
  return OkStatus();
}

bool ArrayBuilder::IsMarked() const noexcept {
  for (const ArrayBuilder* builder = this; builder != nullptr; builder = builder->place_.parent) {
    if (builder->place_.newest_mark != nullptr) return true;
  }
  return false;
}

void ArrayBuilder::DropMarks() noexcept {
  while (place_.newest_mark != nullptr) place_.newest_mark->Leave();
}

void ArrayBuilder::SaveMark(internal::MarkWriter& mark) const noexcept {
  const ValidityBuilder::Counts tail = tail_.counts();
  mark.Put(tail.length);
  mark.Put(tail.null_count);
  mark.Put(tail.has_bitmap ? 1 : 0);
  mark.Put(chunks_.committed_size());
  mark.Put(widened_.committed_size());
  mark.Put(kept_.committed_rows);
  mark.Put(kept_.committed_nulls);
}

void ArrayBuilder::RestoreMark(internal::MarkReader& mark) noexcept {
  window_ = RowWindow();
  ValidityBuilder::Counts tail;
  tail.length = mark.Take();
  tail.null_count = mark.Take();
  tail.has_bitmap = mark.Take() != 0;
  tail_.RollBack(tail);
  const int64_t num_chunks = mark.Take();
  UndoWidened(mark.Take());
  chunks_.TruncateTo(num_chunks);
  kept_.committed_rows = kept_.staged_rows = mark.Take();
  kept_.committed_nulls = kept_.staged_nulls = mark.Take();
}

void ArrayBuilder::UndoWidened(int64_t size) noexcept {
  for (int64_t i = widened_.size() - 1; i >= size; --i) {
    const internal::WidenedChunk& was = widened_[i];
    internal::KeptChunk& chunk = chunks_[was.index];
    chunk.window = internal::WithWindow(chunk.window, was.before.offset, was.before.length);
    chunk.null_count = was.null_count_before;
  }
  widened_.TruncateTo(size);
}

}  // namespace sheaf::inline v1
