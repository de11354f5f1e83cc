#include "sheaf/array/logical_nulls.h"

#include <algorithm>

#include "sheaf/array/run_end_array.h"
#include "sheaf/array/union_array.h"
#include "sheaf/type/visit_layout.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1 {
namespace {

int64_t CountRows(const Array& array) noexcept {
  int64_t count = 0;
  for (int64_t i = 0; i < array.length(); ++i) count += IsLogicallyNull(array, i) ? 1 : 0;
  return count;
}

/// Rows of the window in runs whose value is null.
template <typename RunEnd>
int64_t CountRunNulls(const Array& array) noexcept {
  const Array& run_ends = array.child(0);
  const auto* ends = run_ends.slots<RunEnd>(1);
  int64_t count = 0;
  int64_t begin = 0;
  for (int64_t run = 0; run < run_ends.length() && begin < array.length(); ++run) {
    const int64_t end = std::clamp<int64_t>(ends[run] - array.offset(), 0, array.length());
    if (end > begin && IsLogicallyNull(array.child(1), run)) count += end - begin;
    begin = end;
  }
  return count;
}

/// The slot that decides about row i, as an array and a position in it.
template <typename Function>
bool AtDictionaryValue(const Array& array, int64_t i, Function&& decide) {
  return VisitInteger(array.type().index_type().id(), [&](auto index) {
    return decide(array.dictionary(), static_cast<int64_t>(array.slots<decltype(index)>(1)[i]));
  });
}

template <typename RunEnd>
int64_t RunOf(const Array& array, int64_t i) noexcept {
  const auto* ends = array.child(0).slots<RunEnd>(1);
  return std::upper_bound(ends, ends + array.child(0).length(), array.offset() + i) - ends;
}

bool IsUnionNull(const Array& array, int64_t i, int64_t slot) noexcept {
  const int8_t id = array.slots<int8_t>(0)[i];
  const int8_t child = array.type().child_of_type_code()[static_cast<size_t>(id)];
  return IsLogicallyNull(array.child(child), slot);
}

}  // namespace

bool IsLogicallyNull(const Array& array, int64_t i) noexcept {
  if (array.IsNull(i) && array.layout().has_validity) return true;
  return VisitLayout(
      array.layout(),
      Overloaded{
          [](NullLayout) { return true; },
          [&](DictionaryLayout) { return AtDictionaryValue(array, i, IsLogicallyNull); },
          [&](SparseUnionLayout) { return IsUnionNull(array, i, array.offset() + i); },
          [&](DenseUnionLayout) { return IsUnionNull(array, i, array.slots<int32_t>(1)[i]); },
          [&]<RunEndLike L>(L) {
            return IsLogicallyNull(array.child(1), RunOf<typename L::RunEnd>(array, i));
          },
          [](auto) { return false; },
      });
}

StatusOr<int64_t> LogicalNullCount(const Array& array) {
  SHEAF_RETURN_IF_ERROR(array.Verify());
  return VisitLayout(array.layout(),
                     Overloaded{
                         [&]<RunEndLike L>(L) { return CountRunNulls<typename L::RunEnd>(array); },
                         [&](DictionaryLayout) {
                           return array.dictionary().null_count() == 0 &&
                                          array.dictionary().layout().has_validity &&
                                          array.dictionary().layout().id != LayoutId::kDictionary
                                      ? array.null_count()
                                      : CountRows(array);
                         },
                         [&](UnionLike auto) { return CountRows(array); },
                         [&](auto) { return array.null_count(); },
                     });
}

}  // namespace sheaf
