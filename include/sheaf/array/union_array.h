#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/type/field.h"

namespace sheaf::inline v1 {

/// Rows of different types, sparse or dense. A union has no validity: a row is null where its
/// child's slot is.
class SHEAF_EXPORT UnionArray : public Array {
 public:
  UnionArray() = default;
  /// \return kInvalidArgument where `array` has another type.
  static StatusOr<UnionArray> From(Array array);

  /// Row i is slot i of the child that `type_ids[i]` names. \param type  a sparse union.
  static StatusOr<UnionArray> MakeSparse(DataType type, Buffer type_ids,
                                         std::vector<Array> children, int64_t length,
                                         ValidationLevel level = ValidationLevel::kFull);
  /// Row i is slot `offsets[i]` of the child that `type_ids[i]` names. \param type  a dense union.
  static StatusOr<UnionArray> MakeDense(DataType type, Buffer type_ids, Buffer offsets,
                                        std::vector<Array> children, int64_t length,
                                        ValidationLevel level = ValidationLevel::kFull);

  bool dense() const noexcept { return layout().id == LayoutId::kDenseUnion; }
  std::span<const int8_t> type_ids() const noexcept {
    return {slots<int8_t>(0), static_cast<size_t>(length())};
  }
  /// Dense unions only.
  std::span<const int32_t> offsets() const noexcept {
    return {slots<int32_t>(1), static_cast<size_t>(length())};
  }
  /// Which child row i is in.
  int child_index(int64_t i) const noexcept {
    return type().child_of_type_code()[static_cast<size_t>(type_ids()[static_cast<size_t>(i)])];
  }
  /// The slot of that child.
  int64_t child_slot(int64_t i) const noexcept {
    return dense() ? slots<int32_t>(1)[i] : offset() + i;
  }
  /// Row i as an array of length 1 of the child's type.
  Array value(int64_t i) const noexcept { return child(child_index(i)).Row(child_slot(i)); }

 private:
  explicit UnionArray(Array array) : Array(std::move(array)) {}
};

}  // namespace sheaf
