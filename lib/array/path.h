#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "sheaf/base/export.h"
#include "sheaf/type/field.h"
#include "sheaf/type/visit_type.h"

namespace sheaf::inline v1::internal {

/// A place in a tree of arrays, such as `$.points.item`: a chain on the stack, made to text only
/// where there is something to report.
struct SHEAF_EXPORT Path {
  const Path* parent = nullptr;
  std::span<const Field> siblings;  ///< Empty: `word` is the step.
  int index = 0;
  const char* word = "$";
  int depth = 1;

  Path Child(std::span<const Field> fields, int i) const {
    return {this, fields, i, nullptr, depth + 1};
  }
  Path Dictionary() const { return {this, {}, 0, "dictionary", depth + 1}; }
  std::string ToString() const;
};

/// The step to field i: `.name`; `.name[i]` where the name is there twice, `[i]` where it is empty.
SHEAF_EXPORT std::string PathStep(std::span<const Field> fields, int i);

/// The type's name without parameters, such as `list_view`.
inline std::string_view TypeWord(const DataType& type) { return TypeName(type.id()); }

/// `list_view $.points: ...`
template <typename... Args>
Status ArrayError(const DataType& type, const Path& path, const Args&... args) {
  return InvalidArgument(TypeWord(type), " ", path.ToString(), ": ", args...);
}
/// `list_view $.points, row 7: ...`
template <typename... Args>
Status RowError(const DataType& type, const Path& path, int64_t row, const Args&... args) {
  return InvalidArgument(TypeWord(type), " ", path.ToString(), ", row ", row, ": ", args...);
}

/// Nesting that walks over arrays do not follow any deeper: they recurse, and a stack has an end.
inline constexpr int kMaxDepth = 1024;
inline Status CheckDepth(const DataType& type, const Path& path) {
  if (path.depth <= kMaxDepth) return OkStatus();
  return InvalidArgument(TypeWord(type), ": nested deeper than ", kMaxDepth, " levels");
}

}  // namespace sheaf::inline v1::internal
