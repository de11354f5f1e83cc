#pragma once

#include <cstdint>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"

namespace sheaf::inline v1 {

class ArrayBuilder;
class Field;

namespace internal {

class MarkReader;
class MarkWriter;

/// The list that a list-like builder has open between `BeginList` and `EndList`, and what its
/// elements were at the last commit: whatever else comes into them meanwhile is an error.
class SHEAF_EXPORT OpenList {
 public:
  /// \param elements  how many there are, of so many bytes (`bytes_used`; looked at only where the
  ///     list may begin a chunk).
  void Begin(int64_t elements, int64_t bytes_used) noexcept {
    open_ = true;
    start_bytes_ = bytes_used;
    stray_ = elements != length_;
  }
  /// kFailedPrecondition unless a list was opened over elements that were as at the last commit;
  /// kInvalidArgument where nulls came in although `field` is not nullable.
  Status CheckEnd(const ArrayBuilder& elements, const Field& field) const;
  /// kFailedPrecondition while a list is open or after elements were written outside of one.
  Status CheckReady(const ArrayBuilder& elements) const;
  /// Whether `CheckReady` would be well, for elements of this length.
  bool Ready(int64_t elements) const noexcept { return !open_ && elements == length_; }
  /// Whether `CheckEnd` would be well, for elements of so many nulls, whatever the field; may say
  /// no where it would.
  bool Ends(int64_t nulls) const noexcept { return open_ && !stray_ && nulls == null_count_; }
  /// Elements of the open list.
  int64_t size(const ArrayBuilder& elements) const noexcept;
  bool is_open() const noexcept { return open_; }
  int64_t start() const noexcept { return length_; }
  /// Bytes of the elements in front of the open list.
  int64_t start_bytes() const noexcept { return start_bytes_; }
  /// After a commit: the elements as they are belong to lists.
  void Commit(const ArrayBuilder& elements) noexcept;
  void End() noexcept { open_ = false; }
  /// Ends a list whose elements have no null more than before.
  void EndAt(int64_t elements) noexcept {
    length_ = elements;
    open_ = false;
  }
  void SaveMark(MarkWriter& mark) const noexcept;
  void RestoreMark(MarkReader& mark) noexcept;

 private:
  int64_t length_ = 0;
  int64_t null_count_ = 0;
  int64_t start_bytes_ = 0;
  bool open_ = false;
  bool stray_ = false;
};

}  // namespace internal
}  // namespace sheaf
