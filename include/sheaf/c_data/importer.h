#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sheaf/array/array.h"
#include "sheaf/array/record_batch.h"
#include "sheaf/base/export.h"
#include "sheaf/base/status.h"
#include "sheaf/c_data/abi.h"
#include "sheaf/c_data/dictionary_registry.h"
#include "sheaf/c_data/import.h"
#include "sheaf/type/field.h"
#include "sheaf/type/schema.h"

namespace sheaf::inline v1 {

/// A column as it was imported: what its schema said, and its values.
struct ImportedColumn {
  Field field;
  Array array;
};

/// Imports columns one at a time and gives each dictionary that comes with them an id of its own,
/// those within others first. Importers that share a registry give no id twice. An importer may be
/// used from several threads at once.
///
/// What is imported reads right by itself: ids only name dictionaries, for whoever has to tell them
/// apart. Otherwise as the functions in import.h: structures are taken over, also on failure.
class SHEAF_EXPORT Importer {
 public:
  /// With a registry of its own, which keeps dictionaries while they are used.
  explicit Importer(const ImportOptions& options = {});
  /// \param registry  not null; shared for as long as the importer lives.
  explicit Importer(std::shared_ptr<DictionaryRegistry> registry,
                    const ImportOptions& options = {});

  const std::shared_ptr<DictionaryRegistry>& registry() const noexcept { return registry_; }

  /// \return what `ImportField` and `ImportArray` return, and what `DictionaryRegistry::Add` does;
  /// no dictionary is then registered.
  StatusOr<ImportedColumn> ImportColumn(ArrowSchema* schema, ArrowArray* array) const;
  /// All columns or none: where one fails, all are released and none is registered.
  /// \param schemas  as many as `arrays`, and in their order.
  /// \return the first error, with the column's number.
  StatusOr<std::vector<ImportedColumn>> ImportColumns(std::span<ArrowSchema> schemas,
                                                      std::span<ArrowArray> arrays) const;

  /// Further arrays of a type, and batches of a schema, that were imported before.
  StatusOr<Array> ImportArray(ArrowArray* array, const DataType& type) const;
  StatusOr<RecordBatch> ImportRecordBatch(ArrowArray* array, const Schema& schema) const;

 private:
  std::shared_ptr<DictionaryRegistry> registry_;
  ImportOptions options_;
};

}  // namespace sheaf::inline v1
