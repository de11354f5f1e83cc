#include "sheaf/builder/open_list.h"

#include "builder/builder_core.h"

namespace sheaf::inline v1::internal {

Status OpenList::CheckEnd(const ArrayBuilder& elements, const Field& field) const {
  if (!open_)
    return FailedPrecondition("EndList without an open list: elements ", field.ToString());
  if (stray_) {
    return FailedPrecondition(elements.type().ToString(),
                              " elements were written outside BeginList and EndList, behind the ",
                              length_, " of the lists so far");
  }
  if (!field.nullable() && elements.null_count() != null_count_) {
    return InvalidArgument("a null among the list's elements, whose field ", field.ToString(),
                           " is not nullable");
  }
  return OkStatus();
}

Status OpenList::CheckReady(const ArrayBuilder& elements) const {
  if (open_) {
    return FailedPrecondition("a list is open: EndList comes first: elements ",
                              elements.type().ToString());
  }
  if (elements.length() != length_) {
    return FailedPrecondition(elements.type().ToString(),
                              " elements were written outside BeginList and EndList: ",
                              elements.length(), " where the lists have ", length_);
  }
  return OkStatus();
}

int64_t OpenList::size(const ArrayBuilder& elements) const noexcept {
  return elements.length() - length_;
}

void OpenList::Commit(const ArrayBuilder& elements) noexcept {
  length_ = elements.length();
  null_count_ = elements.null_count();
}

void OpenList::SaveMark(MarkWriter& mark) const noexcept {
  mark.Put(length_);
  mark.Put(null_count_);
  mark.Put(start_bytes_);
  mark.Put(open_ ? 1 : 0);
  mark.Put(stray_ ? 1 : 0);
}

void OpenList::RestoreMark(MarkReader& mark) noexcept {
  length_ = mark.Take();
  null_count_ = mark.Take();
  start_bytes_ = mark.Take();
  open_ = mark.Take() != 0;
  stray_ = mark.Take() != 0;
}

}  // namespace sheaf::inline v1::internal
