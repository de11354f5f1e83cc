#pragma once

#include <string>
#include <utility>

#include "sheaf/base/export.h"
#include "sheaf/type/data_type.h"
#include "sheaf/type/metadata.h"

namespace sheaf::inline v1 {

/// A named child or column: its type, whether it may hold nulls, its custom metadata.
class SHEAF_EXPORT Field {
 public:
  Field() = default;
  Field(std::string name, DataType type, bool nullable = true, Metadata metadata = {})
      : name_(std::move(name)),
        type_(std::move(type)),
        nullable_(nullable),
        metadata_(std::move(metadata)) {}

  const std::string& name() const noexcept { return name_; }
  const DataType& type() const noexcept { return type_; }
  bool nullable() const noexcept { return nullable_; }
  const Metadata& metadata() const noexcept { return metadata_; }

  Field WithType(DataType type) const {
    return Field(name_, std::move(type), nullable_, metadata_);
  }
  Field WithName(std::string name) const {
    return Field(std::move(name), type_, nullable_, metadata_);
  }
  Field WithNullable(bool nullable) const { return Field(name_, type_, nullable, metadata_); }
  Field WithMetadata(Metadata metadata) const {
    return Field(name_, type_, nullable_, std::move(metadata));
  }

  /// Such as `a: int32 not null`.
  std::string ToString() const;

  /// Name, type and nullability; metadata is not compared.
  friend SHEAF_EXPORT bool operator==(const Field& a, const Field& b) noexcept;
  /// Everything, down to metadata and child names.
  bool Identical(const Field& other) const noexcept;

 private:
  std::string name_;
  DataType type_;
  bool nullable_ = true;
  Metadata metadata_;
};

}  // namespace sheaf
