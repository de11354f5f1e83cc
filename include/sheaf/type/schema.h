#pragma once

#include <span>
#include <string>
#include <vector>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/type/data_type.h"
#include "sheaf/type/field.h"
#include "sheaf/type/metadata.h"

namespace sheaf::inline v1 {

/// The columns of record batches, in order. Names may repeat or be empty. Cheap to copy, like the
/// struct type that it holds.
class SHEAF_EXPORT Schema {
 public:
  Schema() : Schema(std::vector<Field>{}) {}
  explicit Schema(std::vector<Field> fields, Metadata metadata = {})
      : columns_(Struct(std::move(fields))), metadata_(std::move(metadata)) {}
  /// The fields of a struct type as columns; nothing is copied.
  /// \return kInvalidArgument for any other type.
  static StatusOr<Schema> FromStruct(const DataType& columns, Metadata metadata = {});

  int num_fields() const noexcept { return columns_.num_fields(); }
  const Field& field(int i) const noexcept { return columns_.field(i); }
  std::span<const Field> fields() const noexcept { return columns_.fields(); }
  /// The columns as the fields of a struct.
  const DataType& struct_type() const noexcept { return columns_; }
  const Metadata& metadata() const noexcept { return metadata_; }

  /// Position of the one field with that name. \return kNotFound; kInvalidArgument where it is
  /// there twice.
  StatusOr<int> FieldIndex(string_view name) const;

  /// One line a field.
  std::string ToString() const;

  friend SHEAF_EXPORT bool operator==(const Schema& a, const Schema& b) noexcept;
  bool Identical(const Schema& other) const noexcept;

 private:
  DataType columns_;
  Metadata metadata_;
};

/// Position of the one field with that name. \return kNotFound; kInvalidArgument where it is there
/// twice.
SHEAF_EXPORT StatusOr<int> FieldIndex(std::span<const Field> fields, string_view name);

}  // namespace sheaf
