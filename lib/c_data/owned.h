#pragma once

#include <utility>

#include "base/error.h"
#include "sheaf/base/status.h"
#include "sheaf/c_data/abi.h"

namespace sheaf::inline v1::internal {

/// A structure of the interface taken from its producer: moved here, the producer's marked
/// released, and released with this object.
template <typename Structure>
class Owned {
 public:
  /// \return kInvalidArgument where there is none, or it is released.
  static StatusOr<Owned> Take(Structure* structure) {
    if (structure == nullptr) return InvalidArgument("the structure to import is null");
    if (structure->release == nullptr)
      return InvalidArgument("the structure to import is released");
    Owned owned(*structure);
    structure->release = nullptr;
    return owned;
  }

  Owned(Owned&& other) noexcept : structure_(std::exchange(other.structure_, Structure{})) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(structure_, other.structure_);
    return *this;
  }
  ~Owned() {
    if (structure_.release != nullptr) structure_.release(&structure_);
  }

  const Structure& operator*() const noexcept { return structure_; }
  Structure* operator->() noexcept { return &structure_; }
  /// For callbacks of the structure itself.
  Structure* get() noexcept { return &structure_; }

 private:
  explicit Owned(Structure structure) noexcept : structure_(structure) {}
  Structure structure_;
};

using OwnedSchema = Owned<ArrowSchema>;
using OwnedArray = Owned<ArrowArray>;
using OwnedStream = Owned<ArrowArrayStream>;

}  // namespace sheaf::inline v1::internal
