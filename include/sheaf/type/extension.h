#pragma once

#include <functional>
#include <string>

#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/type/data_type.h"
#include "sheaf/type/field.h"

namespace sheaf::inline v1 {

/// Says whether `storage` and the serialized parameters make a type of this extension.
using ExtensionCheck = std::function<Status(const DataType& storage, string_view metadata)>;

/// Registers an extension by name (thread-safe, process-wide): from then on a field read from IPC
/// or the C data interface whose metadata names it has an extension type. Fields of unknown
/// extensions keep their storage type, and the two metadata keys, so they pass through unchanged.
/// \return kAlreadyExists where the name is taken.
SHEAF_EXPORT Status RegisterExtension(std::string name, ExtensionCheck check);
/// \return kNotFound where the name is not registered.
SHEAF_EXPORT Status UnregisterExtension(string_view name);

/// The metadata keys that carry an extension type (Arrow columnar format, "Extension types").
inline constexpr char kExtensionNameKey[] = "ARROW:extension:name";
inline constexpr char kExtensionMetadataKey[] = "ARROW:extension:metadata";

/// A field as the outside has it (storage type, metadata keys) to one of ours: the type becomes an
/// extension type, and the keys go, if the extension is registered. Children are resolved by their
/// own reader.
/// \return the check's status where the extension refuses the storage.
SHEAF_EXPORT StatusOr<Field> ResolveExtension(Field field);

/// The reverse: an extension-typed field as storage type plus metadata keys (at this level only).
SHEAF_EXPORT Field StorageField(const Field& field);

}  // namespace sheaf
