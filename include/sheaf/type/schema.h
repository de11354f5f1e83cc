#pragma once

#include <span>
#include <string>
#include <vector>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/type/field.h"
#include "sheaf/type/metadata.h"

namespace sheaf::inline v1 {

/// The columns of record batches, in order. Names may repeat or be empty.
class SHEAF_EXPORT Schema {
 public:
  Schema() = default;
  explicit Schema(std::vector<Field> fields, Metadata metadata = {})
      : fields_(std::move(fields)), metadata_(std::move(metadata)) {}

  int num_fields() const noexcept { return static_cast<int>(fields_.size()); }
  const Field& field(int i) const noexcept { return fields_[static_cast<size_t>(i)]; }
  std::span<const Field> fields() const noexcept { return fields_; }
  const Metadata& metadata() const noexcept { return metadata_; }

  /// Position of the one field with that name. \return kNotFound; kInvalidArgument where it is
  /// there twice.
  StatusOr<int> FieldIndex(string_view name) const;

  /// One line a field.
  std::string ToString() const;

  friend SHEAF_EXPORT bool operator==(const Schema& a, const Schema& b) noexcept;
  bool Identical(const Schema& other) const noexcept;

 private:
  std::vector<Field> fields_;
  Metadata metadata_;
};

/// Position of the one field with that name. \return kNotFound; kInvalidArgument where it is there
/// twice.
SHEAF_EXPORT StatusOr<int> FieldIndex(std::span<const Field> fields, string_view name);

}  // namespace sheaf
