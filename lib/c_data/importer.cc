#include "sheaf/c_data/importer.h"

#include <optional>
#include <utility>

#include "array/array_data.h"
#include "base/error.h"
#include "c_data/import.h"
#include "c_data/owned.h"

namespace sheaf::inline v1 {
namespace {

using internal::OwnedArray;
using internal::OwnedSchema;

/// Dictionaries of the array, those within others first: whoever goes by ids meets none that it
/// does not know yet.
void GatherDictionaries(const Array& array, std::vector<Array>* dictionaries) {
  for (int i = 0; i < array.num_children(); ++i) GatherDictionaries(array.child(i), dictionaries);
  if (!array.has_dictionary()) return;
  GatherDictionaries(array.dictionary(), dictionaries);
  dictionaries->push_back(array.dictionary());
}

/// Both structures of a column, taken over whatever is wrong with the other.
struct OwnedColumn {
  StatusOr<OwnedSchema> schema;
  StatusOr<OwnedArray> array;

  OwnedColumn(ArrowSchema* schema_taken, ArrowArray* array_taken)
      : schema(OwnedSchema::Take(schema_taken)), array(OwnedArray::Take(array_taken)) {}

  StatusOr<ImportedColumn> Read(const ImportOptions& options) && {
    SHEAF_RETURN_IF_ERROR(schema.status());
    SHEAF_RETURN_IF_ERROR(array.status());
    SHEAF_ASSIGN_OR_RETURN(Field field, internal::ReadField(**schema, options.max_depth));
    SHEAF_ASSIGN_OR_RETURN(Array values,
                           internal::ReadArray(*std::move(array), field.type(), options));
    return ImportedColumn{std::move(field), std::move(values)};
  }
};

}  // namespace

Importer::Importer(const ImportOptions& options)
    : Importer(std::make_shared<DictionaryRegistry>(DictionaryRegistryOptions{
                   .hold = DictionaryHold::kWhileUsed, .pool = options.pool}),
               options) {}

Importer::Importer(std::shared_ptr<DictionaryRegistry> registry, const ImportOptions& options)
    : registry_(std::move(registry)), options_(options) {}

StatusOr<ImportedColumn> Importer::ImportColumn(ArrowSchema* schema, ArrowArray* array) const {
  SHEAF_ASSIGN_OR_RETURN(ImportedColumn column, OwnedColumn(schema, array).Read(options_));
  std::vector<Array> dictionaries;
  GatherDictionaries(column.array, &dictionaries);
  SHEAF_RETURN_IF_ERROR(registry_->AddAll(dictionaries));
  return column;
}

StatusOr<std::vector<ImportedColumn>> Importer::ImportColumns(std::span<ArrowSchema> schemas,
                                                              std::span<ArrowArray> arrays) const {
  std::vector<OwnedColumn> owned;
  owned.reserve(std::max(schemas.size(), arrays.size()));
  for (size_t i = 0; i < std::max(schemas.size(), arrays.size()); ++i) {
    owned.emplace_back(i < schemas.size() ? &schemas[i] : nullptr,
                       i < arrays.size() ? &arrays[i] : nullptr);
  }
  if (schemas.size() != arrays.size()) {
    return internal::InvalidArgument(static_cast<uint64_t>(schemas.size()), " schemas for ",
                                     static_cast<uint64_t>(arrays.size()), " arrays");
  }
  std::vector<ImportedColumn> columns;
  columns.reserve(owned.size());
  std::vector<Array> dictionaries;
  for (size_t i = 0; i < owned.size(); ++i) {
    auto column = std::move(owned[i]).Read(options_);
    if (!column.ok()) {
      return internal::ErrorOf(column.status().code(), {"column ", static_cast<uint64_t>(i), ": ",
                                                        column.status().message()});
    }
    GatherDictionaries(column->array, &dictionaries);
    columns.push_back(*std::move(column));
  }
  SHEAF_RETURN_IF_ERROR(registry_->AddAll(dictionaries));
  return columns;
}

StatusOr<Array> Importer::ImportArray(ArrowArray* array, const DataType& type) const {
  SHEAF_ASSIGN_OR_RETURN(Array imported, sheaf::ImportArray(array, type, options_));
  std::vector<Array> dictionaries;
  GatherDictionaries(imported, &dictionaries);
  SHEAF_RETURN_IF_ERROR(registry_->AddAll(dictionaries));
  return imported;
}

StatusOr<RecordBatch> Importer::ImportRecordBatch(ArrowArray* array, const Schema& schema) const {
  SHEAF_ASSIGN_OR_RETURN(RecordBatch batch, sheaf::ImportRecordBatch(array, schema, options_));
  std::vector<Array> dictionaries;
  for (const Array& column : batch.columns()) GatherDictionaries(column, &dictionaries);
  SHEAF_RETURN_IF_ERROR(registry_->AddAll(dictionaries));
  return batch;
}

}  // namespace sheaf::inline v1
