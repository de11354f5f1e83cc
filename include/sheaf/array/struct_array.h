#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/type/field.h"

namespace sheaf::inline v1 {

/// Rows of fields, a child array each; possibly no field, but rows all the same.
class SHEAF_EXPORT StructArray : public Array {
 public:
  StructArray() = default;
  /// \return kInvalidArgument where `array` has another type.
  static StatusOr<StructArray> From(Array array);

  /// \param length  -1: that of the first child; must be given where there is none.
  static StatusOr<StructArray> Make(std::vector<Field> fields, std::vector<Array> children,
                                    int64_t length = -1, Buffer validity = {},
                                    ValidationLevel level = ValidationLevel::kFull);

  /// Field i cut to this window. Its own validity does not show this struct's nulls.
  Array field(int i) const noexcept { return child(i).Slice(offset(), length()); }
  /// Field i with this struct's nulls: a row is null where the struct's or the field's is. Shares
  /// all of the field but its validity, and that too where one of the two has no null.
  ///
  /// Types without a validity of their own show nulls through their children. Those of a sparse
  /// union get them all; of a dense union, and of run-ends, the slots that rows under nulls lead to
  /// — which cannot be where a valid row leads to the same slot. A child that may hold no null is
  /// nullable in the result's type.
  /// \return kInvalidArgument for no such field, and naming the slot or run that a null and a valid
  /// row share; the structural error of an array that must not be followed; kResourceExhausted.
  StatusOr<Array> FlattenedField(int i, MemoryPool* pool = MemoryPool::Default()) const;
  /// \return kNotFound; kInvalidArgument where the name is there twice.
  StatusOr<Array> FieldByName(string_view name) const;

 private:
  explicit StructArray(Array array) : Array(std::move(array)) {}
};

}  // namespace sheaf
