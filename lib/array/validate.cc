#include "array/array_data.h"
#include "array/check_shape.h"
#include "array/check_values.h"
#include "array/path.h"
#include "array/verified.h"
#include "sheaf/array/array.h"
#include "sheaf/type/visit_layout.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1 {
namespace {

using internal::ArrayError;
using internal::Path;

/// The first and last offset of the window.
template <typename Offset>
Status CheckEnds(const Array& array, const Path& path, int64_t limit, const char* limit_name) {
  const auto* offsets = array.slots<Offset>(1);
  const Offset first = offsets[0];
  const Offset last = offsets[array.length()];
  if (first < 0) return ArrayError(array.type(), path, "negative first offset: ", first);
  if (last < first) return ArrayError(array.type(), path, "offsets fall: ", first, " > ", last);
  if (last > limit) {
    return ArrayError(array.type(), path, "last offset past the end of ", limit_name, ": ", last,
                      " > ", limit);
  }
  return OkStatus();
}

template <typename RunEnd>
Status CheckLastRun(const Array& array, const Path& path) {
  const Array& run_ends = array.child(0);
  const int64_t last = run_ends.slots<RunEnd>(1)[run_ends.length() - 1];
  const int64_t rows = array.offset() + array.length();
  if (last >= rows) return OkStatus();
  return ArrayError(array.type(), path, "the last run ends at ", last, " of ", rows, " rows");
}

/// What kDefault looks at beyond kMinimal: O(1) values of a buffer.
Status CheckBorders(const Array& array, const Path& path) {
  if (array.length() == 0) return OkStatus();
  return VisitLayout(
      array.layout(),
      Overloaded{
          [&]<BinaryLike L>(L) {
            return CheckEnds<typename L::Offset>(array, path, array.buffer(2).size_bytes(), "data");
          },
          [&]<ListLike L>(L) {
            return CheckEnds<typename L::Offset>(array, path, array.child(0).length(), "elements");
          },
          [](ViewLike auto) { return OkStatus(); },
          [&]<RunEndLike L>(L) { return CheckLastRun<typename L::RunEnd>(array, path); },
          [](auto) { return OkStatus(); },
      });
}

/// kMinimal and kDefault, of all nodes. Children come first: their buffers are read for the
/// borders.
Status CheckNodes(const Array& array, const Path& path, ValidationLevel level) {
  SHEAF_RETURN_IF_ERROR(CheckDepth(array.type(), path));
  SHEAF_RETURN_IF_ERROR(CheckShape(internal::ShapeOf(array), path));
  for (int i = 0; i < array.num_children(); ++i) {
    SHEAF_RETURN_IF_ERROR(CheckNodes(array.child(i), path.Child(array.type().fields(), i), level));
  }
  if (array.has_dictionary())
    SHEAF_RETURN_IF_ERROR(CheckNodes(array.dictionary(), path.Dictionary(), level));
  return level == ValidationLevel::kDefault ? CheckBorders(array, path) : OkStatus();
}

}  // namespace

namespace internal {

Status ValidateAt(const Array& array, ValidationLevel level, const Path& path) {
  switch (level) {
    case ValidationLevel::kNone:
      return OkStatus();
    case ValidationLevel::kMinimal:
    case ValidationLevel::kDefault:
      return CheckNodes(array, path, level);
    case ValidationLevel::kFull:
      break;
  }
  SHEAF_RETURN_IF_ERROR(VerifyStructure(array, path));
  SHEAF_RETURN_IF_ERROR(CheckValues(array, path));
  return CheckNullability(array, path);
}

}  // namespace internal

Status Validate(const Array& array, ValidationLevel level) {
  return internal::ValidateAt(array, level, internal::Path{});
}

}  // namespace sheaf
