#pragma once

#include <span>
#include <string>

#include "array/path.h"
#include "base/error.h"
#include "sheaf/type/field.h"

namespace sheaf::inline v1::internal {

using Fields = std::span<const Field>;

/// Where a walk down the fields of a schema stands: a chain of paths on the stack, made text only
/// for a message.
class FieldWalk {
 public:
  /// One step down, for the length of a scope.
  class Step {
   public:
    Step(FieldWalk& walk, Fields siblings, int index)
        : walk_(walk), outer_(walk.here_), path_(outer_->Child(siblings, index)) {
      walk_.here_ = &path_;
    }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() { walk_.here_ = outer_; }

   private:
    FieldWalk& walk_;
    const Path* outer_;
    Path path_;
  };

  FieldWalk() = default;
  FieldWalk(FieldWalk&&) noexcept {}  // Before the first step: a chain lies on one stack.

  const Path& path() const { return *here_; }
  /// Fields from the top to here: 1 for a column.
  int depth() const { return here_->depth - 1; }

  template <typename... Args>
  Status Error(StatusCode code, const Args&... args) const {
    return ErrorOf(code, {Part(path().ToString()), Part(": "), Part(args)...});
  }
  template <typename... Args>
  Status Invalid(const Args&... args) const {
    return Error(StatusCode::kInvalidArgument, args...);
  }
  Status At(const Status& status) const {
    return status.ok() ? status : AtPath(path().ToString(), status);
  }

 private:
  static inline const Path kRoot;
  const Path* here_ = &kRoot;
};

}  // namespace sheaf::inline v1::internal
