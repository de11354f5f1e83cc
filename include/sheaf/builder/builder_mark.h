#pragma once

#include <cstdint>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/memory/memory_pool.h"

namespace sheaf::inline v1 {

class ArrayBuilder;
class BuilderMark;

namespace internal {

/// Where a builder is in its tree, and which marks of it are alive: what belongs to the builder and
/// stays when its rows move to another one.
struct BuilderPlace {
  BuilderPlace() = default;
  BuilderPlace(BuilderPlace&&) noexcept {}
  BuilderPlace& operator=(BuilderPlace&&) noexcept { return *this; }

  ArrayBuilder* parent = nullptr;
  BuilderMark* newest_mark = nullptr;
};

/// Takes down what a tree of builders has committed, one number after the other; without memory it
/// only counts them.
class MarkWriter {
 public:
  explicit MarkWriter(int64_t* words) noexcept : words_(words) {}
  void Put(int64_t value) noexcept {
    if (words_ != nullptr) words_[count_] = value;
    ++count_;
  }
  int64_t count() const noexcept { return count_; }

 private:
  int64_t* words_;
  int64_t count_ = 0;
};

/// Gives the numbers back in the same order.
class MarkReader {
 public:
  explicit MarkReader(const int64_t* words) noexcept : words_(words) {}
  int64_t Take() noexcept { return *words_++; }

 private:
  const int64_t* words_;
};

}  // namespace internal

/// What a builder and all its children held when `ArrayBuilder::Mark` made this: a few numbers a
/// builder, no values. `ArrayBuilder::RollBack` goes back to it, as often as wanted.
///
///     SHEAF_ASSIGN_OR_RETURN(const BuilderMark mark, builder.Mark());
///     if (!AppendRow(row, &builder).ok()) SHEAF_RETURN_IF_ERROR(builder.RollBack(mark));
///
/// A mark is *alive* until it is destroyed, and is given up by `Finish`, by `Reset`, by a roll back
/// to an earlier mark, and by the end of the builder. A mark of a builder's child is also given up
/// by whatever takes the child's rows over (`EndList`, `EndRow`, appends to the parent) or rolls
/// them back. Marks of small trees take no memory but their own.
///
/// While a mark is alive, each append that widens a kept window takes note of what the window was
/// (about 50 bytes); builders without marks pay nothing.
class SHEAF_EXPORT BuilderMark {
 public:
  /// A mark of no builder.
  BuilderMark() = default;
  BuilderMark(BuilderMark&& other) noexcept { MoveFrom(other); }
  BuilderMark& operator=(BuilderMark&& other) noexcept;
  ~BuilderMark();

  /// Whether its builder can still be rolled back to it.
  bool alive() const noexcept { return builder_ != nullptr; }

 private:
  friend class ArrayBuilder;
  /// A struct of five fields with a list among them, say.
  static constexpr int64_t kInlineWords = 64;

  Status Allocate(int64_t num_words, MemoryPool* pool);
  int64_t* words() noexcept { return large_ == nullptr ? inline_ : large_; }
  const int64_t* words() const noexcept { return large_ == nullptr ? inline_ : large_; }
  void MoveFrom(BuilderMark& other) noexcept;
  /// Becomes the newest mark of `builder`.
  void Join(ArrayBuilder* builder) noexcept;
  /// Is no mark of its builder any more.
  void Leave() noexcept;
  void FreeWords() noexcept;

  ArrayBuilder* builder_ = nullptr;
  BuilderMark* older_ = nullptr;  ///< The builder's marks, from the newest to the oldest.
  BuilderMark* newer_ = nullptr;
  MemoryPool* pool_ = nullptr;
  int64_t num_words_ = 0;
  int64_t* large_ = nullptr;  ///< Where there are more words than fit inline.
  int64_t inline_[kInlineWords];
};

}  // namespace sheaf::inline v1
