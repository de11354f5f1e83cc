#include "sheaf/array/run_end_array.h"

#include <algorithm>

#include "array/make_typed.h"
#include "sheaf/type/field.h"
#include "sheaf/type/visit_layout.h"

namespace sheaf::inline v1 {
namespace {

/// Calls `function(ends)` with the run ends as what they are stored as.
template <typename Function>
int64_t WithRunEnds(const Array& array, Function&& function) {
  return VisitLayout(array.layout(),
                     Overloaded{
                         [&]<RunEndLike L>(L) -> int64_t {
                           return function(array.child(0).slots<typename L::RunEnd>(1));
                         },
                         [](auto) -> int64_t { return 0; },
                     });
}

}  // namespace

StatusOr<RunEndArray> RunEndArray::From(Array array) {
  if (array.layout().id != LayoutId::kRunEndEncoded)
    return internal::WrongType(array, "run_end_encoded");
  return RunEndArray(std::move(array));
}

StatusOr<RunEndArray> RunEndArray::Make(const Array& run_ends, const Array& values, int64_t length,
                                        int64_t offset, ValidationLevel level) {
  SHEAF_ASSIGN_OR_RETURN(DataType type,
                         RunEndEncoded(run_ends.type(), Field("values", values.type())));
  SHEAF_RETURN_IF_ERROR(run_ends.Verify());
  const bool to_the_end = length == -1;
  SHEAF_ASSIGN_OR_RETURN(Array array, MakeArray({.type = std::move(type),
                                                 .length = to_the_end ? 0 : length,
                                                 .offset = to_the_end ? 0 : offset,
                                                 .children = {run_ends, values}},
                                                to_the_end ? ValidationLevel::kMinimal : level));
  RunEndArray made(std::move(array));
  if (!to_the_end || run_ends.length() == 0) return made;
  return Make(run_ends, values, std::max<int64_t>(0, made.run_end(run_ends.length() - 1) - offset),
              offset, level);
}

int64_t RunEndArray::run_end(int64_t run) const noexcept {
  return WithRunEnds(*this, [&](const auto* ends) { return int64_t{ends[run]}; });
}

int64_t RunEndArray::physical_index(int64_t i) const noexcept {
  const int64_t runs = run_ends().length();
  return WithRunEnds(*this, [&](const auto* ends) {
    return static_cast<int64_t>(std::upper_bound(ends, ends + runs, offset() + i) - ends);
  });
}

std::pair<int64_t, int64_t> RunEndArray::physical_range() const noexcept {
  if (length() == 0) return {0, 0};
  return {physical_index(0), physical_index(length() - 1) + 1};
}

}  // namespace sheaf
