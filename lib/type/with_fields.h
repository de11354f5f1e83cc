#pragma once

#include <vector>

#include "sheaf/base/status.h"
#include "sheaf/type/data_type.h"
#include "sheaf/type/field.h"

namespace sheaf::inline v1::internal {

/// A nested type with other child fields of the same kind (a map's entries stay a struct of two
/// fields), its parameters kept: list size, type codes, sorted keys. An extension is over its
/// storage with these fields.
/// \param values  of a dictionary; types with fields do not use it.
DataType WithFields(const DataType& type, std::vector<Field> fields,
                    const DataType& values = DataType());

/// What the registered check of an extension type (type/extension.h) says of its storage.
Status CheckExtension(const DataType& type);

/// The type with another storage where it is an extension; `storage` itself for all others.
/// \return the error of CheckExtension.
StatusOr<DataType> WithStorage(const DataType& type, const DataType& storage);

/// A list-like type of this id over these elements. \param id  kList to kLargeListView.
DataType ListTypeOf(TypeId id, Field elements);

}  // namespace sheaf::inline v1::internal
